/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/questions.h"

#include "base/vec.h"
#include "stats/claim.h"
#include "stats/compare.h"
#include "stats/scaling.h"

#include <math.h>
#include <string.h>

/* The cells of one together step and their alone counterparts: k of each. */
struct party {
	uint32_t step;
	uint32_t *cells; /* together first, then alone */
	size_t k;
};

static uint32_t step_of(const struct cells *c, uint32_t cell)
{
	size_t i, k;

	for (i = 0; i < c->n_steps; i++)
		for (k = 0; k < c->steps[i].n_cells; k++)
			if (c->steps[i].cells[k] == cell)
				return (uint32_t)i;
	return UINT32_MAX;
}

/* One party for each step that the question's subjects ran in. */
static struct party *find_parties(const struct judge *j, const struct question *q, size_t *n)
{
	mem_auto uint32_t *steps = mem_array(q->n_pairs + 1, sizeof *steps);
	struct party *all = NULL;
	size_t i, p, k;

	*n = 0;
	for (i = 0; i < q->n_pairs; i++) {
		steps[i] = step_of(&j->b->cells, q->pairs[i].subject);
		for (p = 0; p < *n && all[p].step != steps[i]; p++)
			;
		if (p == *n)
			VEC_ADD(all, *n)->step = steps[i];
		all[p].k++;
	}
	for (p = 0; p < *n; p++) {
		all[p].cells = mem_array(2 * all[p].k, sizeof *all[p].cells);
		for (i = 0, k = 0; i < q->n_pairs; i++) {
			if (steps[i] != all[p].step)
				continue;
			all[p].cells[k] = q->pairs[i].subject;
			all[p].cells[all[p].k + k++] = q->pairs[i].against;
		}
	}
	return all;
}

static void parties_free(struct party *p, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		free(p[i].cells);
	free(p);
}

/* Rates of one complete block; false when one of them is none. */
static bool block_rates(const struct judge *j, const struct party *p, const struct metric *m,
			const struct tuple *u, double *together, double *alone)
{
	size_t i;

	*together = 0;
	for (i = 0; i < p->k; i++) {
		double x = judge_value(j, m, u->runs[i], true, NULL);

		alone[i] = judge_value(j, m, u->runs[p->k + i], true, NULL);
		if (isnan(x) || isnan(alone[i]))
			return false;
		*together += x;
	}
	return true;
}

static double geo_mean(const double *x, size_t n)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += log(x[i]) / (double)n;
	return n ? exp(sum) : NAN;
}

static void fill_shares(const struct judge *j, const struct party *p, const struct metric *m, struct scaling *s)
{
	mem_auto double *mean = mem_array(p->k + 1, sizeof *mean), *x = NULL;
	double sum = 0;
	size_t i;

	for (i = 0; i < p->k; i++) {
		const struct cell_result *c = &j->r->cells[p->cells[i]];
		struct estimate e;

		x = mem_resize(x, c->n_runs + 1, sizeof *x);
		estimate_fill(&e, x, judge_cell_values(j, p->cells[i], m, x, NULL, NULL));
		mean[i] = e.n ? e.mean : 0;
		sum += mean[i];
	}
	s->jain = scaling_jain(mean, p->k);
	s->share_min = s->share_max = NAN;
	for (i = 0; sum > 0 && i < p->k; i++) {
		s->share_min = fmin(s->share_min, mean[i] / sum);
		s->share_max = fmax(s->share_max, mean[i] / sum);
	}
}

