/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/power.h"

#include "stats/dist.h"

#include <math.h>
#include <stdbool.h>

double power_difference(double effect, double sd, size_t n, double alpha)
{
	double df = (double)n - 1, delta = effect / sd * sqrt((double)n), t;

	if (n < 2)
		return NAN;
	t = dist_t_critical(alpha, df);
	return 1 - dist_nct_cdf(t, df, delta) + dist_nct_cdf(-t, df, delta);
}

double power_equivalence(double band, double truth, double sd, size_t n, double alpha_side)
{
	double df = (double)n - 1, root = sqrt((double)n) / sd, t, up, down;

	if (n < 2)
		return NAN;
	t = dist_t_critical(2 * alpha_side, df);
	up = 1 - dist_nct_cdf(t, df, (band - truth) * root);
	down = 1 - dist_nct_cdf(t, df, (band + truth) * root);
	return fmax(0, up + down - 1);
}

double power_smallest(size_t n, double alpha)
{
	double lo = 0, hi = 1;

	if (n < 2)
		return NAN;
	while (power_difference(hi, 1, n, alpha) < POWER_WANTED)
		hi *= 2;
	for (int i = 0; i < 200 && hi - lo > 1e-14 * hi; i++) {
		double mid = (lo + hi) / 2;

		if (power_difference(mid, 1, n, alpha) < POWER_WANTED)
			lo = mid;
		else
			hi = mid;
	}
	return (lo + hi) / 2;
}

struct goal {
	bool is_equivalence;
	double size, truth, sd, alpha;
};

static bool is_enough(const struct goal *g, size_t n)
{
	double p = g->is_equivalence ? power_equivalence(g->size, g->truth, g->sd, n, g->alpha) :
				       power_difference(g->size, g->sd, n, g->alpha);

	return p >= POWER_WANTED;
}

/* The normal approximation of the n that is looked for (a starting point only). */
static size_t first_guess(const struct goal *g, size_t least)
{
	double room = (g->size - fabs(g->truth)) / g->sd, z_alpha, z_power, n;

	z_alpha = dist_norm_quantile(1 - (g->is_equivalence ? g->alpha : g->alpha / 2));
	z_power = dist_norm_quantile(g->is_equivalence && g->truth == 0 ? 0.5 + POWER_WANTED / 2 :
									 POWER_WANTED);
	n = (z_alpha + z_power) * (z_alpha + z_power) / (room * room) + z_alpha * z_alpha / 2;
	if (n < (double)least)
		return least;
	return n < POWER_MOST_BLOCKS ? (size_t)n : POWER_MOST_BLOCKS;
}

/* Power grows with n: gallop from the guess until the answer is bracketed, then halve. */
static size_t first_enough(const struct goal *g, size_t least)
{
	size_t lo, hi, step = 1;

	if (least < 2)
		least = 2;
	if (!(g->size - fabs(g->truth) > 0) || isnan(g->sd))
		return 0;
	if (g->sd == 0)
		return least;
	lo = hi = first_guess(g, least);
	for (; !is_enough(g, hi); step *= 2) {
		lo = hi + 1;
		hi += step;
		if (hi > 2 * POWER_MOST_BLOCKS)
			return 0;
	}
	for (step = 1; lo == hi && hi > least; step *= 2) {
		lo = hi - least > step ? hi - step : least;
		if (is_enough(g, lo)) {
			hi = lo;
		} else {
			lo++;
			break;
		}
	}
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (is_enough(g, mid))
			hi = mid;
		else
			lo = mid + 1;
	}
	return hi <= POWER_MOST_BLOCKS ? hi : 0;
}

size_t power_blocks_difference(double effect, double sd, double alpha, size_t least)
{
	struct goal g = { .size = effect, .sd = sd, .alpha = alpha };

	return first_enough(&g, least);
}

size_t power_blocks_equivalence(double band, double truth, double sd, double alpha_side, size_t least)
{
	struct goal g = { true, band, truth, sd, alpha_side };

	return first_enough(&g, least);
}

size_t power_stein(size_t n0, double s, double effect, double alpha, size_t least)
{
	double df = (double)n0 - 1, root, z, n;

	if (n0 < 2 || !(effect > 0) || isnan(s))
		return 0;
	root = s * (dist_t_critical(alpha, df) + dist_t_critical(2 * (1 - POWER_WANTED), df)) / effect;
	z = dist_norm_quantile(1 - alpha / 2);
	n = ceil(root * root + z * z / 2);
	if (n > POWER_MOST_BLOCKS)
		return 0;
	return n > (double)least ? (size_t)n : least;
}
