/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/vec.h"
#include "reports/said.h"
#include "reports/sections.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Comparisons, claims, diagnoses, what is not concluded, history. */

/* The target of both, where the question has comparisons on several. */
static const char *target_in_common(const struct compose *x, const struct question *q, const struct comparison *c)
{
	const struct cell *cells = x->c->cells, *a = &cells[c->subject];

	if (a->target != cells[c->against].target)
		return NULL;
	for (size_t i = 0; i < q->n_pairs; i++)
		if (cells[q->pairs[i].subject].target != a->target)
			return x->c->targets[a->target].name;
	return NULL;
}

/* Is it a claim on several subjects? Its label names one of them. */
static bool several_subjects(const struct compose *x, const struct question *q)
{
	const struct cell *first = q->n_pairs ? &x->c->cells[q->pairs[0].subject] : NULL;

	for (size_t i = 1; q->claim && i < q->n_pairs; i++) {
		const struct cell *s = &x->c->cells[q->pairs[i].subject];

		if ((strcmp(q->named, "target") == 0 && s->target != first->target) ||
		    (strcmp(q->named, "variant") == 0 && s->variant != first->variant) ||
		    (strcmp(q->named, "workload") == 0 && s->workload != first->workload))
			return true;
	}
	return false;
}

char *compose_question(const struct compose *x, const struct comparison *c)
{
	const struct question *q = &x->c->questions[c->question];
	mem_auto char *context = say_context(x->r, &x->c->cells[c->subject], &x->c->cells[c->against], q->named);
	const char *target = target_in_common(x, q, c);

	if (several_subjects(x, q))
		return mem_printf("%s : %s", x->c->cells[c->subject].label, x->c->cells[c->against].label);
	return mem_printf("%s%s%s%s%s", q->label, target ? ", " : "", target ? target : "", *context ? ", " : "", context);
}

/* One row of a table: same cells the same way round, metric and margin. */
static bool one_row(const struct comparison *a, const struct comparison *b)
{
	return a->same_as == b->same_as && a->subject == b->subject && a->margin == b->margin;
}

/* Is this declared comparison in the row of an earlier one? */
static bool has_row(const struct compose *x, const struct comparison *c)
{
	for (size_t i = c->same_as; i < c->id; i++)
		if (x->r->comparisons[i].declared && one_row(&x->r->comparisons[i], c))
			return true;
	return false;
}

/* "Q1, Q3": all questions and claims that rest on it. */
static char *asked_by(const struct compose *x, const struct comparison *c)
{
	struct buf b = BUF_INIT;

	for (size_t i = c->id; i < x->r->n_comparisons; i++) {
		const struct comparison *o = &x->r->comparisons[i];

		if (o == c || (o->same_as != o->id && o->declared && one_row(o, c)))
			buf_printf(&b, "%sQ%u", b.len ? ", " : "", o->question + 1);
	}
	return buf_take(&b);
}

static const char *word_of(const struct compose *x, const struct comparison *c)
{
	for (size_t i = 0; i < x->f->n; i++)
		if (x->f->list[i].comparison == (int)c->id)
			return x->f->list[i].word;
	return NULL;
}

/* What the planned blocks of its test show, as fixed before the campaign; NaN: nothing was stated or measured. */
static double smallest_of(const struct compose *x, const struct comparison *c)
{
	return x->r->tests[x->c->cells[c->subject].test].smallest;
}

static bool any_smallest(const struct compose *x)
{
	for (size_t i = 0; i < x->r->n_comparisons; i++)
		if (x->r->comparisons[i].declared && isfinite(smallest_of(x, &x->r->comparisons[i])))
			return true;
	return false;
}

static void smallest_cell(struct compose *x, struct doc_table *t, struct doc_row *row, const struct comparison *c)
{
	char effect[40] = "–";

	if (isfinite(smallest_of(x, c)))
		say_percent(smallest_of(x, c), effect);
	struct doc_text *cell = doc_cell(row, "%s", effect);
	if (!isfinite(smallest_of(x, c)))
		doc_footnote(t, cell, "%s", W(x, "compare.smallest.none"));
}

