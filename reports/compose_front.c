/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/vec.h"
#include "reports/chart.h"
#include "reports/sections_change.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cover and summary. */

static void cover_issuer(struct compose *x)
{
	const char *issuer = compose_report_key(x, "issuer"), *address = compose_report_key(x, "address");

	document_issuer(x->d, issuer ? issuer : W(x, "cover.noissuer"));
	if (address)
		document_issuer(x->d, address);
}

static void cover_subtitle(struct compose *x)
{
	const char *who = compose_report_key(x, "for"), *ref = compose_report_key(x, "case");
	mem_auto char *s = NULL;

	if (who && ref)
		s = wording_fill(x->w, "cover.for.case", "for", who, "case", ref, NULL);
	else if (who || ref)
		s = wording_fill(x->w, who ? "cover.for" : "cover.case", "for", who ? who : "", "case", ref ? ref : "", NULL);
	if (s)
		document_set(&x->d->subtitle, "%s", s);
}

static void cover_words(struct compose *x)
{
	static const char *const key[DOC_W_MAX] = {
		[DOC_W_CONTENTS] = "doc.contents", [DOC_W_COVER] = "doc.cover", [DOC_W_TABLE] = "doc.table",
		[DOC_W_FIGURE] = "doc.figure", [DOC_W_SECTION] = "doc.section", [DOC_W_PAGE] = "doc.page",
		[DOC_W_OF] = "doc.of", [DOC_W_CAVEAT] = "doc.caveat", [DOC_W_REPORT] = "doc.report",
		[DOC_W_CONTINUED] = "doc.continued", [DOC_W_END] = "doc.end", [DOC_W_SKIP] = "doc.skip",
		[DOC_W_ROWS] = "doc.rows", [DOC_W_ATTACHED] = "doc.attached",
		[DOC_W_LEFT_OUT] = "doc.left_out", [DOC_W_NOT_SHOWN] = "doc.not_shown",
	};

	for (int i = 0; i < DOC_W_MAX; i++)
		document_word(x->d, (enum doc_word)i, W(x, key[i]));
}

static void cover_notice(struct compose *x)
{
	bool incomplete = !x->b->sealed || x->b->torn || x->r->incomplete;
	const json_t *redacted = bundle_redacted(x->b);

	if (redacted)
		document_fact(x->d, W(x, "cover.original"), "%.12s", jsonx_str(redacted, "of", ""));
	if (incomplete && redacted)
		document_set(&x->d->notice, "%s · %s", W(x, "cover.incomplete"), W(x, "cover.redacted"));
	else if (incomplete || redacted)
		document_set(&x->d->notice, "%s", W(x, incomplete ? "cover.incomplete" : "cover.redacted"));
}

void compose_cover(struct compose *x)
{
	const char *revision = compose_report_key(x, "revision"), *replaces = compose_report_key(x, "replaces");
	const char *paper = compose_report_key(x, "paper");

	cover_words(x);
	cover_issuer(x);
	cover_subtitle(x);
	mem_auto char *rev = wording_fill(x->w, "cover.revision", "revision", revision ? revision : "1", "replaces",
					  replaces ? replaces : W(x, "cover.none"), NULL);
	document_set(&x->d->revision, "%s", rev);
	document_set(&x->d->language, "%s", x->w->language);
	document_set(&x->d->footer, "%s", W(x, "cover.relate"));
	document_set(&x->d->generator, "%s", x->o->tool);
	x->d->first_section = 2;
	if (paper && strcmp(paper, "Letter") == 0)
		x->d->paper = DOC_LETTER;
}

void section_cover(struct compose *x)
{
	const char *by = compose_report_key(x, "authorised_by");
	char from[32], to[32];

	compose_cover(x);
	clock_format(x->b->start_utc_ns, from);
	clock_format(x->b->end_utc_ns, to);
	document_set(&x->d->date, "%s", to);
	document_fact(x->d, W(x, "cover.tested"), "%.10s %.5s %s %.10s %.5s UTC", from, from + 11, W(x, "to"), to, to + 11);
	document_fact(x->d, W(x, "cover.issued"), "%.10s", to);
	document_fact(x->d, W(x, "cover.plan"), "%.12s", x->c->plan_sha256);
	document_fact(x->d, W(x, "cover.by"), "%s", by ? by : W(x, "cover.notstated"));
	cover_notice(x);
}

/* ---- summary ---- */

static enum chart_mark mark_of(enum verdict_kind v)
{
	switch (compose_tag(v)) {
	case DOC_TAG_DECIDED:
	case DOC_TAG_FAIL:
	case DOC_TAG_MET:
		return CHART_DECIDED;
	case DOC_TAG_EQUIVALENT:
		return CHART_EQUIVALENT;
	case DOC_TAG_VOID:
		return CHART_VOID;
	default:
		return CHART_OPEN;
	}
}

#define FOREST_ROWS 16 /* the summary is one page */

static bool forest_row(const struct compose *x, const struct finding *f)
{
	const struct comparison *c = f->comparison < 0 ? NULL : &x->r->comparisons[f->comparison];

	return c && f->kind == FINDING_COMPARISON && c->n && isfinite(c->ratio);
}

