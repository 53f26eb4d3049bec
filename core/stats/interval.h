/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_STATS_INTERVAL_H
#define IOW_STATS_INTERVAL_H

#include "stats/summary.h"

#include <stddef.h>

/* An estimate with its standard error and degrees of freedom, and the intervals made from it. A
 * cell's mean, a paired difference, Welch's difference and a fitted slope are all of this shape. */
struct inference {
	size_t n;           /* what it rests on; Welch: the smaller sample */
	double mean, sd;    /* sd NAN where it has no meaning (Welch) or n < 2 */
	double se, df;      /* df 0 = no interval can be given */
};

struct interval {
	double lo, hi;      /* both NAN = none can be given */
};

/* Mean of n values, se = s / sqrt(n), df = n - 1; and of values already summarised. */
void inference_mean(struct inference *e, const double *x, size_t n);
void inference_of(struct inference *e, const struct summary *s);

/* Mean of ln x, for geometric means; -1 when a value is not positive. */
int inference_log_mean(struct inference *e, const double *x, size_t n);

/* mean(a) - mean(b), variances not pooled (Welch 1947); df by Welch-Satterthwaite. */
void inference_welch(struct inference *e, const double *a, size_t na, const double *b, size_t nb);

/* Two-sided interval mean -+ t(1 - alpha/2, df) se: alpha .05 is a 95% interval. */
struct interval inference_interval(const struct inference *e, double alpha);

/* Two-sided p of "the true mean is `null`". 1 when no interval can be given; with se = 0, 0 or 1. */
double inference_p(const struct inference *e, double null);

struct interval interval_exp(struct interval i); /* from logs to ratios */
struct interval interval_widen(struct interval i, double by);

/* Where the next single value will lie: mean -+ t s sqrt(1 + 1/n). */
struct interval inference_prediction(const struct inference *e, double alpha);

/* Standard uncertainties combined as in the GUM (JCGM 100:2008, 5.1.2, G.4.1): each part is
 * |sensitivity| * u with its own df (INFINITY for a type B value taken as exact). Gives u_c in se,
 * Welch-Satterthwaite's df, and `value` as the mean; expand with inference_interval. */
struct gum_part {
	double u, df;
};
void inference_gum(struct inference *e, double value, const struct gum_part *part, size_t n);

#endif
