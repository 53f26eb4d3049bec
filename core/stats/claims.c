/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/questions.h"

#include "base/err.h"
#include "base/vec.h"
#include "plan/quote.h"
#include "stats/claim.h"
#include "stats/compare.h"
#include "stats/interval.h"

#include <math.h>
#include <string.h>

struct region {
	double least, most; /* NaN: open */
};

/* May this be said although an arm failed? What rests on a large R speaks for the subject, what
 * rests on a small one for the other arm. */
static bool is_barred(const struct comparison *c, const struct region *g, enum claim_state v)
{
	bool large = v == CLAIM_SUPPORTED ? !isnan(g->least) : c->decide_lo > g->most;
	bool small = v == CLAIM_SUPPORTED ? !isnan(g->most) : c->decide_hi < g->least;

	return (large && c->subject_failures) || (small && c->against_failures);
}

static enum verdict_kind verdict_of(enum claim_state s)
{
	return s == CLAIM_SUPPORTED ? VERDICT_SUPPORTED
		: s == CLAIM_CONTRADICTED ? VERDICT_CONTRADICTED : VERDICT_NOT_DECIDABLE;
}

static enum verdict_kind claim_over(const struct judge *j, const struct judgement *o, const struct region *g)
{
	mem_auto enum claim_state *cell = mem_array(o->n_comparisons + 1, sizeof *cell);
	size_t i;

	for (i = 0; i < o->n_comparisons; i++) {
		const struct comparison *c = judgement_at(j, o, i);

		cell[i] = claim_judge((struct interval){ c->decide_lo, c->decide_hi }, g->least, g->most);
		if (cell[i] != CLAIM_NOT_DECIDABLE && is_barred(c, g, cell[i]))
			cell[i] = CLAIM_NOT_DECIDABLE;
	}
	return verdict_of(claim_join(cell, o->n_comparisons));
}

/* "20x faster" reads the same both ways. */
static double by_time(double bound)
{
	double t = claim_by_time(bound);

	return isnan(t) ? bound : t;
}

static void show_worst(const struct judge *j, struct judgement *o)
{
	bool low = !isnan(o->at_least);
	size_t i;

	for (i = 0; i < o->n_comparisons; i++) {
		const struct comparison *c = judgement_at(j, o, i);

		if (i && !(low ? c->ratio < o->value : c->ratio > o->value))
			continue;
		o->value = c->ratio;
		o->lo = c->decide_lo;
		o->hi = c->decide_hi;
		o->level = c->decide_level;
	}
}

static bool any_failure(const struct judge *j, const struct judgement *o)
{
	size_t i;

	for (i = 0; i < o->n_comparisons; i++)
		if (judgement_at(j, o, i)->subject_failures || judgement_at(j, o, i)->against_failures)
			return true;
	return false;
}

/* ---- figures that a claim quotes ---- */

static struct interval above(double x, double unit, double one, double sign)
{
	struct interval i = claim_rounded(x, unit);

	return sign < 0 ? (struct interval){ one - i.hi, one - i.lo } : (struct interval){ one + i.lo, one + i.hi };
}

static void judge_quote(struct quote_result *r, const struct quote *q)
{
	struct interval s = claim_rounded(q->subject.value, q->subject.unit);
	struct interval a = claim_rounded(q->against.value, q->against.unit);
	bool by_speed = q->sense == QUOTE_FASTER || q->sense == QUOTE_SLOWER, inverse, first, second;
	/* A longer time is a lower speed. */
	bool times = q->subject.kind == FIGURE_TIME;
	double sign = q->sense == QUOTE_SLOWER || q->sense == QUOTE_LESS ? -1 : 1;
	struct interval got, stated = claim_rounded(q->stated, q->unit), time_got, time_stated;

	inverse = q->percent ? by_speed && times : by_speed ? times != (sign < 0) : sign < 0;
	got = inverse ? claim_quotient(a, s) : claim_quotient(s, a);
	if (q->percent && q->sense != QUOTE_OF)
		stated = above(q->stated, q->unit, 1, sign);
	first = second = claim_is_consistent(got, stated);
	r->two_readings = q->percent && by_speed;
	r->time_lo = r->time_hi = r->stated_time_lo = r->stated_time_hi = NAN;
	if (r->two_readings) {
		time_got = (struct interval){ 1 / got.hi, 1 / got.lo };
		time_stated = above(q->stated, q->unit, 1, -sign);
		second = claim_is_consistent(time_got, time_stated);
		r->time_lo = time_got.lo;
		r->time_hi = time_got.hi;
		r->stated_time_lo = time_stated.lo;
		r->stated_time_hi = time_stated.hi;
	}
	r->lo = got.lo;
	r->hi = got.hi;
	r->stated_lo = stated.lo;
	r->stated_hi = stated.hi;
	r->state = first != second ? ARITHMETIC_DEPENDS : first ? ARITHMETIC_CONSISTENT : ARITHMETIC_INCONSISTENT;
}

void judge_quotes(struct judgement *o, const struct question *q)
{
	struct iow_error e = ERR_INIT;
	struct quote quote;
	size_t i;

	for (i = 0; i < q->n_quotes; i++) {
		struct quote_result *r;

		if (quote_read(&quote, &q->quotes[i], &e))
			continue; /* a plan that was checked has none such */
		r = VEC_ADD(o->quotes, o->n_quotes);
		r->quote = &q->quotes[i];
		judge_quote(r, &quote);
	}
}

