/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/plan_show.h"
#include "base/jsonx.h"
#include "base/num.h"
#include "cli/plan_open.h"
#include "run/progress.h"
#include "stats/compare.h"
#include "stats/metric.h"
#include "stats/power.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const modes[] = { "one at a time", "together", "each alone, then together" };
static const char *const caches[] = { "cold", "as it is", "warm" };
static const char *const regions[] = { "a fresh region each block", "the same region each block", "all of it" };

/* ---- estimate ---- */

/* Bytes that one run moves at most; 0: it depends on the speed. Without amount and duration a run is
 * one pass over its region: a share of the size for fresh regions, as the coordinator cuts them. */
static uint64_t run_bytes(const struct cells *c, const struct cell *cell)
{
	const struct plan_test *t = &c->tests[cell->test];
	const json_t *size = json_object_get(cell->target_keys, "size");
	const json_t *loop = json_object_get(c->targets[cell->target].make, "loop");
	uint64_t all = (uint64_t)json_integer_value(loop ? loop : size);

	if (cell->spec.amount)
		return cell->spec.amount;
	if (cell->spec.duration_ns)
		return 0;
	return t->region == REGION_FRESH ? all / (t->blocks + 2) : all;
}

static void add_run(const struct cells *c, const struct cell *cell, struct plan_estimate *e)
{
	uint64_t bytes = run_bytes(c, cell);

	e->bytes += bytes;
	e->open_bytes += !bytes;
	e->open_time += !cell->spec.duration_ns;
}

void plan_estimate(const struct cells *c, struct plan_estimate *e)
{
	memset(e, 0, sizeof *e);
	for (size_t b = 0; b < c->n_blocks; b++)
		for (size_t i = 0; i < c->blocks[b].n_steps; i++) {
			const struct step *s = &c->steps[c->blocks[b].steps[i]];
			uint32_t pass = 0;

			e->pause_ns += c->tests[s->test].pause_ns;
			for (size_t k = 0; k < s->n_cells; k++) {
				const struct cell *cell = &c->cells[s->cells[k]];

				add_run(c, cell, e);
				if (cell->pass != pass) /* what runs together takes its time once */
					e->run_ns += cell->spec.duration_ns;
				pass = cell->pass;
			}
		}
}

static void show_estimate(const struct cells *c, struct buf *out)
{
	struct plan_estimate e;
	char s[40], measuring[40], pauses[40];

	plan_estimate(c, &e);
	progress_time(e.run_ns, measuring);
	progress_time(e.pause_ns, pauses);
	buf_printf(out, "\nestimate\n  runs    %zu\n  time    %s of measuring at most, and %s of idle windows; "
		   "test files are made before", plan_runs(c), measuring, pauses);
	if (e.open_time)
		buf_printf(out, "\n          and %zu runs that take as long as their bytes need", e.open_time);
	num_bytes(e.bytes, s);
	buf_printf(out, "\n  bytes   %s at most", e.bytes ? s : "0 B");
	if (e.open_bytes)
		buf_printf(out, "\n          and %zu runs that move what their time allows", e.open_bytes);
	buf_putc(out, '\n');
}

/* ---- parts ---- */

static void show_keys(const json_t *keys, struct buf *out)
{
	const char *name;
	json_t *v;

	json_object_foreach((json_t *)(uintptr_t)keys, name, v) {
		if (json_is_null(v))
			continue;
		buf_printf(out, " %s=", name);
		if (json_is_string(v))
			buf_puts(out, json_string_value(v));
		else
			jsonx_write(out, v, 0);
	}
	buf_putc(out, '\n');
}

