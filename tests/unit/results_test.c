/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "base/vec.h"
#include "lib/made.h"

static struct kept_run *run_of(struct made *m, uint32_t cell, uint32_t block)
{
	size_t i;

	for (i = 0; i < m->b.n_runs; i++)
		if (m->b.runs[i].cell == cell && m->b.runs[i].block == block)
			return &m->b.runs[i];
	return NULL;
}

static void set_rate(struct made *m, uint32_t cell, uint32_t block, double rate)
{
	struct kept_run *r = run_of(m, cell, block);

	r->bytes = r->read_bytes = r->dev_read_bytes = (uint64_t)llround(rate);
	r->wall_ns = 1000000000;
}

/* Student's sleep data as ln R (METHODS, oracles): the values of R 4.2's t.test. */
static void the_paired_interval_is_that_of_the_oracle(void **state)
{
	static const double d[] = { -1.2, -2.4, -1.3, -1.3, 0, -1, -1.8, -0.8, -4.6, -1.4 };
	struct truth t = TRUTH_INIT;
	struct made m;
	uint32_t i;

	t.blocks = 10;
	make(&m, &t);
	for (i = 0; i < 10; i++) {
		set_rate(&m, 0, i + 1, 1e15 * exp(d[i]));
		set_rate(&m, 1, i + 1, 1e15);
		set_rate(&m, 2, i + 1, 1e15);
	}
	judge(&m);
	assert_int_equal(first(&m)->n, 10);
	near(log(first(&m)->ratio), -1.58, 1e-9);
	near(log(first(&m)->lo), -2.45988576327698, 1e-9);
	near(log(first(&m)->hi), -0.70011423672302, 1e-9);
	near(first(&m)->p, 0.00283289019738, 1e-9);
	near(first(&m)->holm_p, 0.00283289019738, 1e-9);
	near(first(&m)->unseen_mode, 0.258865550680, 1e-9);
	assert_int_equal(first(&m)->verdict, VERDICT_WORSE);
	assert_int_equal(first(&m)->blocks[9], 10);
	assert_int_equal(first(&m)->subject_runs[0], run_of(&m, 0, 1)->run);
	made_release(&m);
}

static void a_known_ratio_is_found(void **state)
{
	struct truth t = TRUTH_INIT;
	struct made m;

	make(&m, &t);
	judge(&m);
	assert_int_equal(first(&m)->verdict, VERDICT_WORSE);
	assert_true(first(&m)->material);
	assert_true(first(&m)->lo < 0.43 && first(&m)->hi > 0.43);
	assert_int_equal(m.r.done_runs, 24);
	assert_int_equal(m.r.planned_runs, 24);
	assert_false(m.r.incomplete);
	made_release(&m);
	t.kind = "equivalent";
	t.ratio = 1;
	make(&m, &t);
	judge(&m);
	assert_int_equal(first(&m)->verdict, VERDICT_EQUIVALENT);
	made_release(&m);
}

static void fewer_than_five_blocks_decide_nothing(void **state)
{
	struct truth t = TRUTH_INIT;
	struct made m;

	for (t.blocks = 1; t.blocks < 5; t.blocks++) {
		make(&m, &t);
		judge(&m);
		assert_int_equal(first(&m)->verdict, VERDICT_INDICATIVE);
		assert_true(isfinite(first(&m)->ratio));
		assert_int_equal(m.r.cells[0].throughput.has_ci, t.blocks > 1);
		assert_true(t.blocks > 1 || isnan(first(&m)->lo));
		made_release(&m);
	}
}

static void a_killed_run_is_replaced_by_its_block(void **state)
{
	struct truth t = TRUTH_INIT;
	struct made m;

	t.kill = 1;
	make(&m, &t);
	judge(&m);
	/* Block 2 is broken, block 9 stands for it. */
	assert_int_equal(first(&m)->n, 8);
	assert_int_equal(first(&m)->replaced_blocks, 1);
	assert_int_equal(first(&m)->dropped_blocks, 0);
	assert_int_equal(first(&m)->blocks[1], 3);
	assert_int_equal(first(&m)->blocks[7], 9);
	assert_int_equal(m.r.cells[0].status[RUN_KILLED], 1);
	assert_false(first(&m)->withheld);
	made_release(&m);
}

