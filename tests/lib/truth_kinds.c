/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/truth.h"

#include "base/err.h"
#include "base/num.h"
#include "base/vec.h"
#include "stats/results.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define AGAINST_RATE 220e6

static struct arm raw_arm(double rate)
{
	return (struct arm){ .rate = rate, .device = 1, .busy = 0.06, .direct = true, .is_subject = true };
}

static struct arm direct_arm(double rate)
{
	return (struct arm){ .rate = rate, .device = 1, .busy = 0.05, .direct = true };
}

static struct arm file_arm(double rate)
{
	return (struct arm){ .rate = rate, .device = 1.01, .busy = 0.12, .buffered = true };
}

static json_t *scan_keys(const char *block)
{
	return json_pack("{s:s, s:s, s:s, s:s}", "op", "read", "pattern", "sequential", "block", block, "duration",
			 "5s");
}

void make_title(struct maker *m, const char *text)
{
	free(m->b->cells.title);
	m->b->cells.title = mem_strdup(text);
}

/* Shared raw against a file opened directly; a control arm of the file at 8 blocks and more. */
static void two_arms(struct maker *m, uint32_t *raw, uint32_t *file)
{
	uint32_t local = make_node(m, "local", NULL);
	uint32_t t1 = make_target(m, "shared raw", "raw", "/dev/mapper/s1", local);
	uint32_t t2 = make_target(m, "file direct", "direct", "/u01/test/t1", local);
	uint32_t w = make_workload(m, "scan", scan_keys("32KiB")), test = make_test(m, "scan", CACHE_COLD, 1);

	m->b->cells.tests[test].control = m->t->blocks >= 8;
	*raw = make_cell(m, test, t1, w, raw_arm(AGAINST_RATE * m->t->ratio));
	*file = make_cell(m, test, t2, w, direct_arm(AGAINST_RATE));
	if (m->t->blocks >= 8) {
		bool broken = m->t->gate && gate_find(m->t->gate) == GATE_AA;
		uint32_t c = make_cell(m, test, t2, w, direct_arm(AGAINST_RATE * (broken ? 1.1 : 1)));

		m->b->cells.cells[c].control = true;
	}
}

static void kind_two_way(struct maker *m)
{
	uint32_t raw, file;

	make_title(m, "Shared raw reads against filesystem reads");
	two_arms(m, &raw, &file);
	make_pair(make_question(m, QUESTION_COMPARE, "shared raw : file direct", "throughput", "target"), raw, file);
}

static void kind_failed(struct maker *m)
{
	kind_two_way(m);
	m->arms[0].fails = true;
}

static void kind_exploratory(struct maker *m)
{
	kind_two_way(m);
	m->b->cells.questions[0].declared = false;
}

static void kind_metrics(struct maker *m)
{
	static const char *const names[] = { "throughput", "mean", "p50", "p99", "p99.9", "p99.99", "cpu_per_gib" };
	uint32_t raw, file;
	size_t i;

	make_title(m, "Latency of shared raw reads against filesystem reads");
	two_arms(m, &raw, &file);
	for (i = 0; i < ARRAY_LEN(names); i++)
		make_pair(make_question(m, QUESTION_COMPARE, "shared raw : file direct", names[i], "target"), raw,
			  file);
}

static void kind_claims(struct maker *m)
{
	struct question *q;
	uint32_t raw, file;

	make_title(m, "What the vendor says of shared raw reads");
	two_arms(m, &raw, &file);
	q = make_question(m, QUESTION_COMPARE, "shared raw : file direct", "throughput", "target");
	q->claim = true;
	q->says = mem_strdup("shared raw is at most 10% slower than a file");
	q->by = mem_strdup("vendor");
	q->at_least = 0.9;
	make_pair(q, raw, file);
	q = make_question(m, QUESTION_COMPARE, "shared raw : file direct", "throughput", "target");
	q->claim = true;
	q->says = mem_strdup("shared raw is slower than a file by half or more");
	q->by = mem_strdup("operator");
	q->at_most = 0.5;
	make_pair(q, raw, file);
	q = make_question(m, QUESTION_LIMIT, "file direct reads at 150 MB/s or more", "throughput", "target");
	q->at_least = 150e6;
	make_about(q, file);
	q = make_question(m, QUESTION_LIMIT, "shared raw reads at 150 MB/s or more", "throughput", "target");
	q->at_least = 150e6;
	make_about(q, raw);
}

