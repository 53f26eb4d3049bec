/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/questions.h"

#include "base/vec.h"
#include "stats/compare.h"

#include <math.h>
#include <string.h>

#define FULL 0.98
#define FAST_MODE 0.5 /* median of a repeat read per median of the first: served by something else */

static struct judgement *judgement_new(struct judge *j, const struct question *q)
{
	struct judgement *o = VEC_ADD(j->r->judgements, j->r->n_judgements);
	size_t i;

	o->question = q->id;
	o->declared = q->declared;
	o->verdict = o->by_time = o->by_speed = VERDICT_NOT_DECIDABLE;
	o->void_gate = -1;
	o->value = o->lo = o->hi = o->device_share = o->worst = NAN;
	o->level = 0.95;
	o->at_least = q->at_least;
	o->at_most = q->at_most;
	o->by_time_least = o->by_time_most = NAN;
	judge_quotes(o, q);
	/* Made question by question, in their order. */
	for (i = j->first_pair[q->id]; i < j->first_pair[q->id + 1]; i++)
		*VEC_ADD(o->comparisons, o->n_comparisons) = (uint32_t)i;
	return o;
}

void judgement_say(struct judgement *o, enum verdict_kind v, const char *why)
{
	char *copy = mem_strdup(why);

	o->verdict = v;
	free(o->why);
	o->why = copy;
}

const struct comparison *judgement_at(const struct judge *j, const struct judgement *o, size_t i)
{
	return &j->r->comparisons[o->comparisons[i]];
}

/* What stops any judgement before its own rule: void, no data, too few blocks. */
bool judgement_stopped(const struct judge *j, struct judgement *o)
{
	bool none = o->n_comparisons == 0, few = false, ios = false;
	size_t i;

	for (i = 0; i < o->n_comparisons; i++) {
		const struct comparison *c = judgement_at(j, o, i);

		if (c->void_gate >= 0) {
			o->void_gate = c->void_gate;
			judgement_say(o, VERDICT_VOID, NULL);
			return true;
		}
		none |= !c->n;
		ios |= c->too_few;
		few |= c->n < COMPARE_LEAST_RULING;
	}
	if (none)
		judgement_say(o, VERDICT_NO_DATA, "no complete block");
	else if (ios)
		judgement_say(o, VERDICT_NO_DATA, "too few I/Os");
	else if (few)
		judgement_say(o, VERDICT_INDICATIVE, "fewer than 5 complete blocks");
	return none || ios || few;
}

/* ---- sensitivity ---- */

static void judge_sensitivity(struct judge *j, const struct question *q, struct judgement *o)
{
	bool decided = false, failed = false;
	uint32_t fewest = UINT32_MAX;
	size_t i;

	o->worst = o->n_comparisons ? 0 : NAN;
	for (i = 0; i < o->n_comparisons; i++) {
		const struct comparison *c = judgement_at(j, o, i);

		o->worst = fmax(o->worst, compare_bound(log(c->ratio), c->sd_log, c->n));
		decided |= c->verdict == VERDICT_BETTER || c->verdict == VERDICT_WORSE;
		fewest = c->n < fewest ? c->n : fewest;
		failed |= c->subject_failures || c->against_failures;
	}
	if (judgement_stopped(j, o))
		return;
	o->value = exp(o->worst);
	if (!failed && compare_is_negligible(o->worst, fewest, q->margin))
		judgement_say(o, VERDICT_NEGLIGIBLE, NULL);
	else if (decided)
		judgement_say(o, VERDICT_MATTERS, NULL);
	else
		judgement_say(o, VERDICT_NOT_DECIDABLE, failed ? "runs of a level failed"
			      : fewest >= COMPARE_LEAST_EQUIVALENT ? "the bound is not within the margin"
			      : "fewer than 8 complete blocks");
}

/* ---- cache ---- */

/* Was each repeat read served by something nearer than the device? */
static enum cache_evidence evidence_of(const struct judge *j, const struct comparison *c)
{
	double share = j->r->cells[c->subject].device_ratio;
	uint32_t i;

	if (share < FULL)
		return EVIDENCE_HOST_CACHE;
	for (i = 0; i < c->n; i++) {
		const struct kept_run *again = judge_run(j, c->subject_runs[i]);
		const struct kept_run *once = judge_run(j, c->against_runs[i]);
		double p50;

		if (!again || !once || isnan(share))
			return EVIDENCE_NONE;
		p50 = (double)metric_main_latency(once)->p50;
		if (!(p50 > 0 && (double)metric_main_latency(again)->p50 < FAST_MODE * p50))
			return EVIDENCE_NONE;
	}
	return c->n ? EVIDENCE_ARRAY_CACHE : EVIDENCE_NONE;
}

