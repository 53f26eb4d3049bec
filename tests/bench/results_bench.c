/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/truth.h"

#include "base/err.h"
#include "base/jsonx.h"
#include "bundle/format.h"
#include "stats/results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

/* How long judging takes.
 *	results_bench comparisons [CELLS]   half as many comparisons of 8 blocks, in memory
 *	results_bench write DIR LINES    a bundle of so many run lines (no fsync)
 *	results_bench judge DIR          load and judge it, with the memory that took
 * Times are the processor's. */

/* Of the processor: one thread does it all, and what else the machine does is not its. */
static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static double seconds(int64_t from)
{
	return (double)(now() - from) / 1e9;
}

static double judge_once(const struct bundle *b)
{
	struct iow_error e = ERR_INIT;
	struct results r;
	int64_t t = now();
	double s;

	if (results_build(&r, b, &e) < 0) {
		fprintf(stderr, "%s\n", e.text);
		exit(1);
	}
	s = seconds(t);
	results_release(&r);
	return s;
}

static int bench_comparisons(uint32_t n_cells)
{
	struct iow_error e = ERR_INIT;
	struct truth t = TRUTH_INIT;
	struct bundle b;
	double all, cells;
	size_t n;

	t.kind = "cells";
	t.cells = n_cells;
	if (truth_fill(&b, &t, &e) < 0)
		return 1;
	all = judge_once(&b);
	n = b.cells.questions[0].n_pairs;
	b.cells.questions[0].n_pairs = 0;
	cells = judge_once(&b);
	b.cells.questions[0].n_pairs = n;
	printf("%zu comparisons of %u blocks: %.1f ms; cells and gates of %zu cells: %.1f ms\n", n, t.blocks,
	       1000 * (all - cells), b.cells.n_cells, 1000 * cells);
	bundle_release(&b);
	return 0;
}

static int write_lines(const struct bundle *b, const char *dir)
{
	char path[4096];
	struct buf line = BUF_INIT;
	json_t *head = format_head("runs");
	FILE *f;
	size_t i;

	snprintf(path, sizeof path, "%s/runs.jsonl", dir);
	f = fopen(path, "w");
	if (!f)
		return -1;
	jsonx_set_int(head, "created_utc_ns", b->start_utc_ns);
	jsonx_write(&line, head, 0);
	json_decref(head);
	fprintf(f, "%s\n", buf_str(&line));
	for (i = 0; i < b->n_runs; i++) {
		struct run whole;
		json_t *o;

		run_whole(&whole, &b->runs[i]);
		o = run_to_json(&whole);

		buf_clear(&line);
		jsonx_write(&line, o, 0);
		json_decref(o);
		fprintf(f, "%s\n", buf_str(&line));
	}
	buf_release(&line);
	return fclose(f);
}

static int bench_write(const char *dir, long lines)
{
	struct iow_error e = ERR_INIT;
	struct truth t = TRUTH_INIT;
	struct bundle_writer *w;
	struct bundle b;
	int rc = -1;

	t.kind = "cells";
	t.cells = 2000;
	t.blocks = (uint32_t)(lines / 2000);
	if (truth_fill(&b, &t, &e) < 0)
		return 1;
	w = bundle_create(dir, b.plan_text, b.plan_len, &b.cells, &e);
	if (w && bundle_put_host(w, b.host, &e) == 0)
		rc = write_lines(&b, dir);
	bundle_writer_free(w);
	bundle_release(&b);
	if (rc)
		fprintf(stderr, "%s\n", e.text);
	return rc != 0;
}

static int bench_judge(const char *dir)
{
	struct iow_error e = ERR_INIT;
	int64_t t = now();
	struct rusage u;
	struct bundle b;
	double load, judged;

	if (bundle_load(&b, dir, &e) < 0) {
		fprintf(stderr, "%s\n", e.text);
		return 1;
	}
	load = seconds(t);
	judged = judge_once(&b);
	getrusage(RUSAGE_SELF, &u);
	printf("%zu run lines: %.1f s loaded, %.1f s judged, %ld MiB at most\n", b.n_runs, load, judged,
	       u.ru_maxrss / 1024);
	bundle_release(&b);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc >= 2 && strcmp(argv[1], "comparisons") == 0)
		return bench_comparisons(argc > 2 ? (uint32_t)atol(argv[2]) : 2000);
	if (argc == 4 && strcmp(argv[1], "write") == 0)
		return bench_write(argv[2], atol(argv[3]));
	if (argc == 3 && strcmp(argv[1], "judge") == 0)
		return bench_judge(argv[2]);
	fprintf(stderr, "results_bench comparisons [CELLS] | write DIR LINES | judge DIR\n");
	return 1;
}
