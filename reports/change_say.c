/* SPDX-License-Identifier: Apache-2.0 */
#include "base/mem.h"
#include "base/num.h"
#include "reports/change.h"
#include "reports/rules.h"
#include "reports/say.h"
#include "stats/archive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Before and after in words: the headline, and a sentence for each cell. */

static const struct {
	const char *name, *word;
	enum verdict_kind verdict;
	int rank; /* told first */
} states[] = {
	[CHANGE_NOT_SHOWN] = { "not shown", "change.word.notshown", VERDICT_INCONCLUSIVE, 2 },
	[CHANGE_BETTER] = { "better", "change.word.better", VERDICT_BETTER, 1 },
	[CHANGE_WORSE] = { "worse", "change.word.worse", VERDICT_WORSE, 0 },
	[CHANGE_VOID] = { "void", "verdict.VOID", VERDICT_VOID, 3 },
	[CHANGE_NO_DATA] = { "no data", "verdict.NO DATA", VERDICT_NO_DATA, 4 },
};

const char *change_word(const struct wording *w, enum change_state s)
{
	return wording_get(w, states[s].word);
}

const char *change_state_name(enum change_state s)
{
	return states[s].name;
}

enum verdict_kind change_verdict(enum change_state s)
{
	return states[s].verdict;
}

uint32_t change_count(const struct changes *c, enum change_state s)
{
	uint32_t n = 0;

	for (size_t i = 0; i < c->n_changes; i++)
		n += c->changes[i].state == s;
	return n;
}

char *change_cell(const struct cells *c, uint32_t cell)
{
	return archive_label(c, &c->cells[cell]);
}

static double size_of(const struct change *k)
{
	return k->ratio > 0 && isfinite(k->ratio) ? fabs(log(k->ratio)) : 0;
}

struct place {
	const struct change *k;
	size_t at;
};

static int by_rank(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int rx = states[x->k->state].rank, ry = states[y->k->state].rank;

	if (rx != ry)
		return rx - ry;
	if (rx < 2 && size_of(x->k) != size_of(y->k))
		return size_of(x->k) < size_of(y->k) ? 1 : -1;
	return (x->at > y->at) - (x->at < y->at);
}

size_t *change_order(const struct changes *c)
{
	mem_auto struct place *p = mem_array(c->n_changes + 1, sizeof *p);
	size_t *order = mem_array(c->n_changes + 1, sizeof *order);

	for (size_t i = 0; i < c->n_changes; i++)
		p[i] = (struct place){ &c->changes[i], i };
	qsort(p, c->n_changes, sizeof *p, by_rank);
	for (size_t i = 0; i < c->n_changes; i++)
		order[i] = p[i].at;
	return order;
}

static int void_gate(const struct results *r, uint32_t cell)
{
	uint32_t test = r->bundle->cells.cells[cell].test;

	for (size_t i = 0; i < r->n_gates; i++) {
		const struct gate *g = &r->gates[i];

		if (g->state == GATE_FAILS && gate_voids(g->kind) && !g->waived &&
		    (g->cell == cell || (g->cell == UINT32_MAX && g->test == test)))
			return (int)i;
	}
	return -1;
}

int change_gate(const struct changes *c, const struct change *k, bool *after)
{
	int g = void_gate(c->before, k->before_cell);

	*after = g < 0;
	return g < 0 ? void_gate(c->after, k->after_cell) : g;
}

char *change_title(const struct changes *c, const struct derived_about *a, const struct wording *w)
{
	return a->title ? mem_strdup(a->title)
			: wording_fill(w, "change.title", "title", c->after->bundle->cells.title, NULL);
}

char *change_where(const struct wording *w, const char *where)
{
	static const char *const kinds[] = { "node", "target", "driver", "workload", "test" };

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		size_t n = strlen(kinds[i]);

		if (strncmp(where, kinds[i], n) == 0 && where[n] == ' ')
			return mem_printf("%s %s", wording_of(w, "change.where", kinds[i]), where + n + 1);
	}
	return mem_strdup(wording_or(w, "change.where", where));
}

const char *change_what(const struct wording *w, const char *what)
{
	const char *word = wording_or(w, "change.what", what);

	return word == what ? wording_or(w, "fact", what) : word;
}

/* ---- sentences ---- */

/* "; of 2 cells no change is shown; 1 cell is void" */
static char *rest(const struct changes *c, const struct wording *w)
{
	static const struct {
		enum change_state state;
		const char *key;
	} parts[] = { { CHANGE_NOT_SHOWN, "change.rest.notshown" }, { CHANGE_VOID, "change.rest.void" },
		      { CHANGE_NO_DATA, "change.rest.nodata" } };
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		uint32_t n = change_count(c, parts[i].state);
		mem_auto char *cells = wording_count(w, "cells", n);
		mem_auto char *text = wording_fill(w, parts[i].key, "cells", cells, NULL);

		if (n)
			buf_printf(&b, " %s", text);
	}
	return buf_take(&b);
}

