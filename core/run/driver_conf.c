/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/jsonx.h"
#include "base/num.h"
#include "base/vec.h"
#include "run/driver.h"

#include <stdlib.h>
#include <string.h>

static const char *const type_names[] = { "", "string", "bool", "int", "bytes", "time", "real", "choice", "list" };
static const char *const flag_names[] = { "REQUIRED", "AXIS", "DEVICE", "SECRET", "FILE" };
static const char *const cap_names[] = { "READ", "WRITE", "TRIM", "FLUSH", "DSYNC", "SYNC", "DIRECT", "BUFFERED",
	"ASYNC", "CONNECT", "FOREIGN_HOT", "SELF_TIMED", "VIRTUAL_TIME", "NEEDS_DURABILITY", "NO_DATA" };

static json_t *bits(uint64_t set, const char *const *names, size_t n)
{
	json_t *a = json_array();

	for (size_t i = 0; i < n; i++)
		if (set >> i & 1)
			json_array_append_new(a, json_string(names[i]));
	return a;
}

json_t *driver_caps_json(uint64_t caps)
{
	return bits(caps, cap_names, ARRAY_LEN(cap_names));
}

static json_t *describe_key(const struct iow_key *k)
{
	json_t *o = json_object();

	jsonx_set_str(o, "name", k->name);
	jsonx_set_str(o, "type", type_names[k->type]);
	jsonx_set_new(o, "flags", bits(k->flags, flag_names, ARRAY_LEN(flag_names)));
	if (k->def)
		jsonx_set_str(o, "default", k->def);
	if (k->type == IOW_KEY_REAL && (k->rmin != 0 || k->rmax != 0)) {
		jsonx_set_real(o, "min", k->rmin);
		jsonx_set_real(o, "max", k->rmax);
	} else if (k->min || k->max) {
		jsonx_set_int(o, "min", k->min);
		jsonx_set_int(o, "max", k->max);
	}
	if (k->type == IOW_KEY_CHOICE) {
		json_t *a = json_array();

		for (const char *const *c = k->choices; c && *c; c++)
			json_array_append_new(a, json_string(*c));
		jsonx_set_new(o, "choices", a);
	}
	jsonx_set_str(o, "help", k->help);
	return o;
}

json_t *driver_describe(const struct driver *d)
{
	json_t *o = json_object(), *keys = json_array();

	jsonx_set_str(o, "name", d->d.name);
	jsonx_set_str(o, "version", d->d.version);
	jsonx_set_str(o, "summary", d->d.summary);
	jsonx_set_str(o, "file", d->file);
	jsonx_set_str(o, "sha256", d->sha256);
	jsonx_set_int(o, "threads", d->d.threads);
	jsonx_set_new(o, "caps", driver_caps_json(d->d.caps));
	for (size_t i = 0; i < d->n_keys; i++)
		json_array_append_new(keys, describe_key(&d->keys[i]));
	jsonx_set_new(o, "keys", keys);
	return o;
}

static void *own(struct driver_conf *c, void *p)
{
	void **slot = VEC_ADD(c->owned, c->n_owned);

	return *slot = p;
}

static int bounded(const struct iow_key *k, int64_t v, struct iow_error *e)
{
	if ((k->min || k->max) && (v < k->min || v > k->max))
		return err_set(e, 0, "%lld is outside %lld to %lld", (long long)v, (long long)k->min, (long long)k->max);
	return 0;
}

static int fill_integer(const struct iow_key *k, const json_t *v, void *at, struct iow_error *e)
{
	const char *s = json_string_value(v);
	int64_t i = json_integer_value(v);
	uint64_t b = 0;
	int got = json_is_integer(v) ? 0 : -1;

	if (s && k->type == IOW_KEY_INT)
		got = num_parse_int(s, &i, e);
	else if (s && k->type == IOW_KEY_TIME)
		got = num_parse_time(s, &i, e);
	else if (s) {
		got = num_parse_bytes(s, &b, e);
		i = (int64_t)b;
	} else if (got != 0)
		err_set(e, 0, "not a %s", type_names[k->type]);
	if (got != 0 || bounded(k, i, e) != 0)
		return -1;
	if (k->type == IOW_KEY_BYTES && i < 0)
		return err_set(e, 0, "bytes cannot be negative");
	memcpy(at, &i, sizeof i);
	return 0;
}

static int fill_real(const struct iow_key *k, const json_t *v, void *at, struct iow_error *e)
{
	double d = json_number_value(v);

	if (json_is_string(v) ? num_parse_real(json_string_value(v), &d, e) != 0 : !json_is_number(v))
		return json_is_string(v) ? -1 : err_set(e, 0, "not a number");
	if ((k->rmin != 0 || k->rmax != 0) && !(d >= k->rmin && d <= k->rmax))
		return err_set(e, 0, "%g is outside %g to %g", d, k->rmin, k->rmax);
	memcpy(at, &d, sizeof d);
	return 0;
}

