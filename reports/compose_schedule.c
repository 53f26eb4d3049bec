/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "base/mem.h"
#include "base/num.h"
#include "reports/sections.h"

#include <stdio.h>
#include <stdlib.h>

/* What was run when: the tests in one table, and the order of each as it happened. */

#define SCHEDULE_STEPS 12

/* ---- the tests ---- */

struct span {
	int64_t from, to; /* UTC, ns; 0: nothing ran */
	uint32_t ok, runs;
};

static struct span span_of(const struct compose *x, uint32_t test, uint32_t block)
{
	struct span s = { 0 };

	for (size_t i = 0; i < x->b->n_runs; i++) {
		const struct kept_run *r = &x->b->runs[i];
		int64_t end = r->start_utc_ns + r->wall_ns;

		if (x->c->cells[r->cell].test != test || (block && r->block != block))
			continue;
		s.runs++;
		s.ok += r->status == RUN_OK;
		if (r->start_utc_ns <= 0)
			continue;
		s.from = s.from && s.from < r->start_utc_ns ? s.from : r->start_utc_ns;
		s.to = s.to > end ? s.to : end;
	}
	return s;
}

void compose_tests(struct compose *x)
{
	static const char *const heads[] = { "method.col.test", "method.col.cells", "method.col.blocks", "method.col.runs",
					     "method.col.pause", "method.col.start", "method.col.end" };
	mem_auto char *runs = wording_count(x->w, "runs", x->b->n_runs);
	mem_auto char *tests = wording_count(x->w, "tests", x->c->n_tests);
	mem_auto char *caption = wording_fill(x->w, "method.tests", "tests", tests, "runs", runs, NULL);
	struct doc_table *t = doc_table(x->d, "tests", "%s", caption);

	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		doc_column(t, i ? DOC_RIGHT : DOC_LEFT, W(x, heads[i]));
	t->fit = true;
	for (uint32_t i = 0; i < x->c->n_tests; i++) {
		struct doc_row *row = doc_row(t, 0);
		struct span s = span_of(x, i, 0);
		char from[32], to[32], pause[40];
		unsigned cells = 0;

		for (size_t c = 0; c < x->c->n_cells; c++)
			cells += x->c->cells[c].test == i;
		clock_format(s.from, from);
		clock_format(s.to, to);
		num_time(x->c->tests[i].pause_ns, pause);
		doc_cell(row, "%s", x->c->tests[i].name);
		doc_cell(row, "%u", cells);
		doc_cell(row, "%u", x->c->tests[i].blocks);
		doc_cell(row, "%u", s.runs);
		doc_cell(row, "%s", pause);
		doc_cell(row, "%.8s", s.from ? from + 11 : W(x, "none"));
		doc_cell(row, "%.8s", s.from ? to + 11 : W(x, "none"));
	}
}

/* ---- the order ---- */

struct order {
	const struct step **steps; /* of the test, borrowed; its place is its letter */
	size_t n;
};

/* A letter for a step, and for the 27th on two. */
static void step_letter(size_t i, char out[8])
{
	if (i < 26)
		snprintf(out, 8, "%c", (char)('A' + i));
	else
		snprintf(out, 8, "%c%c", (char)('A' + (i / 26 - 1) % 26), (char)('A' + i % 26));
}

static void order_letter(const struct order *o, uint32_t step, char out[8])
{
	for (size_t i = 0; i < o->n; i++)
		if (o->steps[i]->id == step) {
			step_letter(i, out);
			return;
		}
	snprintf(out, 8, "–");
}

/* "A shared raw · B file, then file, repeat read": cells that ran at once are joined by "with". */
static void schedule_legend(struct compose *x, struct doc_table *t, const struct order *o)
{
	for (size_t i = 0; i < o->n; i++) {
		const struct step *s = o->steps[i];
		char letter[8];

		step_letter(i, letter);
		doc_add(&t->note, "%s", i ? " · " : "");
		doc_mark(&t->note, DOC_STRONG, "%s", letter);
		for (size_t c = 0; c < s->n_cells; c++) {
			bool together = x->c->cells[s->cells[c]].company == COMPANY_TOGETHER;

			doc_add(&t->note, "%s%s", c ? W(x, together ? "method.with" : "method.then") : " ",
				x->c->cells[s->cells[c]].label);
		}
	}
	doc_add(&t->note, ".");
}

