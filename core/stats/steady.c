/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/steady.h"

#include "stats/order.h"
#include "stats/summary.h"

#include <math.h>

static double mean_of(const double *x, size_t n)
{
	struct summary s;

	summary_of(&s, x, n);
	return s.mean;
}

void steady_average(double *out, const double *const *series, size_t n_series, size_t len)
{
	size_t used = 0;

	for (size_t i = 0; i < len; i++)
		out[i] = 0;
	for (size_t k = 0; k < n_series; k++) {
		double mean = mean_of(series[k], len);

		if (!(mean > 0))
			continue;
		used++;
		for (size_t i = 0; i < len; i++)
			out[i] += (series[k][i] / mean - out[i]) / (double)used;
	}
}

size_t steady_mser5(const double *x, size_t n, bool *at_limit)
{
	struct summary rest = SUMMARY_INIT; /* grows backwards from the end */
	size_t m = n / 5, best = 0;
	double least = INFINITY;

	if (at_limit)
		*at_limit = false;
	if (n < STEADY_LEAST_INTERVALS)
		return 0;
	for (size_t d = m; d-- > 0;) {
		double score;

		summary_add(&rest, mean_of(x + 5 * d, 5));
		score = rest.m2 / ((double)rest.n * (double)rest.n);
		if (d <= m / 2 && score <= least) {
			least = score;
			best = d;
		}
	}
	if (at_limit)
		*at_limit = best == m / 2;
	return 5 * best;
}

double steady_slope(const double *x, size_t n)
{
	double at[STEADY_BATCHES], batch[STEADY_BATCHES], mean;
	struct order_line line;

	if (n < STEADY_BATCHES)
		return NAN;
	for (size_t i = 0; i < STEADY_BATCHES; i++) {
		size_t from = i * n / STEADY_BATCHES, to = (i + 1) * n / STEADY_BATCHES;

		at[i] = (double)i;
		batch[i] = mean_of(x + from, to - from);
	}
	order_fit(&line, at, batch, STEADY_BATCHES);
	mean = mean_of(batch, STEADY_BATCHES);
	return mean > 0 ? line.slope.mean * (STEADY_BATCHES - 1) / mean : NAN;
}

void steady_judge(struct steadiness *s, const double *e, size_t n)
{
	inference_mean(&s->e, e, n);
	s->ci90 = inference_interval(&s->e, 0.10);
	s->ci95 = inference_interval(&s->e, 0.05);
	s->state = STEADY_UNDECIDED;
	if (s->ci90.lo > -STEADY_LIMIT && s->ci90.hi < STEADY_LIMIT)
		s->state = STEADY_HOLDS;
	else if (fabs(s->e.mean) > STEADY_LIMIT && (s->ci95.lo > 0 || s->ci95.hi < 0))
		s->state = STEADY_FAILS;
}

void steady_snia_window(struct steady_snia *s, const double *round, size_t n)
{
	static const double at[STEADY_SNIA_ROUNDS] = { 0, 1, 2, 3, 4 };
	struct summary sum;
	struct order_line line;

	*s = (struct steady_snia){ .range = NAN, .excursion = NAN };
	if (n < STEADY_SNIA_ROUNDS)
		return;
	round += n - STEADY_SNIA_ROUNDS;
	summary_of(&sum, round, STEADY_SNIA_ROUNDS);
	order_fit(&line, at, round, STEADY_SNIA_ROUNDS);
	s->is_judged = true;
	s->range = (sum.max - sum.min) / sum.mean;
	s->excursion = fabs(line.slope.mean) * (STEADY_SNIA_ROUNDS - 1) / sum.mean;
	s->holds = s->range <= 0.20 && s->excursion <= 0.10;
}
