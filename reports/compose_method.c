/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "base/num.h"
#include "reports/said.h"
#include "reports/sections.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Method, and deviations from the plan. */

static void method_design(struct compose *x)
{
	mem_auto char *tests = wording_count(x->w, "tests", x->c->n_tests);
	mem_auto char *cells = wording_count(x->w, "cells", x->c->n_cells);
	mem_auto char *runs = wording_count(x->w, "runs", x->r->planned_runs);
	mem_auto char *seed = mem_printf("%016" PRIx64, x->c->seed);

	compose_def(x, "method.design", "tests", tests, "cells", cells, "runs", runs, "seed", seed, NULL);
}

/* What the clock adds to the figures of cells; nothing of it is in a ratio. */
static void method_instrument(struct compose *x)
{
	double most = 0, wider = 0;
	char share[40], width[40];

	for (size_t i = 0; i < x->r->n_cells; i++) {
		const struct cell_result *c = &x->r->cells[i];

		if (!isfinite(c->combined_lo))
			continue;
		most = fmax(most, c->instrument);
		wider = fmax(wider, (c->combined_hi - c->throughput.hi) / c->throughput.mean);
	}
	if (!(most > 0))
		return;
	num_fixed(most * 1e6, 2, share);
	num_fixed(fmax(wider, 0) * 1e6, 2, width);
	compose_def(x, "method.instrument", "share", share, "width", width, NULL);
}

static void method_decision(struct compose *x)
{
	mem_auto char *m = mem_printf("%u", x->c->family);
	char margin[40], low[40], decide[40], equiv[40];
	double family = x->c->family ? x->c->family : 1, largest = 0, least = HUGE_VAL;

	for (size_t i = 0; i < x->c->n_questions; i++)
		if (x->c->questions[i].declared && x->c->questions[i].n_pairs) {
			largest = fmax(largest, x->c->questions[i].margin);
			least = fmin(least, x->c->questions[i].margin);
		}
	say_percent(largest, margin);
	say_percent(least, low);
	mem_auto char *margins = least < largest ? wording_fill(x->w, "region.between", "low", low, "high", margin, NULL)
						 : mem_strdup(margin);
	say_level(1 - .05 / family, decide);
	say_level(1 - .10 / family, equiv);
	if (x->c->family)
		compose_def(x, "method.decision", "margin", margins, "m", m, "decide", decide, "equiv", equiv, NULL);
	else
		compose_def(x, compose_asks(x) ? "method.nopairs" : "method.nodecision", NULL);
	compose_def(x, "method.risks", NULL);
	method_instrument(x);
}

/* How the number of blocks was fixed and the smallest effect that it shows, one sentence. New. */
static char *size_words(const struct compose *x, uint32_t test)
{
	const struct plan_test *t = &x->c->tests[test];
	mem_auto char *blocks = say_blocks(x->w, t->blocks), *m = mem_printf("%u", x->r->family);
	mem_auto char *pilot = say_blocks(x->w, t->pilot_blocks);
	char sd[40], effect[40], level[40];

	if (!isfinite(x->r->tests[test].smallest))
		return wording_fill(x->w, "size.unknown", "test", t->name, "blocks", blocks, NULL);
	num_sig(100 * t->sd, 3, sd);
	num_sig(100 * x->r->tests[test].smallest, 3, effect);
	say_level(1 - .05 / x->r->family, level);
	return wording_fill(x->w, t->pilot_blocks ? "size.pilot" : "size.stated", "test", t->name, "blocks", blocks, "sd", sd,
			    "effect", effect, "level", level, "m", m, "pilot", pilot, NULL);
}

#define SIZE_TESTS 12

static void method_size(struct compose *x)
{
	struct buf b = BUF_INIT;

	for (uint32_t i = 0; i < x->c->n_tests && i < SIZE_TESTS; i++) {
		mem_auto char *one = size_words(x, i);

		buf_printf(&b, "%s%s", i ? " " : "", one);
	}
	compose_def(x, "method.size", "tests", buf_str(&b), NULL);
	buf_release(&b);
}

static void method_cache(struct compose *x)
{
	bool used[3] = { false };
	static const char *const key[] = { "method.cache.cold", "method.cache.asis", "method.cache.warm" };

	for (size_t i = 0; i < x->c->n_tests; i++) {
		uint32_t rule = x->c->tests[i].cache;

		if (rule < 3 && !used[rule]) {
			used[rule] = true;
			compose_def(x, key[rule], NULL);
		}
	}
}