static void show_targets(const struct cells *c, struct buf *out)
{
	buf_puts(out, "\ntargets\n");
	for (size_t i = 0; i < c->n_targets; i++) {
		const struct plan_target *t = &c->targets[i];

		buf_printf(out, "  %s: driver %s, node %s,", t->name, t->driver, c->nodes[t->node].name);
		if (t->make)
			buf_puts(out, " on a loop device that is made for it,");
		if (t->destroy)
			buf_printf(out, " contents of %s may be lost,", t->destroy_id);
		show_keys(t->keys, out);
	}
	for (size_t i = 0; i < c->n_workloads; i++) {
		buf_printf(out, "%s  %s:", i ? "" : "\nworkloads\n", c->workloads[i].name);
		show_keys(c->workloads[i].keys, out);
	}
	for (size_t i = 0; i < c->n_skips; i++)
		buf_printf(out, "%s  %s: %s\n", i ? "" : "\nleft out\n", c->skips[i].what, c->skips[i].why);
}

static void show_steps(const struct cells *c, uint32_t test, struct buf *out)
{
	uint32_t number = 0;

	for (size_t i = 0; i < c->n_steps; i++) {
		const struct step *s = &c->steps[i];

		if (s->test != test)
			continue;
		buf_printf(out, "  step %u\n", ++number);
		for (size_t k = 0; k < s->n_cells; k++)
			buf_printf(out, "    %s\n", c->cells[s->cells[k]].label);
	}
}

/* Steps are numbered from 1 within their test. */
static void show_order(const struct cells *c, uint32_t test, struct buf *out)
{
	uint32_t first = UINT32_MAX;

	for (size_t i = 0; i < c->n_steps; i++)
		if (c->steps[i].test == test && first == UINT32_MAX)
			first = c->steps[i].id;
	for (size_t i = 0; i < c->n_blocks; i++) {
		const struct block *b = &c->blocks[i];

		if (b->test != test)
			continue;
		buf_printf(out, "  block %u: steps", b->number);
		for (size_t k = 0; k < b->n_steps; k++)
			buf_printf(out, " %u", b->steps[k] - first + 1);
		buf_putc(out, '\n');
	}
}

static void show_test(const struct cells *c, uint32_t test, struct buf *out)
{
	const struct plan_test *t = &c->tests[test];

	buf_printf(out, "\ntest %s\n  %s, cache %s, %s, layout %s, %u blocks%s%s\n", t->name, modes[t->mode],
		   caches[t->cache], regions[t->region], layout_names[t->layout], t->blocks,
		   t->passes > 1 ? ", two passes" : "", t->control ? ", a control arm" : "");
	show_steps(c, test, out);
	show_order(c, test, out);
}

static void show_questions(const struct cells *c, struct buf *out)
{
	char margin[40];

	for (size_t i = 0; i < c->n_questions; i++) {
		const struct question *q = &c->questions[i];

		num_sig(q->margin * 100, 3, margin);
		buf_printf(out, "%s  %s: %s, ", i ? "" : "\nquestions\n", q->label, q->metric);
		if (q->n_pairs)
			buf_printf(out, "%zu comparison%s, margin %s%%", q->n_pairs, q->n_pairs == 1 ? "" : "s",
				   margin);
		else
			buf_printf(out, "%zu cell%s", q->n_cells, q->n_cells == 1 ? "" : "s");
		buf_printf(out, "%s\n", q->claim ? ", a claim" : q->declared ? "" : ", exploratory");
	}
	if (c->family) {
		num_sig(100 - 5.0 / c->family, 3, margin);
		buf_printf(out, "  declared comparisons: %u, each decided at %s%%\n", c->family, margin);
	}
}

/* ---- what the design can see ---- */

static void show_power(const struct cells *c, uint32_t test, double sd, double effect, struct buf *out)
{
	const struct plan_test *t = &c->tests[test];
	double alpha = 0.05 / (c->family ? c->family : 1);
	double least = power_smallest(t->blocks, alpha) * sd;
	char a[40], b[40];

	num_sig(100 * sd, 3, a);
	num_sig(100 * expm1(least), 3, b);
	buf_printf(out, "  %s: with an sd of %s%% and %u blocks a difference of %s%% is seen in 4 of 5 campaigns\n",
		   t->name, a, t->blocks, isnan(least) ? "no size" : b);
	if (!(effect > 0))
		return;
	num_sig(100 * effect, 3, a);
	buf_printf(out, "    one of %s%% needs %zu blocks; to show that it is not there, %zu\n", a,
		   power_blocks_difference(log1p(effect), sd, alpha, COMPARE_LEAST_RULING),
		   power_blocks_equivalence(log1p(effect), 0, sd, alpha, COMPARE_LEAST_EQUIVALENT));
}

