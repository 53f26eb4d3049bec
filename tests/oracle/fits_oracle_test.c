/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/oracle/oracle.h"

#include "stats/history.h"
#include "stats/scaling.h"
#include "tests/oracle/oracle_data.h"

static void nile_breaks_in_1898(void **state)
{
	struct history_change c, found[4];

	history_split(&c, nile, ARRAY_LEN(nile));
	assert_int_equal(c.at, 28);
	assert_close(c.before, 1097.75, ORACLE);
	assert_close(c.after, 849.972222, 1e-9);
	assert_close(c.t * c.t, 75.92976943, ORACLE);
	assert_int_equal(history_changes(found, 4, nile, ARRAY_LEN(nile), 1), 1);
	assert_int_equal(found[0].at, 28);
	assert_true(found[0].p <= 0.002);
}

static const double loads[] = { 1, 18, 36, 72, 108, 144, 216 };
static const double rates[] = { 64.9, 995.9, 1652.4, 1853.2, 1828.9, 1775.0, 1702.2 };

static void usl_on_values(void **state)
{
	struct scaling_usl u;

	assert_int_equal(scaling_fit_usl(&u, loads, rates, 7, false), 0);
	assert_true(u.is_converged);
	assert_close(u.sigma, .0277284756, 1e-6);
	assert_close(u.kappa, .000104365484, 1e-6);
	assert_close(u.lambda, 89.9952331, 1e-6);
}

static void usl_on_logs(void **state)
{
	struct scaling_usl u;

	assert_int_equal(scaling_fit_usl(&u, loads, rates, 7, true), 0);
	assert_true(u.is_converged);
	assert_close(u.sigma, .0134524732, 1e-6);
	assert_close(u.kappa, .000115110078, 1e-6);
	assert_close(u.lambda, 67.9423231, 1e-6);
	assert_close(u.peak, sqrt((1 - .0134524732) / .000115110078), 1e-6);
}

static void usl_finds_its_own_law(void **state)
{
	static const double n[] = { 1, 2, 4, 6, 8, 10 };
	static const double x[] = { 1, 1.8868, 3.0769, 3.5294, 3.5398, 3.3557 };
	struct scaling_usl u;

	for (int on_logs = 0; on_logs < 2; on_logs++) {
		assert_int_equal(scaling_fit_usl(&u, n, x, 6, on_logs), 0);
		assert_true(fabs(u.sigma - .02) < 0.0005);
		assert_true(fabs(u.kappa - .02) < 0.0005);
		assert_true(fabs(u.lambda - 1) < 0.0005);
	}
	assert_close(scaling_usl_at(&u, 4), 3.0769, 1e-3);
}

static void usl_refuses_what_it_cannot_fit(void **state)
{
	static const double twice[] = { 1, 1, 8, 8, 16 };
	double zero[7] = { 0 };
	struct scaling_usl u;

	assert_int_equal(scaling_fit_usl(&u, twice, rates, 5, true), -1);
	assert_int_equal(scaling_fit_usl(&u, loads, zero, 7, true), -1);
	/* perfectly linear: no contention, no peak */
	assert_int_equal(scaling_fit_usl(&u, loads, loads, 7, true), 0);
	assert_true(fabs(u.sigma) < 1e-9 && fabs(u.kappa) < 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nile_breaks_in_1898),
		cmocka_unit_test(usl_on_values),
		cmocka_unit_test(usl_on_logs),
		cmocka_unit_test(usl_finds_its_own_law),
		cmocka_unit_test(usl_refuses_what_it_cannot_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