static size_t forest_rows(const struct compose *x)
{
	size_t n = 0;

	for (size_t i = 0; i < x->f->n; i++)
		n += forest_row(x, &x->f->list[i]);
	return n;
}

/* Is the k-th of n drawn? All are, or as many as there is room for, spread over the order of the findings. */
static bool forest_drawn(size_t k, size_t n)
{
	return n <= FOREST_ROWS || k * FOREST_ROWS / n != (k + 1) * FOREST_ROWS / n;
}

/* Of all declared comparisons and claims' ratios; NULL when there is none. */
static struct chart *forest_chart(const struct compose *x)
{
	struct chart *chart = NULL;
	size_t n = forest_rows(x), k = 0;

	for (size_t i = 0; i < x->f->n; i++) {
		const struct finding *f = &x->f->list[i];
		const struct comparison *c = f->comparison < 0 ? NULL : &x->r->comparisons[f->comparison];
		struct say_ratio s;

		if (!forest_row(x, f) || !forest_drawn(k++, n))
			continue;
		if (!chart) {
			mem_auto char *margin = NULL;
			char share[40];

			say_percent(c->margin, share);
			margin = wording_fill(x->w, "forest.margin", "margin", share, NULL);
			chart = chart_forest_new(1 / (1 + c->margin), 1 + c->margin, say_direction(x->w, c->metric, false),
						 say_direction(x->w, c->metric, true));
			chart_forest_heads(chart, W(x, "forest.question"), W(x, "forest.ratio"), W(x, "forest.verdict"), margin);
		}
		say_ratio(&s, x->w, c->metric, c->ratio, c->lo, c->hi);
		mem_auto char *text = mem_printf("%sx %s", s.factor, s.word);
		mem_auto char *label = compose_question(x, c);
		chart_forest_add(chart, &(struct chart_forest_row){ .label = label, .ratio = c->ratio, .lo = c->lo, .hi = c->hi,
			.mark = mark_of(c->verdict), .ratio_text = text, .verdict = f->word ? f->word : "",
			.margin_lo = 1 / (1 + c->margin), .margin_hi = 1 + c->margin });
	}
	return chart;
}

struct tally {
	unsigned decided, equivalent, open, voided;
};

static struct tally count(const struct compose *x)
{
	struct tally t = { 0 };

	for (size_t i = 0; i < x->f->n; i++) {
		const struct finding *f = &x->f->list[i];

		if (f->kind != FINDING_COMPARISON || f->comparison < 0)
			continue;
		t.decided += f->verdict == VERDICT_BETTER || f->verdict == VERDICT_WORSE;
		t.equivalent += f->verdict == VERDICT_EQUIVALENT;
		t.voided += f->verdict == VERDICT_VOID;
		t.open += f->verdict == VERDICT_INCONCLUSIVE || f->verdict == VERDICT_INDICATIVE || f->verdict == VERDICT_NO_DATA;
	}
	return t;
}

/* ", 2 equivalent" where there are any. */
static void tally_add(const struct compose *x, struct buf *out, const char *key, unsigned n)
{
	mem_auto char *number = mem_printf("%u", n);
	mem_auto char *words = wording_fill(x->w, key, "n", number, NULL);

	if (n)
		buf_puts(out, words);
}

/* The finding of the figure: of one row what it says, of several how many are decided. The caller's. */
static char *forest_caption(const struct compose *x)
{
	struct tally t = count(x);
	unsigned n = t.decided + t.equivalent + t.open + t.voided;
	mem_auto char *decided = mem_printf("%u", t.decided), *all = mem_printf("%u", n);
	struct buf rest = BUF_INIT;
	char *s;

	for (size_t i = 0; n == 1 && i < x->f->n; i++) {
		const struct finding *f = &x->f->list[i];
		const struct comparison *c = f->comparison < 0 ? NULL : &x->r->comparisons[f->comparison];
		struct say_ratio ratio;

		if (f->kind != FINDING_COMPARISON || !c || !f->word)
			continue;
		say_ratio(&ratio, x->w, c->metric, c->ratio, c->lo, c->hi);
		mem_auto char *text = mem_printf("%sx %s", ratio.factor, ratio.word);
		return wording_fill(x->w, f->verdict == VERDICT_VOID ? "forest.one.void" : "forest.one", "question",
				    x->c->questions[c->question].label, "ratio", text, "verdict", f->word, NULL);
	}
	tally_add(x, &rest, "forest.equivalent", t.equivalent);
	tally_add(x, &rest, "forest.open", t.open);
	tally_add(x, &rest, "forest.void", t.voided);
	s = wording_fill(x->w, "forest.caption", "n", all, "decided", decided, "rest", buf_str(&rest), NULL);
	buf_release(&rest);
	return s;
}

