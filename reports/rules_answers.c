/* SPDX-License-Identifier: Apache-2.0 */
#include "base/mem.h"
#include "base/num.h"
#include "reports/rules.h"
#include "reports/said.h"
#include "reports/say.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Answers to the questions that are not a plain comparison: sensitivity, cache, steady, cpu, scaling. */

static struct finding *answer(struct findings *out, const struct wording *w, const struct question *q,
			      const char *rule, enum verdict_kind v)
{
	struct finding *f = finding_add(out, q->declared ? FINDING_ANSWER : FINDING_EXPLORATORY, rule,
					mem_printf("%s%u", rule, q->id + 1));

	f->verdict = v;
	if (q->declared && v != VERDICT_INDICATIVE)
		f->word = say_verdict(w, metric_find(q->metric), v);
	f->concluded = v == VERDICT_CACHED || v == VERDICT_NOT_CACHED || v == VERDICT_NEGLIGIBLE || v == VERDICT_MATTERS ||
		       v == VERDICT_STEADY || v == VERDICT_NOT_STEADY || v == VERDICT_CPU_BOUND ||
		       v == VERDICT_NOT_CPU_BOUND || v == VERDICT_BETTER || v == VERDICT_WORSE || v == VERDICT_EQUIVALENT;
	return f;
}

static void runs_of_comparisons(struct finding *f, const struct results *r, const struct judgement *j)
{
	for (size_t i = 0; i < j->n_comparisons; i++) {
		const struct comparison *c = &r->comparisons[j->comparisons[i]];

		for (uint32_t k = 0; k < c->n; k++) {
			finding_run(f, c->subject_runs[k]);
			finding_run(f, c->against_runs[k]);
		}
	}
}

static uint32_t fewest_blocks(const struct results *r, const struct judgement *j)
{
	uint32_t n = 0;

	for (size_t i = 0; i < j->n_comparisons; i++)
		n = i == 0 || r->comparisons[j->comparisons[i]].n < n ? r->comparisons[j->comparisons[i]].n : n;
	for (size_t i = 0; i < j->n_cells; i++)
		n = i == 0 || j->cells[i].n < n ? j->cells[i].n : n;
	return n;
}

/* The number that stands for an answer, if it is one. The caller's. */
static char *key_of(const struct wording *w, const struct judgement *j, bool known, const char *fmt, const char *number)
{
	char *s;

	if (j->verdict == VERDICT_VOID || !known)
		return mem_strdup(wording_get(w, j->verdict == VERDICT_VOID ? "key.void" : "key.nodata"));
	s = mem_printf("%s%s%s", *fmt == '<' ? "≤ " : "", number, *fmt == 'x' ? "x" : "");
	return s;
}

/* "why" of the judge, or the failed gate. The caller's; NULL: none. */
static char *reason(const struct results *r, const struct wording *w, const struct judgement *j)
{
	if (j->void_gate >= 0)
		return rules_gate_reason(r, w, j->void_gate);
	return j->why ? said(w, j->why) : NULL;
}

static void sensitivity(struct findings *out, const struct results *r, const struct wording *w,
			const struct judgement *j, const struct question *q)
{
	struct finding *f = answer(out, w, q, "sensitivity", j->verdict);
	mem_auto char *blocks = say_blocks(w, fewest_blocks(r, j)), *why = reason(r, w, j);
	mem_auto char *n = mem_printf("%zu", j->n_comparisons);
	char bound[40] = "–", margin[40];
	const char *key = j->verdict == VERDICT_NEGLIGIBLE ? "answer.negligible" :
			  j->verdict == VERDICT_MATTERS ? "answer.matters" :
			  j->verdict == VERDICT_VOID ? "answer.void" : "answer.sensitivity.open";

	if (isfinite(j->worst))
		say_percent(expm1(j->worst), bound);
	say_percent(q->margin, margin);
	f->sentence = wording_fill(w, key, "label", q->label, "dimension", wording_or(w, "dimension", q->named), "metric",
				   wording_of(w, "metric", q->metric), "bound", bound, "margin", margin, "n", n, "blocks",
				   blocks, "verdict", f->word ? f->word : wording_get(w, "verdict.NONE"), "why", why ? why : "", NULL);
	say_asked(f->sentence);
	f->key = key_of(w, j, isfinite(j->worst), "<", bound);
	f->weight = isfinite(j->worst) ? j->worst : 0;
	runs_of_comparisons(f, r, j);
}

