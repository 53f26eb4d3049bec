/* SPDX-License-Identifier: Apache-2.0 */
#include "base/mem.h"
#include "base/buf.h"
#include "base/num.h"
#include "reports/said.h"
#include "reports/sections.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Validity gates: gate × cell with the number behind each; failures first. */

#define GATE_COLUMNS 6

static char *number_text(const struct compose *x, const struct gate *g)
{
	mem_auto char *number = say_gate(x->w, g, g->number);

	if (g->kind == GATE_DIRECT && isfinite(g->number)) /* the number is the device's bytes per byte asked */
		return mem_printf("%s, %s", W(x, g->state == GATE_FAILS ? "gate.no" : "gate.yes"), number);
	return mem_strdup(number);
}

static void gate_cell(struct compose *x, struct doc_table *t, struct doc_row *row, const struct gate *g)
{
	mem_auto char *number = g ? number_text(x, g) : NULL;

	if (!g) {
		doc_cell(row, "–");
	} else if (g->state == GATE_HOLDS) {
		doc_cell(row, "%s", number);
	} else if (g->state == GATE_FAILS) {
		struct doc_text *cell = doc_cell(row, "%s", "");
		mem_auto char *reason = said(x->w, g->reason);

		doc_mark(cell, !g->waived && gate_voids(g->kind) ? DOC_FAIL : DOC_WARN, "%s %s",
			 W(x, g->waived ? "gate.waived" : gate_voids(g->kind) ? "gate.fail" : "gate.caveat"), number);
		if (*reason)
			doc_footnote(t, cell, "%s", reason);
	} else {
		struct doc_text *cell = doc_cell(row, "%s", W(x, g->state == GATE_NOT_VERIFIABLE ? "gate.nv" : "gate.na"));
		mem_auto char *reason = said(x->w, g->reason);

		if (*reason)
			doc_footnote(t, cell, "%s", reason);
	}
}

/* What a gate says of a test's cells: its row comes first where it voids, and is told in words where it
 * applies to none. */
enum row_rank { ROW_VOIDS, ROW_CAVEAT, ROW_SHOWN, ROW_NOT_APPLICABLE, ROW_NONE };

static enum row_rank row_rank(const struct compose *x, enum gate_kind kind, const uint32_t *cells, size_t n)
{
	enum row_rank best = ROW_NONE;

	for (size_t i = 0; i < n; i++) {
		const struct gate *g = results_gate(x->r, kind, cells[i]);
		enum row_rank r = !g ? ROW_NONE
			: g->state == GATE_FAILS ? (gate_voids(kind) && !g->waived ? ROW_VOIDS : ROW_CAVEAT)
			: g->state == GATE_NOT_APPLICABLE ? ROW_NOT_APPLICABLE : ROW_SHOWN;

		best = r < best ? r : best;
	}
	return best;
}

static char *threshold_text(const struct compose *x, enum gate_kind kind)
{
	mem_auto char *key = mem_printf("gate.limit.%s", gate_name(kind));

	return mem_strdup(W(x, key));
}

static void matrix_row(struct compose *x, struct doc_table *t, enum gate_kind kind, const uint32_t *cells, size_t n)
{
	mem_auto char *limit = threshold_text(x, kind);
	struct doc_row *row = doc_row(t, 0);

	doc_cell(row, "%s", wording_of(x->w, "gate", gate_name(kind)));
	doc_cell(row, "%s", limit);
	for (size_t i = 0; i < n; i++)
		gate_cell(x, t, row, results_gate(x->r, kind, cells[i]));
}

