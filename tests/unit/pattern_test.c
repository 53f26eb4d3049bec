/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "run/arrival.h"
#include "run/fill.h"
#include "run/pattern.h"

static struct workload base(enum workload_pattern pattern, uint64_t block)
{
	struct workload w = {
		.pattern = pattern, .n_blocks = 1, .block = { block }, .weight = { 1 }, .jobs = 1, .depth = 1,
		.theta = 0.99, .hot_share = 0.8, .hot_region = 0.2,
	};

	return w;
}

static void each_block_once_a_pass_for_any_number_of_blocks(void **state)
{
	static const uint64_t sizes[] = { 1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 100, 1000, 1023, 1025, 4096, 99991 };
	struct workload w = base(PATTERN_RANDOM, 512);
	struct iow_error e = ERR_INIT;

	for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
		unsigned char *seen = calloc(sizes[k], 1);
		struct pattern p;

		assert_int_equal(pattern_init(&p, &w, 0, 8192, sizes[k] * 512, 42 + k, &e), 0);
		for (int pass = 1; pass <= 3; pass++) {
			for (uint64_t i = 0; i < sizes[k]; i++)
				seen[(pattern_next(&p, 512) - 8192) / 512]++;
			for (uint64_t i = 0; i < sizes[k]; i++)
				assert_int_equal(seen[i], pass);
		}
		free(seen);
	}
}

/* Not a proof of randomness, but of what matters to storage: neighbours in time are no neighbours in
 * place, and no distance stands out. */
static void the_permutation_has_no_runs(void **state)
{
	enum { N = 50000 };
	struct workload w = base(PATTERN_RANDOM, 1);
	struct iow_error e = ERR_INIT;
	uint32_t *count = calloc(2 * N, sizeof *count), most = 0, near = 0;
	struct pattern p;
	int64_t before = 0;

	assert_int_equal(pattern_init(&p, &w, 0, 0, N, 1, &e), 0);
	for (int i = 0; i < N; i++) {
		int64_t at = (int64_t)pattern_next(&p, 1);

		if (i && ++count[at - before + N] > most)
			most = count[at - before + N];
		near += i && llabs(at - before) <= 8;
		before = at;
	}
	assert_true(most < 60);
	assert_true(near < N * 17 / N * 6);
	free(count);
}

static void jobs_have_slices_or_share(void **state)
{
	struct workload w = base(PATTERN_SEQUENTIAL, 4096);
	struct iow_error e = ERR_INIT;
	struct pattern p;

	w.jobs = 3;
	for (uint32_t j = 0; j < 3; j++) {
		assert_int_equal(pattern_init(&p, &w, j, 0, 31 * 4096, 1, &e), 0);
		assert_int_equal(p.base, j * 10 * 4096);
		assert_int_equal(pattern_pass(&p), 10 * 4096);
	}
	w.shared = 1;
	assert_int_equal(pattern_init(&p, &w, 1, 0, 30 * 4096, 1, &e), 0);
	assert_int_equal(pattern_next(&p, 4096), 10 * 4096);
	for (int i = 0; i < 19; i++)
		pattern_next(&p, 4096);
	assert_int_equal(pattern_next(&p, 4096), 0);
	w.shared = 0;
	w.jobs = 40;
	assert_int_equal(pattern_init(&p, &w, 0, 0, 31 * 4096, 1, &e), -1);
	assert_non_null(strstr(e.text, "no room"));
}

static void strides_reach_every_block(void **state)
{
	struct workload w = base(PATTERN_STRIDED, 4096);
	struct iow_error e = ERR_INIT;
	unsigned char seen[64] = { 0 };
	struct pattern p;

	w.stride = 4 * 4096;
	assert_int_equal(pattern_init(&p, &w, 0, 0, 64 * 4096, 1, &e), 0);
	assert_int_equal(pattern_next(&p, 4096), 0);
	assert_int_equal(pattern_next(&p, 4096), 4 * 4096);
	seen[0] = seen[4] = 1;
	for (int i = 2; i < 64; i++)
		seen[pattern_next(&p, 4096) / 4096]++;
	for (int i = 0; i < 64; i++)
		assert_int_equal(seen[i], 1);
	assert_int_equal(pattern_next(&p, 4096), 0);
}