void judge_claim(struct judge *j, const struct question *q, struct judgement *o)
{
	struct region speed = { q->at_least, q->at_most };
	struct region time = { by_time(q->at_least), by_time(q->at_most) };
	bool percent = q->says && strchr(q->says, '%');

	show_worst(j, o);
	if (percent) {
		o->by_time_least = time.least;
		o->by_time_most = time.most;
	}
	if (judgement_stopped(j, o)) {
		o->by_speed = o->by_time = o->verdict;
		return;
	}
	o->by_speed = claim_over(j, o, &speed);
	o->by_time = percent ? claim_over(j, o, &time) : o->by_speed;
	o->depends_on_reading = o->by_speed != o->by_time;
	if (o->depends_on_reading)
		judgement_say(o, VERDICT_NOT_DECIDABLE, "depends on the reading");
	else if (o->by_speed != VERDICT_NOT_DECIDABLE)
		judgement_say(o, o->by_speed, NULL);
	else
		judgement_say(o, VERDICT_NOT_DECIDABLE, any_failure(j, o) ? "runs of an arm failed"
			      : "the deciding interval lies on both sides of what is claimed");
}

/* ---- limits ---- */

/* One-sided p of "the mean lies on the wrong side of the nearer bound". */
static double limit_p(const struct inference *inf, const struct region *g)
{
	double p = NAN;

	if (!isnan(g->least))
		p = inference_p(inf, g->least) / 2;
	if (!isnan(g->most))
		p = fmax(isnan(p) ? 0 : p, inference_p(inf, g->most) / 2);
	return p;
}

/* NULL, or why the cell's figures decide nothing. */
static const char *limit_state(const struct judged_cell *k, const struct cell_result *r, bool few)
{
	if (!k->n)
		return "no run was completed";
	if (few)
		return "too few I/Os";
	if (k->n < COMPARE_LEAST_RULING)
		return "fewer than 5 runs";
	if (k->verdict == VERDICT_MET && judge_failures(r))
		return "runs of it failed";
	if (k->verdict == VERDICT_NOT_DECIDABLE)
		return k->trend_p < 0.05 ? "trend over the blocks" : "the interval lies on both sides of the limit";
	return NULL;
}

static void limit_decide(struct judged_cell *k, const struct inference *inf, const struct region *g, size_t cells)
{
	/* All cells must hold it, each at 95%; that one does not is said at 1 - .05/k. */
	struct interval each = inference_interval(inf, 0.05);
	struct interval any = inference_interval(inf, 0.05 / (double)cells);

	k->value = k->n ? inf->mean : NAN;
	k->lo = each.lo;
	k->hi = each.hi;
	k->p = k->n > 1 ? limit_p(inf, g) : NAN;
	if (k->verdict == VERDICT_VOID)
		return;
	if (claim_limit(any, g->least, g->most, k->trend_p) == CLAIM_CONTRADICTED)
		k->verdict = VERDICT_NOT_MET;
	else if (claim_limit(each, g->least, g->most, k->trend_p) == CLAIM_SUPPORTED)
		k->verdict = VERDICT_MET;
}

static const char *limit_cell(struct judge *j, const struct question *q, struct judgement *o, uint32_t cell)
{
	const struct cell_result *r = &j->r->cells[cell];
	struct judged_cell *k = judged_add(j, o, q, cell);
	struct region g = { q->at_least, q->at_most };
	mem_auto double *x = mem_array(r->n_runs + 1, sizeof *x);
	mem_auto uint32_t *runs = mem_array(r->n_runs + 1, sizeof *runs);
	struct inference inf;
	const char *why;
	bool few = false;
	double slope;

	k->n = (uint32_t)judge_cell_values(j, cell, metric_find(q->metric), x, runs, &few);
	inference_mean(&inf, x, k->n);
	judge_trend(j, x, runs, k->n, &slope, &k->trend_p);
	limit_decide(k, &inf, &g, q->n_cells);
	why = k->verdict == VERDICT_VOID ? NULL : limit_state(k, r, few);
	if (why && k->n && k->n < COMPARE_LEAST_RULING)
		k->verdict = VERDICT_INDICATIVE;
	else if (why)
		k->verdict = !k->n || few ? VERDICT_NO_DATA : VERDICT_NOT_DECIDABLE;
	return why;
}

void judge_limit(struct judge *j, const struct question *q, struct judgement *o)
{
	bool low = !isnan(q->at_least);
	size_t i;

	for (i = 0; i < q->n_cells; i++) {
		const char *why = limit_cell(j, q, o, q->cells[i]);
		const struct judged_cell *k = &o->cells[o->n_cells - 1];

		if (why && !o->why)
			o->why = mem_strdup(why);
		if (i && !(low ? k->value < o->value : k->value > o->value))
			continue;
		o->value = k->value;
		o->lo = k->lo;
		o->hi = k->hi;
	}
	judged_sum(o, VERDICT_MET, VERDICT_NOT_MET);
	if (q->claim && o->verdict == VERDICT_MET)
		o->verdict = VERDICT_SUPPORTED;
	else if (q->claim && o->verdict == VERDICT_NOT_MET)
		o->verdict = VERDICT_CONTRADICTED;
	o->by_speed = o->by_time = o->verdict;
}
