/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/oracle/oracle.h"

#include <time.h>

#include "base/rng.h"
#include "stats/compare.h"
#include "stats/power.h"

static const struct compare_rule plain = { .margin = 0.05, .family = 1, .is_declared = true };

/* n values with the mean and standard deviation asked for. */
static const double *shaped(double *d, size_t n, double mean, double sd)
{
	for (size_t i = 0; i < n; i++)
		d[i] = mean + (i % 2 ? sd : -sd) * sqrt((double)(n - 1) / (double)n);
	return d;
}

static struct contrast judge(size_t n, double ratio, double sd, struct compare_rule r)
{
	struct contrast c;
	double d[100];

	compare_paired(&c, shaped(d, n, log(ratio), sd), n, &r);
	return c;
}

static void the_first_rule_that_matches_wins(void **state)
{
	struct compare_rule r = plain;

	assert_int_equal(judge(8, 3, 0.02, r).ruling, RULING_BETTER);
	assert_int_equal(judge(8, 1 / 3.0, 0.02, r).ruling, RULING_WORSE);
	assert_int_equal(judge(8, 1, 0.02, r).ruling, RULING_EQUIVALENT);
	assert_int_equal(judge(8, 1, 0.2, r).ruling, RULING_INCONCLUSIVE);
	assert_int_equal(judge(4, 3, 0.02, r).ruling, RULING_INDICATIVE);
	assert_int_equal(judge(0, 1, 0, r).ruling, RULING_INDICATIVE);
	r.is_void = true;
	assert_int_equal(judge(8, 3, 0.02, r).ruling, RULING_VOID);
	assert_int_equal(judge(3, 3, 0.02, r).ruling, RULING_VOID);
	assert_true(judge(8, 3, 0.02, r).ci95.lo > 2.9);
	r = plain;
	r.is_declared = false;
	assert_int_equal(judge(8, 3, 0.02, r).ruling, RULING_EXPLORATORY);
}

static void equivalent_needs_eight_blocks(void **state)
{
	assert_int_equal(judge(6, 1, 0.001, plain).ruling, RULING_INCONCLUSIVE);
	assert_int_equal(judge(8, 1, 0.001, plain).ruling, RULING_EQUIVALENT);
}

static void a_resolved_difference_inside_the_margin_is_said(void **state)
{
	struct contrast c = judge(8, 1.02, 0.002, plain);

	assert_int_equal(c.ruling, RULING_EQUIVALENT);
	assert_true(c.is_resolved);
	assert_true(c.is_negligible);
	assert_false(c.is_material);
	c = judge(8, 1.0, 0.002, plain);
	assert_int_equal(c.ruling, RULING_EQUIVALENT);
	assert_false(c.is_resolved);
}

static void negligible_needs_every_block_inside_the_margin(void **state)
{
	double d[12] = { 0.06 };
	struct contrast c;

	compare_paired(&c, d, 12, &plain);
	assert_int_equal(c.ruling, RULING_EQUIVALENT);
	assert_false(c.is_negligible);
	d[0] = 0.02;
	compare_paired(&c, d, 12, &plain);
	assert_true(c.is_negligible);
}

static void material_is_wholly_beyond_the_margin(void **state)
{
	assert_true(judge(8, 1.2, 0.02, plain).is_material);
	assert_true(judge(8, 1 / 1.2, 0.02, plain).is_material);
	assert_int_equal(judge(8, 1.06, 0.04, plain).ruling, RULING_BETTER);
	assert_false(judge(8, 1.06, 0.04, plain).is_material);
}

static void the_family_widens_what_decides_and_not_what_is_read(void **state)
{
	struct compare_rule r = plain;
	struct contrast one = judge(8, 1.1, 0.08, r), ten;

	r.family = 10;
	ten = judge(8, 1.1, 0.08, r);
	assert_int_equal(one.ruling, RULING_BETTER);
	assert_int_equal(ten.ruling, RULING_INCONCLUSIVE);
	assert_close(ten.ci95.lo, one.ci95.lo, 0);
	assert_close(ten.deciding_alpha, 0.005, 1e-15);
	assert_close(ten.equivalence_alpha, 0.01, 1e-15);
	assert_true(ten.deciding.lo < one.deciding.lo);
	assert_close(ten.p, one.p, 0);
	/* t(.9975, 7) = 4.0293 */
	assert_close(log(ten.deciding.hi) - log(1.1), 4.0293371776425 * 0.08 / sqrt(8), 1e-12);
}

static void a_failing_arm_gets_no_verdict_in_its_favour(void **state)
{
	struct compare_rule r = plain;
	struct contrast c;

	r.bar_better = true;
	c = judge(8, 3, 0.02, r);
	assert_int_equal(c.ruling, RULING_INCONCLUSIVE);
	assert_true(c.is_withheld);
	assert_false(c.is_material);
	assert_int_equal(judge(8, 1 / 3.0, 0.02, r).ruling, RULING_WORSE);
	assert_int_equal(judge(8, 1, 0.01, r).ruling, RULING_INCONCLUSIVE);
}

static void the_bucket_widens_every_interval(void **state)
{
	struct compare_rule r = plain;
	struct contrast a = judge(8, 1.001, 0.0005, r), b;

	r.widen = 0.002;
	b = judge(8, 1.001, 0.0005, r);
	assert_close(log(a.ci95.lo) - log(b.ci95.lo), 0.002, 1e-10);
	assert_close(log(b.deciding.hi) - log(a.deciding.hi), 0.002, 1e-10);
	assert_true(a.is_resolved);
	assert_false(b.is_resolved);
	assert_close(b.p, 1, 0);
}

