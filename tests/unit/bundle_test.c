/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/file.h"
#include "base/jsonx.h"
#include "base/rng.h"
#include "base/vec.h"
#include "bundle/bundle.h"
#include "bundle/cells.h"
#include "bundle/format.h"

static const char plan[] = "{ \"iowitness\": 1 }\n";
static char base[64], dir[96];

static int make_scratch(void **state)
{
	snprintf(base, sizeof base, "/tmp/iowitness-bundle.XXXXXX");
	if (!mkdtemp(base))
		return -1;
	snprintf(dir, sizeof dir, "%s/b.iow", base);
	return 0;
}

static int remove_scratch(void **state)
{
	char cmd[96];

	snprintf(cmd, sizeof cmd, "rm -rf %s", base);
	return system(cmd);
}

static void add_cell(struct cells *c, const char *key, uint32_t target)
{
	struct cell *x = VEC_ADD(c->cells, c->n_cells);
	struct iow_error e = ERR_INIT;
	json_t *spec = json_pack("{s:s, s:i, s:I}", "op", "read", "block", 4096, "duration", (json_int_t)1000000000);

	x->id = (uint32_t)c->n_cells - 1;
	x->target = target, x->pass = 1, x->variant = -1;
	x->key = mem_strdup(key), x->label = mem_printf("%s, 4 KiB", key);
	x->target_keys = json_pack("{s:s}", "path", "/x");
	if (workload_from_json(&x->spec, spec, &e))
		fail_msg("%s", e.text);
	json_decref(spec);
}

static void make_cells(struct cells *c)
{
	struct plan_test *t;
	struct question *q;

	cells_init(c);
	c->title = mem_strdup("Täst \"x\"");
	memset(c->plan_sha256, 'a', 64);
	c->seed = UINT64_C(0xfedcba9876543210);
	c->params = json_object(), c->report = json_object();
	VEC_ADD(c->nodes, c->n_nodes)->name = mem_strdup("local");
	for (int i = 0; i < 2; i++) {
		struct plan_target *p = VEC_ADD(c->targets, c->n_targets);

		p->name = mem_printf("t%d", i), p->driver = mem_strdup("posix"), p->keys = json_object();
	}
	VEC_ADD(c->workloads, c->n_workloads)->name = mem_strdup("w");
	c->workloads[0].keys = json_object();
	t = VEC_ADD(c->tests, c->n_tests);
	t->name = mem_strdup("scan"), t->blocks = 1, t->passes = 1, t->waive = json_array();
	add_cell(c, "scan/t0/w", 0);
	add_cell(c, "scan/t1/w", 1);
	for (uint32_t i = 0; i < 2; i++) {
		struct step *s = VEC_ADD(c->steps, c->n_steps);

		s->id = i;
		*VEC_ADD(s->cells, s->n_cells) = i;
	}
	VEC_ADD(c->blocks, c->n_blocks)->number = 1;
	for (uint32_t i = 0; i < 2; i++)
		*VEC_ADD(c->blocks[0].steps, c->blocks[0].n_steps) = 1 - i;
	q = VEC_ADD(c->questions, c->n_questions);
	q->declared = true, q->margin = 0.05, q->at_least = NAN, q->at_most = 1.1;
	q->metric = mem_strdup("throughput");
	*VEC_ADD(q->pairs, q->n_pairs) = (struct pair){ 0, 1 };
	c->family = 1;
}

static struct bundle_writer *create(const char *where)
{
	struct iow_error e = ERR_INIT;
	struct bundle_writer *w;
	struct cells c;

	make_cells(&c);
	w = bundle_create(where, plan, sizeof plan - 1, &c, &e);
	cells_release(&c);
	if (!w)
		fail_msg("%s", e.text);
	return w;
}

static json_t *make_samples(void)
{
	return json_pack("{s:{s:i,s:i,s:[i,i],s:[i,i],s:[i,i],s:[i,i],s:[i,i]}, s:{s:{s:[i,i],s:[i,i]}}, s:[[i,i,i]]}",
			 "intervals", "start_ns", 0, "width_ns", 10, "bytes", 1, 2, "ios", 1, 2, "errors", 0, 0,
			 "min_ns", 5, -1, "max_ns", 9, -1, "hist", "read", "index", 5, 9, "count", 2, 1, "slow", 1, 2, 9);
}

static void make_run(struct run *r, uint32_t number)
{
	run_init(r);
	r->run = number, r->cell = number % 2, r->block = 1, r->step = number % 2, r->pass = 1, r->position = 1;
	r->start_utc_ns = INT64_C(1796070245000000000) + number, r->wall_ns = 1000, r->bytes = 4096, r->ios = 1;
}

