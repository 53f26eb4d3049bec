/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/source.h"
#include "base/err.h"
#include "base/vec.h"

/* ---- --set ---- */

/* Splits "/a/b~1c" into its parts, unescaped. */
static char **split_pointer(const char *path, size_t *n)
{
	char **parts = NULL;

	*n = 0;
	while (*path == '/') {
		size_t len = strcspn(++path, "/");
		char *part = mem_strndup(path, len), *to = part;

		for (const char *from = part; *from; from++) {
			char c = *from;

			if (c == '~' && (from[1] == '0' || from[1] == '1'))
				c = *++from == '0' ? '~' : '/';
			*to++ = c;
		}
		*to = 0;
		*VEC_ADD(parts, *n) = part;
		path += len;
	}
	return parts;
}

static bool array_index(const json_t *a, const char *part, size_t *index)
{
	size_t i = 0;

	if (strcmp(part, "-") == 0) {
		*index = json_array_size(a);
		return true;
	}
	for (const char *c = part; *c; c++) {
		if (*c < '0' || *c > '9' || i > 1000000)
			return false;
		i = i * 10 + (size_t)(*c - '0');
	}
	*index = i;
	return *part && i < json_array_size(a);
}

/* The member of `at` that `part` names, made an object when it is missing. */
static json_t *step_into(json_t *at, const char *part)
{
	size_t i;
	json_t *next;

	if (json_is_array(at))
		return array_index(at, part, &i) && i < json_array_size(at) ? json_array_get(at, i) : NULL;
	if (!json_is_object(at))
		return NULL;
	next = json_object_get(at, part);
	if (!next) {
		next = json_object();
		jsonx_set_new(at, part, next);
	}
	return next;
}

static bool put_at(json_t *at, const char *part, json_t *v_take)
{
	size_t i;

	if (json_is_object(at))
		return json_object_set_new(at, part, v_take) == 0;
	if (json_is_array(at) && array_index(at, part, &i)) {
		if (i == json_array_size(at))
			return json_array_append_new(at, v_take) == 0;
		return json_array_set_new(at, i, v_take) == 0;
	}
	json_decref(v_take);
	return false;
}

static json_t *value_from_text(const char *text)
{
	json_t *v = json_loads(text, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL);

	return v ? v : json_string(text);
}

static bool set_value(json_t *root, const char *path, const char *value)
{
	size_t n;
	char **parts = split_pointer(path, &n);
	json_t *at = root, *v = value_from_text(value);
	bool done = false;

	for (size_t i = 0; at && i + 1 < n; i++)
		at = step_into(at, parts[i]);
	if (at && n && v)
		done = put_at(at, parts[n - 1], v);
	else
		json_decref(v);
	for (size_t i = 0; i < n; i++)
		free(parts[i]);
	free(parts);
	return done;
}

void source_set(struct plan *p, const char *text)
{
	const char *eq = strchr(text, '=');
	struct plan_set *s;

	if (*text != '/' || !eq) {
		problem_add(&p->problems, "", NULL, "--set %s: %s, as in --set /params/dir=/tmp", text,
			    eq ? "a place in the plan begins with /" : "a place and a value are needed");
		return;
	}
	s = VEC_ADD(p->set, p->n_set);
	s->path = mem_strndup(text, (size_t)(eq - text));
	s->value = mem_strdup(eq + 1);
	if (!set_value(p->root, s->path, s->value))
		problem_add(&p->problems, s->path, NULL, "--set %s: the plan has no such place", text);
}

/* ---- parameters ---- */

struct subst {
	struct plan *plan;
	json_t *params;
	struct buf path;
};

static void say_unknown(struct subst *s, const char *name)
{
	const char **names = NULL, *key;
	size_t n = 0;
	json_t *v;
	struct buf hint = BUF_INIT;

	json_object_foreach(s->params, key, v)
		*VEC_ADD(names, n) = key;
	(void)VEC_ADD(names, n);
	name_hint(&hint, name, names);
	problem_add(&s->plan->problems, buf_str(&s->path), NULL, "no parameter \"%s\"%s", name,
		    buf_str(&hint));
	buf_release(&hint);
	free(names);
}