/* What a reader of the table must not miss: which gates fail, or that none does. The caller's. */
static char *matrix_caption(const struct compose *x, uint32_t test, const uint32_t *all, size_t n_all)
{
	const char *name = x->c->tests[test].name;
	struct buf list = BUF_INIT;
	unsigned failing = 0;
	char *s;

	for (int k = 0; k < GATES; k++)
		if (k != GATE_AA && row_rank(x, (enum gate_kind)k, all, n_all) == ROW_VOIDS) {
			mem_auto char *gate = wording_fill(x->w, "quoted", "words", wording_of(x->w, "gate",
							   gate_name((enum gate_kind)k)), NULL);

			buf_printf(&list, "%s%s", failing++ ? ", " : "", gate);
		}
	s = wording_fill(x->w, failing ? failing > 1 ? "gates.caption.fail" : "gates.caption.fails" : "gates.caption", "test", name,
			 "gates", buf_str(&list), NULL);
	buf_release(&list);
	return s;
}

static void matrix(struct compose *x, uint32_t test, const uint32_t *all, size_t n_all, size_t at)
{
	size_t n = n_all - at < GATE_COLUMNS ? n_all - at : GATE_COLUMNS;
	mem_auto char *anchor = mem_printf("gates-%u-%zu", test + 1, at / GATE_COLUMNS + 1);
	mem_auto char *caption = matrix_caption(x, test, all, n_all);
	struct doc_table *t = doc_table(x->d, anchor, "%s", caption);

	doc_column(t, DOC_LEFT, W(x, "gates.gate"));
	doc_column(t, DOC_LEFT, W(x, "gates.limit"));
	for (size_t i = 0; i < n; i++)
		doc_column(t, DOC_RIGHT, x->c->cells[all[at + i]].label);
	t->dense = n > 4;
	for (enum row_rank rank = ROW_VOIDS; rank < ROW_NOT_APPLICABLE; rank++)
		for (int k = 0; k < GATES; k++)
			if (k != GATE_AA && row_rank(x, (enum gate_kind)k, all, n_all) == rank)
				matrix_row(x, t, (enum gate_kind)k, all + at, n);
}

/* Each reason once, of the gates that apply to no cell: "Read-back of data: the workload does not verify". */
static void not_applicable(struct compose *x, uint32_t test, const uint32_t *cells, size_t n)
{
	struct buf list = BUF_INIT;

	for (int k = 0; k < GATES; k++) {
		const char *last = NULL;

		if (k == GATE_AA || row_rank(x, (enum gate_kind)k, cells, n) != ROW_NOT_APPLICABLE)
			continue;
		buf_printf(&list, "%s%s: ", list.len ? "; " : "", wording_of(x->w, "gate", gate_name((enum gate_kind)k)));
		for (size_t i = 0; i < n; i++) {
			const struct gate *g = results_gate(x->r, (enum gate_kind)k, cells[i]);
			mem_auto char *reason = g ? said(x->w, g->reason) : NULL;

			if (!g || !g->reason || (last && strcmp(last, g->reason) == 0))
				continue;
			buf_printf(&list, "%s%s", last ? ", " : "", reason);
			last = g->reason;
		}
	}
	if (list.len)
		compose_para(x, "gates.na", "test", x->c->tests[test].name, "list", buf_str(&list), NULL);
	buf_release(&list);
}

/* " for throughput, ratio 1.004 (99% CI 0.984 to 1.024)": what the A/A control measured. The caller's. */
static char *aa_words(const struct compose *x, const struct gate *g)
{
	char ratio[40], lo[40], hi[40];
	int d = num_sig_decimals(g->number, 3);

	if (g->kind != GATE_AA || !g->metric || !isfinite(g->number) || !isfinite(g->lo) || !isfinite(g->hi))
		return mem_strdup("");
	num_fixed(g->number, d, ratio);
	num_fixed(g->lo, d, lo);
	num_fixed(g->hi, d, hi);
	return wording_fill(x->w, "gates.aa", "metric", wording_of(x->w, "metric", g->metric->name), "ratio", ratio, "lo", lo,
			    "hi", hi, NULL);
}

