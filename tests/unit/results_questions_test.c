/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/made.h"

static void claims_and_limits_are_regions(void **state)
{
	struct truth t = TRUTH_INIT;
	struct made m;

	t.kind = "claims";
	make(&m, &t);
	judge(&m);
	assert_int_equal(judgement_of(&m, 0)->verdict, VERDICT_CONTRADICTED);
	assert_int_equal(judgement_of(&m, 1)->verdict, VERDICT_SUPPORTED);
	assert_int_equal(judgement_of(&m, 2)->verdict, VERDICT_MET);
	assert_int_equal(judgement_of(&m, 3)->verdict, VERDICT_NOT_MET);
	assert_int_equal(m.r.family, 1); /* both claims rest on one comparison */
	made_release(&m);
	/* Between 0.9 and 1 / 1.1: "10% slower" holds of the speed and not of the time. */
	t.ratio = 0.905;
	t.sd = 0.001;
	make(&m, &t);
	judge(&m);
	assert_int_equal(judgement_of(&m, 0)->by_speed, VERDICT_SUPPORTED);
	assert_int_equal(judgement_of(&m, 0)->by_time, VERDICT_CONTRADICTED);
	assert_true(judgement_of(&m, 0)->depends_on_reading);
	assert_int_equal(judgement_of(&m, 0)->verdict, VERDICT_NOT_DECIDABLE);
	made_release(&m);
	/* An arm that fails is not said to be fast enough; that it is slow stays. */
	t.ratio = 1.2;
	t.fail = 1;
	make(&m, &t);
	judge(&m);
	assert_int_equal(judgement_of(&m, 0)->verdict, VERDICT_NOT_DECIDABLE);
	assert_int_equal(judgement_of(&m, 1)->verdict, VERDICT_NOT_DECIDABLE);
	assert_int_equal(judgement_of(&m, 3)->verdict, VERDICT_NOT_DECIDABLE);
	assert_string_equal(judgement_of(&m, 3)->why, "runs of it failed");
	made_release(&m);
}

static void a_limit_with_a_trend_is_not_met(void **state)
{
	struct truth t = TRUTH_INIT;
	struct made m;

	t.kind = "claims";
	t.drift = 0.3;
	make(&m, &t);
	judge(&m);
	assert_int_equal(judgement_of(&m, 2)->verdict, VERDICT_NOT_DECIDABLE);
	assert_string_equal(judgement_of(&m, 2)->why, "trend over the blocks");
	assert_true(m.r.cells[1].trend > 0 && m.r.cells[1].trend_p < 0.05);
	/* Blocks in balanced order carry the drift in both arms alike. */
	assert_int_equal(first(&m)->verdict, VERDICT_WORSE);
	made_release(&m);
}

static void a_cache_needs_its_evidence(void **state)
{
	struct truth t = TRUTH_INIT;
	struct made m;
	size_t i;

	t.kind = "passes";
	make(&m, &t);
	judge(&m);
	assert_int_equal(judgement_of(&m, 0)->verdict, VERDICT_CACHED);
	assert_int_equal(judgement_of(&m, 0)->evidence, EVIDENCE_HOST_CACHE);
	assert_true(judgement_of(&m, 0)->device_share < 0.01);
	assert_int_equal(judgement_of(&m, 1)->verdict, VERDICT_CPU_BOUND);
	made_release(&m);
	/* The device moved it all again, ten times as fast: a cache behind the host. */
	make(&m, &t);
	for (i = 0; i < m.b.n_runs; i++)
		m.b.runs[i].dev_read_bytes = m.b.runs[i].read_bytes;
	judge(&m);
	assert_int_equal(judgement_of(&m, 0)->verdict, VERDICT_CACHED);
	assert_int_equal(judgement_of(&m, 0)->evidence, EVIDENCE_ARRAY_CACHE);
	made_release(&m);
	/* Faster, yet nothing shows why. */
	t.ratio = 1.3;
	make(&m, &t);
	judge(&m);
	assert_int_equal(judgement_of(&m, 0)->verdict, VERDICT_NOT_DECIDABLE);
	made_release(&m);
	t.ratio = 1.0;
	make(&m, &t);
	judge(&m);
	assert_int_equal(judgement_of(&m, 0)->verdict, VERDICT_NOT_CACHED);
	made_release(&m);
}

static void a_factor_is_negligible_when_all_pairs_are(void **state)
{
	struct truth t = TRUTH_INIT;
	struct made m;

	t.kind = "sweep";
	make(&m, &t);
	judge(&m);
	assert_int_equal(judgement_of(&m, 1)->verdict, VERDICT_MATTERS);
	assert_true(judgement_of(&m, 1)->worst > log1p(0.05));
	made_release(&m);
	t.margin = 0.15;
	make(&m, &t);
	judge(&m);
	assert_int_equal(judgement_of(&m, 1)->verdict, VERDICT_NEGLIGIBLE);
	made_release(&m);
	t.blocks = 7;
	make(&m, &t);
	judge(&m);
	assert_int_not_equal(judgement_of(&m, 1)->verdict, VERDICT_NEGLIGIBLE);
	made_release(&m);
}

static void together_is_compared_with_the_sum_of_alone(void **state)
{
	struct truth t = TRUTH_INIT;
	struct made m;
	const struct scaling *s;

	t.kind = "together";
	t.sd = 0;
	make(&m, &t);
	judge(&m);
	assert_int_equal(m.r.n_scalings, 1);
	s = &m.r.scalings[0];
	assert_int_equal(s->members, 4);
	assert_int_equal(s->n, 8);
	/* Three at .43 and one at .9 of it, over four at 1. */
	near(s->efficiency, 0.43 * 3.9 / 4, 1e-6);
	near(s->jain, 3.9 * 3.9 / (4 * (3 + 0.81)), 1e-6);
	near(s->share_min, 0.9 / 3.9, 1e-6);
	assert_int_equal(s->verdict, VERDICT_WORSE);
	assert_int_equal(judgement_of(&m, 0)->verdict, VERDICT_WORSE);
	made_release(&m);
	t.gate = "window";
	make(&m, &t);
	judge(&m);
	assert_int_equal(judgement_of(&m, 0)->verdict, VERDICT_VOID);
	made_release(&m);
}