static void headline(struct findings *out, const struct changes *c, const struct wording *w)
{
	struct finding *f = finding_add(out, FINDING_CHANGE, "change", mem_strdup("headline"));
	enum change_state s = c->worse ? CHANGE_WORSE : c->better ? CHANGE_BETTER : CHANGE_NOT_SHOWN;
	mem_auto char *cells = wording_count(w, "cells", c->n_changes), *rest_text = rest(c, w);
	mem_auto char *worse = mem_printf("%u", c->worse), *better = mem_printf("%u", c->better);
	const char *metric = c->n_changes ? c->changes[0].metric->name : "throughput", *key = "change.headline.changed";
	char margin[40];

	if (s == CHANGE_NOT_SHOWN) {
		key = "change.headline.none";
		if (!change_count(c, s)) {
			key = "change.headline.nothing";
			s = change_count(c, CHANGE_VOID) ? CHANGE_VOID : CHANGE_NO_DATA;
		}
	}
	say_percent(c->margin, margin);
	f->verdict = change_verdict(s);
	f->word = mem_strdup(change_word(w, s));
	f->key = mem_printf("%s : %s", worse, better);
	f->key_note = wording_fill(w, "change.key", NULL);
	f->sentence = wording_fill(w, key, "metric", wording_of(w, "metric", metric), "worse", worse, "better", better,
				   "cells", cells, "margin", margin, "rest", rest_text ? rest_text : "", NULL);
	say_capital(f->sentence);
	if (c->worse + c->better)
		f->caveat = mem_strdup(wording_get(w, c->n_confounders ? "change.caveat.confounders" : "change.caveat"));
	f->weight = HUGE_VAL;
}

static char *runs_of(const struct wording *w, const struct change *k)
{
	mem_auto char *before = wording_count(w, "runs", k->n_before);
	mem_auto char *after = mem_printf("%u", k->n_after);

	return wording_fill(w, "change.runs", "before", before, "after", after, NULL);
}

static char *sentence(const struct changes *c, const struct wording *w, const struct change *k, const char *cell)
{
	static const char *const keys[] = { [CHANGE_NOT_SHOWN] = "change.say.notshown", [CHANGE_BETTER] = "change.say.decided",
					    [CHANGE_WORSE] = "change.say.decided", [CHANGE_VOID] = "change.say.void",
					    [CHANGE_NO_DATA] = "change.say.nodata" };
	bool after = false, ran = strcmp(k->metric->noun, "ran") == 0;
	int gate = k->state == CHANGE_VOID ? change_gate(c, k, &after) : -1;
	mem_auto char *reason = rules_gate_reason(after ? c->after : c->before, w, gate), *runs = runs_of(w, k);
	mem_auto char *phrase = NULL;
	struct say_ratio s;
	char margin[40], low[48], high[48];

	say_ratio(&s, w, k->metric, k->ratio, k->lo, k->hi);
	say_percent(c->margin, margin);
	say_differences(k->metric, k->lo, k->hi, low, high);
	phrase = wording_fill(w, ran ? "change.ran" : "change.was", "cell", cell, "ratio", s.factor, "word", s.word, "metric",
			      wording_of(w, "metric", k->metric->name), NULL);
	char *text = wording_fill(w, keys[k->state], "phrase", phrase, "cell", cell, "span", s.span, "runs", runs, "verdict",
				  change_word(w, k->state), "margin", margin, "low", low, "high", high, "reason",
				  reason ? reason : "", "campaign", wording_get(w, after ? "change.in.after" : "change.in.before"),
				  NULL);
	say_capital(text);
	return text;
}

static void one(struct findings *out, const struct changes *c, const struct wording *w, const struct change *k)
{
	mem_auto char *cell = change_cell(&c->after->bundle->cells, k->after_cell);
	struct finding *f = finding_add(out, FINDING_CHANGE, "change", mem_printf("change-%u", k->after_cell + 1));
	struct say_ratio s;

	say_ratio(&s, w, k->metric, k->ratio, k->lo, k->hi);
	f->verdict = change_verdict(k->state);
	f->word = mem_strdup(change_word(w, k->state));
	f->key = k->state == CHANGE_NO_DATA ? mem_strdup(wording_get(w, "key.nodata")) : mem_printf("%sx", s.factor);
	f->sentence = sentence(c, w, k, cell);
	f->concluded = k->state == CHANGE_BETTER || k->state == CHANGE_WORSE;
	/* Worse ones first: they share a group with the better ones. */
	f->weight = size_of(k) + (k->state == CHANGE_WORSE ? 1e6 : 0);
}

void change_findings(struct findings *f, const struct changes *c, const struct wording *w)
{
	memset(f, 0, sizeof *f);
	headline(f, c, w);
	for (size_t i = 0; i < c->n_changes; i++)
		one(f, c, w, &c->changes[i]);
	findings_sort(f);
}
