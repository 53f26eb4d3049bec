/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/jsonx.h"
#include "base/mem.h"
#include "lib/made.h"
#include "stats/archive.h"
#include "stats/change.h"

static void made_of(struct made *m, uint64_t seed, double ratio, double sd)
{
	struct truth t = TRUTH_INIT;

	t.seed = seed;
	t.ratio = ratio;
	t.sd = sd;
	t.block_sd = 0.005;
	make(m, &t);
}

static const struct confounder *confounder(const struct changes *c, const char *what)
{
	size_t i;

	for (i = 0; i < c->n_confounders; i++)
		if (strcmp(c->confounders[i].what, what) == 0)
			return &c->confounders[i];
	return NULL;
}

static void a_change_is_shown_with_its_confounders(void **state)
{
	struct made x, y;
	struct changes c;

	made_of(&x, 1, 0.43, 0.01);
	made_of(&y, 2, 0.60, 0.01);
	jsonx_set_str(jsonx_at(y.b.host, "/nodes/local"), "kernel", "6.6.0-specimen");
	jsonx_set_str(jsonx_at(y.b.host, "/targets/shared raw/facts"), "fill_state", "99% used");
	free(y.b.tool_version);
	y.b.tool_version = mem_strdup("0.2.0");
	y.b.cells.cells[0].spec.block[0] *= 2; /* the plan's words mean something else by now */
	y.b.cells.cells[1].spec.block[0] *= 2;
	judge(&x);
	judge(&y);
	changes_build(&c, &x.r, &y.r, metric_find("throughput"), 0.05);
	assert_int_equal(c.n_changes, 2);
	assert_int_equal(c.changes[0].state, CHANGE_BETTER);
	near(c.changes[0].ratio, 0.60 / 0.43, 0.02);
	assert_true(c.changes[0].lo < 0.60 / 0.43 && c.changes[0].hi > 0.60 / 0.43);
	assert_int_equal(c.changes[1].state, CHANGE_NOT_SHOWN);
	assert_int_equal(c.better, 1);
	assert_int_equal(c.worse, 0);
	assert_string_equal(confounder(&c, "kernel")->after, "6.6.0-specimen");
	assert_string_equal(confounder(&c, "kernel")->where, "node local");
	assert_null(confounder(&c, "fill_state"));
	assert_null(confounder(&c, "sha256"));
	assert_string_equal(confounder(&c, "version")->where, "iowitness");
	assert_string_equal(confounder(&c, "version")->after, "0.2.0");
	assert_string_equal(confounder(&c, "block")->where, "workload scan");
	assert_string_equal(confounder(&c, "block")->before, "32768");
	assert_string_equal(confounder(&c, "block")->after, "65536");
	assert_int_equal(c.n_confounders, 3); /* once, though two cells have the workload */
	assert_true(c.changes[0].before_lo < c.changes[0].before && c.changes[0].before < c.changes[0].before_hi);
	near(c.changes[0].after / c.changes[0].before, c.changes[0].ratio, 1e-9);
	changes_release(&c);
	changes_build(&c, &y.r, &x.r, metric_find("mean"), 0.05);
	assert_int_equal(c.changes[0].state, CHANGE_WORSE);
	assert_int_equal(c.worse, 1);
	changes_release(&c);
	made_release(&x);
	made_release(&y);
}

static void a_void_cell_shows_no_change(void **state)
{
	struct truth t = TRUTH_INIT;
	struct made x, y;
	struct changes c;

	made_of(&x, 1, 0.43, 0.01);
	t.gate = "cold";
	make(&y, &t);
	free(y.b.cells.cells[1].key);
	y.b.cells.cells[1].key = mem_strdup("another");
	judge(&x);
	judge(&y);
	changes_build(&c, &x.r, &y.r, metric_find("throughput"), 0.05);
	assert_int_equal(c.n_changes, 1);
	assert_int_equal(c.changes[0].state, CHANGE_VOID);
	assert_int_equal(c.n_only_before, 1);
	assert_int_equal(c.n_only_after, 1);
	assert_string_equal(c.only_after[0], "another");
	changes_release(&c);
	made_release(&x);
	made_release(&y);
}

#define WEEKS 52

