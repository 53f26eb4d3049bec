/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the coordinator that need no agent: regions, the common window, progress, the ledger. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "run/ledger.h"
#include "run/progress.h"
#include "run/run.h"

#define MIB ((uint64_t)1 << 20)

struct bench {
	struct plan_test test;
	struct plan_target targets[2];
	struct cell cells[2];
	struct cells c;
	struct prepared prepared[2];
	uint32_t of[2];
	struct campaign k;
};

static void set_up(struct bench *b, uint64_t bytes0, uint64_t bytes1)
{
	static char name[] = "t";

	memset(b, 0, sizeof *b);
	b->test.name = b->targets[0].name = b->targets[1].name = name;
	b->test.blocks = 8;
	b->test.region = REGION_FRESH;
	b->c.tests = &b->test;
	b->c.n_tests = 1;
	b->c.targets = b->targets;
	b->c.cells = b->cells;
	b->c.n_cells = 2;
	for (uint32_t i = 0; i < 2; i++) {
		b->cells[i].id = b->cells[i].target = b->of[i] = i;
		b->cells[i].spec.n_blocks = 1;
		b->cells[i].spec.block[0] = 32768;
		b->prepared[i].align = 512;
		b->prepared[i].target = i;
	}
	b->prepared[0].bytes = bytes0;
	b->prepared[1].bytes = bytes1;
	b->k.c = &b->c;
	b->k.prepared = b->prepared;
	b->k.n_prepared = 2;
	b->k.cell_prepared = b->of;
}

static void fresh_regions_are_new_and_at_the_same_place(void **state)
{
	struct iow_error e = ERR_INIT;
	uint64_t at[2], len[2], last = 0;
	struct bench b;

	set_up(&b, 160 * MIB, 161 * MIB + 4096);
	for (uint32_t block = 1; block <= 10; block++) {
		for (int i = 0; i < 2; i++)
			assert_int_equal(region_of(&b.k, &b.cells[i], block, 0, &at[i], &len[i], &e), 0);
		assert_int_equal(at[0], at[1]);
		assert_int_equal(len[0], 16 * MIB);
		assert_int_equal(len[1], len[0]);
		assert_int_equal(at[0], last);
		last = at[0] + len[0];
	}
	assert_true(last <= 160 * MIB);
}

static void an_amount_that_fits_without_spares_uses_a_region_again(void **state)
{
	struct iow_error e = ERR_INIT;
	uint64_t at, again, len;
	struct bench b;

	set_up(&b, 160 * MIB, 160 * MIB);
	b.cells[0].spec.amount = 20 * MIB;
	assert_int_equal(region_of(&b.k, &b.cells[0], 3, 0, &at, &len, &e), 0);
	assert_int_equal(len, 20 * MIB);
	assert_int_equal(region_of(&b.k, &b.cells[0], 9, 3, &again, &len, &e), 0);
	assert_int_equal(at, again);
	b.cells[0].spec.amount = 21 * MIB;
	assert_int_equal(region_of(&b.k, &b.cells[0], 1, 0, &at, &len, &e), -1);
	assert_non_null(strstr(e.text, "168 MiB"));
}

static void whole_and_same_are_what_they_say(void **state)
{
	struct iow_error e = ERR_INIT;
	uint64_t at, len;
	struct bench b;

	set_up(&b, 160 * MIB, 100 * MIB + 100);
	b.test.region = REGION_WHOLE;
	assert_int_equal(region_of(&b.k, &b.cells[0], 5, 0, &at, &len, &e), 0);
	assert_int_equal(at, 0);
	assert_int_equal(len, 160 * MIB);
	b.test.region = REGION_SAME;
	assert_int_equal(region_of(&b.k, &b.cells[0], 5, 0, &at, &len, &e), 0);
	assert_int_equal(len, 100 * MIB);
	b.cells[0].spec.amount = 10 * MIB;
	assert_int_equal(region_of(&b.k, &b.cells[0], 5, 0, &at, &len, &e), 0);
	assert_int_equal(len, 10 * MIB);
}

static json_t *samples(int64_t start, const char *bytes)
{
	json_t *o = json_loads(bytes, 0, NULL);

	return json_pack("{s:{s:I,s:I,s:o,s:O}}", "intervals", "start_ns", (json_int_t)start, "width_ns",
			 (json_int_t)100, "bytes", o, "ios", o);
}

/* Two runs, the second 150 ns late: the window is [150, 500) on the first one's axis. */
static void rates_come_from_whole_intervals_in_common(void **state)
{
	struct run a, b, *runs[] = { &a, &b };
	json_t *sa = samples(0, "[1,2,4,8,16]"), *sb = samples(150, "[1,2,4,8,16]");
	const json_t *s[] = { sa, sb };
	const int64_t start[] = { 0, 0 };

	run_init(&a);
	run_init(&b);
	a.wall_ns = b.wall_ns = 500;
	window_apply(runs, s, start, 2);
	assert_int_equal(a.window_ns, 350);
	assert_int_equal(a.shortest_ns, 500);
	assert_int_equal(a.bytes, 4 + 8 + 16);
	assert_int_equal(a.wall_ns, 300);
	assert_int_equal(b.bytes, 1 + 2 + 4);
	assert_int_equal(b.wall_ns, 300);
	json_decref(sa);
	json_decref(sb);
}