/* "95% CI 14.1 to 14.4, deciding 98.75% 14.0 to 14.5", or the one interval there is. The caller's. */
static char *cache_interval(const struct results *r, const struct wording *w, const struct judgement *j)
{
	const struct comparison *c = j->n_comparisons == 1 ? &r->comparisons[j->comparisons[0]] : NULL;
	char level[40], lo[40] = "–", hi[40] = "–", lo95[40] = "–", hi95[40] = "–";
	int d = num_sig_decimals(j->value, 3);

	say_level(j->level, level);
	if (isfinite(j->value)) {
		num_fixed(j->lo, d, lo);
		num_fixed(j->hi, d, hi);
	}
	if (c && isfinite(c->lo)) {
		num_fixed(c->lo, d, lo95);
		num_fixed(c->hi, d, hi95);
	}
	return wording_fill(w, c && j->level != .95 ? "claim.intervals" : "claim.interval", "level", level, "lo", lo, "hi", hi,
			    "lo95", lo95, "hi95", hi95, NULL);
}

static void cache(struct findings *out, const struct results *r, const struct wording *w, const struct judgement *j,
		  const struct question *q)
{
	static const char *const where[] = { "answer.cache.nowhere", "answer.cache.host", "answer.cache.array" };
	struct finding *f = answer(out, w, q, "cache", j->verdict);
	mem_auto char *blocks = say_blocks(w, fewest_blocks(r, j)), *why = reason(r, w, j), *interval = cache_interval(r, w, j);
	mem_auto char *moved = j->n_comparisons ? rules_device_moved(r, w, r->comparisons[j->comparisons[0]].subject) : NULL;
	char ratio[40] = "–";

	if (isfinite(j->value))
		num_fixed(j->value, num_sig_decimals(j->value, 3), ratio);
	f->sentence = wording_fill(w, j->verdict == VERDICT_CACHED ? "answer.cached" : j->verdict == VERDICT_NOT_CACHED ?
				   "answer.notcached" : j->verdict == VERDICT_VOID ? "answer.void" : "answer.cache.open",
				   "label", q->label, "ratio", ratio, "interval", interval,
				   "blocks", blocks, "where", wording_get(w, where[j->evidence]), "moved",
				   moved ? moved : wording_get(w, "device.unknown"), "verdict",
				   f->word ? f->word : wording_get(w, "verdict.NONE"), "why", why ? why : "", NULL);
	say_asked(f->sentence);
	f->key = key_of(w, j, isfinite(j->value), "x", ratio);
	f->weight = isfinite(j->value) && j->value > 0 ? fabs(log(j->value)) : 0;
	runs_of_comparisons(f, r, j);
	/* It stands for the comparison that it rests on, since it says where the bytes came from. */
	for (size_t i = 0; q->declared && i < out->n; i++)
		if (out->list[i].comparison >= 0 && out->list[i].kind == FINDING_COMPARISON &&
		    r->comparisons[out->list[i].comparison].question == j->question)
			out->list[i].detail = true;
}

/* The cell that stands furthest from the good side. */
static const struct judged_cell *worst_cell(const struct judgement *j, bool cpu)
{
	const struct judged_cell *worst = NULL;

	for (size_t i = 0; i < j->n_cells; i++) {
		const struct judged_cell *k = &j->cells[i];

		double at = cpu && isfinite(k->elasticity) ? k->elasticity_lo : k->lo;
		double most = !worst ? NAN : cpu && isfinite(worst->elasticity) ? worst->elasticity_lo : worst->lo;

		if (isfinite(k->value) && (!worst || (cpu ? at < most : fabs(k->value) > fabs(worst->value))))
			worst = k;
	}
	return worst;
}

