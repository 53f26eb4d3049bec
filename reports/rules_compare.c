/* SPDX-License-Identifier: Apache-2.0 */
#include "base/jsonx.h"
#include "base/mem.h"
#include "base/num.h"
#include "reports/machines.h"
#include "reports/rules.h"
#include "reports/say.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The parts that every sentence about one comparison is made of. */
struct parts {
	const struct results *r;
	const struct wording *w;
	const struct comparison *c;
	const struct question *q;
	char *subject, *against, *context, *blocks, *word, *design, *unlike;
	char margin[40];
	struct say_ratio ratio;
};

static void parts_init(struct parts *p, const struct results *r, const struct wording *w,
		       const struct comparison *c)
{
	const struct cells *cs = &r->bundle->cells;
	const struct cell *a = &cs->cells[c->subject], *b = &cs->cells[c->against];

	memset(p, 0, sizeof *p);
	p->r = r;
	p->w = w;
	p->c = c;
	p->q = &cs->questions[c->question];
	p->subject = say_cell(w, cs, a, p->q->named);
	p->against = say_cell(w, cs, b, p->q->named);
	p->context = say_context(r, a, b, p->q->named);
	p->blocks = say_blocks(w, c->n);
	p->design = mem_strdup(wording_get(w, c->paired ? "design.paired" : "design.unpaired"));
	p->word = say_verdict(w, c->metric, c->verdict);
	say_percent(c->margin, p->margin);
	say_ratio(&p->ratio, w, c->metric, c->ratio, c->lo, c->hi);
}

static void parts_release(struct parts *p)
{
	free(p->subject);
	free(p->against);
	free(p->context);
	free(p->blocks);
	free(p->design);
	free(p->word);
	free(p->unlike);
}

/* "; also differs in read-ahead and layout" when more than the named attribute differs. */
static char *unlike(const struct parts *p)
{
	struct buf b = BUF_INIT;
	size_t n = 0, seen = 0;
	char *list, *text;

	for (size_t i = 0; i < p->c->n_diff; i++)
		n += !p->c->diff[i].named;
	if (!n)
		return mem_strdup("");
	for (size_t i = 0; i < p->c->n_diff; i++) {
		if (p->c->diff[i].named)
			continue;
		if (seen)
			buf_puts(&b, seen + 1 == n ? wording_get(p->w, "and") : ", ");
		buf_puts(&b, wording_or(p->w, "attribute", p->c->diff[i].attribute));
		seen++;
	}
	list = buf_take(&b);
	text = wording_fill(p->w, "unlike", "list", list, NULL);
	free(list);
	return text;
}

static const char *sentence_key(const struct comparison *c)
{
	switch (c->verdict) {
	case VERDICT_BETTER:
	case VERDICT_WORSE:
		if (c->lo > 1 / (1 + c->margin) && c->hi < 1 + c->margin)
			return "say.decided.within";
		return c->material ? "say.decided.material" : "say.decided.reaching";
	case VERDICT_EQUIVALENT:
		return c->resolved_inside ? "say.equivalent.resolved" : "say.equivalent";
	case VERDICT_VOID:
		return c->n > 1 ? "say.void" : "say.void.nodata";
	case VERDICT_NO_DATA:
		return "say.nodata";
	case VERDICT_INDICATIVE:
		return c->n > 1 ? "say.indicative" : "say.single";
	case VERDICT_INCONCLUSIVE:
		return "say.inconclusive";
	default:
		return c->n > 1 ? "say.exploratory" : "say.single";
	}
}

/* Largest change that the equivalence interval allows, as a share. */
static double equivalence_bound(const struct comparison *c)
{
	double up = c->equiv_hi - 1, down = 1 / c->equiv_lo - 1;

	return up > down ? up : down;
}

