/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/plateau.h"

#include "base/vec.h"
#include "stats/dist.h"
#include "stats/summary.h"

#include <math.h>

static double mean_log(const double *x, size_t n)
{
	struct summary s = SUMMARY_INIT;

	for (size_t i = 0; i < n; i++)
		summary_add(&s, log(x[i]));
	return s.mean;
}

/* One-sided 95% bounds on the mean of ln(best / level). */
static void bounds(const double *best, const double *level, size_t n, double *lo, double *hi)
{
	double t = dist_t_quantile(.95, (double)n - 1), half;
	struct summary s = SUMMARY_INIT;

	for (size_t i = 0; i < n; i++)
		summary_add(&s, log(best[i] / level[i]));
	half = t * summary_sd(&s) / sqrt((double)n);
	*lo = s.mean - half;
	*hi = s.mean + half;
}

static void measure(struct plateau *p, const double *x, size_t k, size_t n, const double *hi)
{
	double sum = 0, worst = 0;

	for (size_t i = p->knee; i < k; i++) {
		sum += mean_log(x + i * n, n) / (double)(k - p->knee);
		worst = fmax(worst, hi[i]);
	}
	p->height = exp(sum);
	p->bound = exp(worst);
	p->gained = exp(mean_log(x + p->knee * n, n) - mean_log(x, n));
}

void plateau_find(struct plateau *p, const double *x, size_t k, size_t n, double margin)
{
	mem_auto double *hi = mem_array(k + 1, sizeof *hi);
	double first_lo = 0, most = -INFINITY, limit = log1p(margin);

	*p = (struct plateau){ .gained = NAN, .height = NAN, .bound = NAN };
	if (k < PLATEAU_LEAST_LEVELS || n < PLATEAU_LEAST_BLOCKS)
		return;
	for (size_t i = 0; i < k; i++) {
		double m = mean_log(x + i * n, n);

		p->best = m > most ? i : p->best;
		most = fmax(most, m);
	}
	for (size_t i = 0; i < k; i++) {
		double lo;

		bounds(x + p->best * n, x + i * n, n, &lo, &hi[i]);
		if (!i)
			first_lo = lo;
	}
	for (p->knee = k; p->knee && hi[p->knee - 1] < limit; p->knee--)
		;
	p->is_flat = p->knee == 0;
	p->is_found = p->knee > 0 && p->knee + 2 <= k && first_lo > limit;
	if (p->is_flat || p->is_found)
		measure(p, x, k, n, hi);
}