static void runs_of_cells(struct finding *f, const struct results *r, const struct judgement *j)
{
	for (size_t i = 0; i < j->n_cells; i++) {
		rules_runs_of_cell(f, r, j->cells[i].cell);
		if (j->cells[i].cut_cell != UINT32_MAX)
			rules_runs_of_cell(f, r, j->cells[i].cut_cell);
	}
}

static void steady(struct findings *out, const struct results *r, const struct wording *w, const struct judgement *j,
		   const struct question *q)
{
	struct finding *f = answer(out, w, q, "steady", j->verdict);
	const struct judged_cell *k = worst_cell(j, false);
	mem_auto char *why = reason(r, w, j), *runs = wording_count(w, "runs", k ? k->n : 0);
	char value[48] = "–", lo[48] = "–", hi[48] = "–";

	if (k) {
		say_signed_percent(k->value, value);
		say_signed_percent(k->lo, lo);
		say_signed_percent(k->hi, hi);
	}
	f->sentence = wording_fill(w, j->verdict == VERDICT_VOID ? "answer.void" : k ? "answer.steady" : "answer.nocell",
				   "label", q->label, "cell", k ? r->bundle->cells.cells[k->cell].label : "", "value", value, "lo",
				   lo, "hi", hi, "runs", runs, "verdict", f->word ? f->word : wording_get(w, "verdict.NONE"), "why",
				   why ? why : "", NULL);
	say_asked(f->sentence);
	if (why && j->verdict != VERDICT_VOID)
		finding_caveat(f, wording_fill(w, "answer.why", "why", why, NULL));
	f->key = key_of(w, j, k, "", value);
	runs_of_cells(f, r, j);
}

/* How the two legs stand to each other, said behind the verdict. */
static const char *agreement(const struct judged_cell *k)
{
	if (k->leg2 != VERDICT_CPU_BOUND && k->leg2 != VERDICT_NOT_CPU_BOUND)
		return "answer.cpu.open";
	return k->leg1 == k->leg2 ? "answer.cpu.both" : "answer.cpu.cut";
}

/* The sentence of one cell: by the busiest thread's share alone, or by what a cut of the capacity does. */
static char *cpu_words(const struct results *r, const struct wording *w, const struct judged_cell *k, const char *label,
		       const char *verdict)
{
	mem_auto char *runs = wording_count(w, "runs", k->n), *blocks = say_blocks(w, k->n_cut);
	char value[40], lo[40], hi[40], capacity[40], e[40], elo[40], ehi[40];

	num_fixed(k->value, 3, value);
	num_fixed(k->lo, 3, lo);
	num_fixed(k->hi, 3, hi);
	say_percent(k->capacity, capacity);
	num_fixed(k->elasticity, 3, e);
	num_fixed(k->elasticity_lo, 3, elo);
	num_fixed(k->elasticity_hi, 3, ehi);
	return wording_fill(w, isfinite(k->elasticity) ? "answer.cpu.cutting" : "answer.cpu", "label", label, "cell",
			    r->bundle->cells.cells[k->cell].label, "value", value, "lo", lo, "hi", hi, "runs", runs, "capacity",
			    capacity, "elasticity", e, "elo", elo, "ehi", ehi, "blocks", blocks, "agreement",
			    wording_get(w, agreement(k)), "verdict", verdict, NULL);
}

static void cpu(struct findings *out, const struct results *r, const struct wording *w, const struct judgement *j,
		const struct question *q)
{
	struct finding *f = answer(out, w, q, "cpu", j->verdict);
	const struct judged_cell *k = worst_cell(j, true);
	mem_auto char *why = reason(r, w, j);
	const char *verdict = f->word ? f->word : wording_get(w, "verdict.NONE");
	char value[40];

	if (k && j->verdict != VERDICT_VOID)
		f->sentence = cpu_words(r, w, k, q->label, verdict);
	else
		f->sentence = wording_fill(w, k ? "answer.void" : "answer.nocell", "label", q->label, "verdict", verdict, "why",
					   why ? why : "", NULL);
	say_asked(f->sentence);
	if (why && j->verdict != VERDICT_VOID)
		finding_caveat(f, wording_fill(w, "answer.why", "why", why, NULL));
	if (k && j->verdict != VERDICT_VOID)
		finding_caveat(f, rules_machine(r, w, k->cell));
	if (f->concluded) {
		f->refute = mem_strdup(wording_get(w, j->verdict == VERDICT_CPU_BOUND ? "answer.cpu.refute" : "answer.notcpu.refute"));
		finding_caveat(f, wording_fill(w, "answer.refuted", "how", f->refute, NULL));
	}
	num_fixed(k && isfinite(k->elasticity) ? k->elasticity : k ? k->value : NAN, 3, value);
	f->key = key_of(w, j, k, "", value);
	runs_of_cells(f, r, j);
}

