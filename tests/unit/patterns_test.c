/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns within runs and over levels: what is there is found where it is, what is not there is not. */
#include "tests/oracle/oracle.h"

#include "base/rng.h"
#include "stats/cliff.h"
#include "stats/modes.h"
#include "stats/peaks.h"
#include "stats/plateau.h"
#include "stats/stall.h"
#include "stats/summary.h"

#include <string.h>

#define N 300 /* bins of 100 ms: a run of 30 s */

static void flat(struct rng *r, double *x, size_t n, double sd)
{
	for (size_t i = 0; i < n; i++)
		x[i] = 1000 * exp(sd * rng_normal(r));
}

static void a_stall_every_5_s_is_found_with_its_period(void **state)
{
	struct stall s;
	struct rng r;
	double x[N];

	(void)state;
	rng_seed(&r, 1);
	for (int depth = 1; depth <= 4; depth++) { /* stalls of 100 to 400 ms, off the grid of bins */
		flat(&r, x, N, 0.03);
		for (double at = 1.23; at < 30; at += 5)
			for (int i = 0; i < N; i++) {
				double from = i * 0.1, to = from + 0.1, end = at + depth * 0.1;
				double in = fmin(to, end) - fmax(from, at);

				x[i] *= in > 0 ? 1 - in / 0.1 : 1;
			}
		stall_find(&s, x, N);
		assert_true(s.is_periodic);
		assert_int_equal(s.events, 6);
		assert_close(s.period, 50, 0.01);
		assert_close(s.length, depth, 0.1);
		assert_close(s.lost, 6 * depth / (double)N, 0.1);
	}
}

static void stalls_at_any_time_are_not_periodic(void **state)
{
	size_t found = 0;
	struct stall s;
	struct rng r;
	double x[N];

	(void)state;
	rng_seed(&r, 2);
	for (int t = 0; t < 2000; t++) {
		flat(&r, x, N, 0.02);
		for (int k = 0; k < 6; k++)
			x[rng_below(&r, N)] = 50;
		stall_find(&s, x, N);
		found += s.is_periodic;
	}
	assert_in_range(found, 0, 20); /* of one run; a cell needs more than half of its runs to agree */
	for (int i = 0; i < N; i++)
		x[i] = i % 2 ? 100 : 1;
	stall_find(&s, x, N);
	assert_false(s.is_periodic); /* too fast for the bins */
}

/* White and correlated noise from 1% to 30%: no stall, no cliff. */
static void noise_is_neither_stall_nor_cliff(void **state)
{
	size_t stalls = 0, cliffs = 0;
	struct stall s;
	struct cliff c;
	struct rng r;
	double x[N];

	(void)state;
	rng_seed(&r, 3);
	for (int t = 0; t < 3000; t++) {
		double sd = 0.01 + 0.29 * rng_unit(&r), ar = t % 3 ? 0 : 0.9, e = 0;

		for (int i = 0; i < N; i++) {
			e = ar * e + sqrt(1 - ar * ar) * sd * rng_normal(&r);
			x[i] = 1000 * exp(e);
		}
		stall_find(&s, x, N);
		stalls += s.is_periodic;
		cliff_find(&c, x, N);
		cliffs += c.is_found;
	}
	assert_in_range(stalls, 0, 3);
	assert_in_range(cliffs, 0, 6);
}

static void a_cliff_is_where_it_is(void **state)
{
	struct cliff c;
	struct rng r;
	double x[100];

	(void)state;
	rng_seed(&r, 4);
	for (int at = 15; at <= 85; at += 10) {
		flat(&r, x, 100, 0.1);
		for (int i = at; i < 100; i++)
			x[i] *= 0.5;
		cliff_find(&c, x, 100);
		assert_true(c.is_found);
		assert_in_range(c.at, at - 1, at + 1);
		assert_close(c.after / c.before, 0.5, 0.1);
	}
	for (int i = 0; i < 100; i++)
		x[i] = 1000 - 6 * i; /* a slope is no cliff */
	cliff_find(&c, x, 100);
	assert_false(c.is_found);
	for (int i = 0; i < 100; i++)
		x[i] = i >= 40 && i < 60 ? 300 : 1000; /* it comes back */
	cliff_find(&c, x, 100);
	assert_false(c.is_found);
	for (int i = 0; i < 100; i++)
		x[i] = i < 40 ? 500 : 1000; /* the other way */
	cliff_find(&c, x, 100);
	assert_false(c.is_found);
	cliff_find(&c, x, 19);
	assert_false(c.is_found);
}

/* ---- histograms ---- */

static uint32_t bucket(double ns)
{
	uint64_t v = (uint64_t)ns;
	uint32_t e = v < 2048 ? 10 : 63 - (uint32_t)__builtin_clzll(v);

	return v < 2048 ? (uint32_t)v : ((e - 10) << 10) + (uint32_t)(v >> (e - 10));
}

#define BUCKETS 40000

static void count(struct peaks *p, const double *ns, size_t n)
{
	uint32_t *index = mem_array(BUCKETS, sizeof *index);
	uint64_t *all = mem_array(BUCKETS, sizeof *all), *some = mem_array(BUCKETS, sizeof *some);
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		all[bucket(ns[i])]++;
	for (uint32_t i = 0; i < BUCKETS; i++)
		if (all[i]) {
			index[k] = i;
			some[k++] = all[i];
		}
	peaks_find(p, index, some, k);
	free(index);
	free(all);
	free(some);
}

