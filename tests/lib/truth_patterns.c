/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/truth.h"

#include "base/jsonx.h"
#include "base/rng.h"
#include "base/vec.h"

#include <math.h>
#include <string.h>

/* Kinds with one pattern that a diagnosis should find, in the first cell; the second has none. */

#define RATE 220e6
#define LINK 3938461538.0 /* PCI Express, 8 GT/s, 4 lanes */

static struct arm direct_arm(double rate, bool subject)
{
	return (struct arm){ .rate = rate, .device = 1, .busy = 0.06, .direct = true, .is_subject = subject };
}

static bool is(const struct truth *t, const char *kind)
{
	return strcmp(t->kind, kind) == 0;
}

/* Two raw devices, compared. */
static void two(struct maker *m, const char *label, json_t *keys, double rate, double other)
{
	uint32_t local = make_node(m, "local", NULL), a, b, w, test;
	uint32_t t1 = make_target(m, "shared raw", "raw", "/dev/mapper/s1", local);
	uint32_t t2 = make_target(m, "second raw", "raw", "/dev/mapper/s2", local);

	make_title(m, label);
	w = make_workload(m, "work", keys);
	test = make_test(m, "scan", CACHE_COLD, 1);
	a = make_cell(m, test, t1, w, direct_arm(rate, true));
	b = make_cell(m, test, t2, w, direct_arm(other, false));
	make_pair(make_question(m, QUESTION_COMPARE, "shared raw : second raw", "throughput", "target"), a, b);
}

static json_t *keys(const char *op, const char *block, const char *duration)
{
	return json_pack("{s:s, s:s, s:s, s:s}", "op", op, "pattern", "sequential", "block", block, "duration", duration);
}

void kind_stall(struct maker *m)
{
	two(m, "A device that stalls every 5 s", keys("read", "64KiB", "30s"), RATE * 0.9, RATE);
}

void kind_cliff(struct maker *m)
{
	two(m, "A device whose writes fall off a cliff", keys("write", "1MiB", "60s"), RATE * 0.58, RATE);
	m->b->cells.tests[0].cache = CACHE_ASIS;
}

void kind_drift(struct maker *m)
{
	two(m, "A campaign that drifts", keys("read", "64KiB", "5s"), RATE, RATE);
}

void kind_modes(struct maker *m)
{
	two(m, "A device with two speeds", keys("read", "64KiB", "5s"), RATE, RATE);
	m->arms[0].slow_mode = 0.3;
}

void kind_latency(struct maker *m)
{
	two(m, "A device with two latencies", keys("read", "4KiB", "5s"), RATE / 20, RATE / 20);
}

void kind_split(struct maker *m)
{
	two(m, "I/Os larger than a request", keys("read", "4MiB", "5s"), RATE, RATE);
	m->arms[0].ops = m->arms[1].ops = 4;
}

void kind_capped(struct maker *m)
{
	static const double share[] = { 0.6, 0.92, 0.92 };
	uint32_t local = make_node(m, "local", NULL), cell[3], t, w, test;
	struct question *q;

	make_title(m, "A device at the rate of its link");
	t = make_target(m, "shared raw", "raw", "/dev/mapper/s1", local);
	w = make_workload(m, "scan", keys("read", "1MiB", "5s"));
	test = make_test(m, "depths", CACHE_COLD, 1);
	q = make_question(m, QUESTION_SENSITIVITY, "sensitivity to depth", "throughput", "workload.depth");
	for (int i = 0; i < 3; i++) {
		mem_auto char *text = mem_printf("depth %d", 1 << 2 * i);

		cell[i] = make_cell(m, test, t, w, direct_arm(share[i] * LINK, false));
		make_sweep(m, cell[i], "workload.depth", text, 1 << 2 * i);
		for (int k = 0; k < i; k++)
			make_pair(q, cell[i], cell[k]);
	}
}

void kind_implausible(struct maker *m)
{
	two(m, "A device faster than its link", keys("read", "1MiB", "5s"), 1.2 * LINK, 0.6 * LINK);
}