/* ", beyond the 5% margin" of a decided efficiency; empty for one that is not. The caller's. */
static char *reach(const struct wording *w, const struct scaling *s, double margin)
{
	bool beyond = s->hi < 1 / (1 + margin) || s->lo > 1 + margin;
	bool within = s->lo > 1 / (1 + margin) && s->hi < 1 + margin;
	char share[40];

	if (s->verdict != VERDICT_WORSE && s->verdict != VERDICT_BETTER)
		return mem_strdup("");
	say_percent(margin, share);
	return wording_fill(w, beyond ? "reach.beyond" : within ? "reach.within" : "reach.into", "margin", share, NULL);
}

static void scaling(struct findings *out, const struct results *r, const struct wording *w, const struct scaling *s,
		    const struct judgement *j)
{
	const struct question *q = &r->bundle->cells.questions[s->question];
	const struct metric *m = metric_find(q->metric);
	struct finding *f = answer(out, w, q, "scaling", s->verdict);
	mem_auto char *blocks = say_blocks(w, s->n), *members = mem_printf("%u", s->members);
	mem_auto char *together = say_value(m, s->together), *alone = say_value(m, s->alone);
	mem_auto char *why = s->void_gate >= 0 ? rules_gate_reason(r, w, s->void_gate) : NULL;
	char e[40] = "–", lo[40] = "–", hi[40] = "–", jain[40];
	int d = say_decimals(s->efficiency, s->lo, s->hi);

	free(f->anchor);
	f->anchor = mem_printf("scaling%u-%u", q->id + 1, s->members);
	if (isfinite(s->efficiency)) {
		num_fixed(s->efficiency, d, e);
		num_fixed(s->lo, d, lo);
		num_fixed(s->hi, d, hi);
	}
	num_fixed(s->jain, 4, jain);
	mem_auto char *reaching = reach(w, s, q->margin);
	f->sentence = wording_fill(w, !s->n ? "answer.scaling.nodata" : why ? "answer.scaling.void" : "answer.scaling", "label", q->label,
				   "members", members, "e", e, "lo", lo, "hi", hi, "blocks", blocks, "together", together, "alone",
				   alone, "jain", jain, "reach", reaching, "verdict", f->word ? f->word : wording_get(w, "verdict.NONE"),
				   "reason", why ? why : "", NULL);
	say_asked(f->sentence);
	f->key = mem_strdup(s->verdict == VERDICT_VOID ? wording_get(w, "key.void") : e);
	f->weight = s->efficiency > 0 ? fabs(log(s->efficiency)) : 0;
	if (j)
		runs_of_comparisons(f, r, j);
}

void rule_answers(struct findings *f, const struct results *r, const struct wording *w)
{
	for (size_t i = 0; i < r->n_judgements; i++) {
		const struct judgement *j = &r->judgements[i];
		const struct question *q = &r->bundle->cells.questions[j->question];

		if (q->claim)
			continue;
		if (q->kind == QUESTION_SENSITIVITY)
			sensitivity(f, r, w, j, q);
		else if (q->kind == QUESTION_CACHE)
			cache(f, r, w, j, q);
		else if (q->kind == QUESTION_STEADY)
			steady(f, r, w, j, q);
		else if (q->kind == QUESTION_CPU)
			cpu(f, r, w, j, q);
	}
	for (size_t i = 0; i < r->n_scalings; i++) {
		const struct judgement *of = NULL;

		for (size_t k = 0; k < r->n_judgements; k++)
			if (r->judgements[k].question == r->scalings[i].question)
				of = &r->judgements[k];
		scaling(f, r, w, &r->scalings[i], of);
	}
}
