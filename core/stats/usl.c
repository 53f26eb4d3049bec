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

static void fit(struct judge *j, const struct question *q, const struct ladder *l)
{
	const struct metric *m = metric_find(q->metric);
	mem_auto double *load = mem_array(l->n + 1, sizeof *load), *rate = mem_array(l->n + 1, sizeof *rate);
	struct scaling_usl u;
	struct usl_result *r;
	size_t i;

	for (i = 0; i < l->n; i++) {
		const struct cell_result *c = &j->r->cells[l->cells[i]];

		load[i] = load_of(&j->b->cells.cells[l->cells[i]], q->named);
		rate[i] = strcmp(m->name, "iops") == 0 ? c->iops.geo : c->throughput.geo;
		if (!(rate[i] > 0) || judge_void_gate(j, l->cells[i], m) >= 0)
			return;
	}
	if (scaling_fit_usl(&u, load, rate, l->n, true) < 0 || !u.is_converged)
		return;
	r = VEC_ADD(j->r->usls, j->r->n_usls);
	*r = (struct usl_result){ .question = q->id, .levels = (uint32_t)l->n, .dim = mem_strdup(q->named),
				  .sigma = u.sigma, .kappa = u.kappa, .lambda = u.lambda, .peak = u.peak,
				  .rms = u.rms };
	r->load = mem_array(l->n, sizeof *load);
	r->rate = mem_array(l->n, sizeof *rate);
	memcpy(r->load, load, l->n * sizeof *load);
	memcpy(r->rate, rate, l->n * sizeof *rate);
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