static void a_block_that_was_whole_is_not_counted_twice(void **state)
{
	struct truth t = TRUTH_INIT;
	struct made m;
	uint32_t k;

	/* The subject's run in block 2 is killed: the pair of control and file was whole in it. */
	t.kill = 1;
	make(&m, &t);
	m.b.cells.questions[0].pairs[0].subject = 2;
	judge(&m);
	assert_int_equal(first(&m)->n, 8);
	assert_int_equal(first(&m)->replaced_blocks, 0);
	for (k = 0; k < 8; k++)
		assert_int_equal(first(&m)->blocks[k], k + 1);
	made_release(&m);
}

static void an_arm_that_fails_wins_nothing(void **state)
{
	struct truth t = TRUTH_INIT;
	struct made m;

	t.fail = 1;
	t.ratio = 1.5;
	make(&m, &t);
	judge(&m);
	assert_int_equal(first(&m)->n, 7);
	assert_int_equal(first(&m)->dropped_blocks, 1);
	assert_int_equal(first(&m)->subject_failures, 1);
	assert_int_equal(first(&m)->verdict, VERDICT_INCONCLUSIVE);
	assert_true(first(&m)->withheld);
	made_release(&m);
	t.ratio = 0.5;
	make(&m, &t);
	judge(&m);
	assert_int_equal(first(&m)->verdict, VERDICT_WORSE);
	made_release(&m);
}

static void a_failure_is_never_replaced(void **state)
{
	struct truth t = TRUTH_INIT;
	struct made m;

	t.kill = 1;
	make(&m, &t);
	run_of(&m, 0, 2)->status = RUN_CRASHED;
	judge(&m);
	assert_int_equal(first(&m)->n, 7);
	assert_int_equal(first(&m)->replaced_blocks, 0);
	made_release(&m);
}

static void each_gate_voids_what_it_covers(void **state)
{
	static const enum gate_kind kinds[] = { GATE_COLD, GATE_DIRECT, GATE_WRITTEN, GATE_WORKERS, GATE_CLOCK,
						GATE_FOREIGN, GATE_CEILING, GATE_AA };
	size_t i;

	for (i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		struct truth t = TRUTH_INIT;
		struct made m;
		const struct comparison *c;

		t.gate = gate_name(kinds[i]);
		make(&m, &t);
		judge(&m);
		c = first(&m);
		assert_int_equal(c->verdict, VERDICT_VOID);
		assert_true(c->void_gate >= 0);
		assert_int_equal(m.r.gates[c->void_gate].kind, kinds[i]);
		assert_int_equal(m.r.gates[c->void_gate].state, GATE_FAILS);
		assert_non_null(m.r.gates[c->void_gate].reason);
		assert_non_null(m.r.gates[c->void_gate].basis);
		near(c->holm_p, 1, 0);
		assert_int_equal(m.r.n_void, 1);
		made_release(&m);
		make(&m, &t);
		json_array_append_new(m.b.cells.tests[0].waive, json_string(gate_name(kinds[i])));
		judge(&m);
		assert_int_equal(first(&m)->verdict, VERDICT_WORSE);
		made_release(&m);
	}
}

static void every_gate_speaks_on_every_cell(void **state)
{
	struct truth t = TRUTH_INIT;
	struct made m;
	size_t i, seen[GATES] = { 0 };

	t.kind = "together";
	make(&m, &t);
	judge(&m);
	for (i = 0; i < m.r.n_gates; i++) {
		const struct gate *g = &m.r.gates[i];

		seen[g->kind]++;
		if (g->state == GATE_HOLDS || g->state == GATE_FAILS)
			assert_non_null(g->basis);
		if (g->state != GATE_HOLDS)
			assert_non_null(g->reason);
		assert_int_equal(gate_find(gate_name(g->kind)), g->kind);
	}
	for (i = 0; i < GATES; i++)
		assert_int_equal(seen[i], i == GATE_AA || i == GATE_ORDER ? 1 : m.r.n_cells);
	made_release(&m);
}

static void a_void_comparison_stays_in_the_family(void **state)
{
	struct truth t = TRUTH_INIT;
	struct made m;

	t.kind = "sweep";
	make(&m, &t);
	judge(&m);
	assert_int_equal(m.r.family, 9);
	near(first(&m)->decide_level, 1 - 0.05 / 9, 1e-12);
	near(first(&m)->equiv_level, 1 - 0.10 / 9, 1e-12);
	made_release(&m);
	t.gate = "workers";
	make(&m, &t);
	judge(&m);
	assert_int_equal(m.r.n_void, 6);
	near(first(&m)->holm_p, 1, 0);
	near(m.r.comparisons[6].decide_level, 1 - 0.05 / 9, 1e-12);
	made_release(&m);
}

