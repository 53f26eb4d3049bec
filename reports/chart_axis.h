/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_CHART_AXIS_H
#define IOW_REPORTS_CHART_AXIS_H

#include "reports/chart.h"

#define TICKS_MAX 24

struct tick {
	double value;
	char label[24];
};

/* Steps of 1, 2, 2.5 or 5 times a power of ten, the finest that gives at most `most` ticks inside
 * [lo, hi]; decimals as the step needs. Gives the number. */
int ticks_linear(double lo, double hi, int most, struct tick out[TICKS_MAX]);
/* The least and greatest multiple of that step around [lo, hi]. */
void ticks_widen(double *lo, double *hi, int most);
/* 1, 2 and 5 in each decade; decades alone (or each second, third …) when that would be more than `most`. */
int ticks_log(double lo, double hi, int most, struct tick out[TICKS_MAX]);
/* Ratios mirrored about 1.0 ("2x 1.5x 1.0 1.5x 2x"), at least `gap` apart where one unit of ln is
 * `per_ln` wide. 1.0 always. */
int ticks_ratio(double lo, double hi, double per_ln, double gap, struct tick out[TICKS_MAX]);
/* p0, p50, p90, p99 … up to hi (a fraction below 1). */
int ticks_nines(double hi, struct tick out[TICKS_MAX]);

/* Width of the widest label, in units. */
double ticks_width(const struct tick *t, int n);

/* From value to place. */
struct axis {
	enum chart_scale scale;
	double lo, hi;   /* values */
	double from, to; /* places of lo and hi */
};
double axis_at(const struct axis *a, double v);

#endif