/* Gates that belong to a whole test: the A/A control, the effect of the order. */
static void test_gates(struct compose *x, uint32_t test)
{
	for (size_t i = 0; i < x->r->n_gates; i++) {
		const struct gate *g = &x->r->gates[i];
		static const char *const state[] = { "holds", "fails", "na", "nv" };

		if (g->test != test || g->cell != UINT32_MAX)
			continue;
		mem_auto char *basis = said(x->w, g->basis), *reason = said(x->w, g->reason), *aa = aa_words(x, g);
		mem_auto char *label = mem_printf("%s, %s", wording_of(x->w, "gate", gate_name(g->kind)), x->c->tests[test].name);
		doc_def(x->d, label, "%s%s%s%s%s%s.", wording_of(x->w, "gate.state", state[g->state]), aa,
			*basis || *reason ? ": " : "", basis, *basis && *reason ? "; " : "", reason);
	}
}

/* A large campaign would give a hundred columns: there the failures alone are listed. */
static void failures_only(struct compose *x, uint32_t test)
{
	mem_auto char *anchor = mem_printf("gates-failed-%u", test + 1);
	mem_auto char *caption = wording_fill(x->w, "gates.failures", "test", x->c->tests[test].name, NULL);
	struct doc_table *t = NULL;

	for (size_t i = 0; i < x->r->n_gates; i++) {
		const struct gate *g = &x->r->gates[i];
		struct doc_row *row;

		if (g->test != test || g->state != GATE_FAILS || g->cell == UINT32_MAX)
			continue;
		if (!t) {
			t = doc_table(x->d, anchor, "%s", caption);
			doc_column(t, DOC_LEFT, W(x, "gates.gate"));
			doc_column(t, DOC_LEFT, W(x, "cell"));
			doc_column(t, DOC_RIGHT, W(x, "gates.number"));
			doc_column(t, DOC_LEFT, W(x, "gates.basis"));
		}
		mem_auto char *number = number_text(x, g), *basis = said(x->w, g->reason ? g->reason : g->basis);
		row = doc_row(t, 0);
		doc_cell(row, "%s", wording_of(x->w, "gate", gate_name(g->kind)));
		doc_cell(row, "%s", x->c->cells[g->cell].label);
		doc_cell(row, "%s", number);
		doc_cell(row, "%s", basis);
	}
	if (!t)
		compose_para(x, "gates.allhold", "test", x->c->tests[test].name, NULL);
}

static void one_test(struct compose *x, uint32_t test)
{
	uint32_t cells[24];
	size_t n = 0, total = 0;

	for (uint32_t i = 0; i < x->c->n_cells; i++)
		total += x->c->cells[i].test == test;
	if (total > 24) {
		failures_only(x, test);
		test_gates(x, test);
		return;
	}
	for (uint32_t i = 0; i < x->c->n_cells; i++)
		if (x->c->cells[i].test == test)
			cells[n++] = i;
	for (size_t at = 0; at < n; at += GATE_COLUMNS)
		matrix(x, test, cells, n, at);
	not_applicable(x, test, cells, n);
	test_gates(x, test);
	compose_steady(x, test);
}

void section_gates(struct compose *x)
{
	unsigned failed = 0, waived = 0, caveats = 0, open = 0;

	doc_section(x->d, "gates", W(x, "gates.title"));
	for (size_t i = 0; i < x->r->n_gates; i++) {
		const struct gate *g = &x->r->gates[i];

		failed += g->state == GATE_FAILS && gate_voids(g->kind) && !g->waived;
		waived += g->state == GATE_FAILS && gate_voids(g->kind) && g->waived;
		caveats += g->state == GATE_FAILS && !gate_voids(g->kind);
		open += g->state == GATE_NOT_VERIFIABLE;
	}
	mem_auto char *a = mem_printf("%u", failed), *b = mem_printf("%u", caveats), *c = mem_printf("%u", open);
	mem_auto char *n = mem_printf("%zu", x->r->n_gates);
	compose_para(x, "gates.intro", "n", n, "failed", a, "caveats", b, "open", c, NULL);
	if (waived) {
		mem_auto char *d = mem_printf("%u", waived);

		compose_para(x, "gates.waived", "n", d, NULL);
	}
	for (uint32_t i = 0; i < x->c->n_tests; i++)
		one_test(x, i);
}
