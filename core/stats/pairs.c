/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/judge.h"

#include "base/vec.h"
#include "stats/compare.h"
#include "stats/gates.h"
#include "stats/modes.h"
#include "stats/multiple.h"
#include "stats/order.h"
#include "stats/percentile.h"
#include "stats/power.h"

#include <math.h>

static enum verdict_kind verdict_of(enum ruling r)
{
	static const enum verdict_kind kinds[] = {
		[RULING_VOID] = VERDICT_VOID,
		[RULING_INDICATIVE] = VERDICT_INDICATIVE,
		[RULING_EXPLORATORY] = VERDICT_NONE,
		[RULING_EQUIVALENT] = VERDICT_EQUIVALENT,
		[RULING_BETTER] = VERDICT_BETTER,
		[RULING_WORSE] = VERDICT_WORSE,
		[RULING_INCONCLUSIVE] = VERDICT_INCONCLUSIVE,
	};

	return kinds[r];
}

/* Passes of one step are compared whole: a common cut can be longer than a short repeat read. */
static bool may_cut(const struct judge *j, const struct comparison *c)
{
	const struct cell *s = &j->b->cells.cells[c->subject], *a = &j->b->cells.cells[c->against];

	return s->pass == a->pass;
}

/* +1: the subject's step ran before the other arm's; 0: they share a step, so there is no order. */
static double came_first(const struct kept_run *subject, const struct kept_run *against)
{
	if (subject->step == against->step)
		return 0;
	return subject->position < against->position ? 1 : -1;
}

static void fill_order(struct comparison *c, const double *first)
{
	struct order_line line;
	uint32_t i;

	c->gamma = c->gamma_p = NAN;
	for (i = 0; i < c->n; i++)
		if (first[i] == 0)
			return;
	order_effect(&line, c->d, first, c->n);
	if (!(line.slope.df > 0))
		return;
	c->gamma = line.slope.mean;
	c->gamma_p = fabs(c->gamma) < 1e-13 ? 1 : inference_p(&line.slope, 0);
}

/* d, blocks and runs of the complete blocks whose values may enter a logarithm. */
static void fill_blocks(const struct judge *j, struct comparison *c)
{
	uint32_t cells[2] = { c->subject, c->against };
	bool cut = may_cut(j, c);
	struct tuples t;
	mem_auto double *first = NULL;
	double ls = 0, la = 0;
	size_t i;

	judge_tuples(j, cells, 2, &t);
	c->d = mem_array(t.n + 1, sizeof *c->d);
	c->blocks = mem_array(t.n + 1, sizeof *c->blocks);
	c->subject_runs = mem_array(t.n + 1, sizeof *c->subject_runs);
	c->against_runs = mem_array(t.n + 1, sizeof *c->against_runs);
	first = mem_array(t.n + 1, sizeof *first);
	for (i = 0; i < t.n; i++) {
		const struct tuple *u = &t.at[i];
		double s = judge_value(j, c->metric, u->runs[0], cut, &c->too_few);
		double a = judge_value(j, c->metric, u->runs[1], cut, &c->too_few);

		if (compare_log_ratios(&c->d[c->n], c->metric->higher_is_better ? &s : &a,
				       c->metric->higher_is_better ? &a : &s, 1) < 0)
			continue;
		c->blocks[c->n] = u->block;
		c->subject_runs[c->n] = j->b->runs[u->runs[0]].run;
		c->against_runs[c->n] = j->b->runs[u->runs[1]].run;
		first[c->n] = came_first(&j->b->runs[u->runs[0]], &j->b->runs[u->runs[1]]);
		c->replaced_blocks += u->replaced;
		ls += log(s);
		la += log(a);
		c->n++;
	}
	fill_order(c, first);
	c->dropped_blocks = t.dropped + (uint32_t)(t.n - c->n);
	c->subject_mean = c->n ? exp(ls / c->n) : NAN;
	c->against_mean = c->n ? exp(la / c->n) : NAN;
	if (cut && j->test_cut_ns) {
		c->cut_ns = j->test_cut_ns[j->b->cells.cells[c->subject].test];
		c->cut_by_mser = c->cut_ns && j->test_cut_mser[j->b->cells.cells[c->subject].test];
	}
	tuples_release(&t);
}

