/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/vec.h"
#include "reports/change.h"
#include "reports/chart.h"
#include "reports/sections.h"
#include "reports/sections_change.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Before and after: cover, summary, attestation, method, deviations, gates. */

/* "2026-11-30 08:12 to 2026-11-30 08:40 UTC" */
static char *tested(const struct compose *x, const struct bundle *b)
{
	char from[32], to[32];

	clock_format(b->start_utc_ns, from);
	clock_format(b->end_utc_ns, to);
	return mem_printf("%.10s %.5s %s %.10s %.5s UTC", from, from + 11, W(x, "to"), to, to + 11);
}

static bool is_whole(const struct results *r)
{
	return r->bundle->end_state && !r->bundle->torn && !r->incomplete;
}

static void cover(struct compose *x)
{
	const struct bundle *before = x->change->before->bundle, *after = x->change->after->bundle;
	const char *by = compose_report_key(x, "authorised_by");
	mem_auto char *old = tested(x, before), *new = tested(x, after);
	char to[32];

	compose_cover(x);
	clock_format(after->end_utc_ns > before->end_utc_ns ? after->end_utc_ns : before->end_utc_ns, to);
	document_set(&x->d->date, "%s", to);
	document_fact(x->d, W(x, "change.before"), "%s", old);
	document_fact(x->d, W(x, "change.after"), "%s", new);
	document_fact(x->d, W(x, "cover.issued"), "%.10s", to);
	document_fact(x->d, W(x, "cover.by"), "%s", by ? by : W(x, "cover.notstated"));
	if (!x->about->sealed || !is_whole(x->change->before) || !is_whole(x->change->after))
		document_set(&x->d->notice, "%s", W(x, "cover.incomplete"));
}

/* ---- summary ---- */

static enum chart_mark mark_of(enum change_state s)
{
	return s == CHANGE_BETTER || s == CHANGE_WORSE ? CHART_DECIDED : s == CHANGE_VOID ? CHART_VOID : CHART_OPEN;
}

#define SLOPE_ROWS 16

static char *day(const struct compose *x, const char *key, const struct bundle *b)
{
	char at[32];

	clock_format(b->start_utc_ns, at);
	return mem_printf("%s, %.10s", W(x, key), at);
}

static struct chart *slope_chart(const struct compose *x, size_t *left_out)
{
	const struct changes *c = x->change;
	mem_auto size_t *order = change_order(c);
	mem_auto char *before = day(x, "change.before", c->before->bundle), *after = day(x, "change.after", c->after->bundle);
	struct chart *chart = NULL;
	double divide = 1, largest = 0;
	const char *unit = "";
	size_t rows = 0;

	*left_out = 0;
	for (size_t i = 0; i < c->n_changes; i++)
		if (isfinite(c->changes[i].ratio))
			largest = fmax(largest, fmax(c->changes[i].before, c->changes[i].after));
	for (size_t i = 0; i < c->n_changes; i++) {
		const struct change *k = &c->changes[order[i]];
		struct say_ratio s;
		char a[40], b[40];

		if (!isfinite(k->ratio))
			continue;
		if (rows == SLOPE_ROWS) {
			++*left_out;
			continue;
		}
		if (!chart) {
			unit = say_scale(k->metric, largest, &divide);
			chart = chart_slope_new(unit, before, after);
		}
		num_sig(k->before / divide, 3, a);
		num_sig(k->after / divide, 3, b);
		say_ratio(&s, x->w, k->metric, k->ratio, k->lo, k->hi);
		mem_auto char *label = change_cell(x->c, k->after_cell), *text = mem_printf("%s: %sx %s", b, s.factor, s.word);
		chart_slope_add(chart, &(struct chart_slope_row){ .label = label, .before = k->before / divide,
			.after = k->after / divide, .before_text = a, .after_text = text, .mark = mark_of(k->state) });
		rows++;
	}
	return chart;
}

static void summary_figure(struct compose *x)
{
	const struct changes *c = x->change;
	size_t left_out;
	struct chart *chart = slope_chart(x, &left_out);
	struct doc_figure *figure;

	if (!chart)
		return;
	mem_auto char *worse = mem_printf("%u", c->worse), *better = mem_printf("%u", c->better);
	mem_auto char *cells = wording_count(x->w, "cells", c->n_changes), *more = mem_printf("%zu", left_out);
	mem_auto char *caption = wording_fill(x->w, "slope.caption", "metric", wording_of(x->w, "metric", c->changes[0].metric->name),
					      "cells", cells, "worse", worse, "better", better, NULL);
	say_capital(caption);
	figure = doc_figure(x->d, "changes-figure", chart, "%s", caption);
	doc_add(&figure->note, "%s", W(x, "slope.note"));
	if (left_out) {
		mem_auto char *text = wording_fill(x->w, "slope.more", "n", more, NULL);

		doc_add(&figure->note, " %s", text);
	}
	doc_figure_alt(figure, "%s", W(x, "slope.alt"));
}

