/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/oracle/oracle.h"

#include "base/rng.h"
#include "stats/claim.h"
#include "stats/control.h"
#include "stats/cpu.h"
#include "stats/history.h"
#include "stats/modes.h"
#include "stats/order.h"
#include "stats/percentile.h"
#include "stats/scaling.h"
#include "stats/steady.h"

static void mser_cuts_a_warm_up(void **state)
{
	double x[200];
	bool at_limit;
	struct rng r;

	rng_seed(&r, 3);
	for (int i = 0; i < 200; i++)
		x[i] = (i < 30 ? 60 : 100) + rng_normal(&r);
	assert_int_equal(steady_mser5(x, 200, &at_limit), 30);
	assert_false(at_limit);
	assert_int_equal(steady_mser5(x, 99, &at_limit), 0);
	for (int i = 0; i < 200; i++)
		x[i] = i; /* never steady: the limit */
	assert_int_equal(steady_mser5(x, 200, &at_limit), 100);
	assert_true(at_limit);
	for (int i = 0; i < 200; i++)
		x[i] = 7;
	assert_int_equal(steady_mser5(x, 200, &at_limit), 0);
}

static void the_average_weighs_arms_alike(void **state)
{
	static const double fast[] = { 1000, 1000 }, slow[] = { 5, 15 }, dead[] = { 0, 0 };
	const double *both[] = { fast, slow, dead };
	double out[2];

	steady_average(out, both, 3, 2);
	assert_close(out[0], 0.75, 1e-12);
	assert_close(out[1], 1.25, 1e-12);
}

static void the_slope_is_a_share_of_the_mean(void **state)
{
	double x[40];

	for (int i = 0; i < 40; i++)
		x[i] = 100 + i;
	/* batch means 101.5, 105.5, ... 137.5; 36 over their mean 119.5 */
	assert_close(steady_slope(x, 40), 36 / 119.5, 1e-12);
	assert_true(isnan(steady_slope(x, 9)));
}

static void steadiness_is_pooled_over_runs(void **state)
{
	static const double flat[] = { .01, -.01, .02, -.02, .01, -.01, .0, .0 };
	static const double drift[] = { .11, .09, .12, .08, .10, .10, .11, .09 };
	static const double wild[] = { .2, -.2, .3, -.1, .2, -.3, .1, .0 };
	struct steadiness s;

	steady_judge(&s, flat, 8);
	assert_int_equal(s.state, STEADY_HOLDS);
	steady_judge(&s, drift, 8);
	assert_int_equal(s.state, STEADY_FAILS);
	steady_judge(&s, wild, 8);
	assert_int_equal(s.state, STEADY_UNDECIDED);
	steady_judge(&s, flat, 1);
	assert_int_equal(s.state, STEADY_UNDECIDED);
}

static void snia_looks_at_the_last_five_rounds(void **state)
{
	static const double round[] = { 500, 100, 102, 98, 101, 99 };
	static const double falling[] = { 110, 106, 102, 98, 94 };
	struct steady_snia s;

	steady_snia_window(&s, round, 6);
	assert_true(s.holds);
	assert_close(s.range, 0.04, 1e-12);
	steady_snia_window(&s, falling, 5);
	assert_false(s.holds);
	assert_close(s.excursion, 16.0 / 102, 1e-12);
	steady_snia_window(&s, round, 4);
	assert_false(s.is_judged);
}

static void gamma_is_what_coming_first_does(void **state)
{
	static const double first[] = { 1, -1, 1, -1, -1, 1, -1, 1 };
	double d[8];
	struct order_line l;

	for (int i = 0; i < 8; i++)
		d[i] = 0.1 + 0.03 * first[i] + (i % 4 < 2 ? 0.001 : -0.001);
	order_effect(&l, d, first, 8);
	assert_true(fabs(l.slope.mean - 0.03) < 0.001);
	assert_true(fabs(l.level.mean - 0.1) < 1e-12);
	assert_true(inference_p(&l.slope, 0) < 1e-6);
	assert_close(l.slope.df, 6, 0);
	for (int i = 0; i < 8; i++)
		d[i] = 1;
	order_effect(&l, d, d, 8);
	assert_true(isnan(l.slope.mean));
	assert_close(inference_p(&l.slope, 0), 1, 0);
}

static void a_control_voids_only_what_is_large(void **state)
{
	double d[8];
	struct control c;

	for (int i = 0; i < 8; i++)
		d[i] = 0.06 + (i % 2 ? 0.004 : -0.004);
	control_judge(&c, d, 8, 0.05);
	assert_int_equal(c.state, CONTROL_VOID);
	for (int i = 0; i < 8; i++)
		d[i] -= 0.04;
	control_judge(&c, d, 8, 0.05);
	assert_int_equal(c.state, CONTROL_CAVEAT);
	assert_close(c.floor, 0.02, 1e-12);
	for (int i = 0; i < 8; i++)
		d[i] -= 0.02;
	control_judge(&c, d, 8, 0.05);
	assert_int_equal(c.state, CONTROL_HOLDS);
	assert_true(c.smallest > 0 && c.smallest < 0.02);
	control_judge(&c, d, 1, 0.05);
	assert_int_equal(c.state, CONTROL_NONE);
}

