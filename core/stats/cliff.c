/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/cliff.h"

#include <math.h>
#include <string.h>

#define KEEPS 0.9

/* Sum of squares around the least-squares line over 0 … n-1. */
static double rest_of_line(const double *x, size_t n, double mean, double total)
{
	double mid = ((double)n - 1) / 2, sxy = 0, sxx = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		sxy += ((double)i - mid) * (x[i] - mean);
		sxx += ((double)i - mid) * ((double)i - mid);
	}
	return total - sxy * sxy / sxx;
}

static bool keep_sides(const struct cliff *c, const double *x, size_t n)
{
	double middle = (c->before + c->after) / 2;
	size_t high = 0, low = 0, i;

	for (i = 0; i < n; i++)
		*(i < c->at ? &high : &low) += i < c->at ? x[i] > middle : x[i] < middle;
	return (double)high >= KEEPS * (double)c->at && (double)low >= KEEPS * (double)(n - c->at);
}

void cliff_find(struct cliff *c, const double *x, size_t n)
{
	size_t side = (n + 9) / 10, i;
	double mean = 0, total = 0, sum = 0, best = 0;

	memset(c, 0, sizeof *c);
	c->before = c->after = NAN;
	if (n < CLIFF_LEAST_BINS)
		return;
	for (i = 0; i < n; i++)
		mean += x[i] / (double)n;
	for (i = 0; i < n; i++)
		total += (x[i] - mean) * (x[i] - mean);
	for (i = 0; i + side < n; i++) {
		double k = (double)i + 1, between;

		sum += x[i] - mean;
		between = sum * sum * (double)n / (k * ((double)n - k));
		if (i + 1 < side || sum <= 0 || between <= best)
			continue;
		best = between;
		c->at = i + 1;
		c->before = mean + sum / k;
		c->after = mean - sum / ((double)n - k);
	}
	c->is_found = best > 0 && c->after < CLIFF_FALL * c->before && total - best < rest_of_line(x, n, mean, total) &&
		      keep_sides(c, x, n);
}
