/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/oracle/sim.h"

#include <math.h>

#include "stats/compare.h"
#include "stats/control.h"
#include "stats/history.h"
#include "stats/modes.h"
#include "stats/power.h"
#include "stats/steady.h"

#define MOST 256
#define LEVELS 3

static void log_ratios(double *d, size_t n, double mean, double sd, bool t3, struct rng *r)
{
	for (size_t i = 0; i < n; i++)
		d[i] = mean + sd * (t3 ? sim_t3(r) : rng_normal(r));
}

/* Any of m comparisons whose true ratio lies on the edge of the margin is called EQUIVALENT. */
bool sim_false_equivalent(const struct sim_cell *c, struct rng *r)
{
	struct compare_rule rule = { SIM_MARGIN, (size_t)c->a, .is_declared = true };
	bool any = false;

	for (size_t k = 0; k < c->m; k++) {
		double d[MOST];
		struct contrast out;

		log_ratios(d, c->n, log1p(SIM_MARGIN), 0.03, c->noise == SIM_T3, r);
		compare_paired(&out, d, c->n, &rule);
		any = any || out.ruling == RULING_EQUIVALENT;
	}
	return any;
}

/* Three levels, the last one `effect` off, spreads 1%, 2% and 4%. */
static bool negligible(size_t n, double effect, struct rng *r)
{
	static const double sd[LEVELS] = { 0.01, 0.02, 0.04 };
	double x[LEVELS][MOST], d[MOST], worst = 0;
	struct inference e;

	for (size_t i = 0; i < LEVELS; i++)
		for (size_t b = 0; b < n; b++)
			x[i][b] = (i == 2 ? effect : 0) + sd[i] * rng_normal(r);
	for (size_t i = 0; i < LEVELS; i++)
		for (size_t k = i + 1; k < LEVELS; k++) {
			for (size_t b = 0; b < n; b++)
				d[b] = x[i][b] - x[k][b];
			inference_mean(&e, d, n);
			worst = fmax(worst, compare_bound(e.mean, e.sd, n));
		}
	return compare_is_negligible(worst, n, SIM_MARGIN);
}

bool sim_false_negligible(const struct sim_cell *c, struct rng *r)
{
	return negligible(c->n, log1p(SIM_MARGIN), r);
}

bool sim_true_negligible(const struct sim_cell *c, struct rng *r)
{
	return negligible(c->n, 0, r);
}

bool sim_family_error(const struct sim_cell *c, struct rng *r)
{
	const struct compare_rule rule = { SIM_MARGIN, c->m, .is_declared = true };
	bool any = false;

	for (size_t k = 0; k < c->m; k++) {
		double d[MOST];
		struct contrast out;

		log_ratios(d, c->n, 0, 0.10, c->noise == SIM_T3, r);
		compare_paired(&out, d, c->n, &rule);
		any = any || out.ruling == RULING_BETTER || out.ruling == RULING_WORSE;
	}
	return any;
}

/* Baseline, its duplicate and a subject; run noise 3%. The control's verdict voids the comparison. */
static enum ruling campaign(size_t n, double control_bias, double ratio, struct rng *r)
{
	struct compare_rule rule = { SIM_MARGIN, 1, .is_declared = true };
	double aa[MOST], d[MOST];
	struct control control;
	struct contrast out;

	for (size_t i = 0; i < n; i++) {
		double base = 0.03 * rng_normal(r);

		aa[i] = control_bias + 0.03 * rng_normal(r) - base;
		d[i] = log(ratio) + 0.03 * rng_normal(r) - base;
	}
	control_judge(&control, aa, n, SIM_MARGIN);
	rule.is_void = control.state == CONTROL_VOID;
	compare_paired(&out, d, n, &rule);
	return out.ruling;
}

bool sim_clean_is_void(const struct sim_cell *c, struct rng *r)
{
	return campaign(c->n, 0, 1, r) == RULING_VOID;
}

bool sim_biased_is_decided(const struct sim_cell *c, struct rng *r)
{
	return campaign(c->n, c->a, 1.3, r) != RULING_VOID;
}