static void summary(struct compose *x)
{
	doc_section(x->d, "summary", W(x, "summary.title"))->summary = true;
	compose_summary_list(x, true, true, SUMMARY_CHANGED);
	summary_figure(x);
	doc_subhead(x->d, 2, "summary-open", "%s", W(x, "summary.open"))->plain = true;
	if (!compose_summary_list(x, false, false, SUMMARY_OPEN))
		compose_para(x, "change.allshown", NULL);
}

/* ---- attestation ---- */

static void campaign_row(struct compose *x, struct doc_table *t, const char *key, const struct results *r)
{
	struct doc_row *row = doc_row(t, 0);
	mem_auto char *when = tested(x, r->bundle);

	doc_cell(row, "%s", W(x, key));
	doc_mark(doc_cell(row, "%s ", r->bundle->cells.title), DOC_SMALL, "%s", when);
	doc_cell(row, "IOW-%s", r->bundle->id);
	doc_mark(doc_cell(row, "%s", ""), DOC_CODE, "%s", r->bundle->evidence);
	doc_cell(row, "%s", r->bundle->tool_version ? r->bundle->tool_version : "–");
}

void compose_about_defs(struct compose *x, const char *key, const char *repeat)
{
	const char *conflict = compose_report_key(x, "conflict"), *permission = compose_report_key(x, "permission");
	mem_auto char *grouped = compose_hash(x->about->evidence), *hash = mem_printf("sha256 %s", grouped);

	doc_section(x->d, "attestation", W(x, "attest.title"));
	doc_def_code(compose_def(x, "attest.derived", NULL), hash);
	if (!x->about->sealed)
		compose_def(x, "attest.unsealed", NULL);
	compose_def(x, "attest.signer", "signer", compose_report_key(x, "signer") ? compose_report_key(x, "signer")
									   : W(x, "attest.nosigner"), NULL);
	compose_def(x, "attest.rendered", "tool", x->o->tool, "libraries", x->o->libraries, NULL);
	compose_verify_def(x);
	doc_def_code(compose_def(x, key, NULL), repeat);
	compose_def(x, "attest.conflict", "text", conflict ? conflict : W(x, "attest.notstated"), NULL);
	compose_def(x, "attest.permission", "text", permission ? permission : W(x, "attest.notstated"), NULL);
}

/* The command that makes this again, as one line of a shell. */
static char *repeat_command(const struct compose *x)
{
	struct buf b = BUF_INIT;
	char margin[40];
	const json_t *planned = json_object_get(x->about->root, "planned"), *p;
	size_t i;

	num_real12(x->change->margin, margin);
	buf_printf(&b, "iowitness compare before after --metric %s --margin %s", jsonx_str(x->about->root, "metric", "throughput"),
		   margin);
	json_array_foreach(planned, i, p) {
		buf_puts(&b, " --changed ");
		compose_quote(&b, json_string_value(p));
	}
	if (x->about->title) {
		buf_puts(&b, " --title ");
		compose_quote(&b, x->about->title);
	}
	return buf_take(&b);
}

static void attestation(struct compose *x)
{
	mem_auto char *repeat = repeat_command(x);
	struct doc_table *t;

	compose_about_defs(x, "attest.remake", repeat);
	t = doc_table(x->d, "campaigns", "%s", W(x, "change.campaigns"));
	doc_column(t, DOC_LEFT, "")->nowrap = true;
	doc_column(t, DOC_LEFT, W(x, "change.campaign"));
	doc_column(t, DOC_LEFT, W(x, "change.report"))->nowrap = true;
	doc_column(t, DOC_LEFT, W(x, "change.evidence"));
	doc_column(t, DOC_LEFT, W(x, "change.tool"));
	campaign_row(x, t, "change.before", x->change->before);
	campaign_row(x, t, "change.after", x->change->after);
	doc_note(x->d, "%s", W(x, "attest.tamper"));
}

/* ---- items, platform, method ---- */

/* Of the campaign after; what was not so before is in a table of its own. */
static void items(struct compose *x)
{
	section_items(x);
	compose_para(x, "change.items", NULL);
}

static void platform(struct compose *x)
{
	section_platform(x);
	compose_para(x, "change.items", NULL);
}