/* "A ran 2.3x slower than B", or "p99 latency of A was 2.3x higher than that of B". */
static char *phrase(const struct parts *p)
{
	bool ran = strcmp(p->c->metric->noun, "ran") == 0;

	return wording_fill(p->w, ran ? "phrase.ran" : "phrase.was", "subject", p->subject, "against", p->against,
			    "ratio", p->ratio.factor, "word", p->ratio.word, "metric",
			    wording_of(p->w, "metric", p->c->metric->name), NULL);
}

static char *sentence(const struct parts *p)
{
	const struct comparison *c = p->c;
	char bound[40], low[48], high[48], level[40], resolved[40];
	mem_auto char *reason = rules_gate_reason(p->r, p->w, c->void_gate);
	mem_auto char *where = *p->context ? wording_fill(p->w, "context", "context", p->context, NULL) : mem_strdup("");
	mem_auto char *at = *p->context ? wording_fill(p->w, "group.at", "context", p->context, NULL) : mem_strdup("");
	mem_auto char *says = phrase(p);
	char *s;

	say_percent(equivalence_bound(c), bound);
	say_differences(c->metric, c->equiv_lo, c->equiv_hi, low, high);
	say_level(c->equiv_level, level);
	say_percent(fabs(c->ratio - 1), resolved);
	s = wording_fill(p->w, sentence_key(c), "context", where, "at", at, "subject", p->subject, "against", p->against,
			 "phrase", says, "ratio", p->ratio.factor, "word", p->ratio.word, "span", p->ratio.span,
			 "blocks", p->blocks, "design", p->design, "verdict", p->word, "margin", p->margin,
			 "bound", bound, "low", low, "high", high, "level", level, "reason", reason ? reason : "",
			 "resolved", resolved, "metric", wording_of(p->w, "metric", c->metric->name), "unlike",
			 p->unlike, NULL);
	say_capital(s);
	return s;
}

static void caveat_unequal(struct finding *f, const struct parts *p)
{
	const struct comparison *c = p->c;
	char share[40];

	if (c->dropped_blocks) {
		mem_auto char *n = wording_count(p->w, "blocks", c->dropped_blocks);

		finding_caveat(f, wording_fill(p->w, "caveat.dropped", "blocks", n, NULL));
	}
	if (c->aa_floor > 0) {
		say_percent(expm1(c->aa_floor), share);
		finding_caveat(f, wording_fill(p->w, "caveat.aa", "share", share, NULL));
	}
	if (c->bimodal)
		finding_caveat(f, mem_strdup(wording_get(p->w, "caveat.bimodal")));
	if (isfinite(c->gamma_p) && c->gamma_p < .01) {
		say_percent(expm1(2 * fabs(c->gamma)), share); /* first instead of second */
		finding_caveat(f, wording_fill(p->w, "caveat.order", "share", share, NULL));
	}
	if (c->too_few)
		finding_caveat(f, mem_strdup(wording_get(p->w, "caveat.toofew")));
	if (c->withheld)
		finding_caveat(f, mem_strdup(wording_get(p->w, "caveat.withheld")));
}

static void caveat_excluded(struct finding *f, const struct parts *p)
{
	char low[48], high[48], need[24];

	say_differences(p->c->metric, p->c->lo, p->c->hi, low, high);
	finding_caveat(f, wording_fill(p->w, "caveat.excluded", "low", low, "high", high, "blocks", p->blocks, NULL));
	if (isfinite(p->c->detectable)) {
		say_percent(p->c->detectable, low);
		finding_caveat(f, wording_fill(p->w, "caveat.detectable", "size", low, NULL));
	}
	if (p->c->n_needed) {
		snprintf(need, sizeof need, "%u", p->c->n_needed);
		finding_caveat(f, wording_fill(p->w, "caveat.needed", "n", need, "margin", p->margin, NULL));
	}
}