/* Rates of a block size: small blocks pay a fixed time each. */
static double by_block(double most, double block, double fixed)
{
	return block / (block / most + fixed);
}

static void kind_sweep(struct maker *m)
{
	static const int64_t sizes[] = { 4096, 16384, 65536, 262144, 1048576, 4194304 };
	uint32_t local = make_node(m, "local", NULL), raw[6], file[6];
	uint32_t t1 = make_target(m, "shared raw", "raw", "/dev/mapper/s1", local);
	uint32_t t2 = make_target(m, "file direct", "direct", "/u01/test/t1", local);
	uint32_t w = make_workload(m, "scan", scan_keys("64KiB")), test = make_test(m, "blocks", CACHE_COLD, 1);
	struct question *q;
	char text[40];
	size_t i, k;

	make_title(m, "Block size of shared raw reads");
	for (i = 0; i < 6; i++) {
		num_bytes((uint64_t)sizes[i], text);
		raw[i] = make_cell(m, test, t1, w,
				   raw_arm(by_block(AGAINST_RATE * m->t->ratio, (double)sizes[i], 400e-6)));
		make_sweep(m, raw[i], "workload.block", text, sizes[i]);
		file[i] = make_cell(m, test, t2, w, direct_arm(by_block(AGAINST_RATE, (double)sizes[i], 90e-6)));
		make_sweep(m, file[i], "workload.block", text, sizes[i]);
	}
	q = make_question(m, QUESTION_COMPARE, "shared raw : file direct", "throughput", "target");
	for (i = 0; i < 6; i++)
		make_pair(q, raw[i], file[i]);
	q = make_question(m, QUESTION_SENSITIVITY, "block size of file direct from 256 KiB", "throughput",
			  "workload.block");
	for (i = 3; i < 6; i++)
		for (k = 3; k < i; k++)
			make_pair(q, file[i], file[k]);
}

static void kind_passes(struct maker *m)
{
	uint32_t local = make_node(m, "local", NULL), t = make_target(m, "file", "posix", "/u01/test/t1", local);
	uint32_t w = make_workload(m, "read", json_pack("{s:s, s:s, s:s}", "op", "read", "block", "64KiB", "amount",
							"160MiB"));
	uint32_t test = make_test(m, "cold and repeat", CACHE_COLD, 2), pass[2];
	struct arm repeat = file_arm(AGAINST_RATE * (m->t->ratio < 1 ? 14.3 : m->t->ratio));

	make_title(m, "Cold and repeat reads of a file");
	pass[0] = make_cell(m, test, t, w, file_arm(AGAINST_RATE));
	repeat.device = repeat.rate > 2 * AGAINST_RATE ? 0 : 1;
	repeat.busy = 0.97;
	pass[1] = make_cell(m, test, t, w, repeat);
	m->b->cells.cells[pass[1]].pass = 2;
	make_step(m, test, pass, 2);
	make_pair(make_question(m, QUESTION_CACHE, "repeat read : first read", "throughput", "pass"), pass[1], pass[0]);
	make_about(make_question(m, QUESTION_CPU, "is the repeat read limited by the processor?", "throughput", "pass"),
		   pass[1]);
	make_about(make_question(m, QUESTION_STEADY, "is the first read steady?", "throughput", "pass"), pass[0]);
}

