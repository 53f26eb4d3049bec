/* SPDX-License-Identifier: Apache-2.0 */
#include "base/jsonx.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define JSONX_MAX ((size_t)256 << 20)

int jsonx_parse(struct jsonx_doc *d, const char *name, const char *text, size_t len, struct iow_error *e)
{
	json_error_t je;

	memset(d, 0, sizeof *d);
	d->root = json_loadb(text, len, JSON_REJECT_DUPLICATES, &je);
	if (!d->root)
		return err_set(e, EINVAL, "%s:%d:%d: not valid JSON: %s", name, je.line > 0 ? je.line : 1,
			       je.column > 0 ? je.column : 1, je.text);
	d->name = mem_strdup(name);
	d->text = mem_alloc(len + 1);
	memcpy(d->text, text, len);
	d->len = len;
	return 0;
}

int jsonx_load(struct jsonx_doc *d, const char *path, struct iow_error *e)
{
	struct buf b = BUF_INIT;
	int rc = file_read(path, &b, JSONX_MAX, e);

	memset(d, 0, sizeof *d);
	if (!rc)
		rc = jsonx_parse(d, path, buf_str(&b), b.len, e);
	buf_release(&b);
	return rc;
}

void jsonx_release(struct jsonx_doc *d)
{
	if (!d)
		return;
	free(d->name);
	free(d->text);
	json_decref(d->root);
	memset(d, 0, sizeof *d);
}

/* ---- finding a pointer in the text again; the text is known to be valid JSON ---- */

static const char *skip_space(const char *p)
{
	return p + strspn(p, " \t\r\n");
}

static const char *skip_string(const char *p) /* at the opening quote */
{
	for (p++; *p != '"'; p++)
		if (*p == '\\')
			p++;
	return p + 1;
}

static const char *skip_value(const char *p)
{
	int depth = 0;

	p = skip_space(p);
	do {
		if (*p == '"') {
			p = skip_string(p);
		} else if (*p == '{' || *p == '[') {
			depth++, p++;
		} else if (*p == '}' || *p == ']') {
			depth--, p++;
		} else if (depth == 0) {
			return p + strcspn(p, " \t\r\n,]}");
		} else {
			p++;
		}
	} while (depth > 0 && *p);
	return p;
}

/* Is the JSON string at p equal to the n bytes of key? */
static bool string_is(const char *p, const char *key, size_t n)
{
	const char *end = skip_string(p);
	json_t *s = json_loadb(p, (size_t)(end - p), JSON_DECODE_ANY, NULL);
	bool same = s && json_string_length(s) == n && memcmp(json_string_value(s), key, n) == 0;

	json_decref(s);
	return same;
}

/* Value of member `key` (or element) of the container at p; its key's place in *at. */
static const char *find_member(const char *p, const char *key, size_t n, const char **at)
{
	bool object = *p == '{';
	size_t index = 0, want = object ? 0 : strtoul(key, NULL, 10);

	if (*p != '{' && *p != '[')
		return NULL;
	for (p = skip_space(p + 1); *p && *p != '}' && *p != ']'; index++) {
		const char *name = p;

		if (object)
			p = skip_space(skip_space(skip_string(p)) + 1);
		if (object ? string_is(name, key, n) : index == want) {
			*at = object ? name : p;
			return p;
		}
		p = skip_space(skip_value(p));
		if (*p == ',')
			p = skip_space(p + 1);
	}
	return NULL;
}

/* Copies one reference token of a pointer, unescaped; returns what follows it. */
static const char *next_token(const char *p, char *out, size_t size, size_t *n)
{
	size_t k = 0;

	for (; *p && *p != '/'; p++) {
		char c = *p;

		if (c == '~' && (p[1] == '0' || p[1] == '1'))
			c = *++p == '0' ? '~' : '/';
		if (k + 1 < size)
			out[k++] = c;
	}
	out[k] = 0;
	*n = k;
	return p;
}

bool jsonx_where(const struct jsonx_doc *d, const char *pointer, bool key, int *line, int *column)
{
	const char *p = skip_space(d->text), *at = p, *value = p;
	bool found = false;
	char token[1024];
	size_t n;

	while (*pointer == '/') {
		const char *name, *next;

		pointer = next_token(pointer + 1, token, sizeof token, &n);
		next = find_member(value, token, n, &name);
		if (!next)
			break;
		found = true;
		value = next;
		at = key && !*pointer ? name : next;
	}
	*line = *column = 1;
	for (p = d->text; p < at; p++) {
		if (*p == '\n')
			(*line)++, *column = 1;
		else if ((*p & 0xc0) != 0x80)
			(*column)++;
	}
	return found;
}

json_t *jsonx_at(json_t *root, const char *pointer)
{
	char token[1024];
	size_t n;

	while (root && *pointer == '/') {
		pointer = next_token(pointer + 1, token, sizeof token, &n);
		root = json_is_array(root) ? json_array_get(root, strtoul(token, NULL, 10))
					   : json_object_get(root, token);
	}
	return root;
}

void jsonx_pointer_add(struct buf *b, const char *key)
{
	buf_putc(b, '/');
	for (; *key; key++) {
		if (*key == '~')
			buf_puts(b, "~0");
		else if (*key == '/')
			buf_puts(b, "~1");
		else
			buf_putc(b, *key);
	}
}

const char *jsonx_str(const json_t *o, const char *key, const char *def)
{
	const char *s = json_string_value(json_object_get(o, key));

	return s ? s : def;
}

int64_t jsonx_int(const json_t *o, const char *key, int64_t def)
{
	const json_t *v = json_object_get(o, key);

	return json_is_integer(v) ? json_integer_value(v) : def;
}

double jsonx_real(const json_t *o, const char *key, double def)
{
	const json_t *v = json_object_get(o, key);

	return json_is_number(v) ? json_number_value(v) : def;
}

bool jsonx_bool(const json_t *o, const char *key, bool def)
{
	const json_t *v = json_object_get(o, key);

	return json_is_boolean(v) ? json_is_true(v) : def;
}

void jsonx_set_new(json_t *o, const char *key, json_t *v_take)
{
	if (!v_take || json_object_set_new(o, key, v_take))
		abort(); /* out of memory, or a key that is no UTF-8 */
}

void jsonx_set_str(json_t *o, const char *key, const char *v)
{
	json_t *s = v ? json_string(v) : json_null();
	mem_auto char *clean = s ? NULL : utf8_clean(v, 0);

	jsonx_set_new(o, key, s ? s : json_string(clean));
}

void jsonx_set_int(json_t *o, const char *key, int64_t v)
{
	jsonx_set_new(o, key, json_integer(v));
}

json_t *jsonx_number(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}

void jsonx_set_real(json_t *o, const char *key, double v)
{
	jsonx_set_new(o, key, jsonx_number(v));
}

json_t *jsonx_pair(double lo, double hi)
{
	json_t *a = json_array();

	json_array_append_new(a, jsonx_number(lo));
	json_array_append_new(a, jsonx_number(hi));
	return a;
}

void jsonx_set_bool(json_t *o, const char *key, bool v)
{
	jsonx_set_new(o, key, json_boolean(v));
}