static void buckets_stand_for_their_values(void **state)
{
	(void)state;
	for (double ns = 1; ns < 1e12; ns *= 1.7)
		assert_close(peaks_bucket_ns(bucket(ns)), floor(ns), 0.0005);
}

static void two_latencies_are_two_modes(void **state)
{
	static double ns[20000];
	struct peaks p;
	struct rng r;

	(void)state;
	rng_seed(&r, 5);
	for (int i = 0; i < 20000; i++)
		ns[i] = (i % 20 ? 90e3 : 900e3) * exp(0.2 * rng_normal(&r));
	count(&p, ns, 20000);
	assert_true(p.is_found);
	assert_close(p.fast, 90e3, 0.02);
	assert_close(p.slow, 900e3, 0.05);
	assert_close(p.slow_share, 0.05, 0.01);
	for (int i = 0; i < 20000; i++)
		ns[i] = (i % 200 ? 90e3 : 900e3) * exp(0.2 * rng_normal(&r)); /* one in 200: a tail */
	count(&p, ns, 20000);
	assert_false(p.is_found);
}

static void one_mode_with_any_tail_is_one(void **state)
{
	static double ns[5000];
	size_t found = 0;
	struct peaks p;
	struct rng r;

	(void)state;
	rng_seed(&r, 6);
	for (int t = 0; t < 400; t++) {
		size_t n = 200 + (size_t)(rng_unit(&r) * 4800);

		for (size_t i = 0; i < n; i++) {
			double u = rng_unit(&r), z = rng_normal(&r);

			ns[i] = t % 4 == 0 ? 80e3 * exp(0.7 * z)                /* lognormal */
				: t % 4 == 1 ? 1000 - 100e3 * log(1 - u)        /* exponential */
				: t % 4 == 2 ? 50e3 * pow(1 - u, -0.8)          /* a heavy tail */
				: fmax(1, floor(25 + 3 * z));                   /* a clock of 1 ns */
		}
		count(&p, ns, n);
		found += p.is_found;
	}
	assert_in_range(found, 0, 1);
}

/* ---- levels ---- */

static void the_knee_is_where_nothing_is_gained_any_more(void **state)
{
	static const double level[] = { 20, 60, 98, 100, 101 };
	struct plateau p;
	double x[5 * 8];
	struct rng r;

	(void)state;
	rng_seed(&r, 7);
	for (int i = 0; i < 5; i++)
		for (int j = 0; j < 8; j++)
			x[i * 8 + j] = level[i] * exp(0.005 * rng_normal(&r));
	plateau_find(&p, x, 5, 8, 0.05);
	assert_true(p.is_found);
	assert_int_equal(p.knee, 2);
	assert_close(p.gained, 4.9, 0.02);
	assert_close(p.height, 99.7, 0.01);
	assert_true(p.bound > 1.01 && p.bound < 1.05);
	plateau_find(&p, x + 16, 3, 8, 0.05);
	assert_true(p.is_flat && !p.is_found);
	plateau_find(&p, x, 4, 8, 0.05);
	assert_true(p.is_found);
	plateau_find(&p, x, 3, 8, 0.05);
	assert_false(p.is_found || p.is_flat); /* still rising */
	plateau_find(&p, x, 5, 4, 0.05);
	assert_false(p.is_found || p.is_flat); /* too few blocks */
	for (int j = 0; j < 8; j++)
		x[4 * 8 + j] *= 0.5; /* falls at the end */
	plateau_find(&p, x, 5, 8, 0.05);
	assert_false(p.is_found || p.is_flat);
}

static void the_gap_of_many_cells_has_a_higher_threshold(void **state)
{
	size_t over = 0, over10 = 0;
	struct rng r;

	(void)state;
	assert_close(modes_threshold(8, 1), 0.572, 1e-12);
	assert_close(modes_threshold(8, 10), 0.693, 1e-12);
	assert_close(modes_threshold(9, 100), (0.783 + 0.691) / 2, 1e-12);
	assert_close(modes_threshold(8, 100000), 0.851, 1e-12);
	assert_close(modes_threshold(100, 1), 0.326, 1e-12);
	rng_seed(&r, 8);
	for (int t = 0; t < 20000; t++) {
		struct modes m;
		double x[8];

		for (int i = 0; i < 8; i++)
			x[i] = rng_normal(&r);
		modes_find(&m, x, 8);
		over += m.is_bimodal;
		over10 += m.gap > modes_threshold(8, 10);
	}
	assert_in_range(over, 150, 270); /* 1% */
	assert_in_range(over10, 3, 45);  /* .1% */
}

static void the_median_is_in_the_middle(void **state)
{
	double x[] = { 5, 1, 4, 2 };

	(void)state;
	assert_close(summary_median(x, 4), 3, 1e-15);
	assert_close(summary_median(x, 3), 2, 1e-15);
	assert_true(isnan(summary_median(x, 0)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stall_every_5_s_is_found_with_its_period),
		cmocka_unit_test(stalls_at_any_time_are_not_periodic),
		cmocka_unit_test(noise_is_neither_stall_nor_cliff),
		cmocka_unit_test(a_cliff_is_where_it_is),
		cmocka_unit_test(buckets_stand_for_their_values),
		cmocka_unit_test(two_latencies_are_two_modes),
		cmocka_unit_test(one_mode_with_any_tail_is_one),
		cmocka_unit_test(the_knee_is_where_nothing_is_gained_any_more),
		cmocka_unit_test(the_gap_of_many_cells_has_a_higher_threshold),
		cmocka_unit_test(the_median_is_in_the_middle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
