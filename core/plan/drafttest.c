/* SPDX-License-Identifier: Apache-2.0 */
/* The tests of a plan: names looked up, swept values resolved. */
#include "base/err.h"
#include "base/vec.h"
#include "plan/draft.h"
#include "plan/tables.h"
#include "plan/workload.h"

#include <math.h>

#define NONE UINT32_MAX
#define CELLS_MOST 20000

static struct problems *problems(struct draft *d)
{
	return &d->plan->problems;
}

/* ---- lists of names ---- */

typedef uint32_t find_fn(const struct draft *d, const char *name);

static void say_no_name(struct draft *d, const char *what, const char *name, const char *at)
{
	mem_auto char *part = mem_printf("%ss", what);
	const char **names = object_names(json_object_get(d->plan->root, part));
	struct buf hint = BUF_INIT;

	name_hint(&hint, name, names);
	problem_add(problems(d), at, NULL, "no %s \"%s\"%s", what, name, buf_str(&hint));
	buf_release(&hint);
	free(names);
}

static void look_up(struct draft *d, const json_t *list, const char *what, const char *test_at,
		    find_fn *find, uint32_t **out, size_t *n_out)
{
	mem_auto char *at = mem_printf("%s/%ss", test_at, what);

	if (!list || json_is_null(list))
		return; /* said to be missing */
	if (!json_array_size(list)) {
		problem_add(problems(d), at, NULL, "\"%ss\" is an array of at least one name", what);
		d->broken = true;
	}
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *name = json_string_value(json_array_get(list, i));
		mem_auto char *place = mem_printf("%s/%zu", at, i);
		uint32_t found = name ? find(d, name) : NONE;
		bool twice = false;

		for (size_t k = 0; k < *n_out; k++)
			twice |= (*out)[k] == found;
		if (!name)
			problem_add(problems(d), place, NULL, "the name of a %s is a text", what);
		else if (found == NONE)
			say_no_name(d, what, name, place);
		else if (twice)
			problem_add(problems(d), place, NULL, "%s \"%s\" is there twice", what, name);
		else
			*VEC_ADD(*out, *n_out) = found;
		d->broken |= found == NONE;
	}
}

/* ---- sweep and zip ---- */

static void say_not_axis(struct draft *d, const struct iow_key *keys, const char *kind, const char *name,
			 const char *at)
{
	struct buf list = BUF_INIT;

	for (; keys->name; keys++)
		if (keys->flags & IOW_KEY_AXIS)
			buf_printf(&list, "%s%s.%s", list.len ? ", " : "", kind, keys->name);
	problem_add_key(problems(d), at, name, "\"%s\" cannot be swept; allowed: %s", name,
			list.len ? buf_str(&list) : "none of these targets' keys");
	buf_release(&list);
	d->broken = true;
}

/* Resolved value of a dimension; NULL with a problem. */
static json_t *dim_value(struct draft *d, const struct draft_dim *dim, const json_t *v, const char *at)
{
	struct workload w;
	size_t before = problems(d)->n;
	json_t *o, *all, *out = NULL;

	if (dim->target || strcmp(dim->key, "block") != 0 || !json_is_object(v))
		return key_resolve(dim->type, v, KEYS_PLAN, at, problems(d));
	o = json_object();
	json_object_set(o, "block", (json_t *)v);
	workload_resolve(&w, o, KEYS_VALUES, at, problems(d));
	all = workload_to_json(&w);
	if (problems(d)->n == before)
		out = json_incref(json_object_get(all, "block"));
	json_decref(all);
	json_decref(o);
	return out;
}

static void dim_values(struct draft *d, struct draft_dim *dim, const json_t *list, const char *at)
{
	dim->values = json_array();
	if (!json_array_size(list)) {
		problem_add(problems(d), at, NULL, "\"%s\" is an array of at least one value", dim->name);
		d->broken = true;
	}
	for (size_t i = 0; i < json_array_size(list); i++) {
		mem_auto char *place = mem_printf("%s/%zu", at, i);
		json_t *v = dim_value(d, dim, json_array_get(list, i), place);

		for (size_t k = 0; v && !dim->zip && k < json_array_size(dim->values); k++)
			if (json_equal(json_array_get(dim->values, k), v))
				problem_add(problems(d), place, NULL, "the value is there twice");
		d->broken |= !v;
		if (v)
			json_array_append_new(dim->values, v);
	}
}