static void declared_row(struct compose *x, struct doc_table *t, const struct comparison *c, bool smallest)
{
	struct doc_row *row = doc_row(t, 0);
	mem_auto char *label = compose_question(x, c);
	const char *word = word_of(x, c);
	struct say_ratio s, decide;
	char holm[40];

	say_ratio(&s, x->w, c->metric, c->ratio, c->lo, c->hi);
	say_ratio(&decide, x->w, c->metric, c->ratio, c->decide_lo, c->decide_hi);
	say_p(c->holm_p, holm);
	mem_auto char *verdict = word ? NULL : say_verdict(x->w, c->metric, c->verdict);
	mem_auto char *asked = asked_by(x, c);
	struct doc_text *q = doc_cell(row, "%s ", asked);
	doc_add(q, "%s", label);
	doc_mark(q, DOC_SMALL, " %s", wording_of(x->w, "metric", c->metric->name));
	doc_cell_tag(row, compose_tag(c->verdict), word ? word : verdict);
	doc_cell(row, "%s", c->n ? s.factor : "–");
	doc_cell(row, c->n ? "x %s" : "%s", c->n ? s.word : "");
	doc_cell(row, "%s", *s.span ? s.span : "–");
	doc_cell(row, "%s", *decide.span ? decide.span : "–");
	doc_cell(row, "%u", c->n);
	doc_cell(row, "%s", holm);
	if (smallest)
		smallest_cell(x, t, row, c);
}

static void declared_table(struct compose *x)
{
	bool smallest = any_smallest(x);
	struct doc_table *t = NULL;
	char level[40];

	for (size_t i = 0; i < x->r->n_comparisons; i++) {
		const struct comparison *c = &x->r->comparisons[i];

		if (!c->declared || has_row(x, c))
			continue;
		if (!t) {
			say_level(c->decide_level, level);
			mem_auto char *head = wording_fill(x->w, "compare.decide", "level", level, NULL);
			t = doc_table(x->d, "declared", "%s", W(x, "compare.declared.caption"));
			doc_column(t, DOC_LEFT, W(x, "compare.question"));
			doc_column(t, DOC_LEFT, W(x, "compare.verdict"));
			doc_column(t, DOC_DECIMAL, W(x, "compare.ratio"))->strong = true;
			doc_column(t, DOC_UNIT, "");
			doc_column(t, DOC_RIGHT, W(x, "results.ci"));
			doc_column(t, DOC_RIGHT, head);
			doc_column(t, DOC_RIGHT, "n");
			doc_column(t, DOC_RIGHT, W(x, "compare.holm"));
			if (smallest)
				doc_column(t, DOC_RIGHT, W(x, "compare.smallest"));
			doc_add(&t->note, "%s %s", W(x, "compare.declared.note"),
				W(x, smallest ? "compare.smallest.note" : "compare.smallest.none"));
		}
		declared_row(x, t, c, smallest);
	}
	if (!t)
		compose_para(x, compose_asks(x) ? "compare.nopairs" : "compare.none", NULL);
}

/* The ratio in every block: nobody has to believe the mean. */
#define BLOCK_COLUMNS 40 /* a table of more is not read */

static void block_table(struct compose *x)
{
	struct doc_table *t = NULL;
	uint32_t columns = 0;

	for (size_t i = 0; i < x->r->n_comparisons; i++) {
		const struct comparison *c = &x->r->comparisons[i];

		for (uint32_t k = 0; c->declared && k < c->n; k++)
			columns = c->blocks[k] > columns ? c->blocks[k] : columns;
	}
	if (!columns || columns > BLOCK_COLUMNS)
		return;
	t = doc_table(x->d, "block-ratios", "%s", W(x, "compare.blocks.caption"));
	t->dense = true;
	doc_column(t, DOC_LEFT, W(x, "compare.question"));
	for (uint32_t k = 1; k <= columns; k++) {
		mem_auto char *head = mem_printf("%u", k);

		doc_column(t, DOC_DECIMAL, head);
	}
	doc_column(t, DOC_DECIMAL, W(x, "compare.ratio"))->strong = true;
	doc_column(t, DOC_RIGHT, W(x, "compare.sdlog"));
	for (size_t i = 0; i < x->r->n_comparisons; i++) {
		const struct comparison *c = &x->r->comparisons[i];
		mem_auto char *label = c->declared ? compose_question(x, c) : NULL;
		struct doc_row *row;
		uint32_t k = 0;
		int digits = say_decimals(c->ratio, c->lo, c->hi);
		char sd[40] = "–";

		if (!c->declared || !c->n || has_row(x, c))
			continue;
		mem_auto char *asked = asked_by(x, c);
		row = doc_row(t, 0);
		doc_cell(row, "%s %s", asked, label);
		for (uint32_t b = 1; b <= columns; b++) {
			while (k < c->n && c->blocks[k] < b)
				k++;
			if (k < c->n && c->blocks[k] == b)
				doc_cell_num(row, exp(c->d[k]), digits);
			else
				doc_cell(row, "–");
		}
		doc_cell_num(row, c->ratio, digits);
		if (c->n > 1)
			say_percent(c->sd_log, sd);
		doc_cell(row, "%s", sd);
	}
	doc_add(&t->note, "%s", W(x, "compare.blocks.note"));
}

