/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/oracle/oracle.h"

#include "tests/oracle/oracle_dist.h"
#include "stats/dist.h"
#include "stats/power.h"

static void student_agrees_with_r(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(ref_t); i++)
		assert_close(dist_t_two_sided(ref_t[i][0], ref_t[i][1]), ref_t[i][2], 1e-11);
	for (size_t i = 0; i < ARRAY_LEN(ref_t_critical); i++)
		assert_close(dist_t_critical(ref_t_critical[i][0], ref_t_critical[i][1]),
			     ref_t_critical[i][2], 1e-11);
	assert_close(dist_t_cdf(-1.3, 4) + dist_t_cdf(1.3, 4), 1, 1e-15);
	assert_close(dist_t_quantile(0.025, 7), -2.36462425159278, 1e-13);
	assert_close(dist_t_quantile(0.5, 7), 0, 0);
}

static void beta_and_f_agree_with_r(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(ref_beta); i++) {
		const double *r = ref_beta[i];

		assert_close(dist_beta_cdf(r[0], r[1], r[2]), r[3], 1e-10);
		assert_close(dist_beta_quantile(r[3], r[1], r[2]), r[0], 1e-10);
	}
	for (size_t i = 0; i < ARRAY_LEN(ref_f); i++) {
		const double *r = ref_f[i];

		assert_close(dist_f_upper(r[0], r[1], r[2]), r[3], 1e-11);
		assert_close(dist_f_critical(r[3], r[1], r[2]), r[0], 1e-11);
	}
}

static void normal_agrees_with_r(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(ref_normal); i++) {
		assert_close(dist_norm_quantile(ref_normal[i][0]), ref_normal[i][1], 1e-12);
		assert_close(dist_norm_cdf(ref_normal[i][1]), ref_normal[i][0], 1e-12);
	}
	assert_close(dist_norm_upper(10), 7.61985302416052e-24, 1e-12);
}

static void a_quantile_undoes_its_distribution(void **state)
{
	static const double df[] = { 1, 2, 2.5, 3, 6, 19, 77.7, 1e5 };

	for (size_t i = 0; i < ARRAY_LEN(df); i++)
		for (double alpha = 1e-12; alpha < 1; alpha = alpha * 3.7)
			assert_close(dist_t_two_sided(dist_t_critical(alpha, df[i]), df[i]), alpha,
				     5e-12);
}

/* Simpson over the scale: P(T' <= t) = integral of Phi(t s - delta) f(s), s = chi_df / sqrt(df). */
static double nct_by_integration(double t, double df, double delta)
{
	double c = log(2) + df / 2 * log(df / 2) - lgamma(df / 2), hi = 1 + 40 / sqrt(2 * df), sum = 0;
	int n = 200000;

	for (int i = 1; i <= n; i++) {
		double s = hi * i / n, f = exp(c + (df - 1) * log(s) - df * s * s / 2);

		sum += (i == n ? 1 : i % 2 ? 4 : 2) * f * dist_norm_cdf(t * s - delta);
	}
	return sum * hi / n / 3;
}

static void noncentral_t_agrees_with_integration(void **state)
{
	static const double at[][3] = { { 2.36, 7, 3.27 }, { -2.36, 7, 3.27 }, { 4.3, 2, 5.65 },
					{ 1.7, 19, -1 },   { 0, 5, 0.7 },      { 14, 2, 40 },
					{ 3, 4, 0 },       { 141, 3, 160 },    { 2.0, 99, 45 } };

	for (size_t i = 0; i < ARRAY_LEN(at); i++)
		assert_true(fabs(dist_nct_cdf(at[i][0], at[i][1], at[i][2]) -
				 nct_by_integration(at[i][0], at[i][1], at[i][2])) < 2e-10);
	assert_close(dist_nct_cdf(2.2, 7, 0), dist_t_cdf(2.2, 7), 1e-13);
}

static void smallest_effects_are_those_of_the_methods(void **state)
{
	static const struct {
		size_t n;
		double want;
	} row[] = { { 3, 3.26404 }, { 5, 1.68200 },  { 6, 1.43454 }, { 8, 1.15603 },
		    { 10, .99600 }, { 15, .77802 }, { 20, .66044 } };

	for (size_t i = 0; i < ARRAY_LEN(row); i++)
		assert_close(power_smallest(row[i].n, 0.05), row[i].want, 1e-5);
	assert_close(power_smallest(8, 0.05), 1.156034677995, ORACLE);
	assert_true(fabs(power_smallest(8, 0.05 / 3) - 1.45) < 0.005);
	assert_true(fabs(power_smallest(8, 0.05 / 5) - 1.60) < 0.005);
	assert_true(fabs(power_smallest(8, 0.05 / 10) - 1.81) < 0.005);
	assert_true(isnan(power_smallest(1, 0.05)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(student_agrees_with_r),
		cmocka_unit_test(beta_and_f_agree_with_r),
		cmocka_unit_test(normal_agrees_with_r),
		cmocka_unit_test(a_quantile_undoes_its_distribution),
		cmocka_unit_test(noncentral_t_agrees_with_integration),
		cmocka_unit_test(smallest_effects_are_those_of_the_methods),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