static const struct difference *difference(const struct comparison *c, const char *attribute)
{
	size_t i;

	for (i = 0; i < c->n_diff; i++)
		if (strcmp(c->diff[i].attribute, attribute) == 0)
			return &c->diff[i];
	return NULL;
}

static void all_differences_are_listed(void **state)
{
	struct truth t = TRUTH_INIT;
	struct made m;

	make(&m, &t);
	judge(&m);
	assert_true(difference(first(&m), "target")->named);
	assert_string_equal(difference(first(&m), "device")->subject, "sdc, sdd");
	assert_string_equal(difference(first(&m), "filesystem")->subject, "none or not known");
	assert_false(difference(first(&m), "driver")->named);
	assert_null(difference(first(&m), "direct I/O"));
	assert_null(difference(first(&m), "block"));
	made_release(&m);
	t.kind = "sweep";
	make(&m, &t);
	judge(&m);
	assert_true(difference(&m.r.comparisons[6], "block")->named);
	assert_string_equal(difference(&m.r.comparisons[6], "block")->subject, "1 MiB");
	assert_int_equal(m.r.comparisons[6].n_diff, 1);
	made_release(&m);
	t.kind = "writes";
	make(&m, &t);
	judge(&m);
	assert_non_null(difference(first(&m), "durability"));
	assert_non_null(difference(first(&m), "direct I/O"));
	made_release(&m);
}

static void a_percentile_needs_ten_on_either_side(void **state)
{
	const struct metric *m = metric_find("p99"), *commit = metric_find("commit.p99.9");
	struct latency lat[] = { { .count = 1000, .p99 = 7000 }, { .count = 10000, .p999 = 8000 } };
	struct kept_run r = { .status = RUN_OK, .why = "", .lat = lat, .classes = 1 << LAT_READ };
	bool few = false;

	near(metric_value(m, &r, &few), 7000, 0);
	assert_false(few);
	lat[0].count = 999;
	near(metric_value(m, &r, &few), 7000, 0);
	assert_true(few);
	assert_true(isnan(metric_value(commit, &r, NULL)));
	r.classes |= 1 << LAT_COMMIT;
	few = false;
	near(metric_value(commit, &r, &few), 8000, 0);
	assert_false(few);
	r.status = RUN_HUNG;
	assert_true(isnan(metric_value(m, &r, NULL)));
	assert_null(metric_find("p98"));
}

static void lower_latency_is_better(void **state)
{
	struct truth t = TRUTH_INIT;
	struct made m;
	size_t i;

	t.kind = "metrics";
	make(&m, &t);
	judge(&m);
	for (i = 0; i < m.r.n_comparisons; i++) {
		const struct comparison *c = &m.r.comparisons[i];

		if (strcmp(c->metric->name, "p99.99") == 0) {
			assert_true(c->too_few);
			assert_int_equal(c->verdict, VERDICT_NO_DATA);
			near(c->holm_p, 1, 0);
			continue;
		}
		assert_int_equal(c->verdict, VERDICT_WORSE);
		assert_true(c->ratio < 1);
		assert_true(c->metric->higher_is_better == (c->subject_mean < c->against_mean));
	}
	made_release(&m);
}

static void hostile_bundles_are_survived(void **state)
{
	struct truth t = TRUTH_INIT;
	struct made m;
	size_t i, k;

	for (k = 0; truth_kinds[k].name; k++) {
		t.kind = truth_kinds[k].name;
		t.cells = 8;
		for (t.blocks = 1; t.blocks < 9; t.blocks += 7) {
			make(&m, &t);
			for (i = 0; i < m.b.n_runs; i++) {
				struct kept_run *r = &m.b.runs[i];

				r->bytes = i % 2 ? 0 : UINT64_MAX;
				r->wall_ns = i % 3 ? 0 : INT64_MAX;
				r->dev_read_bytes = r->ios = i % 5 ? 0 : UINT64_MAX;
				r->length = 0;
			}
			judge(&m);
			made_release(&m);
			make(&m, &t);
			m.b.n_runs = 0;
			judge(&m);
			assert_true(m.r.incomplete);
			made_release(&m);
		}
	}
	t.kind = "all-failed";
	make(&m, &t);
	judge(&m);
	assert_int_equal(first(&m)->verdict, VERDICT_NO_DATA);
	assert_int_equal(first(&m)->n, 0);
	assert_int_equal(m.r.n_failed_runs, t.blocks);
	made_release(&m);
}