void kind_paced(struct maker *m)
{
	json_t *k = keys("read", "4KiB", "5s");

	jsonx_set_real(k, "rate", 1000);
	two(m, "Reads at a rate that was asked for", k, 4096e3, 4096e3);
}

void kind_remote(struct maker *m)
{
	uint32_t local = make_node(m, "local", NULL), n2 = make_node(m, "n2", "remote-node"), a, b, w, test;
	uint32_t t1 = make_target(m, "shared raw from n2", "raw", "/dev/mapper/s1", n2);
	uint32_t t2 = make_target(m, "shared raw", "raw", "/dev/mapper/s1", local);

	make_title(m, "One device from two nodes");
	w = make_workload(m, "scan", keys("read", "64KiB", "5s"));
	test = make_test(m, "nodes", CACHE_COLD, 1);
	a = make_cell(m, test, t1, w, direct_arm(RATE * m->t->ratio, true));
	b = make_cell(m, test, t2, w, direct_arm(RATE, false));
	make_pair(make_question(m, QUESTION_COMPARE, "n2 : local", "throughput", "node"), a, b);
}

void pattern_facts(struct maker *m)
{
	json_t *n2 = json_object_get(json_object_get(m->b->host, "nodes"), "n2");

	if (is(m->t, "remote"))
		jsonx_set_str(n2, "clock_source", "hpet");
	if (is(m->t, "remote"))
		jsonx_set_str(json_object_get(json_object_get(json_object_get(m->b->host, "targets"), "shared raw from n2"), "facts"),
			      "firmware", "2.0");
	json_t *targets = json_object_get(m->b->host, "targets"), *t;
	const char *name;

	json_object_foreach(targets, name, t) {
		json_t *facts = json_object_get(t, "facts");

		if (is(m->t, "split"))
			jsonx_set_str(facts, "largest_request", strcmp(name, "shared raw") == 0 ? "1280 KiB" : "4 MiB");
		if (is(m->t, "capped") || is(m->t, "implausible"))
			jsonx_set_int(facts, "link_bytes_per_s", (int64_t)LINK);
		if (is(m->t, "remote"))
			jsonx_set_str(facts, "stable_id", "wwn naa.6005076300000000");
	}
}

void pattern_weights(const struct truth *t, const struct kept_run *r, double *weight, size_t n)
{
	double s = (double)r->wall_ns / 1e9 / (double)n; /* of one interval */

	for (size_t i = 0; i < n && r->cell == 0; i++) {
		double from = (double)i * s;

		if (is(t, "stall") && fmod(from + 2, 5) < 0.5)
			weight[i] *= 0.05;
		if (is(t, "cliff") && from >= 0.3 * (double)r->wall_ns / 1e9)
			weight[i] *= 0.4;
	}
}

static uint32_t bucket(double ns)
{
	uint64_t v = (uint64_t)ns;
	uint32_t e = v < 2048 ? 10 : 63 - (uint32_t)__builtin_clzll(v);

	return v < 2048 ? (uint32_t)v : ((e - 10) << 10) + (uint32_t)(v >> (e - 10));
}

#define BUCKETS 40000u

json_t *pattern_hist(const struct truth *t, const struct kept_run *r)
{
	mem_auto uint32_t *count = NULL;
	json_t *index, *n;
	struct rng rng;

	if (!is(t, "latency"))
		return NULL;
	count = mem_array(BUCKETS, sizeof *count);
	rng_stream(&rng, t->seed, 9000 + r->run);
	for (int i = 0; i < 10000; i++) {
		double ns = 90e3 * exp(0.15 * rng_normal(&rng));

		if (r->cell == 0 && i % 10 == 0)
			ns *= 8;
		count[bucket(ns)]++;
	}
	index = json_array();
	n = json_array();
	for (uint32_t i = 0; i < BUCKETS; i++)
		if (count[i]) {
			json_array_append_new(index, json_integer(i));
			json_array_append_new(n, json_integer(count[i]));
		}
	return json_pack("{s:{s:o, s:o}}", "read", "index", index, "count", n);
}
