/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_STATS_SUMMARY_H
#define IOW_STATS_SUMMARY_H

#include <stddef.h>

/* Running mean and variance by Welford's update (Technometrics 4, 1962, 419-420): no sum of squares
 * to cancel. Start from SUMMARY_INIT or a zeroed struct. */
struct summary {
	size_t n;
	double mean, m2; /* m2 = sum of (x - mean)^2 */
	double min, max; /* valid when n > 0 */
};

#define SUMMARY_INIT { 0 }

void summary_add(struct summary *s, double x);
void summary_of(struct summary *s, const double *x, size_t n); /* initialises *s */
double summary_sd(const struct summary *s); /* divisor n - 1; NAN when n < 2 */
double summary_cv(const struct summary *s); /* sd / mean */

/* Lag-1 autocorrelation, sum (x_i - m)(x_i-1 - m) / sum (x_i - m)^2; NAN when the variance is 0. */
double summary_lag1(const double *x, size_t n);

/* Median of n > 0 values, the mean of the two in the middle when n is even; x is sorted in place. */
double summary_median(double *x, size_t n);

/* out[i] = ln x[i]. -1 (and out undefined) when an x is not a positive finite number: a zero or a
 * timed-out rate never enters a logarithm. `out` may be `x`. */
int summary_logs(double *out, const double *x, size_t n);

#endif