/* Shares of the most popular blocks against the sum of k^-theta. */
static void zipf_has_its_exponent(void **state)
{
	static const double thetas[] = { 0.5, 0.99, 1.0, 1.5 };
	enum { BLOCKS = 1000, DRAWS = 400000 };

	for (size_t k = 0; k < 4; k++) {
		struct workload w = base(PATTERN_ZIPF, 4096);
		struct iow_error e = ERR_INIT;
		uint32_t count[BLOCKS] = { 0 }, first = 0;
		double sum = 0, want;
		struct pattern p;

		w.theta = thetas[k];
		assert_int_equal(pattern_init(&p, &w, 0, 0, BLOCKS * 4096, 3, &e), 0);
		for (int i = 0; i < DRAWS; i++)
			count[pattern_next(&p, 4096) / 4096]++;
		for (int i = 0; i < BLOCKS; i++) {
			sum += pow(i + 1, -thetas[k]);
			if (count[i] > first)
				first = count[i];
		}
		want = DRAWS / sum;
		assert_true(fabs(first - want) < 6 * sqrt(want) + 1);
	}
}

static void the_hot_part_gets_its_share(void **state)
{
	struct workload w = base(PATTERN_HOTCOLD, 4096);
	struct iow_error e = ERR_INIT;
	struct pattern p;
	int hot = 0;

	assert_int_equal(pattern_init(&p, &w, 0, 0, 1000 * 4096, 3, &e), 0);
	for (int i = 0; i < 100000; i++)
		hot += pattern_next(&p, 4096) < 200 * 4096;
	assert_in_range(hot, 79400, 80600);
}

static void sizes_stay_inside(void **state)
{
	struct workload w = base(PATTERN_RANDOM, 4096);
	struct iow_error e = ERR_INIT;
	struct pattern p;

	w.n_blocks = 2;
	w.block[1] = 65536;
	w.replacement = 1;
	assert_int_equal(pattern_init(&p, &w, 0, 4096, 17 * 4096, 3, &e), 0);
	for (int i = 0; i < 10000; i++) {
		uint32_t len = i % 2 ? 4096 : 65536;
		uint64_t at = pattern_next(&p, len);

		assert_true(at >= 4096 && at + len <= 18 * 4096 && at % 4096 == 0);
	}
}

static void arrivals_keep_their_rate(void **state)
{
	struct workload w = base(PATTERN_RANDOM, 4096);
	struct arrival a, b;
	double last = 0, sum2 = 0;

	w.rate = 1000;
	w.jobs = 2;
	w.arrival = ARRIVAL_CONSTANT;
	arrival_init(&a, &w, 0, 1, 1e9);
	arrival_init(&b, &w, 1, 1, 1e9);
	assert_true(arrival_take(&a) == 0 && arrival_take(&b) == 1e6 && arrival_take(&a) == 2e6);
	assert_int_equal(arrival_backlog(&a, 3.9e6), 0);
	assert_int_equal(arrival_backlog(&a, 10e6), 4);
	w.arrival = ARRIVAL_POISSON;
	arrival_init(&a, &w, 0, 1, 1e9);
	for (int i = 0; i < 100000; i++) {
		double at = arrival_take(&a), gap = at - last;

		assert_true(gap >= 0);
		sum2 += gap * gap;
		last = at;
	}
	assert_true(fabs(last / 100000 / 2e6 - 1) < 0.02);
	/* exponential: the mean square is twice the square of the mean */
	assert_true(fabs(sum2 / 100000 / 8e12 - 1) < 0.06);
}

static void content_is_what_was_asked(void **state)
{
	static unsigned char a[65536], b[65536];
	size_t zero = 0;

	fill_random(a, sizeof a, 1);
	fill_random(b, sizeof b, 1);
	assert_memory_equal(a, b, sizeof a);
	assert_false(fill_is_weak(a, sizeof a));
	fill_random(b, sizeof b, 2);
	assert_true(memcmp(a, b, sizeof a) != 0);
	fill_block(a, sizeof a, 0.75, 1);
	for (size_t i = 0; i < sizeof a; i++)
		zero += a[i] == 0;
	assert_in_range(zero, sizeof a * 3 / 4, sizeof a * 76 / 100);
	assert_true(fill_is_weak(a, sizeof a));
	memset(b, 0, sizeof b);
	assert_true(fill_is_weak(b, sizeof b));
	fill_random(a, sizeof a, 1);
	memcpy(b, a, sizeof a);
	fill_stamp(b, sizeof b, 0, 99);
	for (size_t i = 0; i < sizeof b; i += FILL_STAMP)
		assert_true(memcmp(a + i, b + i, 8) != 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_block_once_a_pass_for_any_number_of_blocks),
		cmocka_unit_test(the_permutation_has_no_runs),
		cmocka_unit_test(jobs_have_slices_or_share),
		cmocka_unit_test(strides_reach_every_block),
		cmocka_unit_test(zipf_has_its_exponent),
		cmocka_unit_test(the_hot_part_gets_its_share),
		cmocka_unit_test(sizes_stay_inside),
		cmocka_unit_test(arrivals_keep_their_rate),
		cmocka_unit_test(content_is_what_was_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
