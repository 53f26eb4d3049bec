/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/archive.h"

#include "base/err.h"
#include "base/jsonx.h"
#include "base/vec.h"
#include "stats/interval.h"
#include "stats/judge.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CHANGES 16

/* ---- what is kept of a campaign ---- */

char *archive_label(const struct cells *c, const struct cell *cell)
{
	return c->n_tests > 1 ? mem_printf("%s: %s", c->tests[cell->test].name, cell->label) : mem_strdup(cell->label);
}

static size_t cell_index(json_t *cells, const struct cells *all, const struct cell *c)
{
	mem_auto char *label = archive_label(all, c);
	const json_t *o;
	json_t *new;
	size_t i;

	json_array_foreach(cells, i, o)
		if (strcmp(jsonx_str(o, "key", ""), c->key) == 0)
			return i;
	new = json_object();
	jsonx_set_str(new, "key", c->key);
	jsonx_set_str(new, "label", label);
	json_array_append_new(cells, new);
	return i;
}

/* [cell, runs, mean, lo, hi]; false: the cell has no figure. */
static bool figure(const struct results *r, uint32_t cell, const struct metric *m, size_t index, json_t *figures)
{
	const struct cell_result *c = &r->cells[cell];
	mem_auto double *x = mem_array(c->n_runs + 1, sizeof *x);
	struct estimate e;
	json_t *f;
	size_t i, n = 0;

	for (i = 0; i < c->n_runs; i++) {
		double v = results_value(r, m, c->runs[i]);

		if (!isnan(v))
			x[n++] = v;
	}
	if (!n)
		return false;
	estimate_fill(&e, x, n);
	f = json_pack("[I, I, f]", (json_int_t)index, (json_int_t)n, e.geo);
	json_array_append_new(f, jsonx_number(n > 1 ? e.geo_lo : NAN));
	json_array_append_new(f, jsonx_number(n > 1 ? e.geo_hi : NAN));
	json_array_append_new(figures, f);
	return true;
}

static json_t *changed_json(const struct results *r, const struct results *previous, const struct metric *m)
{
	json_t *a = json_array();
	struct changes c;
	size_t i;

	if (!previous)
		return a;
	changes_build(&c, previous, r, m, 0.05);
	for (i = 0; i < c.n_confounders; i++) {
		json_t *o = json_object();

		jsonx_set_str(o, "where", c.confounders[i].where);
		jsonx_set_str(o, "what", c.confounders[i].what);
		jsonx_set_str(o, "before", c.confounders[i].before);
		jsonx_set_str(o, "after", c.confounders[i].after);
		json_array_append_new(a, o);
	}
	changes_release(&c);
	return a;
}

json_t *archive_campaign_json(const struct results *r, const struct results *previous, const char *name,
			      const struct metric *metric, json_t *cells)
{
	const struct bundle *b = r->bundle;
	json_t *o = json_object(), *figures = json_array(), *voids = json_array(), *empty = json_array();
	uint32_t c;

	jsonx_set_str(o, "name", name);
	jsonx_set_str(o, "title", b->cells.title);
	jsonx_set_str(o, "id", b->id);
	jsonx_set_str(o, "evidence", b->evidence);
	jsonx_set_int(o, "start_utc_ns", b->start_utc_ns);
	jsonx_set_str(o, "tool", b->tool_version);
	jsonx_set_str(o, "plan_sha256", b->cells.plan_sha256);
	jsonx_set_str(o, "state", b->end_state);
	jsonx_set_int(o, "planned_runs", r->planned_runs);
	jsonx_set_int(o, "complete_runs", r->done_runs);
	for (c = 0; c < r->n_cells; c++) {
		const struct cell *cell = &b->cells.cells[c];
		size_t index;

		if (cell->control)
			continue;
		index = cell_index(cells, &b->cells, cell);
		if (results_is_void(r, c))
			json_array_append_new(voids, json_integer((json_int_t)index));
		else if (!figure(r, c, metric, index, figures))
			json_array_append_new(empty, json_integer((json_int_t)index));
	}
	jsonx_set_new(o, "figures", figures);
	jsonx_set_new(o, "void", voids);
	jsonx_set_new(o, "empty", empty);
	jsonx_set_new(o, "changed", changed_json(r, previous, metric));
	return o;
}