static uint32_t any(struct rng *g, size_t n)
{
	return (uint32_t)rng_below(g, n ? n : 1);
}

static void scramble_question(struct bundle *b, struct question *q, struct rng *g)
{
	size_t i;

	q->kind = any(g, 7);
	q->claim = any(g, 2);
	q->declared = any(g, 4) > 0;
	q->margin = any(g, 3) ? 0.05 : 0;
	q->at_least = any(g, 2) ? NAN : rng_unit(g) * 2;
	q->at_most = any(g, 2) ? NAN : rng_unit(g) * 2;
	for (i = 0; i < q->n_pairs; i++)
		q->pairs[i] = (struct pair){ any(g, b->cells.n_cells), any(g, b->cells.n_cells) };
	q->n_pairs = any(g, q->n_pairs + 1);
	*VEC_ADD(q->cells, q->n_cells) = any(g, b->cells.n_cells);
}

static void scramble_run(const struct bundle *b, struct kept_run *r, struct rng *g)
{
	r->status = any(g, 3) ? RUN_OK : any(g, RUN_STATUSES);
	r->cell = any(g, b->cells.n_cells);
	r->block = any(g, 12);
	r->replaces = any(g, 4) ? 0 : any(g, 12);
	r->step = any(g, b->cells.n_steps);
	r->direct = (int64_t)any(g, 3) - 1;
	r->wall_ns = any(g, 5) ? r->wall_ns : -1;
	r->bytes = any(g, 5) ? r->bytes : 0;
	r->checked_pages = any(g, 3) ? r->checked_pages : 0;
	r->dev_known = any(g, 2);
}

/* Whatever cells and lines say, as long as their indexes hold: judged without a crash. */
static void scrambled_bundles_are_survived(void **state)
{
	struct rng g;
	size_t i, k, round;

	rng_seed(&g, 7);
	for (round = 0; round < 300; round++) {
		struct truth t = TRUTH_INIT;
		struct made m;

		for (k = 0; truth_kinds[k].name; k++)
			;
		t.kind = truth_kinds[any(&g, k)].name;
		t.cells = 10;
		t.seed = round;
		make(&m, &t);
		for (i = 0; i < m.b.cells.n_questions; i++)
			scramble_question(&m.b, &m.b.cells.questions[i], &g);
		for (i = 0; i < m.b.n_runs; i++)
			scramble_run(&m.b, &m.b.runs[i], &g);
		for (i = 0; i < m.b.cells.n_cells; i++) {
			m.b.cells.cells[i].company = any(&g, 2);
			m.b.cells.cells[i].pass = 1 + any(&g, 2);
			m.b.cells.cells[i].control = any(&g, 5) == 0;
		}
		judge(&m);
		made_release(&m);
	}
}

static void an_unknown_metric_is_refused(void **state)
{
	struct iow_error e = ERR_INIT;
	struct truth t = TRUTH_INIT;
	struct made m;

	make(&m, &t);
	m.b.cells.questions[0].metric[0] = 'T';
	assert_int_equal(results_build(&m.r, &m.b, &e), -1);
	assert_non_null(strstr(e.text, "Throughput"));
	made_release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_paired_interval_is_that_of_the_oracle),
		cmocka_unit_test(a_known_ratio_is_found),
		cmocka_unit_test(fewer_than_five_blocks_decide_nothing),
		cmocka_unit_test(a_killed_run_is_replaced_by_its_block),
		cmocka_unit_test(a_block_that_was_whole_is_not_counted_twice),
		cmocka_unit_test(an_arm_that_fails_wins_nothing),
		cmocka_unit_test(a_failure_is_never_replaced),
		cmocka_unit_test(each_gate_voids_what_it_covers),
		cmocka_unit_test(every_gate_speaks_on_every_cell),
		cmocka_unit_test(a_void_comparison_stays_in_the_family),
		cmocka_unit_test(all_differences_are_listed),
		cmocka_unit_test(a_percentile_needs_ten_on_either_side),
		cmocka_unit_test(lower_latency_is_better),
		cmocka_unit_test(hostile_bundles_are_survived),
		cmocka_unit_test(scrambled_bundles_are_survived),
		cmocka_unit_test(an_unknown_metric_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