static void modes_need_two_points_on_each_side(void **state)
{
	double two[] = { 100, 70, 101, 71, 99, 69, 100, 70 };
	double lone[] = { 100, 101, 102, 100, 101, 102, 101, 60 };
	double same[] = { 1, 1, 1, 1, 1 };
	struct modes m;

	modes_find(&m, two, 8);
	assert_true(m.is_bimodal);
	assert_int_equal(m.n_low, 4);
	assert_close(m.low, 70, 1e-12);
	assert_close(m.high, 100, 1e-12);
	modes_find(&m, lone, 8);
	assert_true(m.is_judged);
	assert_false(m.is_bimodal);
	modes_find(&m, same, 5);
	assert_false(m.is_judged);
	modes_find(&m, two, 4);
	assert_false(m.is_judged);
}

static void thresholds_are_those_of_the_methods(void **state)
{
	static const struct {
		size_t n;
		double gap;
	} want[] = { { 5, .776 }, { 6, .696 },  { 7, .634 },  { 8, .572 },
		     { 9, .532 }, { 10, .492 }, { 15, .382 }, { 20, .326 }, { 30, .326 } };
	double x[30];
	struct modes m;

	for (size_t i = 0; i < ARRAY_LEN(want); i++) {
		for (size_t k = 0; k < want[i].n; k++)
			x[k] = (double)k;
		modes_find(&m, x, want[i].n);
		assert_close(m.threshold, want[i].gap, 1e-12);
	}
	assert_true(fabs(modes_unseen(5) - .45) < 0.005);
	assert_true(fabs(modes_unseen(8) - .31) < 0.005);
	assert_true(fabs(modes_unseen(10) - .26) < 0.005);
}

static void percentiles_need_ten_beyond(void **state)
{
	static const int64_t q[] = { 1000, 1100, 1050 };
	static const uint64_t enough[] = { 10000, 20000, 10001 }, few[] = { 10000, 9999, 20000 };
	struct percentile p;

	assert_int_equal(percentile_least_ios(999000), 10000);
	assert_int_equal(percentile_least_ios(500000), 20);
	assert_int_equal(percentile_least_ios(999900), 100000);
	assert_int_equal(percentile_least_ios(50000), 200);
	assert_int_equal(percentile_least_ios(999997), 3333334);
	assert_int_equal(percentile_over_runs(&p, q, enough, 3, 999000), 0);
	assert_true(p.is_enough);
	assert_close(p.value, cbrt(1000.0 * 1100 * 1050), 1e-12);
	assert_true(p.ci95.lo < 1000 && p.ci95.hi > 1100);
	assert_int_equal(percentile_over_runs(&p, q, few, 3, 999000), 0);
	assert_false(p.is_enough);
	assert_int_equal(p.fewest, 9999);
}

static void a_ratio_of_percentiles_is_widened_by_two_buckets(void **state)
{
	assert_close(percentile_widening(), 0.002, 1e-3);
}

static void efficiency_is_over_the_sum_of_alone(void **state)
{
	static const double together[] = { 150, 100 }, alone[] = { 100, 100, 50, 50 };
	static const double uneven[] = { 1, 0, 0, 0 };
	double e[2];

	assert_int_equal(scaling_log_efficiency(e, together, alone, 2, 2), 0);
	assert_close(exp(e[0]), 0.75, 1e-12);
	assert_close(exp(e[1]), 1, 1e-12);
	assert_int_equal(scaling_log_efficiency(e, uneven, alone, 2, 2), -1);
	assert_close(scaling_jain(alone, 2), 1, 1e-12);
	assert_close(scaling_jain(uneven, 4), 0.25, 1e-12);
	assert_true(isnan(scaling_jain(uneven + 1, 3)));
}