static void kind_together(struct maker *m)
{
	uint32_t alone[4], joint[4], w, test, i;
	struct question *q;

	make_title(m, "Four nodes alone and together");
	for (i = 0; i < 4; i++) {
		mem_auto char *name = mem_printf("n%u", i + 1), *target = mem_printf("shared raw from n%u", i + 1);

		make_node(m, i ? name : "local", i ? "remote-node" : NULL);
		make_target(m, target, "raw", "/dev/mapper/s1", i);
	}
	w = make_workload(m, "scan", scan_keys("1MiB"));
	test = make_test(m, "nodes", CACHE_COLD, 1);
	m->b->cells.tests[test].mode = MODE_SOLO_THEN_TOGETHER;
	for (i = 0; i < 4; i++)
		alone[i] = make_cell(m, test, i, w, direct_arm(AGAINST_RATE));
	for (i = 0; i < 4; i++) {
		joint[i] = make_cell(m, test, i, w, raw_arm(AGAINST_RATE * m->t->ratio * (i == 3 ? 0.9 : 1)));
		m->b->cells.cells[joint[i]].company = COMPANY_TOGETHER;
	}
	make_step(m, test, joint, 4);
	q = make_question(m, QUESTION_SCALING, "four nodes together : alone", "throughput", "company");
	for (i = 0; i < 4; i++)
		make_pair(q, joint[i], alone[i]);
	for (i = 0; i < 4; i++)
		make_about(q, joint[i]);
	for (i = 0; i < 4; i++)
		make_about(q, alone[i]);
}

/* Writes that are acknowledged against writes that are durable. */
static void kind_writes(struct maker *m)
{
	uint32_t local = make_node(m, "local", NULL);
	uint32_t t1 = make_target(m, "file", "direct", "/u01/test/t2", local);
	uint32_t t2 = make_target(m, "file, durable", "sync", "/u01/test/t3", local);
	uint32_t w1 = make_workload(m, "write", json_pack("{s:s, s:s, s:s}", "op", "write", "block", "64KiB", "amount",
							  "64MiB"));
	uint32_t w2 = make_workload(m, "durable write", json_pack("{s:s, s:s, s:s, s:s}", "op", "write", "block",
								  "64KiB", "amount", "64MiB", "durability", "dsync"));
	uint32_t test = make_test(m, "writes", CACHE_ASIS, 1), a, b;
	struct arm durable = file_arm(AGAINST_RATE * m->t->ratio);

	make_title(m, "Acknowledged and durable writes");
	durable.is_subject = true;
	a = make_cell(m, test, t2, w2, durable);
	b = make_cell(m, test, t1, w1, direct_arm(AGAINST_RATE));
	make_pair(make_question(m, QUESTION_COMPARE, "durable : acknowledged writes", "throughput", "workload"), a, b);
}

/* Many cells: every second one is compared with the one before it. */
static void kind_cells(struct maker *m)
{
	uint32_t local = make_node(m, "local", NULL), n = m->t->cells / 2, i;
	uint32_t t1 = make_target(m, "shared raw", "raw", "/dev/mapper/s1", local);
	uint32_t t2 = make_target(m, "file direct", "direct", "/u01/test/t1", local);
	uint32_t w = make_workload(m, "scan", scan_keys("64KiB")), test = make_test(m, "many", CACHE_COLD, 1);
	struct question *q = make_question(m, QUESTION_COMPARE, "shared raw : file direct", "throughput", "target");

	make_title(m, "Many cells");
	for (i = 0; i < n; i++) {
		mem_auto char *text = mem_printf("depth %u", i % 4096 + 1);
		uint32_t a, b;

		a = make_cell(m, test, t1, w, raw_arm(AGAINST_RATE * (i % 3 ? m->t->ratio : 1)));
		make_sweep(m, a, "workload.depth", text, i % 4096 + 1);
		b = make_cell(m, test, t2, w, direct_arm(AGAINST_RATE));
		make_sweep(m, b, "workload.depth", text, i % 4096 + 1);
		make_pair(q, a, b);
	}
}