static json_t *archive_of(size_t weeks)
{
	json_t *root = json_object(), *cells = json_array(), *campaigns = json_array();
	struct made m[2];
	size_t i;

	for (i = 0; i < weeks; i++) {
		struct made *now = &m[i % 2], *before = i ? &m[(i + 1) % 2] : NULL;

		made_of(now, 100 + i, i < 30 ? 0.6 : 0.5, 0.02);
		now->b.start_utc_ns += (int64_t)i * 7 * 86400 * INT64_C(1000000000);
		if (i >= 30)
			jsonx_set_str(jsonx_at(now->b.host, "/nodes/local"), "kernel", "6.6.0-specimen");
		judge(now);
		json_array_append_new(campaigns, archive_campaign_json(&now->r, before ? &before->r : NULL, "week",
								       metric_find("throughput"), cells));
		if (before)
			made_release(before);
	}
	made_release(&m[(weeks - 1) % 2]);
	jsonx_set_str(root, "metric", "throughput");
	jsonx_set_new(root, "cells", cells);
	jsonx_set_new(root, "campaigns", campaigns);
	return root;
}

static void a_step_in_the_archive_is_a_candidate(void **state)
{
	json_t *root = archive_of(WEEKS);
	struct iow_error e = ERR_INIT;
	struct archive a;

	assert_int_equal(archive_build(&a, root, 1, &e), 0);
	assert_int_equal(a.n, WEEKS);
	assert_int_equal(a.n_courses, 2);
	assert_int_equal(a.courses[0].n, WEEKS);
	assert_int_equal(a.courses[0].n_changes, 1);
	assert_int_equal(a.courses[0].changes[0].at, 30);
	near(archive_ratio(&a, &a.courses[0].changes[0]), 0.5 / 0.6, 0.01);
	assert_true(archive_is_slower(&a, &a.courses[0]));
	assert_int_equal(a.courses[1].n_changes, 0);
	assert_false(archive_is_slower(&a, &a.courses[1]));
	assert_true(a.courses[0].judged);
	/* What the machine saw change is told where it changed, and nowhere else. */
	assert_int_equal(a.campaigns[30].n_changed, 1);
	assert_string_equal(a.campaigns[30].changed[0].what, "kernel");
	assert_int_equal(a.campaigns[0].n_changed + a.campaigns[29].n_changed + a.campaigns[31].n_changed, 0);
	archive_release(&a);
	json_decref(root);
	/* The week of the step, seen from the weeks before it. */
	root = archive_of(31);
	assert_int_equal(archive_build(&a, root, 1, &e), 0);
	assert_true(a.courses[0].watch && a.courses[0].watch_worse);
	assert_int_equal(a.courses[0].n_changes, 0);
	assert_false(a.courses[1].watch && a.courses[1].watch_worse);
	archive_release(&a);
	json_decref(root);
}

static void what_is_no_history_is_refused(void **state)
{
	static const char *const texts[] = {
		"{}", "{\"metric\": \"throughput\"}", "{\"metric\": \"throughput\", \"campaigns\": []}",
		"{\"metric\": \"throughput\", \"cells\": [], \"campaigns\": [{\"figures\": [[0, 1, 1.0, null, null]]}]}",
		"{\"metric\": \"throughput\", \"cells\": [{}], \"campaigns\": [{\"figures\": [[0, 1, -1.0, null, null]]}]}",
		"{\"metric\": \"throughput\", \"cells\": [{}], \"campaigns\": [{\"figures\": [[0, 1, 1.0]]}]}",
		"{\"metric\": \"throughput\", \"campaigns\": [{\"start_utc_ns\": 2}, {\"start_utc_ns\": 1}]}",
	};
	struct archive a;
	size_t i;

	for (i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct iow_error e = ERR_INIT;
		json_t *root = json_loads(texts[i], 0, NULL);

		assert_non_null(root);
		assert_int_equal(archive_build(&a, root, 1, &e), -1);
		assert_true(e.text[0] != 0);
		json_decref(root);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_change_is_shown_with_its_confounders),
		cmocka_unit_test(a_void_cell_shows_no_change),
		cmocka_unit_test(a_step_in_the_archive_is_a_candidate),
		cmocka_unit_test(what_is_no_history_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