static void a_claim_is_a_region(void **state)
{
	struct interval at = { 0.95, 0.98 }, across = { 0.88, 0.93 }, below = { 0.40, 0.45 };
	struct interval none = { NAN, NAN };
	enum claim_state s[] = { CLAIM_SUPPORTED, CLAIM_NOT_DECIDABLE, CLAIM_CONTRADICTED };

	assert_int_equal(claim_judge(at, 0.90, NAN), CLAIM_SUPPORTED);
	assert_int_equal(claim_judge(across, 0.90, NAN), CLAIM_NOT_DECIDABLE);
	assert_int_equal(claim_judge(below, 0.90, NAN), CLAIM_CONTRADICTED);
	assert_int_equal(claim_judge(at, NAN, 0.94), CLAIM_CONTRADICTED);
	assert_int_equal(claim_judge(none, 0.90, NAN), CLAIM_NOT_DECIDABLE);
	assert_int_equal(claim_join(s, 1), CLAIM_SUPPORTED);
	assert_int_equal(claim_join(s, 2), CLAIM_NOT_DECIDABLE);
	assert_int_equal(claim_join(s, 3), CLAIM_CONTRADICTED);
	assert_int_equal(claim_join(s, 0), CLAIM_NOT_DECIDABLE);
	assert_close(claim_by_time(0.90), 1 / 1.1, 1e-12);
	assert_close(claim_by_time(1.25), 1 / 0.75, 1e-12);
	assert_int_equal(claim_limit(at, 0.9, NAN, 0.5), CLAIM_SUPPORTED);
	assert_int_equal(claim_limit(at, 0.9, NAN, 0.01), CLAIM_NOT_DECIDABLE);
	assert_int_equal(claim_limit(below, 0.9, NAN, 0.01), CLAIM_CONTRADICTED);
}

static void arithmetic_follows_from_figures(void **state)
{
	struct interval r = claim_quotient(claim_rounded(700, 1), claim_rounded(300, 1));

	assert_true(claim_is_consistent(r, claim_rounded(2.33, 0.01)));
	assert_false(claim_is_consistent(r, claim_rounded(3.0, 0.1)));
}

static void two_legs_tell_a_busy_processor(void **state)
{
	static const double busy[] = { .99, .985, .99, .98, .99 }, idle[] = { .4, .5, .45, .4, .5 };
	static const double full[] = { 100, 101, 99, 100 }, cut[] = { 50, 51, 50, 49 };
	struct cpu_leg l;

	cpu_leg1(&l, busy, 5);
	assert_int_equal(l.state, CPU_BOUND);
	cpu_leg1(&l, idle, 5);
	assert_int_equal(l.state, CPU_NOT_BOUND);
	cpu_leg1(&l, busy, 1);
	assert_int_equal(l.state, CPU_UNDECIDED);
	assert_int_equal(cpu_leg2(&l, cut, full, 4, 0.5), 0);
	assert_int_equal(l.state, CPU_BOUND);
	assert_true(fabs(l.value.mean - 1) < 0.02);
	assert_int_equal(cpu_leg2(&l, full, full, 4, 0.5), 0);
	assert_int_equal(l.state, CPU_NOT_BOUND);
	assert_int_equal(cpu_leg2(&l, full, full, 4, 1), -1);
}

static void a_watch_needs_eight_weeks(void **state)
{
	double x[8] = { 1, 2, 1, 2, 1, 2, 1, 2 };
	struct interval i;

	assert_true(history_is_watch(x, 8, 4, &i));
	assert_false(history_is_watch(x, 8, 2.5, &i));
	/* t(.975, 7) s sqrt(1 + 1/8), s = sqrt(2/7) */
	assert_close(i.hi, 1.5 + 2.36462425159278 * sqrt(2.0 / 7) * sqrt(1.125), 1e-12);
	assert_false(history_is_watch(x, 7, 9, NULL));
}

static void changes_are_found_one_after_the_other(void **state)
{
	struct history_change c[4], again[4];
	double x[150];
	struct rng r;

	rng_seed(&r, 11);
	for (int i = 0; i < 150; i++)
		x[i] = (i < 50 ? 0 : i < 100 ? 0.3 : -0.3) + 0.05 * rng_normal(&r);
	assert_int_equal(history_changes(c, 4, x, 150, 7), 2);
	assert_int_equal(c[0].at, 50);
	assert_int_equal(c[1].at, 100);
	history_changes(again, 4, x, 150, 7);
	assert_close(again[0].p, c[0].p, 0);
	assert_int_equal(history_changes(c, 4, x + 100, 39, 7), 0);
	assert_int_equal(history_changes(c, 1, x, 150, 7), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mser_cuts_a_warm_up),
		cmocka_unit_test(the_average_weighs_arms_alike),
		cmocka_unit_test(the_slope_is_a_share_of_the_mean),
		cmocka_unit_test(steadiness_is_pooled_over_runs),
		cmocka_unit_test(snia_looks_at_the_last_five_rounds),
		cmocka_unit_test(gamma_is_what_coming_first_does),
		cmocka_unit_test(a_control_voids_only_what_is_large),
		cmocka_unit_test(modes_need_two_points_on_each_side),
		cmocka_unit_test(thresholds_are_those_of_the_methods),
		cmocka_unit_test(percentiles_need_ten_beyond),
		cmocka_unit_test(a_ratio_of_percentiles_is_widened_by_two_buckets),
		cmocka_unit_test(efficiency_is_over_the_sum_of_alone),
		cmocka_unit_test(a_claim_is_a_region),
		cmocka_unit_test(arithmetic_follows_from_figures),
		cmocka_unit_test(two_legs_tell_a_busy_processor),
		cmocka_unit_test(a_watch_needs_eight_weeks),
		cmocka_unit_test(changes_are_found_one_after_the_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