/* A bare number of bytes of a target gets its unit; 0 is "as large as it is". */
static void difference_cell(struct compose *x, struct doc_row *row, const char *attribute, const char *value)
{
	bool name = value && strcmp(attribute, "scheduler") == 0 && strcmp(value, "none") == 0;
	mem_auto char *words = name ? mem_strdup(value) : said(x->w, value && *value ? value : W(x, "none"));
	uint64_t bytes = strtoull(words, NULL, 10);

	if (strcmp(attribute, "size") == 0 && *words && !words[strspn(words, "0123456789")]) {
		mem_auto char *size = bytes ? say_size(bytes) : mem_strdup(W(x, "compare.whole"));

		doc_cell(row, "%s", size);
	} else {
		doc_cell(row, "%s", words);
	}
}

static void differences_table(struct compose *x)
{
	struct doc_table *t = NULL;

	for (size_t i = 0; i < x->r->n_comparisons; i++) {
		const struct comparison *c = &x->r->comparisons[i];
		bool shown = !c->declared || has_row(x, c);

		for (size_t k = 0; !shown && k < c->n_diff; k++) {
			struct doc_row *row;
			mem_auto char *label = compose_question(x, c), *asked = asked_by(x, c);

			if (!t) {
				t = doc_table(x->d, "differences", "%s", W(x, "compare.diff.caption"));
				doc_column(t, DOC_LEFT, W(x, "compare.question"));
				doc_column(t, DOC_LEFT, W(x, "compare.attribute"));
				doc_column(t, DOC_LEFT, W(x, "compare.subject"));
				doc_column(t, DOC_LEFT, W(x, "compare.against"));
			}
			row = doc_row(t, c->diff[k].named ? DOC_ROW_STRONG : 0);
			doc_cell(row, k ? "" : "%s %s", asked, label);
			doc_cell(row, "%s", wording_or(x->w, "attribute", c->diff[k].attribute));
			difference_cell(x, row, c->diff[k].attribute, c->diff[k].subject);
			difference_cell(x, row, c->diff[k].attribute, c->diff[k].against);
		}
	}
	if (t) {
		t->fold = t->n_rows > 30;
		doc_add(&t->note, "%s", W(x, "compare.diff.note"));
	}
}

static void exploratory(struct compose *x)
{
	struct doc_table *t = NULL;

	for (size_t i = 0; i < x->r->n_comparisons; i++) {
		const struct comparison *c = &x->r->comparisons[i];
		mem_auto char *label = compose_question(x, c);
		struct say_ratio s;
		struct doc_row *row;
		char q[40];

		if (c->declared)
			continue;
		if (!t) {
			t = doc_table(x->d, "exploratory-table", "%s", W(x, "compare.exploratory.caption"));
			doc_column(t, DOC_LEFT, W(x, "compare.comparison"));
			doc_column(t, DOC_LEFT, W(x, "compare.metric"));
			doc_column(t, DOC_DECIMAL, W(x, "compare.ratio"));
			doc_column(t, DOC_UNIT, "");
			doc_column(t, DOC_RIGHT, W(x, "results.ci"));
			doc_column(t, DOC_RIGHT, "n");
			doc_column(t, DOC_RIGHT, W(x, "compare.bh"));
		}
		say_ratio(&s, x->w, c->metric, c->ratio, c->lo, c->hi);
		say_p(c->bh_p, q);
		row = doc_row(t, 0);
		doc_cell(row, "%s", label);
		doc_cell(row, "%s", wording_of(x->w, "metric", c->metric->name));
		doc_cell(row, "%s", c->n ? s.factor : "–");
		doc_cell(row, c->n ? "x %s" : "%s", c->n ? s.word : "");
		doc_cell(row, "%s", *s.span ? s.span : "–");
		doc_cell(row, "%u", c->n);
		doc_cell(row, "%s", q);
	}
	compose_para(x, t ? "compare.exploratory.note" : "compare.exploratory.none", NULL);
}

size_t compose_kind(struct compose *x, enum finding_kind kind)
{
	size_t n = 0;

	for (size_t i = 0; i < x->f->n; i++) {
		if (x->f->list[i].kind != kind)
			continue;
		compose_finding(x, &x->f->list[i], false, NULL);
		doc_anchor(x->d, x->f->list[i].anchor);
		n++;
	}
	return n;
}

