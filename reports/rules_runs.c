/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"
#include "base/mem.h"
#include "base/num.h"
#include "reports/rules.h"
#include "reports/said.h"
#include "reports/say.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rules about runs and gates: what failed, and opinions with their physical evidence. */

#define ORDER_P 0.003 /* over all comparisons together */

char *rules_gate_reason(const struct results *r, const struct wording *w, int gate)
{
	const struct gate *g;
	mem_auto char *whole = NULL, *reason = NULL;

	if (gate < 0 || (size_t)gate >= r->n_gates)
		return NULL;
	g = &r->gates[gate];
	whole = g->cell < r->n_cells ? mem_strdup(r->bundle->cells.cells[g->cell].label)
				     : mem_strdup(r->bundle->cells.tests[g->test].name);
	reason = said(w, g->reason ? g->reason : g->basis);
	mem_auto char *number = say_gate(w, g, g->number), *limit = say_gate(w, g, g->threshold);
	mem_auto char *both = isfinite(g->number) && isfinite(g->threshold)
		? wording_fill(w, "gate.number", "number", number, "limit", limit, NULL) : mem_strdup("");
	return wording_fill(w, "gate.because", "gate", wording_of(w, "gate", gate_name(g->kind)), "cell", whole,
			    "reason", reason, "number", both, NULL);
}

void rules_unverified(struct finding *f, const struct results *r, const struct wording *w, uint32_t subject,
		      uint32_t against)
{
	const uint32_t cells[2] = { subject, against };

	for (int k = 0; k < GATES; k++)
		for (size_t i = 0; i < 2 && gate_voids((enum gate_kind)k); i++) {
			const struct gate *g = results_gate(r, (enum gate_kind)k, cells[i]);

			if (!g || g->state != GATE_NOT_VERIFIABLE)
				continue;
			mem_auto char *reason = said(w, g->reason);
			finding_caveat(f, wording_fill(w, "caveat.unverified", "gate",
						       wording_of(w, "gate", gate_name(g->kind)), "cell",
						       r->bundle->cells.cells[g->cell].label, "reason", reason, NULL));
			return;
		}
}

char *rules_device_moved(const struct results *r, const struct wording *w, uint32_t cell)
{
	const struct cell_result *c = &r->cells[cell];
	mem_auto char *asked = NULL, *moved = NULL;

	if (!isfinite(c->device_ratio) || !c->asked_bytes)
		return NULL;
	asked = say_mb((double)c->asked_bytes);
	moved = say_mb((double)c->device_bytes);
	asked[strcspn(asked, " ")] = 0;
	moved[strcspn(moved, " ")] = 0;
	return wording_fill(w, "device.moved", "moved", moved, "asked", asked, NULL);
}

/* One finding for each cell and way of failing, with the first reason and all run numbers. */
void rule_failures(struct findings *f, const struct results *r, const struct wording *w)
{
	const struct bundle *b = r->bundle;

	for (size_t c = 0; c < r->n_cells; c++) {
		for (int s = RUN_OK + 1; s < RUN_STATUSES; s++) {
			struct finding *x;
			mem_auto char *n = NULL;
			const char *why = NULL;

			if (!r->cells[c].status[s])
				continue;
			x = finding_add(f, FINDING_FAILURE, "failures", mem_printf("failed-%zu-%d", c, s));
			n = wording_count(w, "runs", r->cells[c].status[s]);
			for (size_t i = 0; i < b->n_runs; i++) {
				if (b->runs[i].cell != c || b->runs[i].status != (uint32_t)s)
					continue;
				finding_run(x, b->runs[i].run);
				why = why ? why : b->runs[i].why;
			}
			mem_auto char *first = mem_printf("%u", x->n_runs ? x->runs[0] : 0), *said_why = said(w, why);
			x->sentence = wording_fill(w, "say.failed", "cell", b->cells.cells[c].label, "runs", n,
						   "how", wording_of(w, "status", run_status_name((enum run_status)s)),
						   "first", first, "why", *said_why ? said_why : wording_get(w, "why.unknown"),
						   NULL);
			x->word = mem_strdup(wording_get(w, "tag.incomplete"));
			x->key = mem_printf("%u", r->cells[c].status[s]);
			x->verdict = VERDICT_NO_DATA;
			x->weight = r->cells[c].status[s];
		}
	}
}