static void summary_figure(struct compose *x)
{
	struct chart *chart = forest_chart(x);
	mem_auto char *caption = NULL;
	struct doc_figure *figure;

	if (!chart)
		return;
	caption = forest_caption(x);
	figure = doc_figure(x->d, "ratios", chart, "%s", caption);
	doc_add(&figure->note, "%s", W(x, "forest.note"));
	if (forest_rows(x) > FOREST_ROWS) {
		mem_auto char *all = mem_printf("%zu", forest_rows(x)), *shown = mem_printf("%d", FOREST_ROWS);
		mem_auto char *spread = wording_fill(x->w, "forest.spread", "shown", shown, "n", all, NULL);

		doc_add(&figure->note, " %s", spread);
	}
	doc_figure_alt(figure, "%s", W(x, "forest.alt"));
}

#define SUMMARY_ROWS 9 /* of one group: the rest is in section 10, and it is said how many */

static void summary_more(struct compose *x, size_t n)
{
	mem_auto char *text = wording_count(x->w, "summary.rest", n);
	struct doc_text *t = doc_para(x->d, "%s ", text);

	doc_ref_page(t, x->archive ? "history" : "comparisons");
}

size_t compose_summary_list(struct compose *x, bool concluded, bool lead, size_t most)
{
	size_t n = 0;

	for (size_t i = 0; i < x->f->n; i++) {
		const struct finding *f = &x->f->list[i];

		if (f->kind == FINDING_OPINION || f->kind == FINDING_EXPLORATORY || f->detail || f->concluded != concluded)
			continue;
		if (n < most)
			compose_finding(x, f, lead && n == 0 && f->kind != FINDING_FAILURE, compose_evidence(f));
		n++;
	}
	if (n > most)
		summary_more(x, n - most);
	return n;
}

/* Where the plan asks nothing, exploratory results are all there is to tell. */
static size_t summary_exploratory(struct compose *x)
{
	size_t n = 0;

	for (size_t i = 0; i < x->f->n && n < 6; i++) {
		if (x->f->list[i].kind != FINDING_EXPLORATORY)
			continue;
		if (n == 0)
			compose_para(x, "summary.exploratory", NULL);
		compose_finding(x, &x->f->list[i], false, "exploratory");
		n++;
	}
	return n;
}

/* The bound on a slow mode that n runs may all have missed, for the smallest n that a verdict rests on. */
static void summary_unseen(struct compose *x)
{
	const struct comparison *least = NULL;

	for (size_t i = 0; i < x->r->n_comparisons; i++) {
		const struct comparison *c = &x->r->comparisons[i];

		if (c->declared && c->n >= 5 && isfinite(c->unseen_mode) && (!least || c->n < least->n))
			least = c;
	}
	if (!least)
		return;
	char share[40];
	say_percent(least->unseen_mode, share);
	mem_auto char *blocks = say_blocks(x->w, least->n);
	mem_auto char *text = wording_fill(x->w, "caveat.unseen", "share", share, "blocks", blocks, NULL);
	doc_note(x->d, "%s", text);
}

#define SUMMARY_OPINIONS 3

/* What may be behind the figures, in one line; the basis is in the section of diagnoses. */
static void summary_diagnoses(struct compose *x)
{
	struct buf list = BUF_INIT;
	unsigned n = 0;

	for (size_t i = 0; i < x->f->n; i++) {
		if (x->f->list[i].kind != FINDING_OPINION)
			continue;
		if (n++ < SUMMARY_OPINIONS)
			buf_printf(&list, "%s%s", n > 1 ? "; " : "", x->f->list[i].sentence);
	}
	if (n > SUMMARY_OPINIONS) {
		mem_auto char *more = wording_count(x->w, "summary.more", n - SUMMARY_OPINIONS);

		buf_printf(&list, "; %s", more);
	}
	if (n)
		compose_para(x, "summary.diagnoses", "list", buf_str(&list), NULL);
	buf_release(&list);
}

/* Why nothing is told: too few blocks in every test are a reason that the plan's author can mend. */
static void summary_nothing(struct compose *x)
{
	uint32_t most = 0;

	for (size_t i = 0; i < x->c->n_tests; i++)
		if (x->c->tests[i].blocks > most)
			most = x->c->tests[i].blocks;
	mem_auto char *blocks = wording_count(x->w, "blocks", most);
	compose_para(x, most < 5 ? "summary.nothing.few" : "summary.nothing", "blocks", blocks, NULL);
}

void section_summary(struct compose *x)
{
	struct doc_section *s = doc_section(x->d, "summary", W(x, "summary.title"));
	size_t told = compose_summary_list(x, true, true, SUMMARY_ROWS);
	bool asked = x->c->family > 0 || x->r->n_judgements > 0;

	s->summary = true;
	if (!told && asked)
		summary_nothing(x);
	if (!asked && !summary_exploratory(x))
		compose_para(x, "summary.noquestion", NULL);
	summary_figure(x);
	if (told)
		summary_unseen(x);
	summary_diagnoses(x);
	doc_subhead(x->d, 2, "summary-open", "%s", W(x, "summary.open"))->plain = true;
	if (!compose_summary_list(x, false, false, SUMMARY_ROWS))
		compose_para(x, asked ? "summary.allanswered" : "summary.noverdict", NULL);
}
