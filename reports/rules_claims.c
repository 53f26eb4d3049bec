/* SPDX-License-Identifier: Apache-2.0 */
#include "base/mem.h"
#include "base/num.h"
#include "reports/rules.h"
#include "reports/say.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "at least 0.90", "at most 2 ms", "0.85 to 0.95" in the claim's own scale. */
static char *region_words(const struct wording *w, double least, double most, const struct metric *limit)
{
	mem_auto char *low = NULL, *high = NULL;
	char number[40];

	if (isfinite(least)) {
		num_sig(least, 3, number);
		low = limit ? say_value(limit, least) : mem_strdup(number);
	}
	if (isfinite(most)) {
		num_sig(most, 3, number);
		high = limit ? say_value(limit, most) : mem_strdup(number);
	}
	if (low && high)
		return wording_fill(w, "region.between", "low", low, "high", high, NULL);
	if (low)
		return wording_fill(w, "region.atleast", "low", low, NULL);
	return wording_fill(w, "region.atmost", "high", high ? high : "", NULL);
}

static char *value_words(const struct metric *limit, double v)
{
	char number[40];

	if (!isfinite(v))
		return mem_strdup("–");
	if (limit)
		return say_value(limit, v);
	num_sig(v, 3, number);
	return mem_strdup(number);
}

static uint32_t smallest_n(const struct results *r, const struct judgement *j)
{
	uint32_t n = 0;

	for (size_t i = 0; i < j->n_comparisons; i++) {
		uint32_t k = r->comparisons[j->comparisons[i]].n;

		n = i == 0 || k < n ? k : n;
	}
	return n;
}

/* Blocks that a limit rests on: the runs of its worst-covered cell. */
static uint32_t limit_n(const struct results *r, const struct question *q)
{
	size_t n = 0;

	for (size_t i = 0; i < q->n_cells; i++) {
		size_t k = r->cells[q->cells[i]].n_runs;

		n = i == 0 || k < n ? k : n;
	}
	return (uint32_t)n;
}

/* R is a ratio of speeds: where less is better it is the metric of the other side over the subject's. */
static const char *claim_key(const struct judgement *j, const struct metric *m, bool limit)
{
	if (j->verdict == VERDICT_VOID)
		return limit ? "say.limit.void" : "say.claim.void";
	if (!isfinite(j->value))
		return limit ? "say.limit.nodata" : "say.claim.nodata";
	return limit ? "say.limit" : m->higher_is_better ? "say.claim" : "say.claim.less";
}

static void add_runs(struct finding *f, const struct results *r, const struct question *q,
		     const struct judgement *j)
{
	for (size_t i = 0; i < j->n_comparisons; i++) {
		const struct comparison *c = &r->comparisons[j->comparisons[i]];

		for (uint32_t k = 0; k < c->n; k++) {
			finding_run(f, c->subject_runs[k]);
			finding_run(f, c->against_runs[k]);
		}
	}
	for (size_t i = 0; i < q->n_cells; i++) {
		const struct cell_result *cell = &r->cells[q->cells[i]];

		for (size_t k = 0; k < cell->n_runs; k++)
			finding_run(f, r->bundle->runs[cell->runs[k]].run);
	}
}

static char *claim_subjects(const struct results *r, const struct wording *w, const struct question *q, bool against)
{
	const struct cells *cs = &r->bundle->cells;

	if (q->n_pairs)
		return say_cell(w, cs, &cs->cells[against ? q->pairs[0].against : q->pairs[0].subject], q->named);
	if (q->n_cells && !against)
		return mem_strdup(cs->cells[q->cells[0]].label);
	return mem_strdup("");
}

/* The comparison whose ratio a claim's figures are, for its 95% CI beside the deciding interval. */
static const struct comparison *shown(const struct results *r, const struct judgement *j)
{
	for (size_t i = 0; i < j->n_comparisons; i++)
		if (r->comparisons[j->comparisons[i]].ratio == j->value)
			return &r->comparisons[j->comparisons[i]];
	return NULL;
}

/* "95% CI 0.322 to 0.357, deciding 98.33% 0.317 to 0.363", or the one interval there is with its level. */
static char *interval_words(const struct results *r, const struct wording *w, const struct judgement *j,
			    const struct metric *unit)
{
	const struct comparison *c = unit ? NULL : shown(r, j);
	mem_auto char *lo = value_words(unit, j->lo), *hi = value_words(unit, j->hi);
	mem_auto char *lo95 = value_words(unit, c ? c->lo : NAN), *hi95 = value_words(unit, c ? c->hi : NAN);
	char level[40];

	say_level(j->level, level);
	return wording_fill(w, c && j->level != .95 ? "claim.intervals" : "claim.interval", "level", level, "lo", lo, "hi", hi,
			    "lo95", lo95, "hi95", hi95, NULL);
}