static int fill_choice(const struct iow_key *k, const json_t *v, void *at, struct iow_error *e)
{
	const char *s = json_string_value(v);
	uint32_t i = 0;

	for (; s && k->choices && k->choices[i]; i++) {
		if (strcmp(k->choices[i], s) == 0) {
			memcpy(at, &i, sizeof i);
			return 0;
		}
	}
	return err_set(e, 0, "\"%s\" is not one of its choices", s ? s : "");
}

static int fill_bool(const json_t *v, void *at, struct iow_error *e)
{
	const char *s = json_string_value(v);
	uint8_t b = json_is_true(v) || (s && strcmp(s, "true") == 0);

	if (!json_is_boolean(v) && !(s && (b || strcmp(s, "false") == 0)))
		return err_set(e, 0, "not true or false");
	memcpy(at, &b, 1);
	return 0;
}

/* {"env": NAME} and {"file": PATH} keep a secret out of plans and bundles. */
static int read_secret(struct driver_conf *c, const json_t *v, void *at, struct iow_error *e)
{
	const char *env = jsonx_str(v, "env", NULL), *file = jsonx_str(v, "file", NULL);
	struct buf b = BUF_INIT;
	char *s;

	if (env) {
		if (!getenv(env))
			return err_set(e, 0, "the environment has no %s", env);
		s = own(c, mem_strdup(getenv(env)));
	} else if (file) {
		if (file_read(file, &b, 1 << 16, e) != 0)
			return -1;
		while (b.len && (b.data[b.len - 1] == '\n' || b.data[b.len - 1] == '\r'))
			b.data[--b.len] = 0;
		s = own(c, mem_strdup(buf_str(&b)));
		buf_release(&b);
	} else {
		return err_set(e, 0, "a secret is a string, {\"env\": NAME} or {\"file\": PATH}");
	}
	memcpy(at, &s, sizeof s);
	return 0;
}

static int fill_list(struct driver_conf *c, const json_t *v, void *at, struct iow_error *e)
{
	size_t n = json_array_size(v);
	char **list = own(c, mem_array(n + 1, sizeof *list));

	if (!json_is_array(v))
		return err_set(e, 0, "not a list of strings");
	for (size_t i = 0; i < n; i++) {
		const char *s = json_string_value(json_array_get(v, i));

		if (!s)
			return err_set(e, 0, "not a list of strings");
		list[i] = own(c, mem_strdup(s));
	}
	memcpy(at, &list, sizeof list);
	return 0;
}

static int fill_one(struct driver_conf *c, const struct iow_key *k, const json_t *v, struct iow_error *e)
{
	void *at = (char *)c->block + k->offset;
	char *s;

	switch (k->type) {
	case IOW_KEY_BOOL:
		return fill_bool(v, at, e);
	case IOW_KEY_INT:
	case IOW_KEY_BYTES:
	case IOW_KEY_TIME:
		return fill_integer(k, v, at, e);
	case IOW_KEY_REAL:
		return fill_real(k, v, at, e);
	case IOW_KEY_CHOICE:
		return fill_choice(k, v, at, e);
	case IOW_KEY_LIST:
		return fill_list(c, v, at, e);
	}
	if (json_is_object(v) && k->flags & IOW_KEY_SECRET)
		return read_secret(c, v, at, e);
	if (!json_is_string(v))
		return err_set(e, 0, "not a string");
	s = own(c, mem_strdup(json_string_value(v)));
	memcpy(at, &s, sizeof s);
	return 0;
}

static int fill_keys(struct driver_conf *c, const struct driver *d, const json_t *keys, struct iow_error *e)
{
	for (const struct iow_key *k = d->keys; k->name; k++) {
		json_t *given = json_object_get(keys, k->name), *def = NULL;
		int got = 0;

		if (json_is_null(given))
			given = NULL;
		if (!given && k->flags & IOW_KEY_REQUIRED)
			return err_set(e, 0, "driver %s needs the key \"%s\"", d->d.name, k->name);
		if (!given && k->def && k->type != IOW_KEY_LIST)
			given = def = json_string(k->def);
		if (given)
			got = fill_one(c, k, given, e);
		json_decref(def);
		if (got != 0)
			return err_in(e, "key \"%s\"", k->name);
	}
	return 0;
}

int driver_conf_fill(struct driver_conf *c, const struct driver *d, const json_t *keys, struct iow_error *e)
{
	const char *name;
	json_t *v;

	memset(c, 0, sizeof *c);
	json_object_foreach((json_t *)keys, name, v) {
		const struct iow_key *k = d->keys;

		while (k->name && strcmp(k->name, name) != 0)
			k++;
		if (!k->name)
			return err_set(e, 0, "driver %s has no key \"%s\"", d->d.name, name);
	}
	c->block = mem_alloc(d->d.conf_size + 16);
	if (fill_keys(c, d, keys, e) == 0)
		return 0;
	driver_conf_release(c);
	return -1;
}

void driver_conf_release(struct driver_conf *c)
{
	for (size_t i = 0; i < c->n_owned; i++)
		free(c->owned[i]);
	free(c->owned);
	free(c->block);
	memset(c, 0, sizeof *c);
}