/* A load that follows the universal scalability law: sigma .02, kappa .001. */
static void kind_load(struct maker *m)
{
	static const int64_t jobs[] = { 1, 2, 4, 8, 16, 32 };
	uint32_t local = make_node(m, "local", NULL), cell[6], t, w, test;
	struct question *q;
	size_t i, k;

	make_title(m, "Jobs on shared raw");
	t = make_target(m, "shared raw", "raw", "/dev/mapper/s1", local);
	w = make_workload(m, "random", json_pack("{s:s, s:s, s:s, s:s}", "op", "read", "pattern", "random", "block",
						 "4KiB", "duration", "5s"));
	test = make_test(m, "jobs", CACHE_COLD, 1);
	q = make_question(m, QUESTION_SENSITIVITY, "sensitivity to workload.jobs", "iops", "workload.jobs");
	for (i = 0; i < 6; i++) {
		double n = (double)jobs[i];
		mem_auto char *text = mem_printf("%d jobs", (int)jobs[i]);

		cell[i] = make_cell(m, test, t, w, raw_arm(20e6 * n / (1 + 0.02 * (n - 1) + 0.001 * n * (n - 1))));
		make_sweep(m, cell[i], "workload.jobs", text, jobs[i]);
		for (k = 0; k < i; k++)
			make_pair(q, cell[i], cell[k]);
	}
}

static const struct {
	const char *name;
	void (*make)(struct maker *m);
} makers[] = {
	{ "two-way", kind_two_way }, { "inconclusive", kind_two_way }, { "equivalent", kind_two_way },
	{ "void", kind_two_way },    { "all-failed", kind_failed },    { "exploratory", kind_exploratory },
	{ "metrics", kind_metrics }, { "claims", kind_claims },	       { "sweep", kind_sweep },
	{ "passes", kind_passes },   { "together", kind_together },    { "writes", kind_writes },
	{ "load", kind_load },
	{ "cells", kind_cells },     { "300-cells", kind_cells },      { "stall", kind_stall },
	{ "cliff", kind_cliff },     { "drift", kind_drift },	       { "modes", kind_modes },
	{ "latency", kind_latency }, { "split", kind_split },	       { "capped", kind_capped },
	{ "paced", kind_paced },     { "remote", kind_remote },	       { "implausible", kind_implausible },
	{ "cpu", kind_cpu },	     { "quotes", kind_quotes },	       { "members", kind_members },
};

const struct truth_kind truth_kinds[] = {
	{ "two-way", "shared raw against a direct file, one declared comparison" },
	{ "inconclusive", "the same at ratio 1.02 and sd 0.06 unless given" },
	{ "equivalent", "the same at ratio 1 and sd 0.01 unless given" },
	{ "void", "the same with the cold gate failing unless --gate says another" },
	{ "all-failed", "the same, every run of the subject failed" },
	{ "exploratory", "the same, nothing declared" },
	{ "metrics", "throughput, latency percentiles and processor cost" },
	{ "claims", "two claims and two limits" },
	{ "sweep", "six block sizes; compare and sensitivity" },
	{ "passes", "a cold read and its repeat; cache, cpu and steady" },
	{ "together", "four nodes alone and together; scaling" },
	{ "writes", "acknowledged against durable writes" },
	{ "load", "six numbers of jobs; sensitivity and the scalability law" },
	{ "cells", "--cells cells, half as many comparisons" },
	{ "300-cells", "the same with 300" },
	{ "stall", "30 s runs; the subject loses 500 ms every 5 s" },
	{ "cliff", "writes of 60 s; the subject falls to 0.4 after 18 s" },
	{ "drift", "the same as two-way with --drift 0.5 unless given" },
	{ "modes", "every second run of the subject is slower by 30%" },
	{ "latency", "one I/O in ten of the subject takes eight times as long" },
	{ "split", "I/Os of 4 MiB where the largest request is 1280 KiB" },
	{ "capped", "a raw device at 0.92 of its link from depth 4 on" },
	{ "implausible", "a raw device at 1.2 of its link" },
	{ "paced", "1000 I/Os a second were asked for" },
	{ "remote", "one device from two nodes" },
	{ "cpu", "cached reads with the processor whole and halved; --ratio is the rate when halved" },
	{ "quotes", "a question and a claim on one comparison; the claim quotes figures" },
	{ "members", "2, 3 and 4 members together: sigma 0.05, kappa 0.01" },
	{ NULL, NULL },
};

int truth_kind_make(struct maker *m, const char *kind)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(makers); i++)
		if (strcmp(makers[i].name, kind) == 0) {
			makers[i].make(m);
			return m->bad;
		}
	return err_set(m->e, EINVAL, "unknown kind \"%s\"", kind);
}