void rules_runs_of_cell(struct finding *f, const struct results *r, uint32_t cell)
{
	for (size_t i = 0; i < r->cells[cell].n_runs; i++)
		finding_run(f, r->bundle->runs[r->cells[cell].runs[i]].run);
}

struct finding *rules_opinion(struct findings *f, const struct results *r, const struct wording *w,
			      const char *rule, uint32_t cell, const char *label)
{
	struct finding *x = finding_add(f, FINDING_OPINION, rule, mem_printf("opinion-%s-%u", rule, cell));
	mem_auto char *say = mem_printf("opinion.%s.say", rule), *yes = mem_printf("opinion.%s.confirm", rule);
	mem_auto char *no = mem_printf("opinion.%s.refute", rule);

	x->sentence = wording_fill(w, say, "cell", label, NULL);
	x->confirm = wording_fill(w, yes, "cell", label, NULL);
	x->refute = wording_fill(w, no, "cell", label, NULL);
	x->verdict = VERDICT_NONE;
	say_capital(x->sentence);
	if (cell < r->n_cells)
		rules_runs_of_cell(x, r, cell);
	return x;
}

void rules_others(struct finding *x, const struct wording *w, uint32_t n)
{
	char *old = x->basis;

	if (!n)
		return;
	mem_auto char *others = wording_count(w, "opinion.others", n);
	x->basis = mem_printf("%s %s", old, others);
	free(old);
}

/* Needs the deciding interval of the repeat above 1 + M and device bytes below 0.98 of those asked. */
void rule_cached(struct findings *f, const struct results *r, const struct wording *w)
{
	for (size_t i = 0; i < r->n_comparisons; i++) {
		const struct comparison *c = &r->comparisons[i];
		const struct cells *cs = &r->bundle->cells;
		const struct cell *a = &cs->cells[c->subject], *b = &cs->cells[c->against];
		mem_auto char *moved = NULL, *first = NULL, *again = NULL;
		struct finding *x;
		char factor[40];

		if (a->pass <= b->pass || a->target != b->target || c->n < 5 || c->void_gate >= 0)
			continue;
		if (!(c->decide_lo > 1 + c->margin) || !(r->cells[c->subject].device_ratio < .98))
			continue;
		if (strcmp(c->metric->name, "throughput") != 0)
			continue;
		x = rules_opinion(f, r, w, "cached", c->subject, cs->targets[a->target].name);
		moved = rules_device_moved(r, w, c->subject);
		first = say_value(c->metric, c->against_mean);
		again = say_value(c->metric, c->subject_mean);
		num_sig(c->ratio, 3, factor);
		x->basis = wording_fill(w, "opinion.cached.basis", "again", again, "first", first, "ratio", factor,
					"moved", moved ? moved : "", NULL);
		say_capital(x->basis);
		x->weight = log(c->ratio);
	}
}

/* One opinion for the cells of a test's target that have the pattern, of the one where it is clearest. */
void rules_by_target(struct findings *f, const struct results *r, const struct wording *w, const char *rule,
		     rules_clear_fn *clear, rules_basis_fn *basis)
{
	const struct cells *cs = &r->bundle->cells;
	mem_auto bool *told = mem_array(r->n_cells + 1, sizeof *told);

	for (uint32_t c = 0; c < r->n_cells; c++) {
		double best = 0;
		uint32_t at = c, n = 0;
		struct finding *x;

		if (told[c])
			continue;
		for (uint32_t k = c; k < r->n_cells; k++) {
			double v;

			if (told[k] || cs->cells[k].test != cs->cells[c].test || cs->cells[k].target != cs->cells[c].target)
				continue;
			told[k] = true;
			v = clear(r, k);
			n += v > 0;
			at = v > best ? k : at;
			best = fmax(best, v);
		}
		if (!n)
			continue;
		x = rules_opinion(f, r, w, rule, at, cs->cells[at].label);
		x->basis = basis(r, w, at);
		rules_others(x, w, n - 1);
		x->weight = best;
	}
}

/* Has this rule spoken of the comparison's question already, or of one with the same words? */
static bool told(const struct findings *f, const char *rule, const struct results *r, const struct comparison *c)
{
	const struct question *qs = r->bundle->cells.questions;

	for (size_t i = 0; i < f->n; i++) {
		if (f->list[i].comparison < 0 || strcmp(f->list[i].rule, rule) != 0)
			continue;
		if (strcmp(qs[r->comparisons[f->list[i].comparison].question].label, qs[c->question].label) == 0)
			return true;
	}
	return false;
}

