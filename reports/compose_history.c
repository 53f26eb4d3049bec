/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "base/vec.h"
#include "reports/history.h"
#include "reports/sections_change.h"

#include <stdlib.h>
#include <string.h>

/* History of an archive: cover, summary, attestation, method, deviations, gates. */

#define FOLD 60

static const struct archive_campaign *newest(const struct compose *x)
{
	return &x->archive->campaigns[x->archive->n - 1];
}

static void cover(struct compose *x)
{
	const char *by = compose_report_key(x, "authorised_by");
	mem_auto char *n = mem_printf("%zu", x->archive->n);
	char first[16], last[16], at[32];

	compose_cover(x);
	clock_format(newest(x)->start_utc_ns, at);
	history_day(x->archive, 0, first);
	history_day(x->archive, (uint32_t)x->archive->n - 1, last);
	document_set(&x->d->date, "%s", at);
	document_fact(x->d, W(x, "history.cover.campaigns"), "%s", n);
	document_fact(x->d, W(x, "cover.tested"), "%s %s %s", first, W(x, "to"), last);
	document_fact(x->d, W(x, "cover.issued"), "%s", last);
	document_fact(x->d, W(x, "cover.plan"), "%.12s", newest(x)->plan_sha256);
	document_fact(x->d, W(x, "cover.by"), "%s", by ? by : W(x, "cover.notstated"));
	if (!x->about->sealed)
		document_set(&x->d->notice, "%s", W(x, "cover.incomplete"));
}

static void summary(struct compose *x)
{
	mem_auto size_t *order = history_order(x->archive);

	doc_section(x->d, "summary", W(x, "summary.title"))->summary = true;
	compose_summary_list(x, true, true, SUMMARY_SEEN);
	if (x->archive->n_courses)
		compose_course(x, &x->archive->courses[order[0]], "course-first");
	doc_subhead(x->d, 2, "summary-open", "%s", W(x, "summary.open"))->plain = true;
	if (!compose_summary_list(x, false, false, SUMMARY_OPEN))
		compose_para(x, "history.alljudged", NULL);
}

/* ---- attestation ---- */

static char *runs_words(const struct compose *x, const struct archive_campaign *k)
{
	bool whole = k->state && strcmp(k->state, "complete") == 0 && k->done_runs == k->planned_runs;

	return whole ? mem_printf("%u", k->done_runs)
		     : mem_printf("%u / %u%s%s", k->done_runs, k->planned_runs, k->state ? "" : ", ",
				  k->state ? "" : W(x, "history.cut"));
}

static void attestation(struct compose *x)
{
	const struct archive *a = x->archive;
	mem_auto char *repeat = mem_printf("iowitness history ARCHIVE --metric %s", a->metric->name);
	mem_auto char *n = wording_count(x->w, "campaigns", a->n);
	mem_auto char *caption = wording_fill(x->w, "history.campaigns", "campaigns", n, NULL);
	struct doc_table *t;

	compose_about_defs(x, "history.remake", repeat);
	t = doc_table(x->d, "campaigns", "%s", caption);
	t->fold = a->n > FOLD;
	doc_column(t, DOC_RIGHT, W(x, "history.number"));
	doc_column(t, DOC_LEFT, "UTC")->nowrap = true;
	doc_column(t, DOC_LEFT, W(x, "change.report"))->nowrap = true;
	doc_column(t, DOC_LEFT, W(x, "change.evidence"));
	doc_column(t, DOC_RIGHT, W(x, "appendix.runs"));
	for (size_t i = 0; i < a->n; i++) {
		struct doc_row *row = doc_row(t, 0);
		mem_auto char *runs = runs_words(x, &a->campaigns[i]);
		char day[16];

		history_day(a, (uint32_t)i, day);
		doc_cell(row, "%zu", i + 1);
		doc_cell(row, "%s", day);
		doc_cell(row, "IOW-%s", a->campaigns[i].id);
		doc_mark(doc_cell(row, "%s", ""), DOC_CODE, "%s", a->campaigns[i].evidence);
		doc_cell(row, "%s", runs);
	}
	doc_add(&t->note, "%s", W(x, "history.campaigns.note"));
	doc_note(x->d, "%s", W(x, "attest.tamper"));
}

/* ---- items, platform, method ---- */

static void elsewhere(struct compose *x, const char *anchor, const char *title)
{
	doc_section(x->d, anchor, W(x, title));
	compose_para(x, "history.elsewhere", "report", newest(x)->id, NULL);
}

static void items(struct compose *x)
{
	elsewhere(x, "items", "items.title");
}

static void platform(struct compose *x)
{
	elsewhere(x, "platform", "platform.title");
}

