/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/vec.h"
#include "reports/change.h"
#include "reports/sections_change.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Before and after: results, comparisons, what is not concluded, what else is not the same, appendices. */

#define FOLD 40 /* rows of a table, and more are folded in HTML */

static double scale_of(const struct changes *c, const char **unit)
{
	double largest = 0, divide = 1;

	for (size_t i = 0; i < c->n_changes; i++) {
		largest = isfinite(c->changes[i].before) ? fmax(largest, c->changes[i].before) : largest;
		largest = isfinite(c->changes[i].after) ? fmax(largest, c->changes[i].after) : largest;
	}
	*unit = c->n_changes ? say_scale(c->changes[0].metric, largest, &divide) : "";
	return divide;
}

static void level_cells(struct compose *x, struct doc_row *row, double v, double lo, double hi, uint32_t n, double divide,
			int decimals)
{
	mem_auto char *span = compose_span(x, lo, hi, divide, decimals);

	if (isfinite(v))
		doc_cell_num(row, v / divide, decimals);
	else
		doc_cell(row, "–");
	doc_cell(row, "%s", span);
	doc_cell(row, "%u", n);
}

void change_results(struct compose *x)
{
	const struct changes *c = x->change;
	const char *unit;
	double divide = scale_of(c, &unit);
	struct doc_table *t;

	doc_section(x->d, "results", W(x, "results.title"));
	if (!c->n_changes)
		return compose_para(x, "change.nocells", NULL);
	mem_auto char *caption = wording_fill(x->w, "change.levels", "metric", wording_of(x->w, "metric", c->changes[0].metric->name),
					      "unit", unit, NULL);
	say_capital(caption);
	t = doc_table(x->d, "levels", "%s", caption);
	t->fold = c->n_changes > FOLD;
	doc_column(t, DOC_LEFT, W(x, "cell"));
	for (int i = 0; i < 2; i++) {
		doc_column(t, DOC_DECIMAL, W(x, "change.mean"))->strong = true;
		doc_column(t, DOC_RIGHT, W(x, "results.ci"));
		doc_column(t, DOC_RIGHT, "n");
	}
	doc_group(t, W(x, "change.before"), 1, 3);
	doc_group(t, W(x, "change.after"), 4, 3);
	for (size_t i = 0; i < c->n_changes; i++) {
		const struct change *k = &c->changes[i];
		mem_auto char *cell = change_cell(x->c, k->after_cell);
		struct doc_row *row = doc_row(t, 0);
		double least = isfinite(k->before) && k->before < k->after ? k->before : k->after;
		int decimals = isfinite(least) ? num_sig_decimals(least / divide, 4) : 0;

		doc_cell(row, "%s", cell);
		level_cells(x, row, k->before, k->before_lo, k->before_hi, k->n_before, divide, decimals);
		level_cells(x, row, k->after, k->after_lo, k->after_hi, k->n_after, divide, decimals);
	}
	doc_add(&t->note, "%s", W(x, "change.levels.note"));
}

/* ---- comparisons ---- */

#define IN_WORDS 60 /* sentences; beyond that the table alone */

void compose_words(struct compose *x, size_t from)
{
	struct doc_list *l = NULL;
	size_t n = 0;

	for (size_t i = 0; i < x->f->n && n < from + IN_WORDS; i++) {
		const struct finding *f = &x->f->list[i];
		struct doc_text *t;

		if (!f->concluded || n++ < from)
			continue;
		if (!l) {
			doc_subhead(x->d, 2, "in-words", "%s", W(x, "compare.words"))->plain = true;
			l = doc_list(x->d, false);
		}
		t = doc_item(l, "%s", f->sentence);
		if (f->caveat)
			doc_mark(t, DOC_SMALL, " %s: %s", W(x, "doc.caveat"), f->caveat);
	}
}

static enum doc_tag tag_of(enum change_state s)
{
	return s == CHANGE_WORSE ? DOC_TAG_FAIL : compose_tag(change_verdict(s));
}

static void change_row(struct compose *x, struct doc_table *t, const struct change *k)
{
	struct doc_row *row = doc_row(t, 0);
	mem_auto char *cell = change_cell(x->c, k->after_cell);
	struct say_ratio s;
	char p[40], q[40];

	say_ratio(&s, x->w, k->metric, k->ratio, k->lo, k->hi);
	say_p(k->p, p);
	say_p(k->bh_p, q);
	doc_cell(row, "%s", cell);
	doc_cell_tag(row, tag_of(k->state), change_word(x->w, k->state));
	doc_cell(row, "%s", isfinite(k->ratio) ? s.factor : "–");
	doc_cell(row, isfinite(k->ratio) ? "x %s" : "%s", isfinite(k->ratio) ? s.word : "");
	doc_cell(row, "%s", *s.span ? s.span : "–");
	doc_cell(row, "%u + %u", k->n_before, k->n_after);
	doc_cell(row, "%s", p);
	doc_cell(row, "%s", q);
}

