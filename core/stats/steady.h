/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_STATS_STEADY_H
#define IOW_STATS_STEADY_H

#include "stats/interval.h"

#include <stdbool.h>
#include <stddef.h>

/* Warm-up and steadiness, METHODS (d). Series are rates per interval, equally spaced. */

#define STEADY_LEAST_INTERVALS 100 /* below: no MSER-5, the plan's warm-up holds */
#define STEADY_BATCHES 10
#define STEADY_LIMIT 0.05
#define STEADY_SNIA_ROUNDS 5

/* out[i], i < len: mean over the series of series[k][i] / (mean of series k over len), so that a slow
 * arm's warm-up weighs as much as a fast one's. A series of mean 0 is left out. */
void steady_average(double *out, const double *const *series, size_t n_series, size_t len);

/* MSER-5 (White 1997, Simulation 69, 323-334): batch means of 5; the cut d <= half that minimises
 * sum (z - mean)^2 / (m - d)^2 over z_d..z_m-1, the first on a tie. Returns intervals to drop; 0 when
 * n < STEADY_LEAST_INTERVALS. `at_limit` (may be NULL): the minimum lies at half, which is no gate. */
size_t steady_mser5(const double *x, size_t n, bool *at_limit);

/* e of one run: least-squares slope over 10 batch means times their span (9), over their mean. NAN
 * with fewer than 10 values or a mean of 0. */
double steady_slope(const double *x, size_t n);

enum steady_state { STEADY_UNDECIDED, STEADY_HOLDS, STEADY_FAILS };

struct steadiness {
	enum steady_state state;
	struct inference e;          /* over runs */
	struct interval ci90, ci95;
};

/* HOLDS: the 90% interval of the mean e is inside +-5%. FAILS: |mean| > 5% and the 95% interval
 * excludes 0. Else UNDECIDED. One e per run, NAN ones already left out. */
void steady_judge(struct steadiness *s, const double *e, size_t n);

/* The window of SNIA's SSS Performance Test Specification 2.0.2 (2.1.24) over the last five of n
 * rounds: max - min within 20% of the mean, the fitted line's excursion within 10%. */
struct steady_snia {
	bool is_judged, holds;
	double range, excursion; /* as shares of the mean */
};
void steady_snia_window(struct steady_snia *s, const double *round, size_t n);

#endif
