/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/summary.h"

#include <math.h>
#include <stdlib.h>

void summary_add(struct summary *s, double x)
{
	double step = x - s->mean;

	if (s->n == 0 || x < s->min)
		s->min = x;
	if (s->n == 0 || x > s->max)
		s->max = x;
	s->mean += step / (double)++s->n;
	s->m2 += step * (x - s->mean);
}

void summary_of(struct summary *s, const double *x, size_t n)
{
	*s = (struct summary)SUMMARY_INIT;
	for (size_t i = 0; i < n; i++)
		summary_add(s, x[i]);
}

double summary_sd(const struct summary *s)
{
	return s->n < 2 ? NAN : sqrt(s->m2 / (double)(s->n - 1));
}

double summary_cv(const struct summary *s)
{
	return summary_sd(s) / s->mean;
}

double summary_lag1(const double *x, size_t n)
{
	struct summary s;
	double sum = 0;

	summary_of(&s, x, n);
	for (size_t i = 1; i < n; i++)
		sum += (x[i] - s.mean) * (x[i - 1] - s.mean);
	return s.m2 > 0 ? sum / s.m2 : NAN;
}

int summary_logs(double *out, const double *x, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!(x[i] > 0 && isfinite(x[i])))
			return -1;
		out[i] = log(x[i]);
	}
	return 0;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double summary_median(double *x, size_t n)
{
	if (!n)
		return NAN;
	qsort(x, n, sizeof *x, ascending);
	return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}