static const char *order_word(const struct compose *x, const struct workload *w)
{
	static const char *const key[] = { "sequential", "random", "strided", "zipf", "hotcold" };

	return wording_of(x->w, "pattern", w->pattern < 5 ? key[w->pattern] : "sequential");
}

static char *block_words(const struct workload *w)
{
	struct buf b = BUF_INIT;
	char size[40];

	for (uint32_t i = 0; i < w->n_blocks; i++) {
		num_bytes(w->block[i], size);
		buf_printf(&b, i ? ", %s" : "%s", size);
		if (w->n_blocks > 1)
			buf_printf(&b, " (%u)", w->weight[i]);
	}
	return buf_take(&b);
}

static char *amount_words(const struct workload *w)
{
	char amount[40] = "", time[40] = "";

	if (w->amount)
		num_bytes(w->amount, amount);
	if (w->duration_ns)
		num_time(w->duration_ns, time);
	return mem_printf("%s%s%s", amount, *amount && *time ? ", " : "", *amount || *time ? time : "–");
}

static void workloads_table(struct compose *x)
{
	struct doc_table *t = doc_table(x->d, "workloads", "%s", W(x, "method.workloads"));
	static const char *const durability[] = { "none", "dsync", "sync", "flush" };
	static const char *const op[] = { "reads", "writes", "mixed", "trims" };
	static const char *const cache[] = { "cold", "asis", "warm" };

	doc_column(t, DOC_LEFT, W(x, "method.col.cell"));
	doc_column(t, DOC_LEFT, W(x, "method.col.work"));
	doc_column(t, DOC_LEFT, W(x, "method.col.block"));
	doc_column(t, DOC_LEFT, W(x, "method.col.amount"));
	doc_column(t, DOC_RIGHT, W(x, "method.col.depth"));
	doc_column(t, DOC_RIGHT, W(x, "method.col.jobs"));
	doc_column(t, DOC_LEFT, W(x, "method.col.durability"));
	doc_column(t, DOC_LEFT, W(x, "method.col.cache"));
	t->fold = x->c->n_cells > 16;
	for (size_t i = 0; i < x->c->n_cells; i++) {
		const struct cell *c = &x->c->cells[i];
		mem_auto char *block = block_words(&c->spec), *amount = amount_words(&c->spec);
		struct doc_row *row = doc_row(t, c->control ? DOC_ROW_MUTED : 0);

		doc_cell(row, "%s", c->label);
		doc_cell(row, "%s %s", order_word(x, &c->spec), wording_of(x->w, "op", op[c->spec.op & 3]));
		doc_cell(row, "%s", block);
		doc_cell(row, "%s", amount);
		doc_cell(row, "%" PRId64, c->spec.depth);
		doc_cell(row, "%" PRId64, c->spec.jobs);
		doc_cell(row, "%s", wording_of(x->w, "durability", durability[c->spec.durability & 3]));
		doc_cell(row, "%s", c->pass > 1 ? W(x, "cache.repeat")
						: wording_of(x->w, "cache", cache[x->c->tests[c->test].cache % 3]));
	}
}

void section_method(struct compose *x)
{
	doc_section(x->d, "method", W(x, "method.title"));
	method_design(x);
	method_cache(x);
	compose_def(x, "method.warmup", NULL);
	method_decision(x);
	method_size(x);
	doc_def_code(compose_def(x, "method.plan", NULL), x->c->plan_sha256);
	compose_tests(x);
	workloads_table(x);
	for (uint32_t i = 0; i < x->c->n_tests; i++)
		compose_schedule(x, i);
}

/* ---- deviations ---- */

static void deviations_table(struct compose *x, size_t bad)
{
	struct doc_table *t = doc_table(x->d, "missing-runs", "%s", W(x, "deviations.caption"));

	doc_column(t, DOC_LEFT, "UTC");
	doc_column(t, DOC_RIGHT, W(x, "run"));
	doc_column(t, DOC_LEFT, W(x, "cell"));
	doc_column(t, DOC_RIGHT, W(x, "block"));
	doc_column(t, DOC_LEFT, W(x, "deviations.what"));
	t->fold = bad > 40;
	for (size_t i = 0; i < x->b->n_runs; i++) {
		const struct kept_run *r = &x->b->runs[i];
		char time[32];
		struct doc_row *row;

		if (r->status == RUN_OK)
			continue;
		clock_format(r->start_utc_ns, time);
		row = doc_row(t, 0);
		doc_cell(row, "%.8s", r->start_utc_ns ? time + 11 : "–");
		doc_cell(row, "%u", r->run);
		doc_cell(row, "%s", x->c->cells[r->cell].label);
		doc_cell(row, "%u", r->block);
		mem_auto char *why = said(x->w, r->why);
		doc_cell(row, "%s%s%s", wording_of(x->w, "status", run_status_name((enum run_status)r->status)),
			 *why ? ": " : "", why);
	}
}

