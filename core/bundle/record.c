/* SPDX-License-Identifier: Apache-2.0 */
#include "bundle/record.h"
#include "base/err.h"
#include "base/jsonx.h"
#include "base/vec.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static json_t *list_get(const struct record *r, const char *first, size_t n)
{
	json_t *a = json_array();

	for (size_t i = 0; i < n; i++) {
		json_t *o = json_object();

		record_get(r, first + i * r->size, o);
		json_array_append_new(a, o);
	}
	return a;
}

static json_t *numbers_get(const uint32_t *v, size_t n)
{
	json_t *a = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(a, json_integer(v[i]));
	return a;
}

static json_t *real_get(double x)
{
	return isfinite(x) ? json_real(x) : json_null();
}

static json_t *field_get(const struct record_field *f, const void *base)
{
	const void *p = (const char *)base + f->offset;
	size_t n = f->count ? *(const size_t *)((const char *)base + f->count) : 0;
	json_t *j;

	switch (f->type) {
	case REC_TEXT:
	case REC_MAYBE:
		return *(char *const *)p ? json_string(*(char *const *)p) : json_null();
	case REC_HEX:
		return json_string(p);
	case REC_U32:
		return json_integer(*(const uint32_t *)p);
	case REC_I32:
		return json_integer(*(const int32_t *)p);
	case REC_I64:
		return json_integer(*(const int64_t *)p);
	case REC_BOOL:
		return json_boolean(*(const bool *)p);
	case REC_REAL:
		return real_get(*(const double *)p);
	case REC_JSON:
		j = *(json_t *const *)p;
		return j ? json_incref(j) : json_null();
	case REC_NAME:
		return json_string(f->names[*(const uint32_t *)p]);
	case REC_NUMBERS:
		return numbers_get(*(uint32_t *const *)p, n);
	case REC_LIST:
		return list_get(f->record, *(char *const *)p, n);
	case REC_OWN:
		return f->get(p);
	}
	abort();
}

static bool left_out(const struct record_field *f, const void *base)
{
	const void *p = (const char *)base + f->offset;

	if (!f->later)
		return false;
	if (f->type == REC_REAL)
		return !(*(const double *)p > 0);
	if (f->type == REC_U32)
		return *(const uint32_t *)p == 0;
	return *(const size_t *)(const void *)((const char *)base + f->count) == 0;
}

void record_get(const struct record *r, const void *p, json_t *o)
{
	for (const struct record_field *f = r->fields; f->name; f++)
		if (!left_out(f, p))
			jsonx_set_new(o, f->name, field_get(f, p));
}

/* ---- reading ---- */

static void path_index(struct buf *path, size_t i)
{
	buf_printf(path, "/%zu", i);
}

static void path_cut(struct buf *path, size_t len)
{
	if (path->data) {
		path->len = len;
		path->data[len] = 0;
	}
}

static int list_set(const struct record *r, char **list, size_t *n, const json_t *v, struct buf *path,
		    struct iow_error *e)
{
	size_t at = path->len, i;
	json_t *o;

	if (!json_is_array(v))
		return err_set(e, EINVAL, "must be an array");
	json_array_foreach((json_t *)(uintptr_t)v, i, o) {
		path_index(path, i);
		*list = vec_grow(*list, *n, r->size);
		(*n)++;
		if (record_set(r, *list + i * r->size, o, false, path, e))
			return -1;
		path_cut(path, at);
	}
	return 0;
}

static int numbers_set(uint32_t **list, size_t *n, const json_t *v, struct iow_error *e)
{
	size_t i;
	json_t *o;

	if (!json_is_array(v))
		return err_set(e, EINVAL, "must be an array");
	json_array_foreach((json_t *)(uintptr_t)v, i, o) {
		json_int_t x = json_integer_value(o);

		if (!json_is_integer(o) || x < 0 || x > UINT32_MAX)
			return err_set(e, EINVAL, "must hold integers of 0 or more");
		*VEC_ADD(*list, *n) = (uint32_t)x;
	}
	return 0;
}