/* What became of a block: all its runs are used, some, or none was made. */
static char *block_use(const struct compose *x, const struct span *s, bool appended)
{
	mem_auto char *ok = mem_printf("%u", s->ok), *n = mem_printf("%u", s->runs);

	if (!s->runs)
		return mem_strdup(W(x, "method.use.none"));
	if (s->ok < s->runs)
		return wording_fill(x->w, "method.use.part", "ok", ok, "n", n, NULL);
	return mem_strdup(W(x, appended ? "method.use.appended" : "method.use.all"));
}

static const struct block *planned_block(const struct compose *x, uint32_t test, uint32_t number)
{
	for (size_t i = 0; i < x->c->n_blocks; i++)
		if (x->c->blocks[i].test == test && x->c->blocks[i].number == number)
			return &x->c->blocks[i];
	return NULL;
}

/* The steps as the runs say they followed each other; where a block has no run, as planned. */
static void block_row(struct compose *x, struct doc_table *t, const struct order *o, uint32_t test, uint32_t number)
{
	const struct block *planned = planned_block(x, test, number);
	mem_auto uint32_t *at = mem_array(o->n + 1, sizeof *at);
	struct span s = span_of(x, test, number);
	mem_auto char *use = block_use(x, &s, !planned);
	struct doc_row *row = doc_row(t, s.runs && s.ok == s.runs ? 0 : DOC_ROW_MUTED);
	char time[32], letter[8];

	for (size_t k = 0; k < o->n; k++)
		at[k] = planned && k < planned->n_steps ? planned->steps[k] : UINT32_MAX;
	for (size_t i = 0; i < x->b->n_runs; i++) {
		const struct kept_run *r = &x->b->runs[i];

		if (x->c->cells[r->cell].test == test && r->block == number && r->position && r->position <= o->n)
			at[r->position - 1] = r->step;
	}
	clock_format(s.from, time);
	doc_cell(row, "%u", number);
	for (size_t k = 0; k < o->n; k++) {
		order_letter(o, at[k], letter);
		doc_cell(row, "%s", letter);
	}
	doc_cell(row, "%.8s", s.from ? time + 11 : W(x, "none"));
	doc_cell(row, "%s", use);
}

static void order_table(struct compose *x, const struct order *o, uint32_t test)
{
	mem_auto char *anchor = mem_printf("schedule-%u", test + 1);
	mem_auto char *caption = wording_fill(x->w, "method.order", "test", x->c->tests[test].name, NULL);
	struct doc_table *t = doc_table(x->d, anchor, "%s", caption);
	uint32_t last = x->c->tests[test].blocks;

	t->fit = true;
	doc_column(t, DOC_RIGHT, W(x, "block"));
	for (size_t i = 0; i < o->n; i++) {
		mem_auto char *head = mem_printf("%zu", i + 1);

		doc_column(t, DOC_CENTER, head);
	}
	doc_column(t, DOC_LEFT, W(x, "method.col.start"));
	doc_column(t, DOC_LEFT, W(x, "method.col.use"));
	for (size_t i = 0; i < x->b->n_runs; i++)
		if (x->c->cells[x->b->runs[i].cell].test == test && x->b->runs[i].block > last)
			last = x->b->runs[i].block;
	for (uint32_t b = 1; b <= last; b++)
		block_row(x, t, o, test, b);
	schedule_legend(x, t, o);
}

void compose_schedule(struct compose *x, uint32_t test)
{
	struct order o = { .steps = mem_array(x->c->n_steps + 1, sizeof *o.steps) };

	for (size_t i = 0; i < x->c->n_steps; i++)
		if (x->c->steps[i].test == test)
			o.steps[o.n++] = &x->c->steps[i];
	if (o.n > 1 && o.n <= SCHEDULE_STEPS)
		order_table(x, &o, test);
	else if (o.n > SCHEDULE_STEPS)
		compose_para(x, "method.order.long", "test", x->c->tests[test].name, NULL);
	free(o.steps);
}
