/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/questions.h"

#include "base/vec.h"
#include "stats/scaling.h"

#include <math.h>
#include <string.h>

/* Cells that differ in the load alone: what the pairs of a sensitivity question connect. */
struct ladder {
	uint32_t *cells;
	size_t n;
};

static bool holds(const struct ladder *l, uint32_t cell)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		if (l->cells[i] == cell)
			return true;
	return false;
}

/* The ladder grows while a pair touches it; a pair's order does not matter. */
static void climb(struct ladder *l, const struct question *q)
{
	bool grown = true;
	size_t i;

	while (grown) {
		grown = false;
		for (i = 0; i < q->n_pairs; i++) {
			bool s = holds(l, q->pairs[i].subject), a = holds(l, q->pairs[i].against);

			if (s == a)
				continue;
			*VEC_ADD(l->cells, l->n) = s ? q->pairs[i].against : q->pairs[i].subject;
			grown = true;
		}
	}
}

static double load_of(const struct cell *c, const char *dim)
{
	return strcmp(dim, "workload.jobs") == 0 ? (double)c->spec.jobs : (double)c->spec.depth;
}

/* Fitted on logs; nothing where fewer than four levels differ or no law is found. */
static void add_fit(struct judge *j, uint32_t question, const char *dim, const double *load, const double *rate, size_t n)
{
	struct scaling_usl u;
	struct usl_result *r;

	if (scaling_fit_usl(&u, load, rate, n, true) < 0 || !u.is_converged)
		return;
	r = VEC_ADD(j->r->usls, j->r->n_usls);
	*r = (struct usl_result){ .question = question, .levels = (uint32_t)n, .dim = mem_strdup(dim),
				  .sigma = u.sigma, .kappa = u.kappa, .lambda = u.lambda, .peak = u.peak, .rms = u.rms };
	r->load = mem_array(n, sizeof *load);
	r->rate = mem_array(n, sizeof *rate);
	memcpy(r->load, load, n * sizeof *load);
	memcpy(r->rate, rate, n * sizeof *rate);
}

static void fit(struct judge *j, const struct question *q, const struct ladder *l)
{
	const struct metric *m = metric_find(q->metric);
	mem_auto double *load = mem_array(l->n + 1, sizeof *load), *rate = mem_array(l->n + 1, sizeof *rate);
	size_t i;

	for (i = 0; i < l->n; i++) {
		const struct cell_result *c = &j->r->cells[l->cells[i]];

		load[i] = load_of(&j->b->cells.cells[l->cells[i]], q->named);
		rate[i] = strcmp(m->name, "iops") == 0 ? c->iops.geo : c->throughput.geo;
		if (!(rate[i] > 0) || judge_void_gate(j, l->cells[i], m) >= 0)
			return;
	}
	add_fit(j, q->id, q->named, load, rate, l->n);
}

void judge_usl(struct judge *j, const struct question *q)
{
	mem_auto bool *done = mem_array(j->r->n_cells + 1, sizeof *done);
	size_t i, k;

	if (!q->named || (strcmp(q->named, "workload.jobs") != 0 && strcmp(q->named, "workload.depth") != 0))
		return;
	if (strcmp(q->metric, "throughput") != 0 && strcmp(q->metric, "iops") != 0)
		return;
	for (i = 0; i < q->n_pairs; i++) {
		struct ladder l = { NULL, 0 };

		if (done[q->pairs[i].subject])
			continue;
		*VEC_ADD(l.cells, l.n) = q->pairs[i].subject;
		climb(&l, q);
		for (k = 0; k < l.n; k++)
			done[l.cells[k]] = true;
		if (l.n >= SCALING_LEAST_LEVELS)
			fit(j, q, &l);
		free(l.cells);
	}
}

/* ---- how many run together ---- */

/* Scalings that one question of the plan asks for, in several tests, are levels of one law where all but
 * the number of members is equal. */
static bool one_law(const struct judge *j, const struct scaling *a, const struct scaling *b)
{
	const struct question *p = &j->b->cells.questions[a->question], *q = &j->b->cells.questions[b->question];
	const struct cell *x = &j->b->cells.cells[p->cells[0]], *y = &j->b->cells.cells[q->cells[0]];
	size_t i;

	if (!p->declared || !q->declared || strcmp(p->where, q->where) != 0 || strcmp(p->metric, q->metric) != 0 ||
	    x->workload != y->workload || x->pass != y->pass || x->n_sweep != y->n_sweep)
		return false;
	for (i = 0; i < x->n_sweep; i++)
		if (!json_equal(x->sweep[i].value, y->sweep[i].value))
			return false;
	return true;
}

void judge_usl_members(struct judge *j)
{
	size_t n = j->r->n_scalings, i, k;
	mem_auto bool *done = mem_array(n + 1, sizeof *done);
	mem_auto double *load = mem_array(n + 2, sizeof *load), *rate = mem_array(n + 2, sizeof *rate);

	for (i = 0; i < n; i++) {
		const struct scaling *first = &j->r->scalings[i];
		double alone = 0;
		size_t levels = 1;

		for (k = i; k < n; k++) {
			const struct scaling *s = &j->r->scalings[k];

			if (done[k] || s->void_gate >= 0 || !s->n || !one_law(j, first, s))
				continue;
			done[k] = true;
			load[levels] = s->members;
			rate[levels++] = s->together;
			alone += log(s->alone / s->members);
		}
		if (levels == 1)
			continue;
		/* What one reaches alone, over all tests. */
		load[0] = 1;
		rate[0] = exp(alone / (double)(levels - 1));
		add_fit(j, first->question, "members", load, rate, levels);
	}
}
