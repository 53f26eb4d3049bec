/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/judge.h"

#include "base/vec.h"
#include "stats/plateau.h"

#include <math.h>
#include <string.h>

/* The levels of each swept dimension, all else equal. */

#define MARGIN 0.05
#define LEVELS 64

static const struct sweep_value *swept(const struct cell *c, const char *dim)
{
	for (size_t i = 0; i < c->n_sweep; i++)
		if (strcmp(c->sweep[i].dim, dim) == 0)
			return &c->sweep[i];
	return NULL;
}

/* Do two cells differ in `dim` alone? */
static bool siblings(const struct cell *a, const struct cell *b, const char *dim)
{
	if (a->test != b->test || a->target != b->target || a->workload != b->workload || a->pass != b->pass ||
	    a->company != b->company || a->variant != b->variant || a->control || b->control ||
	    a->n_sweep != b->n_sweep)
		return false;
	for (size_t i = 0; i < a->n_sweep; i++) {
		const struct sweep_value *v = swept(b, a->sweep[i].dim);

		if (!v || (strcmp(v->dim, dim) != 0 && strcmp(v->text, a->sweep[i].text) != 0))
			return false;
	}
	return swept(b, dim) != NULL;
}

static bool by_load(const char *dim)
{
	return strcmp(dim, "workload.block") == 0 || strcmp(dim, "workload.depth") == 0 ||
	       strcmp(dim, "workload.jobs") == 0;
}

static int64_t level(const struct judge *j, uint32_t cell, const char *dim)
{
	return json_integer_value(swept(&j->b->cells.cells[cell], dim)->value);
}

/* Cells of the group whose first is `first`, by rising level; 0: `first` is not its first. */
static size_t group(const struct judge *j, uint32_t first, const char *dim, uint32_t *cells)
{
	const struct cells *all = &j->b->cells;
	size_t n = 0;

	for (uint32_t i = 0; i < all->n_cells && n < LEVELS; i++) {
		size_t k = n;

		if (!siblings(&all->cells[first], &all->cells[i], dim))
			continue;
		if (i < first)
			return 0;
		for (; k && level(j, cells[k - 1], dim) > level(j, i, dim); k--)
			cells[k] = cells[k - 1];
		cells[k] = i;
		n++;
	}
	return n;
}

static bool usable(const struct judge *j, const uint32_t *cells, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (judge_void_gate(j, cells[i], metric_find("throughput")) >= 0)
			return false;
	return n >= PLATEAU_LEAST_LEVELS;
}

/* Rates of the complete blocks, level by level; returns their number. */
static size_t rates(const struct judge *j, const uint32_t *cells, size_t k, double **x)
{
	struct tuples t;
	size_t n = 0;

	judge_tuples(j, cells, k, &t);
	*x = mem_array(k * t.n + 1, sizeof **x);
	for (size_t b = 0; b < t.n; b++) {
		bool whole = true;

		for (size_t i = 0; i < k; i++) {
			double v = judge_value(j, metric_find("throughput"), t.at[b].runs[i], true, NULL);

			whole &= v > 0;
			(*x)[i * t.n + n] = v;
		}
		n += whole;
	}
	for (size_t i = 1; n < t.n && i < k; i++)
		memmove(*x + i * n, *x + i * t.n, n * sizeof **x);
	tuples_release(&t);
	return n;
}

static void add_plateau(struct judge *j, const uint32_t *cells, size_t k, const char *dim)
{
	mem_auto double *x = NULL;
	struct plateau_result *r;
	struct plateau p;
	size_t n;

	if (!usable(j, cells, k))
		return;
	n = rates(j, cells, k, &x);
	plateau_find(&p, x, k, n, MARGIN);
	if (!p.is_found && !p.is_flat)
		return;
	r = VEC_ADD(j->r->plateaus, j->r->n_plateaus);
	*r = (struct plateau_result){ .test = j->b->cells.cells[cells[0]].test, .n = (uint32_t)n,
				      .dim = mem_strdup(dim), .n_cells = k, .flat = p.is_flat,
				      .knee = (uint32_t)p.knee, .gained = p.gained, .height = p.height,
				      .bound = p.bound, .margin = MARGIN };
	r->cells = mem_array(k, sizeof *r->cells);
	memcpy(r->cells, cells, k * sizeof *r->cells);
}

void judge_plateaus(struct judge *j)
{
	const struct cells *all = &j->b->cells;
	uint32_t cells[LEVELS];

	for (uint32_t i = 0; i < all->n_cells; i++)
		for (size_t s = 0; s < all->cells[i].n_sweep; s++) {
			const char *dim = all->cells[i].sweep[s].dim;

			if (by_load(dim) && json_is_integer(all->cells[i].sweep[s].value))
				add_plateau(j, cells, group(j, i, dim, cells), dim);
		}
}
