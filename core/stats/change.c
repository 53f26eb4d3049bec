/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/change.h"

#include "base/buf.h"
#include "base/jsonx.h"
#include "base/vec.h"
#include "stats/interval.h"
#include "stats/judge.h"
#include "stats/multiple.h"

#include <math.h>
#include <string.h>

#define BH_Q 0.05

/* ---- what differs in the environment ---- */

/* Facts that are never the same twice and change nothing by themselves. */
static bool is_passing(const char *name)
{
	static const char *const names[] = { "load_at_start", "up_for", "fill_state", "clock_state", "frequency",
					     "memory_bytes_per_s", NULL };
	size_t i;

	for (i = 0; names[i]; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static char *text_of(const json_t *v)
{
	struct buf b = BUF_INIT;

	if (!v || json_is_null(v))
		return mem_strdup("none");
	if (json_is_string(v))
		return mem_strdup(json_string_value(v));
	jsonx_write(&b, v, 0);
	return buf_take(&b);
}

static void add_confounder(struct changes *c, const char *where, const char *what, const json_t *before,
			   const json_t *after)
{
	struct confounder *k;

	mem_auto char *old = NULL, *new = NULL;
	size_t i;

	if (before == after || (before && after && json_equal(before, after)))
		return;
	old = text_of(before);
	new = text_of(after);
	for (i = 0; i < c->n_confounders; i++) { /* many cells share a workload and a target */
		const struct confounder *have = &c->confounders[i];

		if (strcmp(have->where, where) == 0 && strcmp(have->what, what) == 0 && strcmp(have->before, old) == 0 &&
		    strcmp(have->after, new) == 0)
			return;
	}
	k = VEC_ADD(c->confounders, c->n_confounders);
	k->where = mem_strdup(where);
	k->what = mem_strdup(what);
	k->before = mem_strdup(old);
	k->after = mem_strdup(new);
}

static void compare_objects(struct changes *c, const char *where, const json_t *before, const json_t *after)
{
	const char *name;
	const json_t *v;

	json_object_foreach((json_t *)(uintptr_t)before, name, v)
		if (!is_passing(name))
			add_confounder(c, where, name, v, json_object_get(after, name));
	json_object_foreach((json_t *)(uintptr_t)after, name, v)
		if (!is_passing(name) && !json_object_get(before, name))
			add_confounder(c, where, name, NULL, v);
}

static const json_t *facts_of(const json_t *o)
{
	const json_t *facts = json_object_get(o, "facts");

	return json_is_object(facts) ? facts : o;
}

static void compare_group(struct changes *c, const char *word, const json_t *before, const json_t *after)
{
	const char *name;
	const json_t *v;

	json_object_foreach((json_t *)(uintptr_t)after, name, v) {
		mem_auto char *where = mem_printf("%s %s", word, name);
		const json_t *old = json_object_get(before, name);

		if (old)
			compare_objects(c, where, facts_of(old), facts_of(v));
	}
}

static const json_t *driver_named(const json_t *host, const char *name)
{
	const json_t *d;
	size_t i;

	json_array_foreach(json_object_get(host, "drivers"), i, d)
		if (strcmp(jsonx_str(d, "name", ""), name) == 0)
			return d;
	return NULL;
}

static void compare_hosts(struct changes *c, const struct bundle *before, const struct bundle *after)
{
	const json_t *d;
	size_t i;

	compare_group(c, "node", json_object_get(before->host, "nodes"), json_object_get(after->host, "nodes"));
	compare_group(c, "target", json_object_get(before->host, "targets"), json_object_get(after->host, "targets"));
	json_array_foreach(json_object_get(after->host, "drivers"), i, d) {
		const char *name = jsonx_str(d, "name", "");
		mem_auto char *where = mem_printf("driver %s", name);
		const json_t *old = driver_named(before->host, name);

		if (!old)
			continue;
		add_confounder(c, where, "version", json_object_get(old, "version"), json_object_get(d, "version"));
		add_confounder(c, where, "sha256", json_object_get(old, "sha256"), json_object_get(d, "sha256"));
	}
}

static void compare_plans(struct changes *c, const struct bundle *before, const struct bundle *after)
{
	json_t *x = json_string(before->cells.plan_sha256), *y = json_string(after->cells.plan_sha256);

	add_confounder(c, "plan", "sha256", x, y);
	json_decref(x);
	json_decref(y);
	x = json_string(before->tool_version ? before->tool_version : "");
	y = json_string(after->tool_version ? after->tool_version : "");
	add_confounder(c, "iowitness", "version", x, y);
	json_decref(x);
	json_decref(y);
}

/* What a cell of the same key was asked to do: the words of a plan may mean something else by now. */
static void compare_specs(struct changes *c, const struct cell *x, const struct cell *y)
{
	const struct plan_test *s = &c->before->bundle->cells.tests[x->test], *t = &c->after->bundle->cells.tests[y->test];
	mem_auto char *test = mem_printf("test %s", t->name);
	mem_auto char *workload = mem_printf("workload %s", c->after->bundle->cells.workloads[y->workload].name);
	mem_auto char *target = mem_printf("target %s", c->after->bundle->cells.targets[y->target].name);
	json_t *old = workload_to_json(&x->spec), *new = workload_to_json(&y->spec);

	compare_objects(c, workload, old, new);
	json_decref(old);
	json_decref(new);
	compare_objects(c, target, x->target_keys, y->target_keys);
	old = json_pack("{s:s, s:s, s:s, s:s}", "mode", mode_names[s->mode], "cache", cache_names[s->cache], "region",
			region_names[s->region], "layout", layout_names[s->layout]);
	new = json_pack("{s:s, s:s, s:s, s:s}", "mode", mode_names[t->mode], "cache", cache_names[t->cache], "region",
			region_names[t->region], "layout", layout_names[t->layout]);
	compare_objects(c, test, old, new);
	json_decref(old);
	json_decref(new);
}

static void compare_matched(struct changes *c)
{
	size_t i;

	for (i = 0; i < c->n_changes; i++)
		compare_specs(c, &c->before->bundle->cells.cells[c->changes[i].before_cell],
			      &c->after->bundle->cells.cells[c->changes[i].after_cell]);
}

/* ---- cells ---- */

static size_t logs_of(const struct results *r, uint32_t cell, const struct metric *m, double *x)
{
	const struct cell_result *c = &r->cells[cell];
	size_t i, n = 0;

	for (i = 0; i < c->n_runs; i++) {
		double v = results_value(r, m, c->runs[i]);

		if (!isnan(v))
			x[n++] = log(v);
	}
	return n;
}

static double exp_mean(const double *x, size_t n, double *lo, double *hi)
{
	struct inference inf;
	struct interval ci;

	inference_mean(&inf, x, n);
	*lo = *hi = NAN;
	if (n > 1) {
		ci = interval_exp(inference_interval(&inf, 0.05));
		*lo = ci.lo;
		*hi = ci.hi;
	}
	return n ? exp(inf.mean) : NAN;
}

static void compare_cell(struct changes *c, struct change *k)
{
	mem_auto double *x = mem_array(c->before->cells[k->before_cell].n_runs + 1, sizeof *x);
	mem_auto double *y = mem_array(c->after->cells[k->after_cell].n_runs + 1, sizeof *y);
	struct inference inf;
	struct interval ci;
	double sign = k->metric->higher_is_better ? 1 : -1;

	k->n_before = (uint32_t)logs_of(c->before, k->before_cell, k->metric, x);
	k->n_after = (uint32_t)logs_of(c->after, k->after_cell, k->metric, y);
	k->before = exp_mean(x, k->n_before, &k->before_lo, &k->before_hi);
	k->after = exp_mean(y, k->n_after, &k->after_lo, &k->after_hi);
	k->ratio = k->lo = k->hi = k->p = k->bh_p = NAN;
	k->state = CHANGE_NO_DATA;
	if (!k->n_before || !k->n_after)
		return;
	inference_welch(&inf, y, k->n_after, x, k->n_before);
	inf.mean *= sign;
	k->ratio = exp(inf.mean);
	if (k->n_before < 2 || k->n_after < 2)
		return;
	ci = interval_exp(inference_interval(&inf, 0.05));
	k->lo = ci.lo;
	k->hi = ci.hi;
	k->p = inference_p(&inf, 0);
	k->state = results_is_void(c->before, k->before_cell) || results_is_void(c->after, k->after_cell) ? CHANGE_VOID
										 : CHANGE_NOT_SHOWN;
}

static uint32_t cell_by_key(const struct cells *c, const char *key)
{
	size_t i;

	for (i = 0; i < c->n_cells; i++)
		if (c->cells[i].key && key && strcmp(c->cells[i].key, key) == 0)
			return (uint32_t)i;
	return UINT32_MAX;
}

static void match_cells(struct changes *c, const struct metric *metric)
{
	const struct cells *x = &c->before->bundle->cells, *y = &c->after->bundle->cells;
	size_t i;

	for (i = 0; i < y->n_cells; i++) {
		uint32_t old = cell_by_key(x, y->cells[i].key);
		struct change *k;

		if (y->cells[i].control)
			continue;
		if (old == UINT32_MAX) {
			*VEC_ADD(c->only_after, c->n_only_after) = y->cells[i].key;
			continue;
		}
		k = VEC_ADD(c->changes, c->n_changes);
		k->key = y->cells[i].key;
		k->label = y->cells[i].label;
		k->before_cell = old;
		k->after_cell = (uint32_t)i;
		k->metric = metric;
		compare_cell(c, k);
	}
	for (i = 0; i < x->n_cells; i++)
		if (!x->cells[i].control && cell_by_key(y, x->cells[i].key) == UINT32_MAX)
			*VEC_ADD(c->only_before, c->n_only_before) = x->cells[i].key;
}

static void decide(struct changes *c)
{
	mem_auto double *p = mem_array(c->n_changes + 1, sizeof *p), *out = mem_array(c->n_changes + 1, sizeof *out);
	size_t i;

	for (i = 0; i < c->n_changes; i++)
		p[i] = c->changes[i].state == CHANGE_NOT_SHOWN ? c->changes[i].p : NAN;
	multiple_bh(out, p, c->n_changes);
	for (i = 0; i < c->n_changes; i++) {
		struct change *k = &c->changes[i];

		if (k->state != CHANGE_NOT_SHOWN)
			continue;
		k->bh_p = out[i];
		if (k->bh_p < BH_Q && k->lo > 1 + c->margin)
			k->state = CHANGE_BETTER;
		else if (k->bh_p < BH_Q && k->hi < 1 / (1 + c->margin))
			k->state = CHANGE_WORSE;
		c->better += k->state == CHANGE_BETTER;
		c->worse += k->state == CHANGE_WORSE;
	}
}

void changes_build(struct changes *c, const struct results *before, const struct results *after,
		   const struct metric *metric, double margin)
{
	memset(c, 0, sizeof *c);
	c->before = before;
	c->after = after;
	c->margin = margin;
	match_cells(c, metric);
	decide(c);
	compare_plans(c, before->bundle, after->bundle);
	compare_matched(c);
	compare_hosts(c, before->bundle, after->bundle);
}

void changes_release(struct changes *c)
{
	size_t i;

	for (i = 0; i < c->n_confounders; i++) {
		free(c->confounders[i].where);
		free(c->confounders[i].what);
		free(c->confounders[i].before);
		free(c->confounders[i].after);
	}
	free(c->confounders);
	free(c->changes);
	free(c->only_before);
	free(c->only_after);
	memset(c, 0, sizeof *c);
}
