/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/keys.h"
#include "base/err.h"
#include "base/num.h"
#include "base/vec.h"

#include <errno.h>
#include <math.h>

const struct iow_key *key_find(const struct iow_key *keys, const char *name)
{
	for (; keys->name; keys++)
		if (strcmp(keys->name, name) == 0)
			return keys;
	return NULL;
}

static void allowed_range(const struct iow_key *k, struct buf *b)
{
	char lo[40], hi[40];

	if (k->type == IOW_KEY_REAL ? k->rmin == 0 && k->rmax == 0 : !k->min && !k->max)
		return;
	if (k->type == IOW_KEY_BYTES) {
		num_bytes((uint64_t)k->min, lo);
		num_bytes((uint64_t)k->max, hi);
	} else if (k->type == IOW_KEY_TIME) {
		num_time(k->min, lo);
		num_time(k->max, hi);
	} else if (k->type == IOW_KEY_REAL) {
		num_real12(k->rmin, lo);
		num_real12(k->rmax, hi);
	} else {
		snprintf(lo, sizeof lo, "%lld", (long long)k->min);
		snprintf(hi, sizeof hi, "%lld", (long long)k->max);
	}
	if (strcmp(lo, hi) == 0)
		buf_printf(b, " of %s", lo);
	else if (k->type == IOW_KEY_REAL || k->max != INT64_MAX)
		buf_printf(b, " from %s to %s", lo, hi);
	else if (k->min)
		buf_printf(b, " of at least %s", lo);
}

void key_allowed(const struct iow_key *k, struct buf *b)
{
	static const char *const words[] = {
		[IOW_KEY_STRING] = "a text",
		[IOW_KEY_BOOL] = "true or false",
		[IOW_KEY_INT] = "an integer",
		[IOW_KEY_BYTES] = "bytes such as 4096 or \"64KiB\"",
		[IOW_KEY_TIME] = "a time such as \"5s\" or \"250ms\"",
		[IOW_KEY_REAL] = "a number",
		[IOW_KEY_LIST] = "an array of texts",
	};

	if (k->flags & IOW_KEY_SECRET) {
		buf_puts(b, "{\"env\": NAME} or {\"file\": PATH}, so that it is in no bundle");
		return;
	}
	if (k->type == KEY_JSON) {
		buf_puts(b, "see iowitness-plan(5)");
		return;
	}
	if (k->type == IOW_KEY_CHOICE) {
		buf_puts(b, "one of ");
		for (const char *const *c = k->choices; c && *c; c++)
			buf_printf(b, "%s%s", c == k->choices ? "" : ", ", *c);
		return;
	}
	if (k->type < ARRAY_LEN(words) && words[k->type])
		buf_puts(b, words[k->type]);
	allowed_range(k, b);
}

void key_text(const struct iow_key *k, const json_t *v, struct buf *b)
{
	char s[40];

	if (json_is_string(v)) {
		buf_puts(b, json_string_value(v));
	} else if (json_is_integer(v) && k && k->type == IOW_KEY_BYTES) {
		num_bytes((uint64_t)json_integer_value(v), s);
		buf_puts(b, s);
	} else if (json_is_integer(v) && k && k->type == IOW_KEY_TIME) {
		num_time(json_integer_value(v), s);
		buf_puts(b, s);
	} else if (json_is_boolean(v)) {
		buf_puts(b, json_is_true(v) ? "yes" : "no");
	} else {
		jsonx_write(b, v, 0);
	}
}

/* ---- one value ---- */

static bool in_range(const struct iow_key *k, int64_t v)
{
	return (!k->min && !k->max) || (v >= k->min && v <= k->max);
}

static json_t *resolve_number(const struct iow_key *k, const json_t *v, unsigned mode)
{
	const char *s = json_string_value(v);
	int64_t n = 0;
	uint64_t bytes = 0;
	bool ok = true;

	if (k->type == IOW_KEY_BYTES && s) {
		ok = num_parse_bytes(s, &bytes, NULL) == 0 && bytes <= INT64_MAX;
		n = (int64_t)bytes;
	} else if (k->type == IOW_KEY_TIME && s) {
		ok = num_parse_time(s, &n, NULL) == 0;
	} else if (json_is_integer(v)) {
		n = json_integer_value(v);
		if (k->type == IOW_KEY_TIME && n != 0 && !(mode & KEYS_RESOLVED))
			ok = false;
	} else {
		ok = false;
	}
	if (ok && k->type != IOW_KEY_INT && n < 0)
		ok = false;
	return ok && in_range(k, n) ? json_integer(n) : NULL;
}

static json_t *resolve_list(const json_t *v)
{
	size_t n = json_array_size(v);

	if (!json_is_array(v))
		return NULL;
	for (size_t i = 0; i < n; i++)
		if (!json_is_string(json_array_get(v, i)))
			return NULL;
	return json_copy((json_t *)v);
}

static json_t *resolve_choice(const struct iow_key *k, const json_t *v)
{
	const char *s = json_string_value(v);

	for (const char *const *c = k->choices; s && c && *c; c++)
		if (strcmp(*c, s) == 0)
			return json_string(s);
	return NULL;
}

static json_t *resolve_secret(const json_t *v)
{
	const char *env = jsonx_str(v, "env", NULL), *file = jsonx_str(v, "file", NULL);

	if (json_object_size(v) != 1 || (!env && !file))
		return NULL;
	return json_copy((json_t *)v);
}