static void find_void(const struct judge *j, struct comparison *c)
{
	c->void_gate = judge_void_gate(j, c->subject, c->metric);
	if (c->void_gate < 0)
		c->void_gate = judge_void_gate(j, c->against, c->metric);
}

static void fill_verdict(const struct judge *j, struct comparison *c)
{
	struct compare_rule rule = {
		.margin = c->margin,
		.family = c->family,
		.is_declared = c->declared,
		.is_void = c->void_gate >= 0,
		.bar_better = c->subject_failures > 0,
		.bar_worse = c->against_failures > 0,
		.widen = c->metric->quantile > 0 ? percentile_widening() : 0,
	};
	struct contrast k;

	compare_paired(&k, c->d, c->n, &rule);
	c->paired = true;
	c->ratio = c->n ? k.ratio : NAN;
	c->sd_log = k.log.sd;
	c->lo = k.ci95.lo;
	c->hi = k.ci95.hi;
	c->decide_level = 1 - k.deciding_alpha;
	c->decide_lo = k.deciding.lo;
	c->decide_hi = k.deciding.hi;
	c->equiv_level = 1 - k.equivalence_alpha;
	c->equiv_lo = k.equivalence.lo;
	c->equiv_hi = k.equivalence.hi;
	c->verdict = verdict_of(k.ruling);
	c->material = k.is_material;
	c->resolved_inside = k.is_resolved;
	c->negligible = k.is_negligible;
	c->withheld = k.is_withheld;
	c->n_needed = (uint32_t)k.n_difference;
	c->n_needed_equivalence = (uint32_t)k.n_equivalence;
	c->p = c->n < 2 ? NAN : k.p;
	c->favoured = c->ratio > 1;
	if (fabs(log(c->ratio)) < c->aa_floor &&
	    (c->verdict == VERDICT_BETTER || c->verdict == VERDICT_WORSE)) {
		c->verdict = VERDICT_INCONCLUSIVE;
		c->material = false;
	}
	if (c->verdict != VERDICT_VOID && (!c->n || c->too_few))
		c->verdict = c->declared || !c->n ? VERDICT_NO_DATA : VERDICT_NONE;
}

/* From a pilot's or a stated sd only, never from the campaign itself (METHODS (k)). */
static double detectable(struct judge *j, const struct comparison *c)
{
	double sd = j->b->cells.tests[j->b->cells.cells[c->subject].test].sd;

	if (!(sd > 0) || c->n < 2)
		return NAN;
	if (j->smallest_n != c->n) {
		j->smallest_n = c->n;
		j->smallest = power_smallest(c->n, 0.05 / c->family);
	}
	return expm1(j->smallest * sd);
}

static void fill_one(struct judge *j, struct comparison *c)
{
	c->subject_failures = judge_failures(&j->r->cells[c->subject]);
	c->against_failures = judge_failures(&j->r->cells[c->against]);
	fill_blocks(j, c);
	find_void(j, c);
	c->aa_floor = gate_aa_floor(j, j->b->cells.cells[c->subject].test, c->metric);
	fill_verdict(j, c);
	c->unseen_mode = c->n ? modes_unseen(c->n) : NAN;
	c->bimodal = j->r->cells[c->subject].bimodal || j->r->cells[c->against].bimodal;
	judge_differences(j, c);
	judge_tail(j, c);
	c->detectable = detectable(j, c);
}

/* What decides nothing counts as p = 1. */
static bool counts_as_none(const struct comparison *c)
{
	return c->verdict == VERDICT_VOID || c->verdict == VERDICT_NO_DATA || c->too_few;
}

static int by_cells(const void *a, const void *b)
{
	const struct comparison *x = *(const struct comparison *const *)a, *y = *(const struct comparison *const *)b;
	const uint32_t xs[] = { x->declared, x->subject < x->against ? x->subject : x->against,
				x->subject < x->against ? x->against : x->subject,
				(uint32_t)(x->metric - metrics) };
	const uint32_t ys[] = { y->declared, y->subject < y->against ? y->subject : y->against,
				y->subject < y->against ? y->against : y->subject,
				(uint32_t)(y->metric - metrics) };
	size_t i;

	for (i = 0; i < ARRAY_LEN(xs); i++)
		if (xs[i] != ys[i])
			return xs[i] < ys[i] ? -1 : 1;
	return 0;
}

