/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/archive.h"

#include "base/vec.h"
#include "stats/interval.h"
#include "stats/judge.h"

#include <math.h>
#include <string.h>

#define MOST_CHANGES 16

static int by_start(const void *a, const void *b)
{
	const struct results *x = *(const struct results *const *)a, *y = *(const struct results *const *)b;

	if (x->bundle->start_utc_ns != y->bundle->start_utc_ns)
		return x->bundle->start_utc_ns < y->bundle->start_utc_ns ? -1 : 1;
	return strcmp(x->bundle->evidence, y->bundle->evidence);
}

static struct course *course_of(struct archive *a, const struct cell *c, const struct metric *m)
{
	struct course *k;
	size_t i;

	for (i = 0; i < a->n_courses; i++)
		if (strcmp(a->courses[i].key, c->key) == 0)
			return &a->courses[i];
	k = VEC_ADD(a->courses, a->n_courses);
	k->metric = m;
	k->key = c->key;
	return k;
}

static void add_point(struct archive *a, uint32_t bundle, uint32_t cell, const struct metric *m)
{
	const struct results *r = a->all[bundle];
	const struct cell_result *c = &r->cells[cell];
	mem_auto double *x = mem_array(c->n_runs + 1, sizeof *x);
	struct course_point *p;
	struct course *k;
	struct estimate e;
	size_t i, n = 0;

	for (i = 0; i < c->n_runs; i++) {
		double v = results_value(r, m, c->runs[i]);

		if (!isnan(v))
			x[n++] = v;
	}
	if (!n || results_is_void(r, cell)) {
		a->left_out++;
		return;
	}
	estimate_fill(&e, x, n);
	k = course_of(a, &r->bundle->cells.cells[cell], m);
	k->key = r->bundle->cells.cells[cell].key;
	k->label = r->bundle->cells.cells[cell].label;
	p = VEC_ADD(k->points, k->n);
	*p = (struct course_point){ bundle, r->bundle->start_utc_ns, (uint32_t)n, e.geo, e.geo_lo, e.geo_hi };
}

static void judge_course(struct course *k, uint64_t seed)
{
	mem_auto double *x = mem_array(k->n + 1, sizeof *x);
	struct interval i = { NAN, NAN };
	size_t n;

	for (n = 0; n < k->n; n++)
		x[n] = log(k->points[n].value);
	k->judged = k->n > HISTORY_LEAST_WATCH;
	k->watch = k->judged && history_is_watch(x, k->n - 1, x[k->n - 1], &i);
	k->predicted_lo = k->judged ? exp(i.lo) : NAN;
	k->predicted_hi = k->judged ? exp(i.hi) : NAN;
	k->watch_worse = k->watch && (x[k->n - 1] < i.lo) == k->metric->higher_is_better;
	if (k->n < HISTORY_LEAST_CHANGE)
		return;
	k->changes = mem_array(MOST_CHANGES, sizeof *k->changes);
	k->n_changes = history_changes(k->changes, MOST_CHANGES, x, k->n, seed);
}

void archive_build(struct archive *a, const struct results *const *results, size_t n,
		   const struct metric *metric, uint64_t seed)
{
	size_t i;
	uint32_t c;

	memset(a, 0, sizeof *a);
	a->n = n;
	a->all = mem_array(n + 1, sizeof *a->all);
	memcpy(a->all, results, n * sizeof *results);
	qsort(a->all, n, sizeof *a->all, by_start);
	for (i = 0; i < n; i++)
		for (c = 0; c < a->all[i]->n_cells; c++)
			if (!a->all[i]->bundle->cells.cells[c].control)
				add_point(a, (uint32_t)i, c, metric);
	for (i = 0; i < a->n_courses; i++)
		judge_course(&a->courses[i], seed + i);
}

void archive_release(struct archive *a)
{
	size_t i;

	for (i = 0; i < a->n_courses; i++) {
		free(a->courses[i].points);
		free(a->courses[i].changes);
	}
	free(a->courses);
	free(a->all);
	memset(a, 0, sizeof *a);
}