static void judge_cache(struct judge *j, const struct question *q, struct judgement *o)
{
	bool faster = o->n_comparisons > 0, equal = faster, proved = faster, barred = false;
	size_t i;

	for (i = 0; i < o->n_comparisons; i++) {
		const struct comparison *c = judgement_at(j, o, i);
		enum cache_evidence e = evidence_of(j, c);

		faster &= c->decide_lo > 1 + c->margin;
		equal &= c->verdict == VERDICT_EQUIVALENT;
		proved &= e != EVIDENCE_NONE;
		barred |= c->withheld;
		o->evidence = i == 0 || e == o->evidence ? e : EVIDENCE_NONE;
		if (i == 0 || c->ratio < o->value) {
			o->value = c->ratio;
			o->lo = c->decide_lo;
			o->hi = c->decide_hi;
			o->level = c->decide_level;
			o->device_share = j->r->cells[c->subject].device_ratio;
		}
	}
	if (judgement_stopped(j, o))
		return;
	if (barred)
		judgement_say(o, VERDICT_NOT_DECIDABLE, "runs of the faster pass failed");
	else if (faster && proved)
		judgement_say(o, VERDICT_CACHED, NULL);
	else if (equal)
		judgement_say(o, VERDICT_NOT_CACHED, NULL);
	else
		judgement_say(o, VERDICT_NOT_DECIDABLE, faster
			      ? "faster, but neither the device's bytes nor the latency show a cache"
			      : "the interval neither lies beyond the margin nor within it");
}

/* ---- cell by cell ---- */

struct judged_cell *judged_add(struct judge *j, struct judgement *o, const struct question *q, uint32_t cell)
{
	struct judged_cell *k = VEC_ADD(o->cells, o->n_cells);

	k->cell = cell;
	k->value = k->lo = k->hi = k->p = k->trend_p = k->elasticity = k->elasticity_lo = k->elasticity_hi = NAN;
	k->leg1 = k->leg2 = VERDICT_NONE;
	k->cut_cell = UINT32_MAX;
	k->verdict = VERDICT_NOT_DECIDABLE;
	k->void_gate = judge_void_gate(j, cell, metric_find(q->metric));
	if (k->void_gate >= 0)
		k->verdict = VERDICT_VOID;
	return k;
}

/* `good` when all cells are, `bad` when one is, void when one is; else what stands first. */
void judged_sum(struct judgement *o, enum verdict_kind good, enum verdict_kind bad)
{
	size_t n_good = 0, i;

	for (i = 0; i < o->n_cells; i++)
		if (o->cells[i].verdict == VERDICT_VOID) {
			o->void_gate = o->cells[i].void_gate;
			judgement_say(o, VERDICT_VOID, NULL);
			return;
		}
	if (!o->n_cells) {
		judgement_say(o, VERDICT_NO_DATA, "no cell");
		return;
	}
	judgement_say(o, VERDICT_NOT_DECIDABLE, o->why);
	for (i = 0; i < o->n_cells; i++) {
		n_good += o->cells[i].verdict == good;
		if (o->cells[i].verdict == bad) {
			judgement_say(o, bad, NULL);
			return;
		}
		if (o->cells[i].verdict != good && o->verdict == VERDICT_NOT_DECIDABLE)
			o->verdict = o->cells[i].verdict;
	}
	if (n_good == o->n_cells)
		judgement_say(o, good, NULL);
}

static void judge_steady(struct judge *j, const struct question *q, struct judgement *o)
{
	size_t i;

	for (i = 0; i < q->n_cells; i++) {
		const struct cell_result *r = &j->r->cells[q->cells[i]];
		struct judged_cell *k = judged_add(j, o, q, q->cells[i]);

		k->n = r->n_steady;
		k->value = r->steady;
		k->lo = r->steady_lo90;
		k->hi = r->steady_hi90;
		if (k->verdict != VERDICT_VOID)
			k->verdict = r->n_runs ? r->steadiness : VERDICT_NO_DATA;
	}
	o->level = 0.90;
	judged_sum(o, VERDICT_STEADY, VERDICT_NOT_STEADY);
	if (o->n_cells == 1) {
		o->value = o->cells[0].value;
		o->lo = o->cells[0].lo;
		o->hi = o->cells[0].hi;
	}
}

static void judge_one(struct judge *j, const struct question *q)
{
	struct judgement *o;

	if (q->kind == QUESTION_COMPARE && !q->claim)
		return;
	o = judgement_new(j, q);
	if (q->kind == QUESTION_LIMIT)
		judge_limit(j, q, o);
	else if (q->kind == QUESTION_SCALING)
		judge_scaling(j, q, o);
	else if (q->claim)
		judge_claim(j, q, o);
	else if (q->kind == QUESTION_SENSITIVITY)
		judge_sensitivity(j, q, o);
	else if (q->kind == QUESTION_CACHE)
		judge_cache(j, q, o);
	else if (q->kind == QUESTION_STEADY)
		judge_steady(j, q, o);
	else if (q->kind == QUESTION_CPU)
		judge_cpu(j, q, o);
	if (q->kind == QUESTION_SENSITIVITY)
		judge_usl(j, q);
	/* Not declared: numbers, never a word. */
	if (!q->declared && o->verdict != VERDICT_VOID)
		judgement_say(o, VERDICT_NONE, NULL);
}

void judge_questions(struct judge *j)
{
	const struct cells *c = &j->b->cells;
	size_t i;

	for (i = 0; i < c->n_questions; i++)
		judge_one(j, &c->questions[i]);
	judge_usl_members(j);
}