static int by_cells_then_id(const void *a, const void *b)
{
	const struct comparison *x = *(const struct comparison *const *)a, *y = *(const struct comparison *const *)b;
	int rc = by_cells(a, b);

	return rc ? rc : (x->id > y->id) - (x->id < y->id);
}

/* A question and a claim on the same cells and metric rest on one interval: one comparison of the family. */
static void find_same(struct judge *j)
{
	size_t n = j->r->n_comparisons, i;
	mem_auto struct comparison **at = mem_array(n + 1, sizeof *at);

	for (i = 0; i < n; i++)
		at[i] = &j->r->comparisons[i];
	if (n)
		qsort(at, n, sizeof *at, by_cells_then_id);
	for (i = 0; i < n; i++)
		at[i]->same_as = i && by_cells(&at[i - 1], &at[i]) == 0 ? at[i - 1]->same_as : at[i]->id;
}

/* Holm over the declared (void ones as 1), BH over the exploratory ones; the same comparison once. */
static void adjust(struct judge *j, bool declared)
{
	size_t n = j->r->n_comparisons, m = 0, i;
	size_t most = n > j->r->family ? n : j->r->family;
	mem_auto double *p = mem_array(most + 1, sizeof *p);
	mem_auto double *out = mem_array(most + 1, sizeof *out);

	for (i = 0; i < n; i++)
		if (j->r->comparisons[i].declared == declared && j->r->comparisons[i].same_as == i)
			p[m++] = counts_as_none(&j->r->comparisons[i]) ? NAN : j->r->comparisons[i].p;
	/* The family was fixed before the data; what never got figures stays in it. */
	while (declared && m < j->r->family)
		p[m++] = NAN;
	if (declared)
		multiple_holm(out, p, m);
	else
		multiple_bh(out, p, m);
	for (i = 0, m = 0; i < n; i++) {
		struct comparison *c = &j->r->comparisons[i];
		const struct comparison *same = &j->r->comparisons[c->same_as];

		if (c->declared != declared)
			continue;
		*(declared ? &c->holm_p : &c->bh_p) = same == c ? out[m++] : declared ? same->holm_p : same->bh_p;
	}
}

static void make_pairs(struct judge *j, const struct question *q)
{
	const struct metric *m = metric_find(q->metric);
	size_t i;

	if (!m)
		return;
	for (i = 0; i < q->n_pairs; i++) {
		struct comparison *c;

		if (q->pairs[i].subject >= j->r->n_cells || q->pairs[i].against >= j->r->n_cells)
			continue;
		c = VEC_ADD(j->r->comparisons, j->r->n_comparisons);
		c->id = (uint32_t)j->r->n_comparisons - 1;
		c->question = q->id;
		c->pair = (uint32_t)i;
		c->subject = q->pairs[i].subject;
		c->against = q->pairs[i].against;
		c->metric = m;
		c->declared = q->declared;
		c->margin = q->margin > 0 ? q->margin : 0.05;
		c->family = j->r->family;
		c->holm_p = c->bh_p = NAN;
	}
}

void judge_comparisons(struct judge *j)
{
	const struct cells *cells = &j->b->cells;
	size_t i;

	j->first_pair = mem_array(cells->n_questions + 1, sizeof *j->first_pair);
	for (i = 0; i < cells->n_questions; i++) {
		make_pairs(j, &cells->questions[i]);
		j->first_pair[i + 1] = j->r->n_comparisons;
	}
	for (i = 0; i < j->r->n_comparisons; i++)
		fill_one(j, &j->r->comparisons[i]);
	find_same(j);
	adjust(j, true);
	adjust(j, false);
	for (i = 0; i < j->r->n_comparisons; i++)
		j->r->n_void += j->r->comparisons[i].declared && j->r->comparisons[i].same_as == i &&
				j->r->comparisons[i].verdict == VERDICT_VOID;
}
