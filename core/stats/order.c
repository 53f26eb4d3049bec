/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/order.h"

#include "stats/summary.h"

#include <math.h>

static void fit(struct order_line *l, const double *x, const double *y, size_t n)
{
	struct summary sx = SUMMARY_INIT, sy = SUMMARY_INIT;
	double xy = 0, rss = 0, s;

	for (size_t i = 0; i < n; i++) {
		summary_add(&sx, x[i]);
		summary_add(&sy, y[i]);
	}
	l->slope = l->level = (struct inference){ n, NAN, NAN, NAN, 0 };
	if (n < 2 || !(sx.m2 > 0))
		return;
	for (size_t i = 0; i < n; i++)
		xy += (x[i] - sx.mean) * (y[i] - sy.mean);
	l->slope.mean = xy / sx.m2;
	l->level.mean = sy.mean - l->slope.mean * sx.mean;
	if (n < 3)
		return;
	for (size_t i = 0; i < n; i++) {
		double r = y[i] - sy.mean - l->slope.mean * (x[i] - sx.mean);

		rss += r * r;
	}
	s = sqrt(rss / (double)(n - 2));
	l->slope.sd = l->level.sd = s;
	l->slope.df = l->level.df = (double)(n - 2);
	l->slope.se = s / sqrt(sx.m2);
	l->level.se = s * sqrt(1 / (double)n + sx.mean * sx.mean / sx.m2);
}

void order_fit(struct order_line *l, const double *x, const double *y, size_t n)
{
	fit(l, x, y, n);
}

void order_effect(struct order_line *l, const double *d, const double *first, size_t n)
{
	fit(l, first, d, n);
}