static void caveat_reading(struct finding *f, const struct wording *w, const struct judgement *j)
{
	mem_auto char *time = region_words(w, j->by_time_least, j->by_time_most, NULL);
	mem_auto char *speed = region_words(w, j->at_least, j->at_most, NULL);

	if (j->depends_on_reading)
		finding_caveat(f, wording_fill(w, "caveat.reading", "time", wording_of(w, "verdict", verdict_name(j->by_time)),
					       "speed", wording_of(w, "verdict", verdict_name(j->by_speed)), "timeregion", time,
					       "speedregion", speed, NULL));
}

static void caveat_quotes(struct finding *f, const struct wording *w, const struct judgement *j)
{
	for (size_t i = 0; i < j->n_quotes; i++) {
		const struct quote_result *q = &j->quotes[i];
		char lo[40], hi[40], slo[40], shi[40];

		num_sig(q->lo, 3, lo);
		num_sig(q->hi, 3, hi);
		num_sig(q->stated_lo, 3, slo);
		num_sig(q->stated_hi, 3, shi);
		finding_caveat(f, wording_fill(w, "caveat.quote", "subject", q->quote->subject, "against", q->quote->against,
					       "lo", lo, "hi", hi, "says", q->quote->says, "slo", slo, "shi", shi, "result",
					       wording_of(w, "arithmetic", arithmetic_name(q->state)), NULL));
	}
}

static void one(struct findings *out, const struct results *r, const struct wording *w, size_t index)
{
	const struct judgement *j = &r->judgements[index];
	const struct question *q = &r->bundle->cells.questions[j->question];
	bool limit = q->kind == QUESTION_LIMIT;
	const struct metric *m = metric_find(q->metric), *unit = limit ? m : NULL;
	struct finding *f = finding_add(out, limit ? FINDING_LIMIT : FINDING_CLAIM, "claims",
					mem_printf("%s%u", limit ? "limit" : "claim", j->question + 1));
	mem_auto char *region = region_words(w, q->at_least, q->at_most, unit), *value = value_words(unit, j->value);
	mem_auto char *interval = interval_words(r, w, j, unit);
	mem_auto char *subject = claim_subjects(r, w, q, false), *against = claim_subjects(r, w, q, true);
	mem_auto char *blocks = say_blocks(w, limit ? limit_n(r, q) : shown(r, j) ? shown(r, j)->n : smallest_n(r, j));
	mem_auto char *reason = rules_gate_reason(r, w, j->void_gate);

	f->judgement = (int)index;
	f->verdict = j->verdict;
	f->word = say_verdict(w, m, j->verdict);
	f->sentence = wording_fill(w, claim_key(j, m, limit), "says", q->says ? q->says : q->label, "by",
				   q->by ? q->by : wording_get(w, "claim.nobody"), "subject", subject, "against",
				   against, "metric", wording_of(w, "metric", q->metric), "value", value, "interval",
				   interval, "blocks", blocks, "region", region, "verdict", f->word, "reason",
				   reason ? reason : "", NULL);
	say_capital(f->sentence);
	f->key = j->verdict == VERDICT_VOID ? mem_strdup(wording_get(w, "key.void"))
		: isfinite(j->value) ? mem_strdup(value) : mem_strdup(wording_get(w, "key.nodata"));
	if (j->verdict == VERDICT_CONTRADICTED || j->verdict == VERDICT_NOT_MET)
		f->key_note = wording_fill(w, "key.not", "region", region, NULL);
	f->concluded = j->verdict == VERDICT_SUPPORTED || j->verdict == VERDICT_CONTRADICTED ||
		       j->verdict == VERDICT_MET || j->verdict == VERDICT_NOT_MET;
	caveat_reading(f, w, j);
	if (!limit && q->n_pairs > 1) {
		mem_auto char *n = mem_printf("%zu", q->n_pairs);

		finding_caveat(f, wording_fill(w, "caveat.cells", "n", n, NULL));
	}
	if (f->concluded && !limit && shown(r, j))
		rules_unverified(f, r, w, shown(r, j)->subject, shown(r, j)->against);
	caveat_quotes(f, w, j);
	add_runs(f, r, q, j);
}

void rule_claims(struct findings *f, const struct results *r, const struct wording *w)
{
	for (size_t i = 0; i < r->n_judgements; i++) {
		const struct question *q = &r->bundle->cells.questions[r->judgements[i].question];

		if (q->claim || q->kind == QUESTION_LIMIT)
			one(f, r, w, i);
	}
}
