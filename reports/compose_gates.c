/* SPDX-License-Identifier: Apache-2.0 */
#include "base/mem.h"
#include "base/num.h"
#include "reports/sections.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Validity gates: gate × cell with the number behind each; failures first. */

#define GATE_COLUMNS 6

static char *number_text(const struct compose *x, const struct gate *g)
{
	char s[48];

	if (!isfinite(g->number))
		return mem_strdup(W(x, g->state == GATE_FAILS ? "gate.no" : "gate.yes"));
	if (g->unit && strcmp(g->unit, "B/s") == 0)
		return say_value(metric_find("throughput"), g->number);
	if (g->unit && strcmp(g->unit, "share") == 0) {
		say_percent(g->number, s);
		return mem_strdup(s);
	}
	if (g->unit && strcmp(g->unit, "ns") == 0) {
		num_time((int64_t)g->number, s);
		return mem_strdup(s);
	}
	num_sig(g->number, 3, s);
	if (g->number == floor(g->number))
		num_fixed(g->number, 0, s);
	return mem_strdup(s);
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

		doc_mark(cell, !g->waived && gate_voids(g->kind) ? DOC_FAIL : DOC_WARN, "%s %s",
			 W(x, g->waived ? "gate.waived" : gate_voids(g->kind) ? "gate.fail" : "gate.caveat"), number);
	} else {
		struct doc_text *cell = doc_cell(row, "%s", W(x, g->state == GATE_NOT_VERIFIABLE ? "gate.nv" : "gate.na"));

		if (g->reason)
			doc_footnote(t, cell, "%s", g->reason);
	}
}

static bool row_exists(const struct compose *x, enum gate_kind kind, const uint32_t *cells, size_t n)
{
	return n && results_gate(x->r, kind, cells[0]) != NULL;
}

static char *threshold_text(const struct compose *x, enum gate_kind kind)
{
	mem_auto char *key = mem_printf("gate.limit.%s", gate_name(kind));

	return mem_strdup(W(x, key));
}

static void matrix(struct compose *x, uint32_t test, const uint32_t *cells, size_t n, unsigned part)
{
	mem_auto char *anchor = mem_printf("gates-%u-%u", test + 1, part);
	mem_auto char *caption = wording_fill(x->w, "gates.caption", "test", x->c->tests[test].name, NULL);
	struct doc_table *t = doc_table(x->d, anchor, "%s", caption);

	doc_column(t, DOC_LEFT, W(x, "gates.gate"));
	doc_column(t, DOC_LEFT, W(x, "gates.limit"));
	for (size_t i = 0; i < n; i++)
		doc_column(t, DOC_RIGHT, x->c->cells[cells[i]].label);
	t->dense = n > 4;
	for (int k = 0; k < GATES; k++) {
		mem_auto char *limit = NULL;
		struct doc_row *row;

		if (k == GATE_AA || !row_exists(x, (enum gate_kind)k, cells, n))
			continue;
		limit = threshold_text(x, (enum gate_kind)k);
		row = doc_row(t, 0);
		doc_cell(row, "%s", wording_of(x->w, "gate", gate_name((enum gate_kind)k)));
		doc_cell(row, "%s", limit);
		for (size_t i = 0; i < n; i++)
			gate_cell(x, t, row, results_gate(x->r, (enum gate_kind)k, cells[i]));
	}
}

/* Gates that belong to a whole test: the A/A control. */
static void test_gates(struct compose *x, uint32_t test)
{
	for (size_t i = 0; i < x->r->n_gates; i++) {
		const struct gate *g = &x->r->gates[i];
		static const char *const state[] = { "holds", "fails", "na", "nv" };

		if (g->test != test || g->cell != UINT32_MAX)
			continue;
		mem_auto char *text = mem_printf("%s%s%s", g->basis ? g->basis : "", g->basis && g->reason ? ": " : "",
						 g->reason ? g->reason : "");
		mem_auto char *label = mem_printf("%s, %s", wording_of(x->w, "gate", gate_name(g->kind)), x->c->tests[test].name);
		doc_def(x->d, label, "%s: %s", wording_of(x->w, "gate.state", state[g->state]), text);
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
		mem_auto char *number = number_text(x, g);
		row = doc_row(t, 0);
		doc_cell(row, "%s", wording_of(x->w, "gate", gate_name(g->kind)));
		doc_cell(row, "%s", x->c->cells[g->cell].label);
		doc_cell(row, "%s", number);
		doc_cell(row, "%s", g->reason ? g->reason : g->basis ? g->basis : "");
	}
	if (!t)
		compose_para(x, "gates.allhold", "test", x->c->tests[test].name, NULL);
}

static void one_test(struct compose *x, uint32_t test)
{
	uint32_t cells[24];
	size_t n = 0, total = 0;
	unsigned part = 0;

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
		matrix(x, test, cells + at, n - at < GATE_COLUMNS ? n - at : GATE_COLUMNS, ++part);
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