static void runs_that_never_met_have_no_window(void **state)
{
	struct run a, b, *runs[] = { &a, &b };
	json_t *sa = samples(0, "[1,2]"), *sb = samples(700, "[1,2]");
	const json_t *s[] = { sa, sb };
	const int64_t start[] = { 0, 0 };

	run_init(&a);
	run_init(&b);
	a.wall_ns = b.wall_ns = 200;
	window_apply(runs, s, start, 2);
	assert_int_equal(a.window_ns, 0);
	assert_int_equal(a.wall_ns, 0);
	assert_int_equal(b.bytes, 0);
	json_decref(sa);
	json_decref(sb);
}

static struct divided on_device(struct run *r, const struct node *n, const char *boot, const char *layers)
{
	run_init(r);
	r->read_bytes = 1000;
	r->dev_known = true;
	r->dev_read_bytes = 4400;
	r->dev_reads = 44;
	return (struct divided){ r, n, boot, json_loads(layers, 0, NULL) };
}

/* Three runs read 1000, 3000 and 1000 bytes; each saw its own kernel's device move 4400. */
static void what_a_shared_device_moved_is_divided(void **state)
{
	static const char disk[] = "[\"sda: disk\"]", volume[] = "[\"dm-0: LVM logical volume\", \"  sda: disk\"]";
	struct node n1 = { 0 }, n2 = { 0 }, n3 = { 0 };
	struct run r[3];
	struct divided d[3] = { on_device(&r[0], &n1, "k", disk), on_device(&r[1], &n2, "k", disk),
				on_device(&r[2], &n3, "other", disk) };

	r[1].read_bytes = 3000;
	devices_divide(d, 3);
	assert_true(r[0].dev_known && r[1].dev_known && r[2].dev_known);
	assert_int_equal(r[0].dev_read_bytes, 1100);
	assert_int_equal(r[0].dev_reads, 11);
	assert_int_equal(r[1].dev_read_bytes, 3300);
	assert_int_equal(r[2].dev_read_bytes, 4400); /* another kernel counts its own I/O */
	for (int i = 0; i < 3; i++)
		json_decref((json_t *)d[i].layers);

	d[0] = on_device(&r[0], &n1, "k", disk);
	d[1] = on_device(&r[1], &n1, "k", volume);
	d[2] = on_device(&r[2], &n1, "k", "[\"sdb: disk\"]");
	devices_divide(d, 3);
	assert_false(r[0].dev_known);
	assert_false(r[1].dev_known);
	assert_true(r[2].dev_known);
	assert_int_equal(r[2].dev_read_bytes, 4400);
	for (int i = 0; i < 3; i++)
		json_decref((json_t *)d[i].layers);
}

static void progress_is_one_line(void **state)
{
	struct campaign_progress p = { .done = 12, .total = 28, .now = "shared raw, 4 KiB", .left_ns = 80 * NS_PER_S,
				       .bytes_per_s = 118.4 * 1048576 };
	char out[200];

	progress_text(&p, 100, out, sizeof out);
	assert_string_equal(out, " 42%  12 of 28 runs, 118 MiB/s, 1 min 20 s left: shared raw, 4 KiB");
	p.left_ns = -1;
	p.bytes_per_s = NAN;
	progress_text(&p, 30, out, sizeof out);
	assert_string_equal(out, " 42%  12 of 28 runs: shared ra");
	p.now = "größe";
	progress_text(&p, 27, out, sizeof out);
	assert_string_equal(out, " 42%  12 of 28 runs: größe");
}

static void plain_lines_come_now_and_then(void **state)
{
	struct progress_pace pace = { 0, 0, false };
	struct campaign_progress p = { .total = 100, .run_ended = true, .now = "x" };
	int lines = 0;

	for (p.done = 1; p.done <= 100; p.done++)
		lines += progress_due(&pace, &p);
	assert_in_range(lines, 10, 12);
}

static void campaigns_of_a_plan_are_counted(void **state)
{
	char dir[] = "/tmp/iow-ledger.XXXXXX", sha[65], other[65], *path;
	struct iow_error e = ERR_INIT;
	struct buf b = BUF_INIT;
	int64_t n = 0;

	memset(sha, 'a', 64);
	memset(other, 'b', 64);
	sha[64] = other[64] = 0;
	assert_non_null(mkdtemp(dir));
	path = file_join(dir, "x/campaigns");
	setenv("IOWITNESS_LEDGER", path, 1);
	assert_int_equal(ledger_add(sha, "/a\nb", 0, &n, &e), 0);
	assert_int_equal(n, 1);
	assert_int_equal(ledger_add(other, "/b", 0, &n, &e), 0);
	assert_int_equal(n, 1);
	assert_int_equal(ledger_add(sha, "/c", 0, &n, &e), 0);
	assert_int_equal(n, 2);
	assert_int_equal(file_read(path, &b, 0, &e), 0);
	assert_non_null(strstr(buf_str(&b), "\t/a\\012b\n"));
	buf_release(&b);
	unlink(path);
	path[strlen(path) - 10] = 0;
	rmdir(path);
	rmdir(dir);
	free(path);
	unsetenv("IOWITNESS_LEDGER");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fresh_regions_are_new_and_at_the_same_place),
		cmocka_unit_test(an_amount_that_fits_without_spares_uses_a_region_again),
		cmocka_unit_test(whole_and_same_are_what_they_say),
		cmocka_unit_test(rates_come_from_whole_intervals_in_common),
		cmocka_unit_test(runs_that_never_met_have_no_window),
		cmocka_unit_test(what_a_shared_device_moved_is_divided),
		cmocka_unit_test(progress_is_one_line),
		cmocka_unit_test(plain_lines_come_now_and_then),
		cmocka_unit_test(campaigns_of_a_plan_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