void change_comparisons(struct compose *x)
{
	const struct changes *c = x->change;
	mem_auto size_t *order = change_order(c);
	mem_auto char *worse = mem_printf("%u", c->worse), *better = mem_printf("%u", c->better);
	mem_auto char *cells = wording_count(x->w, "cells", c->n_changes);
	struct doc_table *t;
	char margin[40];

	doc_section(x->d, "comparisons", W(x, "compare.title"));
	if (!c->n_changes)
		return compose_para(x, "change.nocells", NULL);
	say_percent(c->margin, margin);
	mem_auto char *caption = wording_fill(x->w, "change.table", "cells", cells, "worse", worse, "better", better, "margin",
					      margin, NULL);
	t = doc_table(x->d, "changes", "%s", caption);
	t->fold = c->n_changes > FOLD;
	doc_column(t, DOC_LEFT, W(x, "cell"));
	doc_column(t, DOC_LEFT, W(x, "change.state"));
	doc_column(t, DOC_DECIMAL, W(x, "compare.ratio"))->strong = true;
	doc_column(t, DOC_UNIT, "");
	doc_column(t, DOC_RIGHT, W(x, "results.ci"));
	doc_column(t, DOC_RIGHT, "n");
	doc_column(t, DOC_RIGHT, "p");
	doc_column(t, DOC_RIGHT, W(x, "compare.bh"));
	for (size_t i = 0; i < c->n_changes; i++)
		change_row(x, t, &c->changes[order[i]]);
	doc_add(&t->note, "%s", W(x, "change.table.note"));
	compose_words(x, SUMMARY_CHANGED);
}

void change_claims(struct compose *x)
{
	doc_section(x->d, "claims", W(x, "claims.title"));
	compose_para(x, "change.claims", NULL);
}

void change_diagnoses(struct compose *x)
{
	doc_section(x->d, "diagnoses", W(x, "diagnoses.title"));
	compose_para(x, "change.diagnoses", NULL);
}

void change_open(struct compose *x)
{
	size_t n = 0;

	doc_section(x->d, "open", W(x, "open.title"));
	for (size_t i = 0; i < x->f->n; i++) {
		const struct finding *f = &x->f->list[i];

		if (f->concluded)
			continue;
		compose_finding(x, f, false, compose_evidence(f));
		n++;
	}
	if (!n)
		compose_para(x, "change.allshown", NULL);
	compose_para(x, "change.association", NULL);
	compose_para(x, "change.proof", NULL);
}

/* ---- what else is not the same ---- */

void compose_where(struct compose *x, struct doc_row *row, const char *where, const char *what)
{
	mem_auto char *place = change_where(x->w, where);

	doc_cell(row, "%s", place);
	doc_cell(row, "%s", change_what(x->w, what));
}

static void confounders_table(struct compose *x)
{
	const struct changes *c = x->change;
	mem_auto char *n = wording_count(x->w, "change.differences", c->n_confounders);
	struct doc_table *t;

	if (!c->n_confounders)
		return compose_para(x, "change.noconfounders", NULL);
	t = doc_table(x->d, "confounders", "%s", n);
	t->fold = c->n_confounders > FOLD;
	doc_column(t, DOC_LEFT, W(x, "change.where"));
	doc_column(t, DOC_LEFT, W(x, "change.what"));
	doc_column(t, DOC_LEFT, W(x, "change.before"));
	doc_column(t, DOC_LEFT, W(x, "change.after"));
	for (size_t i = 0; i < c->n_confounders; i++) {
		struct doc_row *row = doc_row(t, 0);

		compose_where(x, row, c->confounders[i].where, c->confounders[i].what);
		doc_cell(row, "%s", c->confounders[i].before);
		doc_cell(row, "%s", c->confounders[i].after);
	}
	doc_add(&t->note, "%s", W(x, "change.confounders.note"));
}

static void planned_list(struct compose *x)
{
	const json_t *planned = json_object_get(x->about->root, "planned"), *p;
	struct doc_list *l;
	size_t i;

	if (!json_array_size(planned))
		return compose_para(x, "change.noplanned", NULL);
	compose_para(x, "change.planned", NULL);
	l = doc_list(x->d, false);
	json_array_foreach(planned, i, p)
		doc_item(l, "%s", json_string_value(p));
	if (json_array_size(planned) > 1)
		compose_para(x, "change.inseparable", NULL);
}