static void method(struct compose *x)
{
	mem_auto char *watch = mem_printf("%d", HISTORY_LEAST_WATCH), *change = mem_printf("%d", HISTORY_LEAST_CHANGE);
	mem_auto char *side = mem_printf("%d", HISTORY_LEAST_SIDE), *draws = mem_printf("%d", HISTORY_DRAWS);

	doc_section(x->d, "method", W(x, "method.title"));
	compose_def(x, "history.method.course", NULL);
	compose_def(x, "history.method.watch", "least", watch, NULL);
	compose_def(x, "history.method.candidate", "least", change, "side", side, "draws", draws, NULL);
	compose_def(x, "history.method.risk", NULL);
	compose_def(x, "history.method.proof", NULL);
}

/* ---- deviations, gates ---- */

static void left_out(struct compose *x)
{
	const json_t *list = json_object_get(x->about->root, "left_out"), *o;
	mem_auto char *n = wording_count(x->w, "history.dirs", json_array_size(list));
	struct doc_table *t;
	size_t i;

	if (!json_array_size(list))
		return compose_para(x, "history.nothingleft", NULL);
	t = doc_table(x->d, "left-out", "%s", n);
	t->fold = json_array_size(list) > FOLD;
	doc_column(t, DOC_LEFT, W(x, "history.directory"));
	doc_column(t, DOC_LEFT, W(x, "history.why"));
	json_array_foreach(list, i, o) {
		struct doc_row *row = doc_row(t, 0);

		doc_cell(row, "%s", jsonx_str(o, "name", ""));
		doc_cell(row, "%s", jsonx_str(o, "why", ""));
	}
}

static void deviations(struct compose *x)
{
	const struct archive *a = x->archive;
	size_t bad = 0;

	doc_section(x->d, "deviations", W(x, "deviations.title"));
	left_out(x);
	for (size_t i = 0; i < a->n; i++)
		bad += a->campaigns[i].done_runs != a->campaigns[i].planned_runs || !a->campaigns[i].state;
	mem_auto char *n = wording_count(x->w, "campaigns", bad);
	if (bad)
		compose_para(x, "history.incomplete", "campaigns", n, NULL);
	else
		compose_para(x, "history.complete", NULL);
}

static void void_row(struct compose *x, struct doc_table *t, uint32_t i)
{
	const struct archive_campaign *k = &x->archive->campaigns[i];
	struct buf b = BUF_INIT;
	struct doc_row *row = doc_row(t, 0);
	const json_t *v;
	char day[16];
	size_t c;

	history_day(x->archive, i, day);
	json_array_foreach(k->void_cells, c, v) {
		buf_printf(&b, "%s%s", c ? "; " : "", x->archive->courses[json_integer_value(v)].label);
	}
	doc_cell(row, "%u", i + 1);
	doc_cell(row, "%s", day);
	doc_cell(row, "%s", buf_str(&b));
	buf_release(&b);
}

static void gates(struct compose *x)
{
	const struct archive *a = x->archive;
	struct doc_table *t = NULL;

	doc_section(x->d, "gates", W(x, "gates.title"));
	compose_para(x, "history.gates", NULL);
	for (uint32_t i = 0; i < a->n; i++) {
		if (!a->campaigns[i].voids)
			continue;
		if (!t) {
			t = doc_table(x->d, "void-cells", "%s", W(x, "history.gates.caption"));
			doc_column(t, DOC_RIGHT, W(x, "history.number"));
			doc_column(t, DOC_LEFT, "UTC")->nowrap = true;
			doc_column(t, DOC_LEFT, W(x, "history.gates.cells"));
		}
		void_row(x, t, i);
	}
	if (!t)
		compose_para(x, "history.gates.none", NULL);
	else
		t->fold = t->n_rows > FOLD;
}

/* ---- the document ---- */

static section_fn *const sections[] = {
	cover,	 summary,	  attestation,	      items,	      platform,		 method,       deviations,	gates,
	history_results, history_comparisons, history_claims, history_diagnoses, history_open, history_history, history_appendices,
};

struct document *compose_history(const struct archive *a, const struct derived_about *d, const struct findings *f,
				 const struct wording *w, const struct compose_options *o, struct iow_error *e)
{
	const char *title = a->campaigns[a->n - 1].title;
	mem_auto char *id = mem_printf("IOW-%s", d->id);
	mem_auto char *made = wording_fill(w, "history.heading", "title", title, NULL);
	struct cells plan = { .report = json_object_get(d->root, "report") };
	struct compose x = { .c = &plan, .f = f, .w = w, .o = o, .archive = a, .about = d };

	return compose_sections(&x, d->title ? d->title : made, id, sections, ARRAY_LEN(sections), e);
}