bool sim_smallest_is_seen(const struct sim_cell *c, struct rng *r)
{
	const struct compare_rule rule = { SIM_MARGIN, c->m, .is_declared = true };
	double d[MOST];
	struct contrast out;

	log_ratios(d, c->n, power_smallest(c->n, 0.05 / (double)c->m) * 0.2, 0.2, false, r);
	compare_paired(&out, d, c->n, &rule);
	return out.ruling == RULING_BETTER;
}

bool sim_needed_shows_equivalence(const struct sim_cell *c, struct rng *r)
{
	const struct compare_rule rule = { SIM_MARGIN, c->m, .is_declared = true };
	size_t n = power_blocks_equivalence(log1p(SIM_MARGIN), 0, c->a, 0.05 / (double)c->m, 8);
	double d[MOST];
	struct contrast out;

	log_ratios(d, n, 0, c->a, false, r);
	compare_paired(&out, d, n, &rule);
	return out.ruling == RULING_EQUIVALENT;
}

bool sim_stein_sees(const struct sim_cell *c, struct rng *r)
{
	const struct compare_rule rule = { SIM_MARGIN, 1, .is_declared = true };
	double d[MOST];
	struct inference pilot;
	struct contrast out;
	size_t n;

	log_ratios(d, c->n, 0.7, c->a, false, r);
	inference_mean(&pilot, d, c->n);
	n = power_stein(c->n, pilot.sd, log1p(SIM_MARGIN), 0.05, COMPARE_LEAST_RULING);
	if (n == 0 || n > MOST)
		n = MOST;
	log_ratios(d, n, log1p(SIM_MARGIN), c->a, false, r);
	compare_paired(&out, d, n, &rule);
	return out.deciding.lo > 1;
}

static void weeks(double *x, size_t n, double rho, struct rng *r)
{
	x[0] = rng_normal(r) / sqrt(1 - rho * rho);
	for (size_t i = 1; i < n; i++)
		x[i] = rho * x[i - 1] + rng_normal(r);
}

bool sim_history_candidate(const struct sim_cell *c, struct rng *r)
{
	struct history_change found[4];
	double x[MOST];

	weeks(x, c->n, c->a, r);
	return history_changes(found, 4, x, c->n, rng_next(r)) > 0;
}

bool sim_watch(const struct sim_cell *c, struct rng *r)
{
	double x[MOST];

	weeks(x, c->n + 1, c->a, r);
	return history_is_watch(x, c->n, x[c->n], NULL);
}

bool sim_bimodal(const struct sim_cell *c, struct rng *r)
{
	double x[MOST];
	struct modes m;

	for (size_t i = 0; i < c->n; i++)
		x[i] = sim_run(c->noise, 0, r);
	modes_find(&m, x, c->n);
	return m.is_bimodal;
}

/* One arm 30 times slower warms up over 20 of 120 intervals; is all of that cut off, and not half? */
bool sim_warm_up_found(const struct sim_cell *c, struct rng *r)
{
	double series[2][120], mean[120];
	const double *both[] = { series[0], series[1] };
	size_t cut;

	for (size_t i = 0; i < 120; i++) {
		series[0][i] = 3000 * (1 + 0.05 * rng_normal(r));
		series[1][i] = (i < 20 ? 60 : 100) * (1 + 0.05 * rng_normal(r));
	}
	steady_average(mean, both, 2, 120);
	for (size_t i = 0; c->a > 0 && i < 120; i++)
		mean[i] = series[0][i] + series[1][i];
	cut = steady_mser5(mean, 120, NULL);
	return cut >= 20 && cut < 60;
}

bool sim_not_steady(const struct sim_cell *c, struct rng *r)
{
	double e[MOST], x[100];
	struct steadiness s;

	for (size_t k = 0; k < c->n; k++) {
		for (size_t i = 0; i < 100; i++)
			x[i] = 1 - c->a * (double)i / 100 + 0.1 * rng_normal(r);
		e[k] = steady_slope(x, 100);
	}
	steady_judge(&s, e, c->n);
	return s.state == STEADY_FAILS;
}