/* A repeat read that the device did not serve: the physical evidence belongs in the sentence's caveat. */
static void caveat_device(struct finding *f, const struct parts *p)
{
	const struct cell *a = &p->r->bundle->cells.cells[p->c->subject];
	mem_auto char *moved = a->pass > 1 ? rules_device_moved(p->r, p->w, p->c->subject) : NULL;

	if (moved)
		finding_caveat(f, wording_fill(p->w, "caveat.device", "moved", moved, NULL));
}

/* Each difference of two nodes may be the cause of what is found between them. */
static void caveat_machines(struct finding *f, const struct parts *p)
{
	const struct cells *cs = &p->r->bundle->cells;
	const struct plan_target *a = &cs->targets[cs->cells[p->c->subject].target];
	const struct plan_target *b = &cs->targets[cs->cells[p->c->against].target];
	mem_auto char *facts = machines_unlike(p->r, p->w, (uint32_t)(a - cs->targets), (uint32_t)(b - cs->targets));

	if (facts)
		finding_caveat(f, wording_fill(p->w, "caveat.machines", "a", cs->nodes[a->node].name, "b",
					       cs->nodes[b->node].name, "facts", facts, NULL));
}

static void key_number(struct finding *f, const struct parts *p)
{
	char bound[40];

	if (p->c->verdict == VERDICT_VOID) {
		f->key = mem_strdup(wording_get(p->w, "key.void"));
	} else if (p->c->verdict == VERDICT_NO_DATA || p->c->n == 0) {
		f->key = mem_strdup(wording_get(p->w, "key.nodata"));
	} else if (p->c->verdict == VERDICT_EQUIVALENT) {
		say_percent(equivalence_bound(p->c), bound);
		f->key = mem_printf("≤ %s", bound);
	} else {
		f->key = mem_printf("%sx", p->ratio.factor);
	}
}

static void one(struct findings *out, const struct results *r, const struct wording *w,
		const struct comparison *c)
{
	const struct question *q = &r->bundle->cells.questions[c->question];
	struct finding *f;
	struct parts p;

	if (q->claim || q->kind == QUESTION_LIMIT)
		return; /* told by rule_claims */
	parts_init(&p, r, w, c);
	p.unlike = unlike(&p);
	f = finding_add(out, c->declared ? FINDING_COMPARISON : FINDING_EXPLORATORY, "compare",
			mem_printf("q%u-%u", c->question + 1, c->pair + 1));
	f->comparison = (int)c->id;
	/* Its question is answered as a whole by rule_answers. */
	f->detail = q->kind == QUESTION_SENSITIVITY || q->kind == QUESTION_SCALING;
	f->verdict = c->verdict;
	f->word = c->declared && c->verdict != VERDICT_INDICATIVE ? mem_strdup(p.word) : NULL;
	f->sentence = sentence(&p);
	f->weight = isfinite(c->ratio) && c->ratio > 0 ? fabs(log(c->ratio)) : 0;
	f->concluded = c->verdict == VERDICT_BETTER || c->verdict == VERDICT_WORSE || c->verdict == VERDICT_EQUIVALENT;
	key_number(f, &p);
	if (c->n > 1) {
		caveat_device(f, &p);
		caveat_machines(f, &p);
		if (c->verdict == VERDICT_INCONCLUSIVE && !c->withheld)
			caveat_excluded(f, &p);
		caveat_unequal(f, &p);
	}
	if (f->concluded)
		rules_unverified(f, r, w, c->subject, c->against);
	for (uint32_t i = 0; i < c->n; i++) {
		finding_run(f, c->subject_runs[i]);
		finding_run(f, c->against_runs[i]);
	}
	parts_release(&p);
}

/* Which comparisons of a question a summary sentence stands for: all with one verdict. */
struct group {
	const struct comparison *least, *most; /* by |ln R| */
	size_t n;
	uint32_t blocks; /* fewest */
};