static void method(struct compose *x)
{
	char margin[40];

	say_percent(x->change->margin, margin);
	doc_section(x->d, "method", W(x, "method.title"));
	compose_def(x, "change.method.cells", NULL);
	compose_def(x, "change.method.ratio", NULL);
	compose_def(x, "change.method.decision", "margin", margin, NULL);
	compose_def(x, "change.method.unit", NULL);
	compose_def(x, "change.method.campaigns", NULL);
	doc_def_code(compose_def(x, "change.method.before", NULL), x->change->before->bundle->cells.plan_sha256);
	doc_def_code(compose_def(x, "change.method.after", NULL), x->change->after->bundle->cells.plan_sha256);
}

/* ---- deviations, gates ---- */

static void deviations_of(struct compose *x, const char *key, const struct results *r)
{
	mem_auto char *planned = wording_count(x->w, "runs", r->planned_runs), *done = mem_printf("%u", r->done_runs);
	mem_auto char *text = wording_fill(x->w, is_whole(r) ? "deviations.none" : "deviations.some", "planned", planned, "done",
					   done, NULL);

	doc_def(x->d, W(x, key), "%s %s", text,
		!r->bundle->end_state ? W(x, "deviations.cut") : is_whole(r) ? "" : W(x, "change.see"));
}

static void only_list(struct compose *x, const char *key, const char *const *keys, size_t n)
{
	struct doc_list *l;
	mem_auto char *cells = wording_count(x->w, "cells", n);

	if (!n)
		return;
	compose_para(x, key, "cells", cells, NULL);
	l = doc_list(x->d, false);
	for (size_t i = 0; i < n; i++)
		doc_mark(doc_item(l, "%s", ""), DOC_CODE, "%s", keys[i]);
}

static void deviations(struct compose *x)
{
	const struct changes *c = x->change;

	doc_section(x->d, "deviations", W(x, "deviations.title"));
	deviations_of(x, "change.before", c->before);
	deviations_of(x, "change.after", c->after);
	if (c->before->bundle->start_utc_ns > c->after->bundle->start_utc_ns)
		compose_para(x, "change.swapped", NULL);
	only_list(x, "change.onlybefore", c->only_before, c->n_only_before);
	only_list(x, "change.onlyafter", c->only_after, c->n_only_after);
	if (!c->n_only_before && !c->n_only_after)
		compose_para(x, "change.allmatched", NULL);
}

static size_t gate_rows(struct compose *x, struct doc_table **t, const char *key, const struct results *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n_gates; i++) {
		const struct gate *g = &r->gates[i];
		struct doc_row *row;

		if (g->state != GATE_FAILS)
			continue;
		if (!*t) {
			*t = doc_table(x->d, "gates-failed", "%s", W(x, "change.gates.caption"));
			doc_column(*t, DOC_LEFT, W(x, "change.campaign"));
			doc_column(*t, DOC_LEFT, W(x, "gates.gate"));
			doc_column(*t, DOC_LEFT, W(x, "cell"));
			doc_column(*t, DOC_LEFT, W(x, "gates.basis"));
			doc_column(*t, DOC_LEFT, W(x, "change.gates.effect"));
		}
		row = doc_row(*t, 0);
		doc_cell(row, "%s", W(x, key));
		doc_cell(row, "%s", wording_of(x->w, "gate", gate_name(g->kind)));
		doc_cell(row, "%s", g->cell == UINT32_MAX ? r->bundle->cells.tests[g->test].name
							  : r->bundle->cells.cells[g->cell].label);
		doc_cell(row, "%s", g->reason ? g->reason : g->basis ? g->basis : "–");
		doc_cell(row, "%s", W(x, g->waived ? "gate.waived" : gate_voids(g->kind) ? "verdict.VOID" : "gate.caveat"));
		n++;
	}
	return n;
}

static void gates(struct compose *x)
{
	struct doc_table *t = NULL;
	size_t n;

	doc_section(x->d, "gates", W(x, "gates.title"));
	compose_para(x, "change.gates", NULL);
	n = gate_rows(x, &t, "change.before", x->change->before) + gate_rows(x, &t, "change.after", x->change->after);
	if (!n)
		compose_para(x, "change.gates.none", NULL);
	else
		t->fold = n > 40;
}

/* ---- the document ---- */

static section_fn *const sections[] = {
	cover,	    summary,	attestation,	   items,	   platform,	       method,	     deviations,
	gates,	    change_results, change_comparisons, change_claims, change_diagnoses, change_open, change_history,
	change_appendices,
};

struct document *compose_change(const struct changes *c, const struct derived_about *a, const struct findings *f,
				const struct wording *w, const struct compose_options *o, struct iow_error *e)
{
	mem_auto char *id = mem_printf("IOW-%s", a->id), *title = change_title(c, a, w);
	struct compose x = { .r = c->after, .b = c->after->bundle, .c = &c->after->bundle->cells, .f = f, .w = w, .o = o,
			     .change = c, .about = a };

	return compose_sections(&x, title, id, sections, ARRAY_LEN(sections), e);
}