/* Value of ${name}, borrowed; NULL with a problem added. */
static json_t *param_value(struct subst *s, const char *name)
{
	json_t *v = json_object_get(s->params, name);

	if (!v)
		say_unknown(s, name);
	else if (json_is_null(v))
		problem_add(&s->plan->problems, "/params", name,
			    "the parameter has no value: give it with --set /params/%s=VALUE", name);
	return v && !json_is_null(v) ? v : NULL;
}

static void add_text(struct buf *b, const json_t *v)
{
	if (json_is_string(v))
		buf_puts(b, json_string_value(v));
	else
		jsonx_write(b, v, 0);
}

/* The text with its parameters, new; NULL: nothing to replace, or a problem was added. */
static json_t *substitute_text(struct subst *s, const char *text)
{
	struct buf b = BUF_INIT;
	const char *p = text, *dollar;
	json_t *whole = NULL;
	bool changed = false;

	while ((dollar = strstr(p, "${"))) {
		const char *end = strchr(dollar, '}');
		mem_auto char *name = NULL;
		json_t *v;

		if (dollar > p && dollar[-1] == '$') {
			buf_add(&b, p, (size_t)(dollar - p) - 1);
			buf_puts(&b, "${");
			p = dollar + 2;
			changed = true;
			continue;
		}
		if (!end) {
			problem_add(&s->plan->problems, buf_str(&s->path), NULL,
				    "\"${\" without \"}\"; \"$${\" stands for the characters themselves");
			break;
		}
		name = mem_strndup(dollar + 2, (size_t)(end - dollar) - 2);
		v = param_value(s, name);
		buf_add(&b, p, (size_t)(dollar - p));
		if (v && dollar == text && !end[1])
			whole = v;
		else if (v)
			add_text(&b, v);
		p = end + 1;
		changed = true;
	}
	buf_puts(&b, p);
	if (!whole && changed)
		whole = json_string(buf_str(&b));
	else
		json_incref(whole);
	buf_release(&b);
	return whole;
}

static void substitute(struct subst *s, json_t *at);

/* Does one member; returns its new value or NULL to keep it. */
static json_t *substitute_member(struct subst *s, const char *key, json_t *v)
{
	size_t before = s->path.len;
	json_t *new = NULL;

	jsonx_pointer_add(&s->path, key);
	if (json_is_string(v))
		new = substitute_text(s, json_string_value(v));
	else
		substitute(s, v);
	s->path.len = before;
	s->path.data[before] = 0;
	return new;
}

static void substitute(struct subst *s, json_t *at)
{
	const char *key;
	char number[24];
	size_t i;
	json_t *v, *new;

	if (json_is_object(at)) {
		json_object_foreach(at, key, v) {
			if (!s->path.len && strcmp(key, "params") == 0)
				continue;
			new = substitute_member(s, key, v);
			if (new)
				json_object_set_new(at, key, new);
		}
	}
	json_array_foreach(at, i, v) {
		snprintf(number, sizeof number, "%zu", i);
		new = substitute_member(s, number, v);
		if (new)
			json_array_set_new(at, i, new);
	}
}

void source_substitute(struct plan *p)
{
	struct subst s = { .plan = p, .params = json_object_get(p->root, "params") };
	const char *key;
	json_t *v;

	buf_init(&s.path);
	if (s.params && !json_is_object(s.params))
		problem_add(&p->problems, "/params", NULL, "\"params\" is an object of names and values");
	json_object_foreach(s.params, key, v)
		if (json_is_object(v) || json_is_array(v))
			problem_add(&p->problems, "/params", key,
				    "a parameter is a text, a number, true or false");
	substitute(&s, p->root);
	buf_release(&s.path);
}