void change_history(struct compose *x)
{
	doc_section(x->d, "history", W(x, "history.title"));
	planned_list(x);
	confounders_table(x);
	compose_para(x, "change.nohistory", NULL);
}

/* ---- appendices ---- */

static void run_rows(struct compose *x, struct doc_table *t, const char *key, const struct results *r, const struct change *k,
		     uint32_t cell, double divide)
{
	const struct cell_result *c = &r->cells[cell];
	mem_auto char *label = change_cell(x->c, k->after_cell);

	for (size_t i = 0; i < c->n_runs; i++) {
		const struct kept_run *run = &r->bundle->runs[c->runs[i]];
		struct doc_row *row = doc_row(t, 0);
		char v[40], at[32];

		clock_format(run->start_utc_ns, at);
		num_sig(results_value(r, k->metric, c->runs[i]) / divide, 5, v);
		doc_cell(row, "%s", label);
		doc_cell(row, "%s", W(x, key));
		doc_cell(row, "%u", run->run);
		doc_cell(row, "%u", run->block);
		doc_cell(row, "%.10s %.8s", at, at + 11);
		doc_cell(row, "%s", v);
	}
}

#define RUNS_LISTED 4000

static void all_runs(struct compose *x)
{
	const struct changes *c = x->change;
	const char *unit;
	double divide = scale_of(c, &unit);
	size_t n = 0;
	struct doc_table *t;

	doc_subhead(x->d, 2, "all-runs", "%s", W(x, "appendix.allruns"))->plain = true;
	for (size_t i = 0; i < c->n_changes; i++)
		n += c->before->cells[c->changes[i].before_cell].n_runs + c->after->cells[c->changes[i].after_cell].n_runs;
	if (!n || n > RUNS_LISTED)
		return compose_para(x, "change.runsfile", NULL);
	t = doc_table(x->d, "runs", "%s", W(x, "change.runs.caption"));
	t->fold = t->dense = true;
	doc_column(t, DOC_LEFT, W(x, "cell"));
	doc_column(t, DOC_LEFT, W(x, "change.campaign"));
	doc_column(t, DOC_RIGHT, W(x, "run"));
	doc_column(t, DOC_RIGHT, W(x, "block"));
	doc_column(t, DOC_RIGHT, "UTC");
	doc_column(t, DOC_DECIMAL, unit);
	for (size_t i = 0; i < c->n_changes; i++) {
		run_rows(x, t, "change.before", c->before, &c->changes[i], c->changes[i].before_cell, divide);
		run_rows(x, t, "change.after", c->after, &c->changes[i], c->changes[i].after_cell, divide);
	}
}

static void attach_part(struct compose *x, const char *part)
{
	static const struct {
		const char *name, *mime, *about;
		size_t limit;
	} files[] = {
		{ "EVIDENCE", "text/plain", "attach.evidence", 1 << 20 },
		{ "plan.json", "application/json", "attach.plan", 16 << 20 },
		{ "cells.json", "application/json", "attach.cells", 64 << 20 },
		{ "host.json", "application/json", "attach.host", 16 << 20 },
		{ "runs.jsonl", "application/jsonl", "attach.runs", 64 << 20 },
	};

	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		mem_auto char *name = mem_printf("%s/%s", part, files[i].name), *as = mem_printf("%s-%s", part, files[i].name);

		compose_attach(x, x->about->dir, name, as, files[i].mime, files[i].about, files[i].limit);
	}
}

void change_appendices(struct compose *x)
{
	static const char *const terms[] = { "before.after", "association", "confounder", "bh", "cell", "run", "after.ratio", "ci",
					     "margin", "gate", "void", "glyph", NULL };

	doc_section(x->d, "appendices", W(x, "appendix.title"));
	doc_subhead(x->d, 2, "derivation", "%s", W(x, "appendix.derivation"))->plain = true;
	compose_para(x, "change.derivation", NULL);
	all_runs(x);
	doc_subhead(x->d, 2, "plan", "%s", W(x, "change.plan"))->plain = true;
	doc_code(x->d, x->b->plan_text ? x->b->plan_text : "");
	compose_glossary(x, "change.glossary", terms);
	compose_attach(x, x->about->dir, "EVIDENCE", "EVIDENCE", "text/plain", "attach.evidence", 1 << 20);
	compose_attach(x, x->about->dir, "compare.json", "compare.json", "application/json", "attach.compare", 1 << 20);
	attach_part(x, "before");
	attach_part(x, "after");
}