static bool group_of(struct group *g, const struct results *r, uint32_t question)
{
	memset(g, 0, sizeof *g);
	for (size_t i = 0; i < r->n_comparisons; i++) {
		const struct comparison *c = &r->comparisons[i];

		if (c->question != question || !c->declared)
			continue;
		if ((c->verdict != VERDICT_BETTER && c->verdict != VERDICT_WORSE) ||
		    (g->n && (c->verdict != g->least->verdict || c->metric != g->least->metric)))
			return false;
		if (!g->n || fabs(log(c->ratio)) < fabs(log(g->least->ratio)))
			g->least = c;
		if (!g->n || fabs(log(c->ratio)) > fabs(log(g->most->ratio)))
			g->most = c;
		g->blocks = !g->n || c->n < g->blocks ? c->n : g->blocks;
		g->n++;
	}
	return g->n > 2;
}

static char *group_place(const struct results *r, const struct wording *w, const struct comparison *c)
{
	const struct cells *cs = &r->bundle->cells;
	mem_auto char *context = say_context(r, &cs->cells[c->subject], &cs->cells[c->against],
					     cs->questions[c->question].named);

	return *context ? wording_fill(w, "group.at", "context", context, NULL) : mem_strdup("");
}

/* One sentence for a question whose comparisons all point the same way; the single ones are detail. */
static void group_finding(struct findings *out, const struct results *r, const struct wording *w,
			  uint32_t question, const struct group *g)
{
	struct finding *f;
	struct say_ratio least, most;
	struct parts p;

	parts_init(&p, r, w, g->most);
	mem_auto char *n = mem_printf("%zu", g->n), *blocks = say_blocks(w, g->blocks);
	mem_auto char *at_least = group_place(r, w, g->least), *at_most = group_place(r, w, g->most);

	f = finding_add(out, FINDING_COMPARISON, "compare", mem_printf("q%u", question + 1));
	f->verdict = g->most->verdict;
	f->word = mem_strdup(p.word);
	say_ratio(&least, w, g->least->metric, g->least->ratio, g->least->lo, g->least->hi);
	say_ratio(&most, w, g->most->metric, g->most->ratio, g->most->lo, g->most->hi);
	f->key = mem_printf("%sx", least.factor);
	f->key_note = wording_fill(w, "key.upto", "most", most.factor, NULL);
	f->sentence = wording_fill(w, strcmp(g->most->metric->noun, "ran") == 0 ? "say.group" : "say.group.was", "subject",
				   p.subject, "against", p.against, "n", n, "least", least.factor, "least.span",
				   least.span, "most", most.factor, "most.span", most.span, "word",
				   p.ratio.word, "least.at", at_least, "most.at", at_most, "blocks", blocks, "design",
				   p.design, "verdict", p.word, "metric", wording_of(w, "metric", g->most->metric->name), NULL);
	say_capital(f->sentence);
	f->weight = fabs(log(g->most->ratio));
	for (size_t i = 0; i < r->n_comparisons; i++) {
		const struct comparison *c = &r->comparisons[i];

		for (uint32_t k = 0; c->question == question && c->declared && k < c->n; k++) {
			finding_run(f, c->subject_runs[k]);
			finding_run(f, c->against_runs[k]);
		}
	}
	parts_release(&p);
}

void rule_compare(struct findings *f, const struct results *r, const struct wording *w)
{
	for (size_t i = 0; i < r->n_comparisons; i++)
		one(f, r, w, &r->comparisons[i]);
	for (uint32_t q = 0; q < r->bundle->cells.n_questions; q++) {
		const struct question *asked = &r->bundle->cells.questions[q];
		struct group g;

		if (asked->claim || asked->kind != QUESTION_COMPARE || !group_of(&g, r, q))
			continue;
		for (size_t i = 0; i < f->n; i++)
			if (f->list[i].comparison >= 0 && r->comparisons[f->list[i].comparison].question == q)
				f->list[i].detail = true;
		group_finding(f, r, w, q, &g);
	}
}