static void the_law_of_a_load_is_found(void **state)
{
	struct truth t = TRUTH_INIT;
	struct made m;

	t.kind = "load";
	t.sd = t.block_sd = 0;
	make(&m, &t);
	judge(&m);
	assert_int_equal(m.r.n_usls, 1);
	assert_int_equal(m.r.usls[0].levels, 6);
	near(m.r.usls[0].sigma, 0.02, 1e-3);
	near(m.r.usls[0].kappa, 0.001, 1e-3);
	near(m.r.usls[0].lambda, 20e6 / 4096, 1e-3);
	near(m.r.usls[0].peak, sqrt(0.98 / 0.001), 1e-3);
	assert_int_equal(judgement_of(&m, 0)->verdict, VERDICT_MATTERS);
	made_release(&m);
}

/* 1,000 stationary campaigns of equal arms; the bounds are 5 sigma from what is nominal. */
static void clean_campaigns_are_not_void(void **state)
{
	static const double sd[] = { 0.02, 0.10 };
	unsigned n_void, sided, equivalent, i, k;
	struct truth t = TRUTH_INIT;

	t.ratio = 1;
	for (k = 0; k < 2; k++) {
		n_void = sided = equivalent = 0;
		t.sd = sd[k];
		for (i = 0; i < 1000; i++) {
			struct made m;

			t.seed = 1000 + i;
			make(&m, &t);
			judge(&m);
			n_void += first(&m)->verdict == VERDICT_VOID;
			sided += first(&m)->verdict == VERDICT_BETTER || first(&m)->verdict == VERDICT_WORSE;
			equivalent += first(&m)->verdict == VERDICT_EQUIVALENT;
			made_release(&m);
		}
		print_message("sd %g: void %u, faster or slower %u, equivalent %u of 1000\n", sd[k], n_void,
			      sided, equivalent);
		assert_true(n_void <= 30);
		assert_true(sided <= 84 && (k == 0 || sided >= 16));
		assert_true(k == 1 || equivalent >= 950);
	}
}

/* METHODS (k): 1.15603 sd at 8 blocks and one comparison. */
static void the_smallest_effect_comes_from_a_stated_sd(void **state)
{
	struct truth t = TRUTH_INIT;
	struct made m;

	make(&m, &t);
	judge(&m);
	assert_true(isnan(first(&m)->detectable));
	made_release(&m);
	make(&m, &t);
	m.b.cells.tests[0].sd = 0.03;
	judge(&m);
	near(log1p(first(&m)->detectable), 1.156034677995 * 0.03, 1e-9);
	made_release(&m);
}

static void what_was_not_declared_gets_no_verdict(void **state)
{
	struct truth t = TRUTH_INIT;
	struct made m;

	t.kind = "exploratory";
	make(&m, &t);
	judge(&m);
	assert_int_equal(first(&m)->verdict, VERDICT_NONE);
	assert_true(isnan(first(&m)->holm_p));
	near(first(&m)->bh_p, first(&m)->p, 0);
	made_release(&m);
}

/* The first tenth of each run is half as fast: MSER-5 finds it, and the rate is that of the rest. */
static void a_warm_up_is_cut(void **state)
{
	char dir[] = "results_test.XXXXXX", path[64];
	struct iow_error e = ERR_INIT;
	struct truth t = TRUTH_INIT;
	struct made m, whole;

	t.warm = 0.5;
	t.sd = 0;
	t.block_sd = 0;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/b", dir);
	assert_int_equal(truth_write(&t, path, &e), 0);
	assert_int_equal(bundle_load(&m.b, path, &e), 0);
	judge(&m);
	make(&whole, &t);
	judge(&whole);
	assert_true(m.r.cells[0].cut_by_mser);
	near((double)m.r.cells[0].cut_ns, 0.125 * 5e9, 0.05);
	/* 12 of 120 intervals at half speed: the mean over all is .95 of the rest. */
	near(m.r.cells[0].throughput.mean, whole.r.cells[0].throughput.mean / 0.95, 0.002);
	near(first(&m)->ratio, 0.43, 0.01);
	assert_int_equal(m.r.cells[0].steadiness, VERDICT_STEADY);
	assert_int_equal(m.r.cells[0].n_steady, 8);
	assert_int_equal(whole.r.cells[0].steadiness, VERDICT_NOT_APPLICABLE);
	made_release(&m);
	made_release(&whole);
	snprintf(path, sizeof path, "rm -rf %s", dir);
	assert_int_equal(system(path), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(claims_and_limits_are_regions),
		cmocka_unit_test(a_limit_with_a_trend_is_not_met),
		cmocka_unit_test(a_cache_needs_its_evidence),
		cmocka_unit_test(a_factor_is_negligible_when_all_pairs_are),
		cmocka_unit_test(together_is_compared_with_the_sum_of_alone),
		cmocka_unit_test(the_law_of_a_load_is_found),
		cmocka_unit_test(clean_campaigns_are_not_void),
		cmocka_unit_test(the_smallest_effect_comes_from_a_stated_sd),
		cmocka_unit_test(what_was_not_declared_gets_no_verdict),
		cmocka_unit_test(a_warm_up_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