void rule_order(struct findings *f, const struct results *r, const struct wording *w)
{
	size_t judged = 0;

	for (size_t i = 0; i < r->n_comparisons; i++)
		judged += r->comparisons[i].n >= 5 && isfinite(r->comparisons[i].gamma_p);
	for (size_t i = 0; i < r->n_comparisons; i++) {
		const struct comparison *c = &r->comparisons[i];
		struct finding *x;
		char share[40], p[40];

		if (!(c->gamma_p < ORDER_P / (double)judged) || c->n < 5 || told(f, "order", r, c))
			continue;
		x = rules_opinion(f, r, w, "order", c->subject, r->bundle->cells.questions[c->question].label);
		free(x->anchor);
		x->anchor = mem_printf("opinion-order-c%u", c->id);
		x->comparison = (int)c->id;
		say_percent(expm1(2 * fabs(c->gamma)), share); /* first instead of second */
		say_p(c->gamma_p, p);
		x->basis = wording_fill(w, "opinion.order.basis", "share", share, "p", p, NULL);
	}
}

static bool gate_failed(const struct results *r, enum gate_kind kind, uint32_t cell, const struct gate **out)
{
	*out = results_gate(r, kind, cell);
	return *out && (*out)->state == GATE_FAILS;
}

bool rules_others_used(const struct results *r, uint32_t cell)
{
	const struct gate *g;

	return gate_failed(r, GATE_FOREIGN, cell, &g);
}

typedef char *basis_fn(const struct results *, const struct wording *, const struct gate *);

#define GATE_CELLS 6 /* told one by one */

/* One opinion for all cells that fail a gate, each with its basis. */
static void gate_opinion(struct findings *f, const struct results *r, const struct wording *w, const char *rule,
			 enum gate_kind kind, basis_fn *basis)
{
	struct finding *x = NULL;
	struct buf all = BUF_INIT;
	char *only = NULL;
	uint32_t n = 0;

	for (uint32_t c = 0; c < r->n_cells; c++) {
		const struct gate *g;

		if (!gate_failed(r, kind, c, &g))
			continue;
		if (kind == GATE_DEVICE && (!(g->number > 1) || rules_others_used(r, c)))
			continue; /* fewer bytes than asked: told by rule_cached; or they were somebody else's */
		if (kind == GATE_BIMODAL && !(r->cells[c].gap > r->cells[c].gap_sure))
			continue; /* one cell in a hundred looks like that by chance */
		if (!x)
			x = rules_opinion(f, r, w, rule, c, r->bundle->cells.cells[c].label);
		else
			rules_runs_of_cell(x, r, c);
		if (n++ < GATE_CELLS) {
			mem_auto char *text = basis(r, w, g);

			buf_printf(&all, "%s%s: %s", n > 1 ? " " : "", r->bundle->cells.cells[c].label, text);
			only = only ? only : mem_strdup(text);
		}
	}
	if (!x)
		return;
	/* A single cell is named by the sentence. */
	x->basis = n > 1 ? buf_take(&all) : mem_strdup(only);
	free(only);
	buf_release(&all);
	rules_others(x, w, n > GATE_CELLS ? n - GATE_CELLS : 0);
	if (n > 1) {
		mem_auto char *cells = wording_count(w, "cells", n), *key = mem_printf("opinion.%s.say", rule);

		free(x->sentence);
		x->sentence = wording_fill(w, key, "cell", cells, NULL);
	}
}

static char *basis_modes(const struct results *r, const struct wording *w, const struct gate *g)
{
	const struct cell_result *c = &r->cells[g->cell];
	mem_auto char *low = say_value(c->main, c->mode_lo), *high = say_value(c->main, c->mode_hi);
	mem_auto char *n_low = wording_count(w, "runs", c->n_lo), *n_high = wording_count(w, "runs", c->n_hi);
	char gap[40], limit[40];

	say_percent(c->gap, gap);
	say_percent(c->gap_sure, limit);
	return wording_fill(w, "opinion.modes.basis", "nlow", n_low, "low", low, "nhigh", n_high, "high", high, "gap", gap,
			    "limit", limit, NULL);
}