/* ---- from JSON ---- */

static void load_changed(struct archive_campaign *k, const json_t *changed)
{
	const json_t *o;
	size_t i;

	json_array_foreach(changed, i, o) {
		struct confounder *x = VEC_ADD(k->changed, k->n_changed);

		x->where = mem_strdup(jsonx_str(o, "where", ""));
		x->what = mem_strdup(jsonx_str(o, "what", ""));
		x->before = mem_strdup(jsonx_str(o, "before", ""));
		x->after = mem_strdup(jsonx_str(o, "after", ""));
	}
}

/* null or a number that is not below 0; NaN for null. */
static bool load_bound(const json_t *v, double *out)
{
	*out = json_is_number(v) ? json_number_value(v) : NAN;
	return json_is_null(v) || *out >= 0;
}

static int load_figure(struct archive *a, uint32_t campaign, const json_t *f, struct iow_error *e)
{
	json_int_t cell = json_integer_value(json_array_get(f, 0)), n = json_integer_value(json_array_get(f, 1));
	double value = json_number_value(json_array_get(f, 2)), lo, hi;
	struct course *k;

	if (json_array_size(f) != 5 || cell < 0 || (size_t)cell >= a->n_courses || n < 1 || n > UINT32_MAX ||
	    !(value > 0) || !load_bound(json_array_get(f, 3), &lo) || !load_bound(json_array_get(f, 4), &hi))
		return err_set(e, EINVAL, "a figure is not [cell, runs, mean above 0, low, high]");
	k = &a->courses[cell];
	if (k->n && k->points[k->n - 1].campaign == campaign)
		return err_set(e, EINVAL, "cell %lld has two figures", (long long)cell);
	*VEC_ADD(k->points, k->n) = (struct course_point){ campaign, (uint32_t)n, value, lo, hi };
	return 0;
}

/* Cells without a figure, by their numbers. */
static int load_without(struct archive *a, const json_t *cells, uint32_t *count, struct iow_error *e)
{
	const json_t *v;
	size_t i;

	json_array_foreach(cells, i, v)
		if (!json_is_integer(v) || json_integer_value(v) < 0 || (size_t)json_integer_value(v) >= a->n_courses)
			return err_set(e, EINVAL, "\"void\" and \"empty\" must hold numbers of cells");
	*count = (uint32_t)json_array_size(cells);
	a->left_out += *count;
	return 0;
}

static int load_runs(const json_t *o, const char *name, uint32_t *out, struct iow_error *e)
{
	int64_t n = jsonx_int(o, name, -1);

	if (n < 0 || n > UINT32_MAX)
		return err_set(e, EINVAL, "\"%s\" must be a number of runs", name);
	*out = (uint32_t)n;
	return 0;
}

static int load_campaign(struct archive *a, const json_t *o, struct iow_error *e)
{
	struct archive_campaign *k = VEC_ADD(a->campaigns, a->n);
	uint32_t index = (uint32_t)a->n - 1;
	const json_t *f;
	size_t i;

	k->name = jsonx_str(o, "name", "");
	k->title = jsonx_str(o, "title", "");
	k->id = jsonx_str(o, "id", "");
	k->evidence = jsonx_str(o, "evidence", "");
	k->tool = jsonx_str(o, "tool", "");
	k->plan_sha256 = jsonx_str(o, "plan_sha256", "");
	k->state = jsonx_str(o, "state", NULL);
	k->start_utc_ns = jsonx_int(o, "start_utc_ns", 0);
	k->void_cells = json_object_get(o, "void");
	if (load_runs(o, "planned_runs", &k->planned_runs, e) || load_runs(o, "complete_runs", &k->done_runs, e) ||
	    load_without(a, k->void_cells, &k->voids, e) || load_without(a, json_object_get(o, "empty"), &k->empty, e))
		return err_in(e, "campaign %u", index + 1);
	load_changed(k, json_object_get(o, "changed"));
	if (index && k->start_utc_ns < k[-1].start_utc_ns)
		return err_set(e, EINVAL, "campaign %u is older than the one before it", index + 1);
	json_array_foreach(json_object_get(o, "figures"), i, f)
		if (load_figure(a, index, f, e))
			return err_in(e, "campaign %u", index + 1);
	return 0;
}