static void show_design(const struct cells *c, double sd, double effect, struct buf *out)
{
	bool any = false;

	for (uint32_t i = 0; i < c->n_tests; i++) {
		double s = sd > 0 ? sd : c->tests[i].sd;

		if (!(s > 0))
			continue;
		buf_puts(out, any ? "" : "\nsmallest effect\n");
		show_power(c, i, s, effect, out);
		any = true;
	}
	if (!any)
		buf_puts(out, "\nsmallest effect\n  not known: no test states an \"sd\"; see --sd, and run --pilot\n");
}

/* ---- notes ---- */

/* Fewest I/Os of a run of a cell; 0: it depends on the speed. */
static double run_ios(const struct cells *c, uint32_t id)
{
	const struct cell *cell = &c->cells[id];
	uint64_t block = 0;

	if (cell->spec.duration_ns)
		return 0;
	for (uint32_t i = 0; i < cell->spec.n_blocks; i++)
		block = cell->spec.block[i] > block ? cell->spec.block[i] : block;
	return block ? (double)run_bytes(c, cell) / (double)block : 0;
}

static void note_percentile(const struct cells *c, const struct question *q, struct buf *out)
{
	const struct metric *m = metric_find(q->metric);
	double fewest = INFINITY, n;

	if (!m || !(m->quantile > 0))
		return;
	for (size_t i = 0; i < q->n_pairs; i++) {
		n = fmin(run_ios(c, q->pairs[i].subject), run_ios(c, q->pairs[i].against));
		fewest = n > 0 ? fmin(n, fewest) : fewest;
	}
	for (size_t i = 0; i < q->n_cells; i++) {
		n = run_ios(c, q->cells[i]);
		fewest = n > 0 ? fmin(n, fewest) : fewest;
	}
	if (!metric_has_tail(m, fewest))
		buf_printf(out, "note: question \"%s\": a run has only %.0f I/Os, too few for %s; it would stay "
			   "without a verdict\n", q->label, fewest, q->metric);
}

void plan_notes(const struct cells *c, struct buf *out)
{
	for (size_t i = 0; i < c->n_tests; i++) {
		const struct plan_test *t = &c->tests[i];

		if (t->blocks < COMPARE_LEAST_RULING)
			buf_printf(out, "note: test \"%s\" has %u blocks: numbers, but no verdict, which needs %d\n",
				   t->name, t->blocks, COMPARE_LEAST_RULING);
		else if (t->blocks < COMPARE_LEAST_EQUIVALENT)
			buf_printf(out, "note: test \"%s\" has %u blocks: nothing can be found equivalent, which "
				   "needs %d\n", t->name, t->blocks, COMPARE_LEAST_EQUIVALENT);
	}
	for (size_t i = 0; i < c->n_questions; i++)
		note_percentile(c, &c->questions[i], out);
	for (size_t i = 0; i < c->n_skips; i++)
		buf_printf(out, "note: %s is left out: %s\n", c->skips[i].what, c->skips[i].why);
}

void plan_show(const struct cells *c, double sd, double effect, struct buf *out)
{
	buf_printf(out, "%s\nplan sha256 %s, seed %016" PRIx64 "\n", c->title, c->plan_sha256, c->seed);
	for (size_t i = 0; i < c->n_set; i++)
		buf_printf(out, "--set %s=%s\n", c->set[i].path, c->set[i].value);
	show_targets(c, out);
	for (uint32_t i = 0; i < c->n_tests; i++)
		show_test(c, i, out);
	show_questions(c, out);
	show_estimate(c, out);
	show_design(c, sd, effect, out);
	plan_notes(c, out);
}
