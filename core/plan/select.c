/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/select.h"
#include "base/vec.h"
#include "plan/tables.h"
#include "plan/workload.h"

const char *const cell_dims[] = { "target", "workload", "pass", "variant", "company", "node", "test", NULL };

/* ---- values ---- */

json_t *cell_value(const struct cells *c, const struct cell *cell, const char *dim)
{
	if (strcmp(dim, "target") == 0)
		return json_string(c->targets[cell->target].name);
	if (strcmp(dim, "workload") == 0)
		return json_string(c->workloads[cell->workload].name);
	if (strcmp(dim, "pass") == 0)
		return json_integer(cell->pass);
	if (strcmp(dim, "company") == 0)
		return json_string(company_names[cell->company]);
	if (strcmp(dim, "node") == 0)
		return json_string(c->nodes[c->targets[cell->target].node].name);
	if (strcmp(dim, "test") == 0)
		return json_string(c->tests[cell->test].name);
	if (strcmp(dim, "variant") == 0 && cell->variant >= 0)
		return json_incref(json_object_get(
			json_array_get(c->tests[cell->test].variants, (size_t)cell->variant), "name"));
	for (size_t i = 0; i < cell->n_sweep; i++)
		if (strcmp(cell->sweep[i].dim, dim) == 0)
			return json_incref(cell->sweep[i].value);
	return NULL;
}

/* The type of a swept key: any value that a plan may write is brought to that of the cells. */
static const struct iow_key *dim_type(const struct draft *d, const char *dim)
{
	for (size_t i = 0; i < d->n_tests; i++)
		for (size_t k = 0; k < d->tests[i].n_dims; k++)
			if (strcmp(d->tests[i].dims[k].name, dim) == 0)
				return d->tests[i].dims[k].type;
	return NULL;
}

/* ---- reading ---- */

static void say_no_dim(struct selector *s, const struct draft *d, const char *dim, struct problems *p)
{
	const char **names = NULL;
	size_t n = 0;
	struct buf hint = BUF_INIT;

	for (size_t i = 0; cell_dims[i]; i++)
		*VEC_ADD(names, n) = cell_dims[i];
	for (size_t i = 0; i < d->n_tests; i++)
		for (size_t k = 0; k < d->tests[i].n_dims; k++)
			*VEC_ADD(names, n) = d->tests[i].dims[k].name;
	(void)VEC_ADD(names, n);
	name_hint(&hint, dim, names);
	problem_add_key(p, s->at, dim, "no dimension \"%s\"%s", dim, buf_str(&hint));
	s->bad = true;
	buf_release(&hint);
	free(names);
}

static const char **test_names(const struct draft *d)
{
	const char **names = NULL;
	size_t n = 0;

	for (size_t i = 0; i < d->n_tests; i++)
		if (d->tests[i].name)
			*VEC_ADD(names, n) = d->tests[i].name;
	(void)VEC_ADD(names, n);
	return names;
}

/* Names that a dimension may have, new list; NULL: any. */
static const char **dim_names(const struct draft *d, const char *dim)
{
	static const char *const parts[][2] = { { "target", "targets" }, { "workload", "workloads" } };
	const char **names = NULL;
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		if (strcmp(dim, parts[i][0]) == 0)
			return object_names(json_object_get(d->plan->root, parts[i][1]));
	if (strcmp(dim, "test") == 0)
		return test_names(d);
	if (strcmp(dim, "node") == 0)
		for (size_t i = 0; i < d->n_nodes; i++)
			*VEC_ADD(names, n) = d->nodes[i].name;
	if (strcmp(dim, "company") == 0)
		for (size_t i = 0; company_names[i]; i++)
			*VEC_ADD(names, n) = company_names[i];
	if (n)
		(void)VEC_ADD(names, n);
	return names;
}

static void check_name(struct selector *s, const struct draft *d, const char *dim, const json_t *v,
		       const char *at, struct problems *p)
{
	const char **names = dim_names(d, dim), *name = json_string_value(v);
	struct buf hint = BUF_INIT;
	bool found = !names;

	for (size_t i = 0; name && names && names[i]; i++)
		found |= strcmp(names[i], name) == 0;
	if (!found && name) {
		name_hint(&hint, name, names);
		problem_add(p, at, NULL, "no %s \"%s\"%s", dim, name, buf_str(&hint));
	} else if (!found) {
		problem_add(p, at, NULL, "\"%s\" is the name of one", dim);
	}
	s->bad |= !found;
	buf_release(&hint);
	free(names);
}