static void no_spread_is_no_trouble(void **state)
{
	struct contrast c = judge(8, 1, 0, plain);

	assert_int_equal(c.ruling, RULING_EQUIVALENT);
	assert_close(c.p, 1, 0);
	c = judge(8, 2, 0, plain);
	assert_int_equal(c.ruling, RULING_BETTER);
	assert_close(c.p, 0, 0);
	c = judge(1, 2, 0, plain);
	assert_int_equal(c.ruling, RULING_INDICATIVE);
	assert_true(isnan(c.ci95.lo));
	assert_close(c.p, 1, 0);
}

static void what_would_be_needed_is_the_least_that_does(void **state)
{
	struct contrast c = judge(8, 1.03, 0.1, plain);
	double band = log1p(0.05);

	assert_int_equal(c.ruling, RULING_INCONCLUSIVE);
	assert_true(power_difference(band, 0.1, c.n_difference, 0.05) >= 0.8);
	assert_true(power_difference(band, 0.1, c.n_difference - 1, 0.05) < 0.8);
	assert_true(power_equivalence(band, 0, 0.1, c.n_equivalence, 0.05) >= 0.8);
	assert_true(power_equivalence(band, 0, 0.1, c.n_equivalence - 1, 0.05) < 0.8);
	assert_int_equal(power_blocks_difference(band, 0.0001, 0.05, 5), 5);
	assert_int_equal(power_blocks_difference(1e-9, 10, 0.05, 5), 0);
	assert_int_equal(power_blocks_equivalence(band, 0.06, 0.01, 0.05, 8), 0);
	assert_int_equal(power_blocks_difference(0.1, 0.1 / 1.1560347, 0.05, 2), 8);
}

static void stein_uses_the_pilots_degrees_of_freedom(void **state)
{
	/* (0.04 (2.776445 + 0.940965) / 0.05)^2 = 8.84, and 1.96^2 / 2 = 1.92 */
	assert_int_equal(power_stein(5, 0.04, 0.05, 0.05, 5), 11);
	assert_int_equal(power_stein(5, 0.001, 0.05, 0.05, 8), 8);
	assert_int_equal(power_stein(1, 0.04, 0.05, 0.05, 5), 0);
	assert_int_equal(power_stein(5, 50, 0.05, 0.05, 5), 0);
}

/* sd 0.01 over 8 blocks: t(.95, 7) s / sqrt(8) is 0.0066984 (R). */
static void negligible_is_a_bound_inside_the_margin(void **state)
{
	assert_close(compare_bound(-0.02, 0.01, 8), 0.026698359, 1e-6);
	assert_true(isinf(compare_bound(0, 0.01, 1)));
	assert_true(compare_is_negligible(log1p(0.05) - 1e-9, 8, 0.05));
	assert_false(compare_is_negligible(log1p(0.05) + 1e-9, 8, 0.05));
	assert_false(compare_is_negligible(0, 7, 0.05));
	assert_false(compare_is_negligible(NAN, 8, 0.05));
}

static void a_zero_never_enters_a_logarithm(void **state)
{
	double a[2] = { 1, 0 }, b[2] = { 1, 1 }, d[2];

	assert_int_equal(compare_log_ratios(d, a, b, 2), -1);
	assert_int_equal(compare_log_ratios(d, a, b, 1), 0);
	a[1] = NAN;
	assert_int_equal(compare_log_ratios(d, b, a, 2), -1);
}

static void a_thousand_comparisons_are_quick(void **state)
{
	struct timespec from, to;
	struct contrast c;
	struct rng r;
	double d[8], ms;

	rng_seed(&r, 1);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
	for (int k = 0; k < 1000; k++) {
		for (int i = 0; i < 8; i++)
			d[i] = 0.02 + 0.1 * rng_normal(&r);
		compare_paired(&c, d, 8, &plain);
	}
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
	ms = (double)(to.tv_sec - from.tv_sec) * 1e3 + (double)(to.tv_nsec - from.tv_nsec) / 1e6;
	print_message("1000 comparisons of 8 blocks: %.1f ms\n", ms);
	assert_true(ms < 500); /* 50 ms is the aim without sanitizers on an idle machine */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_rule_that_matches_wins),
		cmocka_unit_test(equivalent_needs_eight_blocks),
		cmocka_unit_test(a_resolved_difference_inside_the_margin_is_said),
		cmocka_unit_test(negligible_needs_every_block_inside_the_margin),
		cmocka_unit_test(material_is_wholly_beyond_the_margin),
		cmocka_unit_test(the_family_widens_what_decides_and_not_what_is_read),
		cmocka_unit_test(a_failing_arm_gets_no_verdict_in_its_favour),
		cmocka_unit_test(the_bucket_widens_every_interval),
		cmocka_unit_test(no_spread_is_no_trouble),
		cmocka_unit_test(what_would_be_needed_is_the_least_that_does),
		cmocka_unit_test(stein_uses_the_pilots_degrees_of_freedom),
		cmocka_unit_test(negligible_is_a_bound_inside_the_margin),
		cmocka_unit_test(a_zero_never_enters_a_logarithm),
		cmocka_unit_test(a_thousand_comparisons_are_quick),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