static void lost_nodes(struct compose *x)
{
	const json_t *list = json_object_get(x->b->host, "lost"), *v, *file;
	size_t i, k;

	json_array_foreach(list, i, v) {
		const json_t *files = json_object_get(v, "files");
		const char *node = jsonx_str(v, "node", "");

		mem_auto char *why = said(x->w, jsonx_str(v, "why", ""));

		compose_para(x, "deviations.lost", "node", node, "why", why, NULL);
		json_array_foreach(files, k, file)
			compose_para(x, "deviations.file", "node", node, "file", json_string_value(file), NULL);
	}
}

static void deviations_ended(struct compose *x)
{
	mem_auto char *state = said(x->w, x->b->end_state);

	compose_para(x, "deviations.ended", "state", state, NULL);
}

static void deviations_waived(struct compose *x, const struct plan_test *t)
{
	struct buf b = BUF_INIT;
	json_t *name;
	size_t i;

	json_array_foreach(t->waive, i, name) {
		int gate = gate_find(json_string_value(name));
		mem_auto char *words = gate < 0 ? NULL
			: wording_fill(x->w, "quoted", "words", wording_of(x->w, "gate", gate_name((enum gate_kind)gate)), NULL);

		buf_printf(&b, "%s%s", i ? ", " : "", words ? words : json_string_value(name));
	}
	if (b.len)
		compose_para(x, "deviations.waived", "test", t->name, "gates", buf_str(&b), NULL);
	buf_release(&b);
}

#define STOPPED_MOST 10 /* runs that are named */

static void stopped_runs(struct compose *x)
{
	struct buf b = BUF_INIT;
	mem_auto char *n = NULL;
	size_t stopped = 0;

	for (size_t i = 0; i < x->b->n_runs; i++) {
		const struct kept_run *r = &x->b->runs[i];
		char time[40];

		if (r->stopped_ns <= 0)
			continue;
		num_time((r->stopped_ns + NS_PER_MS - 1) / NS_PER_MS * NS_PER_MS, time);
		if (++stopped <= STOPPED_MOST)
			buf_printf(&b, "%s%s %u (%s)", stopped > 1 ? ", " : "", W(x, "run"), r->run, time);
	}
	n = wording_count(x->w, "runs", stopped);
	if (stopped > STOPPED_MOST)
		buf_puts(&b, ", …");
	if (stopped)
		compose_para(x, "deviations.stopped", "runs", n, "list", buf_str(&b), NULL);
	buf_release(&b);
}

void section_deviations(struct compose *x)
{
	size_t bad = 0, replaced = 0;
	mem_auto char *planned = wording_count(x->w, "runs", x->r->planned_runs);
	mem_auto char *done = mem_printf("%u", x->r->done_runs);

	doc_section(x->d, "deviations", W(x, "deviations.title"));
	for (size_t i = 0; i < x->b->n_runs; i++) {
		bad += x->b->runs[i].status != RUN_OK;
		replaced += x->b->runs[i].replaces != 0;
	}
	compose_para(x, bad || x->r->incomplete ? "deviations.some" : "deviations.none", "planned", planned, "done", done, NULL);
	if (!x->b->end_state)
		compose_para(x, "deviations.cut", NULL);
	else if (strcmp(x->b->end_state, "complete") != 0)
		deviations_ended(x);
	if (x->b->torn)
		compose_para(x, "deviations.torn", NULL);
	lost_nodes(x);
	stopped_runs(x);
	if (replaced) {
		mem_auto char *n = wording_count(x->w, "runs", replaced);

		compose_para(x, "deviations.replaced", "runs", n, NULL);
	}
	for (size_t i = 0; i < x->c->n_tests; i++)
		deviations_waived(x, &x->c->tests[i]);
	for (size_t i = 0; i < x->c->n_skips; i++) {
		mem_auto char *what = said(x->w, x->c->skips[i].what), *why = said(x->w, x->c->skips[i].why);

		compose_para(x, "deviations.left_out", "what", what, "why", why, NULL);
	}
	if (bad)
		deviations_table(x, bad);
}
