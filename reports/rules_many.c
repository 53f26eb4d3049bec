/* SPDX-License-Identifier: Apache-2.0 */
#include "base/mem.h"
#include "base/vec.h"
#include "reports/rules.h"
#include "reports/say.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One sentence for many comparisons of the same two things with one verdict: a summary of a hundred
 * depths is one line and not the first nine of them. The single ones become detail. */

#define MANY 5

struct entry {
	char *words;       /* metric, margin, subject and against: what makes comparisons alike */
	size_t finding;
	const struct comparison *c;
};

static int by_words(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = strcmp(x->words, y->words);

	if (order)
		return order;
	if (x->c->verdict != y->c->verdict)
		return (int)x->c->verdict - (int)y->c->verdict;
	return (x->c->id > y->c->id) - (x->c->id < y->c->id);
}

static struct entry *entries(const struct findings *f, const struct results *r, const struct wording *w, size_t *n)
{
	const struct cells *cs = &r->bundle->cells;
	struct entry *e = NULL;

	*n = 0;
	for (size_t i = 0; i < f->n; i++) {
		const struct finding *x = &f->list[i];
		const struct comparison *c = x->comparison < 0 ? NULL : &r->comparisons[x->comparison];

		if (!c || x->kind != FINDING_COMPARISON || x->detail)
			continue;
		const char *named = cs->questions[c->question].named;
		mem_auto char *subject = say_cell(w, cs, &cs->cells[c->subject], named);
		mem_auto char *against = say_cell(w, cs, &cs->cells[c->against], named);

		*VEC_ADD(e, *n) = (struct entry){ mem_printf("%s\n%g\n%s\n%s", c->metric->name, c->margin, subject, against), i, c };
	}
	if (*n)
		qsort(e, *n, sizeof *e, by_words);
	return e;
}

static double bound_of(const struct comparison *c)
{
	return fmax(c->equiv_hi - 1, 1 / c->equiv_lo - 1);
}

static char *place(const struct results *r, const struct wording *w, const struct comparison *c)
{
	const struct cells *cs = &r->bundle->cells;
	mem_auto char *context = say_context(r, &cs->cells[c->subject], &cs->cells[c->against],
					     cs->questions[c->question].named);

	return *context ? wording_fill(w, "group.at", "context", context, NULL) : mem_strdup("");
}

/* The least and the most of a group by |ln R|, or by the bound where it is equivalence. */
struct ends {
	const struct comparison *least, *most;
	uint32_t blocks;
};

static struct ends ends_of(const struct entry *e, size_t n)
{
	struct ends x = { e[0].c, e[0].c, e[0].c->n };

	for (size_t i = 1; i < n; i++) {
		const struct comparison *c = e[i].c;
		bool equal = c->verdict == VERDICT_EQUIVALENT;
		double v = equal ? bound_of(c) : fabs(log(c->ratio));

		x.least = v < (equal ? bound_of(x.least) : fabs(log(x.least->ratio))) ? c : x.least;
		x.most = v > (equal ? bound_of(x.most) : fabs(log(x.most->ratio))) ? c : x.most;
		x.blocks = c->n < x.blocks ? c->n : x.blocks;
	}
	return x;
}

static void say(struct finding *x, const struct results *r, const struct wording *w, const struct ends *at, size_t n, size_t all)
{
	const struct comparison *c = at->most;
	const struct cells *cs = &r->bundle->cells;
	const char *named = cs->questions[c->question].named;
	mem_auto char *subject = say_cell(w, cs, &cs->cells[c->subject], named), *blocks = say_blocks(w, at->blocks);
	mem_auto char *against = say_cell(w, cs, &cs->cells[c->against], named), *some = mem_printf("%zu", n);
	mem_auto char *at_least = place(r, w, at->least), *at_most = place(r, w, c), *total = mem_printf("%zu", all);
	const char *design = wording_get(w, c->paired ? "design.paired" : "design.unpaired");
	const char *key = c->verdict == VERDICT_EQUIVALENT ? "say.many.equivalent"
		: strcmp(c->metric->noun, "ran") == 0 ? "say.many" : "say.many.was";
	char bound[40], level[40], margin[40];
	struct say_ratio least, most;

	say_ratio(&least, w, c->metric, at->least->ratio, at->least->lo, at->least->hi);
	say_ratio(&most, w, c->metric, c->ratio, c->lo, c->hi);
	say_percent(bound_of(c), bound);
	say_level(c->equiv_level, level);
	say_percent(c->margin, margin);
	x->sentence = wording_fill(w, key, "subject", subject, "against", against, "n", some, "all", total, "least", least.factor,
				   "least.at", at_least, "least.span", least.span, "most", most.factor, "most.at", at_most,
				   "most.span", most.span, "word", most.word, "blocks", blocks, "design", design, "verdict", x->word,
				   "metric", wording_of(w, "metric", c->metric->name), "bound", bound, "level", level, "margin",
				   margin, NULL);
	say_capital(x->sentence);
	x->key = c->verdict == VERDICT_EQUIVALENT ? mem_printf("≤ %s", bound) : mem_printf("%sx", least.factor);
	x->key_note = c->verdict == VERDICT_EQUIVALENT ? NULL : wording_fill(w, "key.upto", "most", most.factor, NULL);
	x->weight = fabs(log(c->ratio));
}

static void group(struct findings *f, const struct results *r, const struct wording *w, const struct entry *e, size_t n, size_t all)
{
	struct ends at = ends_of(e, n);
	struct finding *x;
	size_t caveats = 0;

	for (size_t i = 0; i < n; i++) {
		f->list[e[i].finding].detail = true;
		caveats += f->list[e[i].finding].caveat != NULL;
	}
	x = finding_add(f, FINDING_COMPARISON, "many", mem_printf("many-%u", e[0].c->id + 1));
	x->verdict = e[0].c->verdict;
	x->word = say_verdict(w, e[0].c->metric, x->verdict);
	say(x, r, w, &at, n, all);
	if (caveats) {
		mem_auto char *some = mem_printf("%zu", caveats);

		finding_caveat(x, wording_fill(w, "caveat.some", "n", some, NULL));
	}
	for (size_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < e[i].c->n; k++) {
			finding_run(x, e[i].c->subject_runs[k]);
			finding_run(x, e[i].c->against_runs[k]);
		}
}

static bool decided(enum verdict_kind v)
{
	return v == VERDICT_BETTER || v == VERDICT_WORSE || v == VERDICT_EQUIVALENT;
}

void rule_many(struct findings *f, const struct results *r, const struct wording *w)
{
	size_t n, all, same;
	struct entry *e = entries(f, r, w, &n);

	for (size_t i = 0; i < n; i += all) {
		for (all = 1; i + all < n && strcmp(e[i].words, e[i + all].words) == 0; all++)
			;
		for (size_t k = i; k < i + all; k += same) {
			for (same = 1; k + same < i + all && e[k].c->verdict == e[k + same].c->verdict; same++)
				;
			if (same >= MANY && decided(e[k].c->verdict))
				group(f, r, w, e + k, same, all);
		}
	}
	for (size_t i = 0; i < n; i++)
		free(e[i].words);
	free(e);
}