/* One wanted value, resolved, new; NULL with a problem. */
static json_t *want_value(struct selector *s, const struct draft *d, const char *dim, const json_t *v,
			  const char *at, struct problems *p)
{
	const struct iow_key *type = dim_type(d, dim);
	json_t *r;

	if (!type) {
		check_name(s, d, dim, v, at, p);
		return json_incref((json_t *)v);
	}
	if (json_is_object(v))
		return json_deep_copy(v);
	r = key_resolve(type, v, KEYS_PLAN, at, p);
	s->bad |= !r;
	return r ? r : json_null();
}

static bool known_dim(const struct draft *d, const char *dim)
{
	for (size_t i = 0; cell_dims[i]; i++)
		if (strcmp(cell_dims[i], dim) == 0)
			return true;
	return dim_type(d, dim) != NULL;
}

static void add_text(struct buf *b, const struct draft *d, const char *dim, const json_t *wanted)
{
	const struct iow_key *type = dim_type(d, dim);

	buf_puts(b, b->len ? ", " : "");
	if (strcmp(dim, "pass") == 0 || (type && type->type == IOW_KEY_INT))
		buf_printf(b, "%s ", strchr(dim, '.') ? strchr(dim, '.') + 1 : dim);
	for (size_t i = 0; i < json_array_size(wanted); i++) {
		buf_puts(b, i ? " or " : "");
		key_text(type, json_array_get(wanted, i), b);
	}
}

/* Brings an object of wanted values to {"dim": [resolved values]}. */
static json_t *read_object(struct selector *s, const struct draft *d, const json_t *v,
			   struct problems *p, struct buf *text)
{
	json_t *out = json_object(), *want;
	const char *dim;

	json_object_foreach((json_t *)v, dim, want) {
		json_t *list = json_array();
		struct buf at = BUF_INIT;
		size_t n = json_is_array(want) ? json_array_size(want) : 1;

		buf_puts(&at, s->at);
		jsonx_pointer_add(&at, dim);
		if (!known_dim(d, dim)) {
			say_no_dim(s, d, dim, p);
			n = 0;
		}
		for (size_t i = 0; i < n; i++)
			json_array_append_new(list, want_value(s, d, dim,
							       json_is_array(want) ? json_array_get(want, i)
										   : want,
							       buf_str(&at), p));
		add_text(text, d, dim, list);
		jsonx_set_new(out, dim, list);
		buf_release(&at);
	}
	return out;
}

int selector_read(struct selector *s, const struct draft *d, const json_t *v, const char *at,
		  struct problems *p)
{
	struct buf text = BUF_INIT;

	memset(s, 0, sizeof *s);
	s->at = mem_strdup(at);
	if (json_is_string(v)) {
		s->target = json_string_value(v);
		check_name(s, d, "target", v, at, p);
		buf_puts(&text, s->target);
	} else if (json_is_object(v)) {
		s->o = read_object(s, d, v, p, &text);
	} else {
		problem_add(p, at, NULL,
			    "a selector is a target's name or an object such as {\"target\": \"file\", \"pass\": 2}");
		s->bad = true;
	}
	s->text = text.data ? buf_take(&text) : mem_strdup("all");
	return s->bad ? -1 : 0;
}

void selector_release(struct selector *s)
{
	json_decref((json_t *)s->o);
	free(s->at);
	free(s->text);
	memset(s, 0, sizeof *s);
}

/* ---- matching ---- */

bool selector_names(const struct selector *s, const char *dim)
{
	return s->o ? json_object_get(s->o, dim) != NULL : s->target && strcmp(dim, "target") == 0;
}

bool selector_matches(const struct selector *s, const struct cells *c, const struct cell *cell)
{
	const char *dim;
	json_t *wanted;

	if (!s->o)
		return s->target && strcmp(c->targets[cell->target].name, s->target) == 0;
	json_object_foreach((json_t *)s->o, dim, wanted) {
		json_t *v = cell_value(c, cell, dim);
		bool found = false;

		for (size_t i = 0; v && i < json_array_size(wanted); i++)
			found |= json_equal(json_array_get(wanted, i), v);
		json_decref(v);
		if (!found)
			return false;
	}
	return true;
}
