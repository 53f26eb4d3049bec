/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/rng.h"
#include "run/lathist.h"
#include "run/series.h"
#include "run/slow.h"

static void buckets_are_continuous_and_narrow(void **state)
{
	uint64_t next = 0;

	for (uint32_t i = 0; i < LATHIST_SIZE; i++) {
		uint64_t low = lathist_low(i), width = lathist_width(i);

		assert_int_equal(low, next);
		assert_int_equal(lathist_index(low), i);
		assert_int_equal(lathist_index(low + width - 1), i);
		assert_true(width == 1 || (double)(width - 1) / (double)low <= 0.001);
		next = low + width;
	}
	assert_true(next > 3600 * (uint64_t)NS_PER_S);
	assert_int_equal(lathist_index(UINT64_MAX), LATHIST_SIZE - 1);
}

/* Oracle: 10,000 values of 1,000 and one of 100,000,000. */
static void the_oracle_of_a_single_stall(void **state)
{
	struct lathist *h = lathist_new();

	for (int i = 0; i < 10000; i++)
		lathist_add(h, 1000);
	lathist_add(h, 100000000);
	assert_int_equal(lathist_count(h), 10001);
	assert_int_equal(lathist_quantile(h, .5), 1000);
	assert_int_equal(lathist_quantile(h, .9999), 1000);
	assert_in_range(lathist_quantile(h, .99999), 99900000, 100000000);
	lathist_clear(h);
	for (int i = 0; i < 10000; i++)
		lathist_add_corrected(h, 1000, 10000);
	lathist_add_corrected(h, 100000000, 10000);
	assert_int_equal(lathist_count(h), 20000);
	assert_int_equal(lathist_quantile(h, .5), 1000);
	assert_in_range(lathist_quantile(h, .75), 49950000, 50050000);
	assert_in_range(lathist_quantile(h, .9), 79920000, 80080000);
	assert_in_range(lathist_quantile(h, .99), 97902000, 98098000);
	free(h);
}

static void ranks_are_not_rounded_up_by_binary_fractions(void **state)
{
	struct lathist *h = lathist_new();

	for (uint64_t i = 1; i <= 100; i++)
		lathist_add(h, i);
	assert_int_equal(lathist_quantile(h, .99), 99);
	assert_int_equal(lathist_quantile(h, .9), 90);
	assert_int_equal(lathist_quantile(h, .07), 7);
	assert_int_equal(lathist_quantile(h, 1), 100);
	assert_int_equal(lathist_quantile(h, .001), 1);
	free(h);
}

static void merging_is_exact(void **state)
{
	struct lathist *all = lathist_new(), *part[3] = { lathist_new(), lathist_new(), lathist_new() };
	struct lathist *sum = lathist_new();
	struct rng r;

	rng_seed(&r, 7);
	for (int i = 0; i < 100000; i++) {
		uint64_t v = (uint64_t)exp(rng_normal(&r) * 3 + 12);

		lathist_add(all, v);
		lathist_add(part[i % 3], v);
	}
	for (int i = 0; i < 3; i++)
		lathist_merge(sum, part[i]);
	assert_memory_equal(all, sum, sizeof *all);
	for (int i = 0; i < 3; i++)
		free(part[i]);
	free(all);
	free(sum);
}

static struct interval one(uint64_t ios, uint64_t lat)
{
	return (struct interval){ .bytes = ios * 512, .ios = ios, .min = lat, .max = lat };
}

/* A long run needs no more memory than a short one, and loses nothing but resolution. */
static void a_long_series_keeps_its_sums(void **state)
{
	struct series *s = malloc(sizeof *s);
	struct interval open;
	uint64_t ios = 0, want = 0;

	series_init(s, NS_PER_MS);
	interval_clear(&open);
	for (uint64_t i = 0; i < 100000; i++) {
		struct interval v = one(i % 7, 1000 + i % 10);

		want += v.ios;
		interval_merge(&open, &v);
		/* closes when a whole interval of the present width is over */
		if ((i + 1) * NS_PER_MS % (uint64_t)s->width_ns == 0 && series_add(s, &open))
			interval_clear(&open);
	}
	for (uint32_t i = 0; i < s->n; i++)
		ios += s->at[i].ios;
	assert_int_equal(ios + open.ios, want);
	assert_true(s->n <= SERIES_MAX && s->n >= SERIES_MAX / 2);
	assert_int_equal(s->width_ns, 128 * NS_PER_MS);
	assert_int_equal(s->at[3].min, 1000);
	assert_int_equal(s->at[3].max, 1009);
	free(s);
}

static void series_of_unlike_width_merge(void **state)
{
	struct series *a = malloc(sizeof *a), *b = malloc(sizeof *b);
	struct interval v = one(1, 5);

	series_init(a, NS_PER_MS);
	series_init(b, NS_PER_MS);
	for (int i = 0; i < 10; i++)
		series_add(a, &v);
	b->width_ns = 4 * NS_PER_MS;
	v = one(100, 9);
	for (int i = 0; i < 3; i++)
		series_add(b, &v);
	series_merge(b, a);
	assert_int_equal(b->n, 3);
	assert_int_equal(b->at[0].ios, 104);
	assert_int_equal(b->at[1].ios, 104);
	assert_int_equal(b->at[2].ios, 102);
	assert_int_equal(b->at[2].min, 5);
	assert_int_equal(b->at[2].max, 9);
	free(a);
	free(b);
}

static void the_slowest_are_kept_in_order(void **state)
{
	struct slow s = { 0 };

	for (uint64_t i = 0; i < 1000; i++) {
		struct slow_io io = { .ns = i * 7919 % 1000, .offset = i };

		if (io.ns > s.floor)
			slow_add(&s, &io);
	}
	assert_int_equal(s.n, SLOW_MAX);
	for (uint32_t i = 0; i < SLOW_MAX; i++)
		assert_int_equal(s.io[i].ns, 999 - i);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buckets_are_continuous_and_narrow),
		cmocka_unit_test(the_oracle_of_a_single_stall),
		cmocka_unit_test(ranks_are_not_rounded_up_by_binary_fractions),
		cmocka_unit_test(merging_is_exact),
		cmocka_unit_test(a_long_series_keeps_its_sums),
		cmocka_unit_test(series_of_unlike_width_merge),
		cmocka_unit_test(the_slowest_are_kept_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