static void put_runs(struct bundle_writer *w, uint32_t n)
{
	struct iow_error e = ERR_INIT;
	json_t *s = make_samples();

	for (uint32_t i = 1; i <= n; i++) {
		struct run r;

		make_run(&r, i);
		if (bundle_put_run(w, &r, i % 2 ? s : NULL, &e))
			fail_msg("%s", e.text);
	}
	json_decref(s);
}

static int shell(const char *fmt, ...)
{
	char cmd[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(cmd, sizeof cmd, fmt, ap);
	va_end(ap);
	return WEXITSTATUS(system(cmd));
}

static void the_resolved_plan_reads_back_as_it_was(void **state)
{
	struct buf path = BUF_INIT, one = BUF_INIT, two = BUF_INIT;
	struct iow_error e = ERR_INIT;
	char *version = NULL;
	struct cells c, back;
	json_t *o, *again;

	make_cells(&c);
	o = cells_to_json(&c);
	assert_int_equal(cells_from_json(&back, o, &version, &path, &e), 0);
	again = cells_to_json(&back);
	jsonx_write(&one, o, 1);
	jsonx_write(&two, again, 1);
	assert_string_equal(buf_str(&one), buf_str(&two));
	assert_true(isnan(back.questions[0].at_least));
	assert_int_equal(back.blocks[0].steps[0], 1);
	assert_true(back.seed == c.seed);
	json_decref(o);
	json_decref(again);
	buf_release(&path);
	buf_release(&one);
	buf_release(&two);
	free(version);
	cells_release(&c);
	cells_release(&back);
}

/* Sets one value in a good cells.json; the pointer of the refusal is wanted. */
static void refused_cells(const char *set, json_t *value_take, const char *want)
{
	struct buf path = BUF_INIT;
	struct iow_error e = ERR_INIT;
	struct cells c, back;
	json_t *good, *o, *parent;
	mem_auto char *up = mem_strdup(set);
	char *slash = strrchr(up, '/');

	make_cells(&c);
	good = cells_to_json(&c);
	o = json_deep_copy(good);
	json_decref(good);
	*slash = 0;
	parent = jsonx_at(o, up);
	if (json_is_array(parent))
		json_array_set_new(parent, strtoul(slash + 1, NULL, 10), value_take);
	else
		json_object_set_new(parent, slash + 1, value_take);
	assert_int_equal(cells_from_json(&back, o, NULL, &path, &e), -1);
	assert_string_equal(buf_str(&path), want);
	json_decref(o);
	buf_release(&path);
	cells_release(&c);
}

static void a_resolved_plan_that_is_not_sound_is_refused(void **state)
{
	refused_cells("/version", json_integer(2), "/version");
	refused_cells("/colour", json_integer(2), "/colour");
	refused_cells("/cells/1/target", json_integer(9), "/cells/1/target");
	refused_cells("/cells/1/extra", json_integer(9), "/cells/1/extra");
	refused_cells("/steps/0/cells/0", json_integer(2), "/steps/0/cells");
	refused_cells("/tests/0/mode", json_string("all"), "/tests/0/mode");
	refused_cells("/tests/0/name", json_null(), "/tests/0/name");
	refused_cells("/questions/0/pairs/0/against", json_integer(2), "/questions/0/pairs");
	refused_cells("/generator/seed", json_string("1"), "/generator/seed");
	refused_cells("/generator/name", json_string("mt19937"), "/generator");
}

static void a_bundle_reads_back(void **state)
{
	struct iow_error e = ERR_INIT;
	struct bundle_writer *w = create(dir);
	json_t *host = json_pack("{s:{s:{s:s}}}", "nodes", "local", "kernel", "6.1"), *s, *want;
	struct bundle b;
	char *text;

	assert_int_equal(bundle_put_host(w, host, &e), 0);
	json_decref(host);
	put_runs(w, 4);
	bundle_log(w, "run %d\nsaid \xff", 3);
	assert_int_equal(bundle_seal(w, "complete", &e), 0);
	bundle_log(w, "too late");
	bundle_writer_free(w);

	if (bundle_load(&b, dir, &e))
		fail_msg("%s", e.text);
	assert_int_equal(b.n_runs, 4);
	assert_string_equal(b.end_state, "complete");
	assert_string_equal(b.plan_text, plan);
	assert_true(b.sealed && !b.torn && b.end_utc_ns >= b.start_utc_ns && b.start_utc_ns > 0);
	assert_int_equal(b.runs[2].run, 3);
	s = bundle_samples(&b, &b.runs[2], &e);
	want = make_samples();
	assert_true(json_equal(s, want));
	json_decref(s);
	json_decref(want);
	assert_null(bundle_samples(&b, &b.runs[1], &e));
	text = bundle_read_log(&b);
	assert_non_null(strstr(text, "Z run 3 said \xef\xbf\xbd\n"));
	assert_null(strstr(text, "too late"));
	free(text);
	assert_int_equal(strlen(b.id), 12);
	bundle_release(&b);
	assert_int_equal(shell("cd %s && sha256sum --quiet -c EVIDENCE", dir), 0);
	assert_null(bundle_create(dir, plan, sizeof plan - 1, &(struct cells){ 0 }, &e));
	assert_int_equal(e.err, EEXIST);
	assert_int_equal(shell("test \"$(ls %s)\" = b.iow", base), 0);
}

static void an_empty_directory_is_taken(void **state)
{
	struct bundle_writer *w;

	assert_int_equal(mkdir(dir, 0700), 0);
	w = create(dir);
	bundle_writer_free(w);
}

/* A sentence of an error is cut to its room, at times within a character. */
static void a_cut_state_seals_all_the_same(void **state)
{
	struct iow_error e = ERR_INIT;
	struct bundle_writer *w = create(dir);
	struct bundle b;

	assert_int_equal(bundle_seal(w, "stopped: gr\xc3", &e), 0);
	bundle_writer_free(w);
	assert_int_equal(bundle_load(&b, dir, &e), 0);
	assert_string_equal(b.end_state, "stopped: gr\xef\xbf\xbd");
	bundle_release(&b);
}

/* Everything as large as it can be. */
static void fill_worst(struct run *r)
{
	static const struct latency most = { INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX,
					     INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX };

	memset(r, 0x7f, sizeof *r);
	r->run = UINT32_MAX - 1, r->cell = 0, r->step = r->block = r->pass = UINT32_MAX - 1;
	r->position = r->replaces = UINT32_MAX - 1;
	r->status = RUN_CANCELLED, r->cold_method = COLD_CACHESTAT, r->clock_source = 2, r->dev_known = true;
	r->direct = 0;
	for (int c = 0; c < LAT_CLASSES; c++)
		r->lat[c] = most;
	memset(r->why, '"', sizeof r->why - 1);
	r->why[sizeof r->why - 1] = 0;
}

static void a_run_line_has_at_most_1_kb(void **state)
{
	struct iow_error e = ERR_INIT;
	struct bundle_writer *w = create(dir);
	struct run r, back;
	json_t *one, *two;
	struct bundle b;

	fill_worst(&r);
	assert_int_equal(bundle_put_run(w, &r, NULL, &e), 0);
	bundle_writer_free(w);
	assert_int_equal(shell("awk 'length($0) + 1 > 1000 { exit 1 }' %s/runs.jsonl", dir), 0);
	if (bundle_load(&b, dir, &e))
		fail_msg("%s", e.text);
	run_whole(&back, &b.runs[0]);
	assert_string_equal(back.why + strlen(back.why) - 3, "…");
	assert_true(strlen(back.why) >= 57);
	memcpy(back.why, r.why, sizeof back.why);
	one = run_to_json(&r);
	two = run_to_json(&back);
	assert_true(json_equal(one, two));
	json_decref(one);
	json_decref(two);
	assert_null(bundle_samples(&b, &b.runs[0], &e));
	bundle_release(&b);
}

/* A write + flush + commit run as they are: all of it fits, nothing moves to the samples. */
static void a_usual_run_line_holds_everything(void **state)
{
	json_t *line, *more = json_object();
	struct run r;

	run_init(&r);
	r.run = 123, r.cell = 12, r.block = 8, r.step = 14, r.pass = 1, r.position = 12;
	r.start_utc_ns = INT64_C(1796070245123456789), r.wall_ns = 5000123456;
	r.bytes = r.write_bytes = 1073741824, r.ios = 262144;
	r.length = 1073741824;
	for (int c = LAT_WRITE; c <= LAT_COMMIT; c++)
		r.lat[c] = (struct latency){ 262144, 10234, 190234, 180234, 250123, 300123, 812345, 1912345, 9912345, 20123456 };
	r.user_ns = 512345678, r.sys_ns = 1912345678, r.wait_ns = 12345678, r.busy_cpu_ns = 2412345678;
	r.busy_wait_ns = 12345678, r.ctx_voluntary = 262144, r.ctx_involuntary = 123, r.machine_cpu_ns = 3512345678;
	r.dev_known = true, r.dev_write_bytes = 1083741824, r.dev_writes = 262200, r.foreign_bytes = 0;
	r.direct = 1, r.allocated = 1073741824, r.workers = r.workers_moved = 1;
	r.clock_step_ns = 120, r.clock_source = 1, r.ceiling_permille = 3;
	r.pressure_cpu_ns = 912345000, r.pressure_io_ns = 4912345000, r.pressure_memory_ns = 0;
	line = run_to_json(&r);
	run_line_fit(line, more, 70);
	assert_int_equal(json_object_size(more), 0);
	json_decref(line);
	json_decref(more);
}

static void tear(const char *name, const char *text)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", dir, name);
	f = fopen(path, "a");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void a_torn_last_line_is_dropped(void **state)
{
	struct iow_error e = ERR_INIT;
	struct bundle_writer *w = create(dir);
	struct bundle b;

	put_runs(w, 2);
	bundle_writer_free(w);
	tear("runs.jsonl", "{\"run\":3,\"ce");
	assert_int_equal(bundle_load(&b, dir, &e), 0);
	assert_true(b.torn && !b.sealed && !b.end_state);
	assert_int_equal(b.n_runs, 2);
	assert_true(b.end_utc_ns >= b.start_utc_ns);
	bundle_release(&b);
	tear("runs.jsonl", "\n{\"run\":4,");
	assert_int_equal(bundle_load(&b, dir, &e), -1);
	assert_non_null(strstr(e.text, "runs.jsonl:4: not valid JSON"));
}

static void what_is_unknown_is_refused_with_file_and_line(void **state)
{
	struct iow_error e = ERR_INIT;
	struct bundle_writer *w = create(dir);
	struct bundle b;

	put_runs(w, 1);
	bundle_writer_free(w);
	tear("runs.jsonl", "{\"run\":2,\"cell\":0,\"speed\":1}\n");
	assert_int_equal(bundle_load(&b, dir, &e), -1);
	assert_non_null(strstr(e.text, "runs.jsonl:3: unknown member \"speed\""));
	shell("sed -i '3d' %s/runs.jsonl; sed -i 's/\"family\"/\"famly\"/' %s/cells.json", dir, dir);
	assert_int_equal(bundle_load(&b, dir, &e), -1);
	assert_non_null(strstr(e.text, "cells.json:"));
	assert_non_null(strstr(e.text, ": /famly: unknown member"));
	shell("sed -i 's/\"famly\"/\"family\"/; s/\"version\": 1/\"version\": 2/' %s/cells.json", dir);
	assert_int_equal(bundle_load(&b, dir, &e), -1);
	assert_non_null(strstr(e.text, "/version: this program reads version 1"));
}

/* A writer is killed at a random moment, also while it makes the bundle. */
static void a_killed_writer_loses_one_line_at_most(void **state)
{
	struct rng r;
	int complete = 0;

	rng_seed(&r, 7);
	for (int i = 0; i < 50; i++) {
		struct iow_error e = ERR_INIT;
		struct bundle b;
		int told[2], status;
		char c;
		size_t done = 0;
		pid_t pid;

		snprintf(dir, sizeof dir, "%s/%d.iow", base, i);
		assert_int_equal(pipe(told), 0);
		pid = fork();
		if (pid == 0) {
			struct bundle_writer *w = create(dir);

			for (uint32_t k = 1;; k++) {
				struct run run;
				json_t *s = make_samples();

				make_run(&run, k);
				if (bundle_put_run(w, &run, s, &e) || write(told[1], "x", 1) != 1)
					_exit(1);
				json_decref(s);
			}
		}
		close(told[1]);
		if (i % 2 && read(told[0], &c, 1) == 1) /* a slow machine: let half of them get going */
			done++;
		usleep((useconds_t)rng_below(&r, 30000));
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
		while (read(told[0], &c, 1) == 1)
			done++;
		close(told[0]);
		if (access(dir, F_OK)) {
			assert_int_equal(done, 0);
			continue;
		}
		if (bundle_load(&b, dir, &e))
			fail_msg("%s", e.text);
		assert_in_range(b.n_runs, done, done + 1);
		for (size_t k = 0; k < b.n_runs; k++) {
			json_t *s = bundle_samples(&b, &b.runs[k], &e);

			assert_non_null(s);
			json_decref(s);
		}
		complete++;
		bundle_release(&b);
	}
	assert_in_range(complete, 20, 50);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make_scratch, remove_scratch)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_resolved_plan_reads_back_as_it_was),
		cmocka_unit_test(a_resolved_plan_that_is_not_sound_is_refused),
		TEST(a_bundle_reads_back),
		TEST(an_empty_directory_is_taken),
		TEST(a_cut_state_seals_all_the_same),
		TEST(a_run_line_has_at_most_1_kb),
		cmocka_unit_test(a_usual_run_line_holds_everything),
		TEST(a_torn_last_line_is_dropped),
		TEST(what_is_unknown_is_refused_with_file_and_line),
		TEST(a_killed_writer_loses_one_line_at_most),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