static void answers(struct compose *x)
{
	bool any = false;

	for (size_t i = 0; i < x->f->n; i++)
		any |= x->f->list[i].kind == FINDING_ANSWER;
	if (!any)
		return;
	doc_subhead(x->d, 2, "answers", "%s", W(x, "compare.answers"));
	compose_kind(x, FINDING_ANSWER);
}

#define DETAILS 60 /* sentences; beyond that the table alone */

/* What the summary tells in one sentence for many, told one by one. */
static void details(struct compose *x)
{
	struct doc_list *l = NULL;
	size_t n = 0;

	for (size_t i = 0; i < x->f->n; i++) {
		if (!x->f->list[i].detail || n++ >= DETAILS)
			continue;
		if (!l) {
			doc_subhead(x->d, 2, "in-words", "%s", W(x, "compare.words"))->plain = true;
			l = doc_list(x->d, false);
		}
		struct doc_text *item = doc_item(l, "%s", x->f->list[i].sentence);

		if (x->f->list[i].caveat)
			doc_mark(item, DOC_SMALL, " %s: %s", W(x, "doc.caveat"), x->f->list[i].caveat);
	}
}

void section_comparisons(struct compose *x)
{
	doc_section(x->d, "comparisons", W(x, "compare.title"));
	doc_subhead(x->d, 2, "declared-questions", "%s", W(x, "compare.declared"));
	declared_table(x);
	block_table(x);
	differences_table(x);
	details(x);
	answers(x);
	doc_subhead(x->d, 2, "exploratory", "%s", W(x, "compare.exploratory"));
	exploratory(x);
}

void section_diagnoses(struct compose *x)
{
	unsigned n = 0;

	doc_section(x->d, "diagnoses", W(x, "diagnoses.title"));
	for (size_t i = 0; i < x->f->n; i++) {
		const struct finding *f = &x->f->list[i];
		struct doc_def *def;

		if (f->kind != FINDING_OPINION)
			continue;
		if (!n++)
			compose_para(x, "diagnoses.intro", NULL);
		mem_auto char *label = mem_printf("%s %u", W(x, "diagnoses.opinion"), n);
		def = doc_def(x->d, label, "%s", "");
		def->opinion = def->first = true;
		doc_mark(&def->text, DOC_STRONG, "%s", f->sentence);
		doc_anchor(x->d, f->anchor);
		doc_def(x->d, W(x, "diagnoses.basis"), "%s", f->basis ? f->basis : "–");
		doc_def(x->d, W(x, "diagnoses.confirm"), "%s", f->confirm ? f->confirm : "–");
		doc_def(x->d, W(x, "diagnoses.refute"), "%s", f->refute ? f->refute : "–");
	}
	if (!n)
		compose_para(x, "diagnoses.none", NULL);
}

/* What the campaign could have seen: from a stated or a pilot's standard deviation only. */
static void open_power(struct compose *x)
{
	bool all = true;

	for (uint32_t i = 0; i < x->c->n_tests; i++) {
		mem_auto char *blocks = say_blocks(x->w, x->c->tests[i].blocks);
		char effect[40];

		if (!isfinite(x->r->tests[i].smallest)) {
			all = false;
			continue;
		}
		num_sig(100 * x->r->tests[i].smallest, 3, effect);
		compose_para(x, "open.smallest", "test", x->c->tests[i].name, "blocks", blocks, "effect", effect, NULL);
	}
	if (!all)
		compose_para(x, "open.power", NULL);
}

void section_open(struct compose *x)
{
	size_t n = 0;

	doc_section(x->d, "open", W(x, "open.title"));
	for (size_t i = 0; i < x->f->n; i++) {
		const struct finding *f = &x->f->list[i];

		if (f->concluded || f->kind == FINDING_OPINION || f->kind == FINDING_EXPLORATORY || f->detail)
			continue;
		compose_finding(x, f, false, compose_evidence(f));
		n++;
	}
	if (!n)
		compose_para(x, "open.none", NULL);
	open_power(x);
	for (size_t i = 0; i < x->r->n_cells && x->c->n_cells <= 24; i++) {
		if (x->r->cells[i].throughput.n)
			continue;
		compose_para(x, "open.cell", "cell", x->c->cells[i].label, NULL);
	}
}

void section_history(struct compose *x)
{
	doc_section(x->d, "history", W(x, "history.title"));
	compose_para(x, "history.none", NULL);
}