/* The key of a driver that all targets of the test have. */
static const struct iow_key *target_axis(struct draft *d, const struct draft_test *t, const char *key,
					 const char *name, const char *at)
{
	const struct iow_key *first = NULL;

	for (size_t i = 0; i < t->n_targets; i++) {
		uint32_t driver = d->targets[t->targets[i]].driver;
		const struct iow_key *k;

		if (driver == NONE) {
			d->broken = true;
			return NULL;
		}
		k = key_find(d->drivers[driver].keys.keys, key);
		if (!k || !(k->flags & IOW_KEY_AXIS)) {
			say_not_axis(d, d->drivers[driver].keys.keys, "target", name, at);
			return NULL;
		}
		first = first ? first : k;
	}
	return first;
}

static const struct iow_key *dim_type(struct draft *d, struct draft_test *t, struct draft_dim *dim,
				      const char *at)
{
	const struct iow_key *k;

	if (strncmp(dim->name, "target.", 7) == 0) {
		dim->target = true;
		dim->key = dim->name + 7;
		return target_axis(d, t, dim->key, dim->name, at);
	}
	if (strncmp(dim->name, "workload.", 9) == 0) {
		dim->key = dim->name + 9;
		k = key_find(workload_keys, dim->key);
		if (k && k->flags & IOW_KEY_AXIS)
			return k;
	}
	say_not_axis(d, workload_keys, "workload", dim->name, at);
	return NULL;
}

static bool dim_known(const struct draft_test *t, const char *name)
{
	for (size_t i = 0; i < t->n_dims; i++)
		if (strcmp(t->dims[i].name, name) == 0)
			return true;
	return false;
}

static void draft_dims(struct draft *d, struct draft_test *t, const char *part, bool zip)
{
	const json_t *o = json_object_get(t->conf, part);
	mem_auto char *at = mem_printf("%s/%s", t->at, part);
	const char *name;
	json_t *v;

	if (o && !json_is_null(o) && !json_is_object(o))
		problem_add(problems(d), at, NULL, "\"%s\" is an object of keys and lists of values", part);
	json_object_foreach((json_t *)o, name, v) {
		struct draft_dim dim = { .name = name, .zip = zip };
		struct buf place = BUF_INIT;

		buf_puts(&place, at);
		jsonx_pointer_add(&place, name);
		dim.type = dim_type(d, t, &dim, at);
		if (dim_known(t, name)) {
			problem_add_key(problems(d), at, name, "\"%s\" is in sweep and in zip", name);
		} else if (dim.type) {
			dim_values(d, &dim, v, buf_str(&place));
			*VEC_ADD(t->dims, t->n_dims) = dim;
			if (zip && t->n_zip && json_array_size(dim.values) != t->n_zip)
				problem_add(problems(d), buf_str(&place), NULL,
					    "\"%s\" has %zu values and another list of zip %zu; "
					    "allowed: lists of equal length",
					    name, json_array_size(dim.values), t->n_zip);
			else if (zip)
				t->n_zip = json_array_size(dim.values);
		}
		buf_release(&place);
	}
}

static void count_combinations(struct draft *d, struct draft_test *t)
{
	size_t n = 1, arms = t->n_targets * t->n_workloads * 2;
	bool zip = false;

	for (size_t i = 0; i < t->n_dims; i++) {
		size_t k = json_array_size(t->dims[i].values);

		if (t->dims[i].zip) {
			d->broken |= zip && k != t->n_zip;
			t->n_zip = zip && t->n_zip < k ? t->n_zip : k;
			zip = true;
		} else if (n <= CELLS_MOST) {
			n *= k;
		}
	}
	if (zip)
		n *= t->n_zip;
	if (arms && n > CELLS_MOST / arms) {
		problem_add(problems(d), t->at, NULL, "the test has more than %d cells", CELLS_MOST);
		d->broken = true;
		n = 0;
	}
	t->combinations = n;
}

/* ---- one test ---- */

/* A capacity says nothing alone: what it is a share of must be there too. */
static void check_capacity(struct draft *d, const json_t *list, const char *at)
{
	double most = 0;

	for (size_t i = 0; i < json_array_size(list); i++)
		most = fmax(most, jsonx_real(json_array_get(list, i), "capacity", 1));
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *v = json_object_get(json_array_get(list, i), "capacity");
		mem_auto char *place = mem_printf("%s/%zu", at, i);

		if (json_is_number(v) && most < 1) {
			problem_add(problems(d), place, "capacity",
				    "\"capacity\" is a share of that of another variant, and none has 1");
			return;
		}
	}
}

