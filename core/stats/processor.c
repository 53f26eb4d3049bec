/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/questions.h"

#include "base/vec.h"
#include "stats/compare.h"
#include "stats/cpu.h"

#include <math.h>
#include <string.h>

/* The question cpu, METHODS (l): leg 1 for every cell, leg 2 where the test has a variant that leaves a
 * known share of the processor's capacity. Leg 2 is an experiment and decides where there is one. */

static enum verdict_kind verdict_of(enum cpu_state s)
{
	return s == CPU_BOUND ? VERDICT_CPU_BOUND : s == CPU_NOT_BOUND ? VERDICT_NOT_CPU_BOUND : VERDICT_NOT_DECIDABLE;
}

static enum verdict_kind leg1(const struct judge *j, const struct cell_result *r)
{
	mem_auto double *share = mem_array(r->n_runs + 1, sizeof *share);
	size_t n = judge_busy_shares(j, r, share);
	struct cpu_leg leg;

	if (!n)
		return VERDICT_NO_DATA;
	if (n < COMPARE_LEAST_RULING)
		return VERDICT_INDICATIVE;
	cpu_leg1(&leg, share, n);
	return verdict_of(leg.state);
}

static bool same_but_variant(const struct cell *a, const struct cell *b)
{
	size_t i;

	if (a->test != b->test || a->target != b->target || a->workload != b->workload || a->pass != b->pass ||
	    a->company != b->company || a->control || b->control || a->n_sweep != b->n_sweep)
		return false;
	for (i = 0; i < a->n_sweep; i++)
		if (!json_equal(a->sweep[i].value, b->sweep[i].value))
			return false;
	return true;
}

/* The same cell with less of the processor, least first; UINT32_MAX: none. */
static uint32_t cut_of(const struct cells *c, uint32_t cell)
{
	uint32_t found = UINT32_MAX, i;
	double least = cell_capacity(c, &c->cells[cell]);

	if (least < 1)
		return UINT32_MAX;
	for (i = 0; i < c->n_cells; i++) {
		double capacity = cell_capacity(c, &c->cells[i]);

		if (capacity >= least || !same_but_variant(&c->cells[cell], &c->cells[i]))
			continue;
		least = capacity;
		found = i;
	}
	return found;
}

/* Rates of both over complete blocks, whatever the metric's direction; how many. */
static size_t rates(const struct judge *j, const struct metric *m, const uint32_t cells[2], double *cut, double *full)
{
	struct tuples t;
	size_t i, n = 0;

	judge_tuples(j, cells, 2, &t);
	for (i = 0; i < t.n; i++) {
		double x = judge_value(j, m, t.at[i].runs[0], true, NULL);
		double y = judge_value(j, m, t.at[i].runs[1], true, NULL);

		if (isnan(x) || isnan(y))
			continue;
		cut[n] = m->higher_is_better ? x : 1 / x;
		full[n++] = m->higher_is_better ? y : 1 / y;
	}
	tuples_release(&t);
	return n;
}

static enum verdict_kind leg2(const struct judge *j, const struct metric *m, struct judged_cell *k)
{
	const uint32_t cells[2] = { k->cut_cell, k->cell };
	size_t most = j->r->cells[k->cut_cell].n_runs + 1;
	mem_auto double *cut = mem_array(most, sizeof *cut), *full = mem_array(most, sizeof *full);
	struct cpu_leg leg;

	k->capacity = cell_capacity(&j->b->cells, &j->b->cells.cells[k->cut_cell]);
	k->n_cut = (uint32_t)rates(j, m, cells, cut, full);
	if (!k->n_cut || cpu_leg2(&leg, cut, full, k->n_cut, k->capacity) < 0)
		return VERDICT_NO_DATA;
	k->elasticity = leg.value.mean;
	k->elasticity_lo = leg.ci95.lo;
	k->elasticity_hi = leg.ci95.hi;
	return k->n_cut < COMPARE_LEAST_RULING ? VERDICT_INDICATIVE : verdict_of(leg.state);
}

static void cpu_cell(struct judge *j, const struct question *q, struct judgement *o, struct judged_cell *k)
{
	const struct cell_result *r = &j->r->cells[k->cell];

	k->n = r->busy_share.n;
	k->value = r->busy_share.mean;
	k->lo = r->busy_share.lo;
	k->hi = r->busy_share.hi;
	o->worst = fmin(o->worst, k->lo);
	k->leg1 = leg1(j, r);
	k->cut_cell = cut_of(&j->b->cells, k->cell);
	if (k->cut_cell != UINT32_MAX) {
		k->leg2 = leg2(j, metric_find(q->metric), k);
		if (k->void_gate < 0)
			k->void_gate = judge_void_gate(j, k->cut_cell, metric_find(q->metric));
	}
	if (k->void_gate >= 0) {
		k->verdict = VERDICT_VOID;
		return;
	}
	k->verdict = k->cut_cell == UINT32_MAX || k->leg2 == VERDICT_NO_DATA ? k->leg1 : k->leg2;
	/* What a failed arm would have done to the rates nobody knows. */
	if (k->cut_cell != UINT32_MAX && (judge_failures(r) || judge_failures(&j->r->cells[k->cut_cell])) &&
	    (k->verdict == VERDICT_CPU_BOUND || k->verdict == VERDICT_NOT_CPU_BOUND)) {
		k->verdict = VERDICT_NOT_DECIDABLE;
		judgement_say(o, o->verdict, "runs of an arm failed");
	}
	if (j->b->cells.cells[k->cell].spec.poll) {
		k->verdict = VERDICT_NOT_APPLICABLE;
		judgement_say(o, o->verdict, "a job that spins is always busy");
	}
}

/* A cell with less of the processor is the other side of one that has it whole. */
static bool is_other_side(const struct cells *c, const struct question *q, uint32_t cell)
{
	size_t i;

	if (cell_capacity(c, &c->cells[cell]) >= 1)
		return false;
	for (i = 0; i < q->n_cells; i++)
		if (cell_capacity(c, &c->cells[q->cells[i]]) >= 1 &&
		    same_but_variant(&c->cells[q->cells[i]], &c->cells[cell]))
			return true;
	return false;
}

void judge_cpu(struct judge *j, const struct question *q, struct judgement *o)
{
	size_t i;

	for (i = 0; i < q->n_cells; i++)
		if (!is_other_side(&j->b->cells, q, q->cells[i]))
			cpu_cell(j, q, o, judged_add(j, o, q, q->cells[i]));
	judged_sum(o, VERDICT_CPU_BOUND, VERDICT_NOT_CPU_BOUND);
	if (o->n_cells == 1) {
		o->value = o->cells[0].value;
		o->lo = o->cells[0].lo;
		o->hi = o->cells[0].hi;
	}
}