static int load(struct archive *a, const json_t *root, struct iow_error *e)
{
	const char *metric = jsonx_str(root, "metric", "");
	const json_t *o;
	size_t i;

	a->metric = metric_find(metric);
	if (!a->metric)
		return err_set(e, EINVAL, "no metric \"%s\"", metric);
	json_array_foreach(json_object_get(root, "cells"), i, o) {
		struct course *k = VEC_ADD(a->courses, a->n_courses);

		k->key = jsonx_str(o, "key", "");
		k->label = jsonx_str(o, "label", "");
		k->predicted_lo = k->predicted_hi = NAN;
	}
	json_array_foreach(json_object_get(root, "campaigns"), i, o)
		if (load_campaign(a, o, e))
			return -1;
	return a->n ? 0 : err_set(e, EINVAL, "there is no campaign");
}

/* ---- judging ---- */

static void judge_course(const struct archive *a, struct course *k, uint64_t seed)
{
	mem_auto double *x = mem_array(k->n + 1, sizeof *x);
	struct interval i = { NAN, NAN };
	size_t n;

	for (n = 0; n < k->n; n++)
		x[n] = log(k->points[n].value);
	k->newest = k->n && k->points[k->n - 1].campaign == a->n - 1;
	k->judged = k->newest && k->n > HISTORY_LEAST_WATCH;
	if (k->judged) {
		k->watch = history_is_watch(x, k->n - 1, x[k->n - 1], &i);
		k->predicted_lo = exp(i.lo);
		k->predicted_hi = exp(i.hi);
		k->watch_worse = k->watch && (x[k->n - 1] < i.lo) == a->metric->higher_is_better;
	}
	if (k->n < HISTORY_LEAST_CHANGE)
		return;
	k->changes = mem_array(MOST_CHANGES, sizeof *k->changes);
	k->n_changes = history_changes(k->changes, MOST_CHANGES, x, k->n, seed);
}

int archive_build(struct archive *a, const json_t *root, uint64_t seed, struct iow_error *e)
{
	size_t i;

	memset(a, 0, sizeof *a);
	if (load(a, root, e)) {
		archive_release(a);
		return -1;
	}
	for (i = 0; i < a->n_courses; i++)
		judge_course(a, &a->courses[i], seed + i);
	return 0;
}

void archive_release(struct archive *a)
{
	size_t i, k;

	for (i = 0; i < a->n_courses; i++) {
		free(a->courses[i].points);
		free(a->courses[i].changes);
	}
	for (i = 0; i < a->n; i++) {
		for (k = 0; k < a->campaigns[i].n_changed; k++) {
			free(a->campaigns[i].changed[k].where);
			free(a->campaigns[i].changed[k].what);
			free(a->campaigns[i].changed[k].before);
			free(a->campaigns[i].changed[k].after);
		}
		free(a->campaigns[i].changed);
	}
	free(a->courses);
	free(a->campaigns);
	memset(a, 0, sizeof *a);
}

double archive_ratio(const struct archive *a, const struct history_change *h)
{
	double d = h->after - h->before;

	return exp(a->metric->higher_is_better ? d : -d);
}

bool archive_is_slower(const struct archive *a, const struct course *k)
{
	return k->n_changes && archive_ratio(a, &k->changes[k->n_changes - 1]) < 1;
}