static void party_verdict(const struct judge *j, const struct question *q, const struct party *p,
			  const double *log_e, struct scaling *s)
{
	struct compare_rule rule = { .margin = q->margin > 0 ? q->margin : 0.05, .family = j->r->family,
				     .is_declared = q->declared, .is_void = s->void_gate >= 0 };
	struct contrast c;
	size_t i;

	for (i = 0; i < 2 * p->k; i++) {
		bool failed = judge_failures(&j->r->cells[p->cells[i]]) > 0;

		rule.bar_better |= failed && i < p->k;
		rule.bar_worse |= failed && i >= p->k;
	}
	compare_paired(&c, log_e, s->n, &rule);
	s->efficiency = s->n ? c.ratio : NAN;
	s->lo = c.ci95.lo;
	s->hi = c.ci95.hi;
	s->decide_lo = c.deciding.lo;
	s->decide_hi = c.deciding.hi;
	switch (c.ruling) {
	case RULING_VOID: s->verdict = VERDICT_VOID; break;
	case RULING_INDICATIVE: s->verdict = VERDICT_INDICATIVE; break;
	case RULING_EXPLORATORY: s->verdict = VERDICT_NONE; break;
	case RULING_EQUIVALENT: s->verdict = VERDICT_EQUIVALENT; break;
	case RULING_BETTER: s->verdict = VERDICT_BETTER; break;
	case RULING_WORSE: s->verdict = VERDICT_WORSE; break;
	default: s->verdict = VERDICT_INCONCLUSIVE; break;
	}
	if (!s->n && s->verdict != VERDICT_VOID)
		s->verdict = VERDICT_NO_DATA;
}

static void judge_party(struct judge *j, const struct question *q, const struct party *p)
{
	const struct metric *m = metric_find(q->metric);
	struct scaling *s = VEC_ADD(j->r->scalings, j->r->n_scalings);
	mem_auto double *together = NULL, *alone = NULL, *sums = NULL, *log_e = NULL;
	struct tuples t;
	size_t i, k;

	judge_tuples(j, p->cells, 2 * p->k, &t);
	together = mem_array(t.n + 1, sizeof *together);
	sums = mem_array(t.n + 1, sizeof *sums);
	log_e = mem_array(t.n + 1, sizeof *log_e);
	alone = mem_array((t.n + 1) * p->k, sizeof *alone);
	s->question = q->id;
	s->members = (uint32_t)p->k;
	s->void_gate = -1;
	for (i = 0; i < 2 * p->k && s->void_gate < 0; i++)
		s->void_gate = judge_void_gate(j, p->cells[i], m);
	for (i = 0; i < t.n; i++) {
		double *a = alone + (size_t)s->n * p->k;

		if (!block_rates(j, p, m, &t.at[i], &together[s->n], a))
			continue;
		for (k = 0; k < p->k; k++)
			sums[s->n] += a[k];
		s->n++;
	}
	tuples_release(&t);
	scaling_log_efficiency(log_e, together, alone, p->k, s->n);
	s->together = geo_mean(together, s->n);
	s->alone = geo_mean(sums, s->n);
	party_verdict(j, q, p, log_e, s);
	fill_shares(j, p, m, s);
}

/* A claim on scaling is one on E. */
static void claim_efficiency(const struct question *q, struct judgement *o, const struct scaling *s)
{
	enum claim_state c = claim_judge((struct interval){ s->decide_lo, s->decide_hi }, q->at_least, q->at_most);

	if (o->verdict == VERDICT_VOID || o->verdict == VERDICT_NO_DATA || o->verdict == VERDICT_INDICATIVE)
		return;
	judgement_say(o, c == CLAIM_SUPPORTED ? VERDICT_SUPPORTED : c == CLAIM_CONTRADICTED
		      ? VERDICT_CONTRADICTED : VERDICT_NOT_DECIDABLE,
		      c == CLAIM_NOT_DECIDABLE ? "the deciding interval lies on both sides of what is claimed" : NULL);
}

void judge_scaling(struct judge *j, const struct question *q, struct judgement *o)
{
	size_t n, from = j->r->n_scalings, i;
	struct party *parties = find_parties(j, q, &n);
	const struct scaling *s = NULL;

	if (metric_find(q->metric)->higher_is_better && metric_find(q->metric)->quantile == 0)
		for (i = 0; i < n; i++)
			judge_party(j, q, &parties[i]);
	parties_free(parties, n);
	for (i = from; i < j->r->n_scalings; i++)
		if (!s || j->r->scalings[i].members > s->members)
			s = &j->r->scalings[i];
	if (!s) {
		judgement_say(o, VERDICT_NO_DATA, "no step ran its cells together, or the metric is no rate");
		return;
	}
	o->value = s->efficiency;
	o->lo = s->decide_lo;
	o->hi = s->decide_hi;
	o->level = 1 - 0.05 / j->r->family;
	o->void_gate = s->void_gate;
	judgement_say(o, s->verdict, NULL);
	if (q->claim)
		claim_efficiency(q, o, s);
	o->by_speed = o->by_time = o->verdict;
}