static json_t *resolve_real(const struct iow_key *k, const json_t *v)
{
	double x = json_number_value(v);

	if (!json_is_number(v) || ((k->rmin != 0 || k->rmax != 0) && (x < k->rmin || x > k->rmax)))
		return NULL;
	return json_real(x);
}

static json_t *resolve_value(const struct iow_key *k, const json_t *v, unsigned mode)
{
	if (k->flags & IOW_KEY_SECRET)
		return resolve_secret(v);
	if (k->type == KEY_JSON)
		return json_incref((json_t *)v);
	switch (k->type) {
	case IOW_KEY_STRING:
		return json_is_string(v) ? json_string(json_string_value(v)) : NULL;
	case IOW_KEY_BOOL:
		return json_is_boolean(v) ? json_boolean(json_is_true(v)) : NULL;
	case IOW_KEY_REAL:
		return resolve_real(k, v);
	case IOW_KEY_CHOICE:
		return resolve_choice(k, v);
	case IOW_KEY_LIST:
		return resolve_list(v);
	default:
		return resolve_number(k, v, mode);
	}
}

static void say_value(const struct iow_key *k, const json_t *v, const char *at, struct problems *p)
{
	struct buf got = BUF_INIT, want = BUF_INIT;

	if (k->flags & IOW_KEY_SECRET)
		buf_puts(&got, "given in the plan"); /* never shown */
	else
		jsonx_write(&got, v, 0);
	if (got.len > 80) {
		buf_clear(&got);
		buf_puts(&got, json_is_object(v) ? "an object" : json_is_array(v) ? "an array" : "too long");
	}
	key_allowed(k, &want);
	problem_add(p, at, NULL, "\"%s\" is %s; allowed: %s", k->name, buf_str(&got), buf_str(&want));
	buf_release(&got);
	buf_release(&want);
}

json_t *key_resolve(const struct iow_key *k, const json_t *v, unsigned mode, const char *at,
		    struct problems *p)
{
	json_t *r;

	if ((mode & KEYS_RESOLVED) && json_is_null(v) && !(k->flags & IOW_KEY_REQUIRED))
		return json_null();
	r = resolve_value(k, v, mode);
	if (!r)
		say_value(k, v, at, p);
	return r;
}

/* ---- a whole object ---- */

static json_t *list_default(const char *def)
{
	json_t *a = json_array();

	while (*def) {
		size_t n = strcspn(def, ",");

		json_array_append_new(a, json_stringn(def, n));
		def += n + (def[n] == ',');
	}
	return a;
}

/* The default as the plan's own JSON would have it; NULL: not set. */
static json_t *default_value(const struct iow_key *k)
{
	int64_t n = 0;
	double x = 0;

	if (!k->def)
		return NULL;
	switch (k->type) {
	case IOW_KEY_BOOL:
		return json_boolean(strcmp(k->def, "true") == 0);
	case IOW_KEY_INT:
		return num_parse_int(k->def, &n, NULL) ? NULL : json_integer(n);
	case IOW_KEY_REAL:
		return num_parse_real(k->def, &x, NULL) ? NULL : json_real(x);
	case IOW_KEY_BYTES:
		if (num_parse_int(k->def, &n, NULL) == 0)
			return json_integer(n);
		return json_string(k->def);
	case IOW_KEY_LIST:
		return list_default(k->def);
	default:
		return json_string(k->def);
	}
}

static json_t *resolved_default(const struct iow_key *k)
{
	json_t *d = default_value(k), *r = d ? resolve_value(k, d, KEYS_PLAN) : NULL;

	json_decref(d);
	return r ? r : json_null();
}

static void say_unknown(const struct iow_key *keys, const char *name, const char *at,
			struct problems *p)
{
	struct buf hint = BUF_INIT;
	const char **names = NULL;
	size_t n = 0;

	for (; keys->name; keys++)
		*VEC_ADD(names, n) = keys->name;
	(void)VEC_ADD(names, n);
	name_hint(&hint, name, names);
	problem_add_key(p, at, name, "unknown key \"%s\"%s", name, buf_str(&hint));
	buf_release(&hint);
	free(names);
}

static void say_missing(const struct iow_key *k, const char *at, struct problems *p)
{
	struct buf want = BUF_INIT;

	key_allowed(k, &want);
	problem_add(p, at, NULL, "\"%s\" is missing: %s (%s)", k->name, k->help ? k->help : "required",
		    buf_str(&want));
	buf_release(&want);
}

json_t *keys_resolve(const struct iow_key *keys, const json_t *o, unsigned mode, const char *at,
		     struct problems *p)
{
	json_t *out = json_object();
	const char *name;
	json_t *v;

	json_object_foreach((json_t *)o, name, v)
		if (!key_find(keys, name))
			say_unknown(keys, name, at, p);
	for (const struct iow_key *k = keys; k->name; k++) {
		struct buf path = BUF_INIT;
		json_t *r = NULL;

		v = json_object_get(o, k->name);
		buf_puts(&path, at);
		jsonx_pointer_add(&path, k->name);
		if (v)
			r = key_resolve(k, v, mode, buf_str(&path), p);
		else if (k->flags & IOW_KEY_REQUIRED)
			say_missing(k, at, p);
		jsonx_set_new(out, k->name, r ? r : resolved_default(k));
		buf_release(&path);
	}
	return out;
}