static void check_variants(struct draft *d, const struct draft_test *t)
{
	const json_t *list = json_object_get(t->conf, "variants");
	mem_auto char *at = mem_printf("%s/variants", t->at);

	if (!list || json_is_null(list))
		return;
	if (json_array_size(list) < 2)
		problem_add(problems(d), at, NULL, "\"variants\" is an array of at least two");
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *o = json_array_get(list, i);
		mem_auto char *place = mem_printf("%s/%zu", at, i);

		if (!json_is_object(o)) {
			problem_add(problems(d), place, NULL, "a variant is an object");
			continue;
		}
		json_decref(keys_resolve(variant_keys, o, KEYS_PLAN, place, problems(d)));
		for (size_t k = 0; k < i; k++)
			if (strcmp(jsonx_str(json_array_get(list, k), "name", ""),
				   jsonx_str(o, "name", "\n")) == 0)
				problem_add(problems(d), place, "name", "the name is there twice");
	}
	check_capacity(d, list, at);
}

static void check_mode(struct draft *d, const struct draft_test *t)
{
	uint32_t mode = conf_choice(t->conf, test_keys, "mode", MODE_EACH);

	if (mode != MODE_EACH && t->n_targets < 2)
		problem_add(problems(d), t->at, "mode", "mode %s needs at least two targets",
			    jsonx_str(t->conf, "mode", ""));
	if (mode == MODE_TOGETHER && json_is_true(json_object_get(t->conf, "control")))
		problem_add(problems(d), t->at, "control", "a control arm needs steps in which a target runs alone");
}

static void check_waived(struct draft *d, const struct draft_test *t)
{
	const json_t *list = json_object_get(t->conf, "waive");

	for (size_t i = 0; d->env->gates && i < json_array_size(list); i++) {
		const char *name = json_string_value(json_array_get(list, i));
		mem_auto char *at = mem_printf("%s/waive/%zu", t->at, i);
		struct buf hint = BUF_INIT;
		bool found = false;

		for (const char *const *g = d->env->gates; *g; g++)
			found |= strcmp(*g, name) == 0;
		name_hint(&hint, name, d->env->gates);
		if (!found)
			problem_add(problems(d), at, NULL, "no gate \"%s\"%s", name, buf_str(&hint));
		buf_release(&hint);
	}
}

static void draft_test(struct draft *d, const json_t *o, size_t i)
{
	struct draft_test *t = VEC_ADD(d->tests, d->n_tests);

	t->at = mem_printf("/tests/%zu", i);
	if (!json_is_object(o)) {
		problem_add(problems(d), t->at, NULL, "a test is an object");
		d->broken = true;
		return;
	}
	t->conf = keys_resolve(test_keys, o, KEYS_PLAN, t->at, problems(d));
	t->name = jsonx_str(t->conf, "name", NULL);
	if (t->name)
		name_check(t->name, t->at, "name", problems(d));
	for (size_t k = 0; t->name && k < i; k++)
		if (d->tests[k].name && strcmp(d->tests[k].name, t->name) == 0)
			problem_add(problems(d), t->at, "name", "another test has the name \"%s\"", t->name);
	look_up(d, json_object_get(o, "targets"), "target", t->at, draft_find_target, &t->targets,
		&t->n_targets);
	look_up(d, json_object_get(o, "workloads"), "workload", t->at, draft_find_workload, &t->workloads,
		&t->n_workloads);
	d->broken |= !t->n_targets || !t->n_workloads || !t->name;
	draft_dims(d, t, "sweep", false);
	draft_dims(d, t, "zip", true);
	count_combinations(d, t);
	check_variants(d, t);
	check_mode(d, t);
	check_waived(d, t);
}

void draft_tests(struct draft *d)
{
	const json_t *list = json_object_get(d->plan->root, "tests");

	if (!list)
		return;
	if (!json_array_size(list))
		problem_add(problems(d), "/tests", NULL, "\"tests\" is an array of at least one test");
	for (size_t i = 0; i < json_array_size(list); i++)
		draft_test(d, json_array_get(list, i), i);
}

void draft_tests_release(struct draft *d)
{
	for (size_t i = 0; i < d->n_tests; i++) {
		struct draft_test *t = &d->tests[i];

		free(t->at);
		json_decref(t->conf);
		free(t->targets);
		free(t->workloads);
		for (size_t k = 0; k < t->n_dims; k++)
			json_decref(t->dims[k].values);
		free(t->dims);
	}
	free(d->tests);
}