static int name_set(const struct record_field *f, uint32_t *p, const json_t *v, struct iow_error *e)
{
	const char *s = json_string_value(v);

	for (uint32_t i = 0; s && f->names[i]; i++) {
		if (strcmp(f->names[i], s) == 0) {
			*p = i;
			return 0;
		}
	}
	return err_set(e, EINVAL, "not one of its words");
}

static int integer_set(const struct record_field *f, void *p, const json_t *v, struct iow_error *e)
{
	json_int_t x = json_integer_value(v);

	if (!json_is_integer(v))
		return err_set(e, EINVAL, "must be an integer");
	if (f->type == REC_I64)
		*(int64_t *)p = x;
	else if (f->type == REC_U32 && x >= 0 && x <= UINT32_MAX)
		*(uint32_t *)p = (uint32_t)x;
	else if (f->type == REC_I32 && x >= INT32_MIN && x <= INT32_MAX)
		*(int32_t *)p = (int32_t)x;
	else
		return err_set(e, EINVAL, "out of range");
	return 0;
}

static int text_set(const struct record_field *f, void *p, const json_t *v, struct iow_error *e)
{
	if (f->type == REC_MAYBE && json_is_null(v))
		return 0;
	if (!json_is_string(v))
		return err_set(e, EINVAL, "must be a text");
	if (f->type != REC_HEX) {
		*(char **)p = mem_strdup(json_string_value(v));
		return 0;
	}
	if (json_string_length(v) != 64 || strspn(json_string_value(v), "0123456789abcdef") != 64)
		return err_set(e, EINVAL, "must be a SHA-256 of 64 hexadecimal digits");
	memcpy(p, json_string_value(v), 65);
	return 0;
}

static int field_set(const struct record_field *f, void *base, const json_t *v, struct buf *path,
		     struct iow_error *e)
{
	void *p = (char *)base + f->offset;
	size_t *n = f->count ? (size_t *)(void *)((char *)base + f->count) : NULL;

	switch (f->type) {
	case REC_TEXT:
	case REC_MAYBE:
	case REC_HEX:
		return text_set(f, p, v, e);
	case REC_U32:
	case REC_I32:
	case REC_I64:
		return integer_set(f, p, v, e);
	case REC_BOOL:
		*(bool *)p = json_is_true(v);
		return json_is_boolean(v) ? 0 : err_set(e, EINVAL, "must be true or false");
	case REC_REAL:
		*(double *)p = json_is_null(v) ? NAN : json_number_value(v);
		return json_is_null(v) || json_is_number(v) ? 0 : err_set(e, EINVAL, "must be a number or null");
	case REC_JSON:
		*(json_t **)p = json_is_null(v) ? NULL : json_incref((json_t *)(uintptr_t)v);
		return 0;
	case REC_NAME:
		return name_set(f, p, v, e);
	case REC_NUMBERS:
		return numbers_set(p, n, v, e);
	case REC_LIST:
		return list_set(f->record, p, n, v, path, e);
	case REC_OWN:
		return f->set(p, v, e);
	}
	abort();
}

static const struct record_field *find(const struct record *r, const char *name)
{
	for (const struct record_field *f = r->fields; f->name; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}

int record_set(const struct record *r, void *p, const json_t *o, bool others, struct buf *path,
	       struct iow_error *e)
{
	size_t at = path->len;
	const char *name;
	json_t *v;

	if (!json_is_object(o))
		return err_set(e, EINVAL, "must be an object");
	json_object_foreach((json_t *)(uintptr_t)o, name, v) {
		if (!others && !find(r, name)) {
			jsonx_pointer_add(path, name);
			return err_set(e, EINVAL, "unknown member; version 1 does not have it");
		}
	}
	for (const struct record_field *f = r->fields; f->name; f++) {
		v = json_object_get(o, f->name);
		if (!v && f->later)
			continue;
		if (!v)
			return err_set(e, EINVAL, "member \"%s\" is missing", f->name);
		jsonx_pointer_add(path, f->name);
		if (field_set(f, p, v, path, e))
			return -1;
		path_cut(path, at);
	}
	return 0;
}