static char *basis_implausible(const struct results *r, const struct wording *w, const struct gate *g)
{
	mem_auto char *most = say_value(metric_find("throughput"), g->number);
	mem_auto char *limit = say_value(metric_find("throughput"), g->threshold);

	(void)r;
	return wording_fill(w, "opinion.implausible.basis", "most", most, "limit", limit, NULL);
}

static char *basis_amplified(const struct results *r, const struct wording *w, const struct gate *g)
{
	mem_auto char *moved = rules_device_moved(r, w, g->cell);
	char ratio[40];

	num_sig(g->number, 3, ratio);
	return wording_fill(w, "opinion.amplified.basis", "ratio", ratio, "moved", moved ? moved : "", NULL);
}

void rule_modes(struct findings *f, const struct results *r, const struct wording *w)
{
	gate_opinion(f, r, w, "modes", GATE_BIMODAL, basis_modes);
}

void rule_implausible(struct findings *f, const struct results *r, const struct wording *w)
{
	gate_opinion(f, r, w, "implausible", GATE_IMPLAUSIBLE, basis_implausible);
}

void rule_amplified(struct findings *f, const struct results *r, const struct wording *w)
{
	gate_opinion(f, r, w, "amplified", GATE_DEVICE, basis_amplified);
}

/* A file that is faster than the raw device: more than the filesystem differs as a rule. */
void rule_unequal(struct findings *f, const struct results *r, const struct wording *w)
{
	const struct cells *cs = &r->bundle->cells;

	for (size_t i = 0; i < r->n_comparisons; i++) {
		const struct comparison *c = &r->comparisons[i];
		const struct cell *a = &cs->cells[c->subject], *b = &cs->cells[c->against];
		bool raw_a = strcmp(cs->targets[a->target].driver, "raw") == 0;
		bool raw_b = strcmp(cs->targets[b->target].driver, "raw") == 0;
		bool file_faster = raw_a ? c->decide_hi < 1 / (1 + c->margin) : c->decide_lo > 1 + c->margin;
		struct finding *x;

		if (strcmp(c->metric->name, "cpu_per_gib") == 0)
			continue; /* cheaper is not faster */
		if (raw_a == raw_b || c->n < 5 || !file_faster || c->void_gate >= 0 || !c->n_diff || told(f, "unequal", r, c))
			continue;
		x = rules_opinion(f, r, w, "unequal", c->subject, cs->questions[c->question].label);
		free(x->anchor);
		x->anchor = mem_printf("opinion-unequal-c%u", c->id);
		x->comparison = (int)c->id;
		mem_auto char *n = mem_printf("%zu", c->n_diff);
		x->basis = wording_fill(w, "opinion.unequal.basis", "n", n, NULL);
	}
}

/* Decided below the margin over all members of a step; one for each question, the step that loses most. */
void rule_bottleneck(struct findings *f, const struct results *r, const struct wording *w)
{
	const struct cells *cs = &r->bundle->cells;

	for (uint32_t q = 0; q < cs->n_questions; q++) {
		const struct scaling *worst = NULL;
		struct finding *x;
		char share[40], lo[40], hi[40];

		for (size_t i = 0; i < r->n_scalings; i++) {
			const struct scaling *s = &r->scalings[i];

			if (s->question == q && s->n >= 5 && s->void_gate < 0 &&
			    s->decide_hi < 1 / (1 + cs->questions[q].margin) &&
			    (!worst || s->efficiency < worst->efficiency))
				worst = s;
		}
		if (!worst)
			continue;
		x = rules_opinion(f, r, w, "bottleneck", UINT32_MAX, cs->questions[q].label);
		free(x->anchor);
		x->anchor = mem_printf("opinion-bottleneck-q%u", q + 1);
		for (size_t i = 0; i < cs->questions[q].n_cells; i++)
			rules_runs_of_cell(x, r, cs->questions[q].cells[i]);
		num_sig(worst->efficiency, 3, share);
		num_sig(worst->lo, 3, lo);
		num_sig(worst->hi, 3, hi);
		x->basis = wording_fill(w, "opinion.bottleneck.basis", "share", share, "lo", lo, "hi", hi, NULL);
		x->weight = -log(worst->efficiency);
	}
}
