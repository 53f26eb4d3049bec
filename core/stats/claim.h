/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_STATS_CLAIM_H
#define IOW_STATS_CLAIM_H

#include "stats/interval.h"

#include <stdbool.h>
#include <stddef.h>

/* Claims and limits. A claim is a region on a metric; a limit is one end of such a region and takes
 * no margin. An open end is NAN. An interval with NAN ends decides nothing. */

enum claim_state {
	CLAIM_NOT_DECIDABLE,
	CLAIM_SUPPORTED,    /* the deciding interval lies inside the region (ends included) */
	CLAIM_CONTRADICTED, /* it lies outside */
};

/* With fewer than COMPARE_LEAST_RULING complete blocks the caller gives no interval (NAN). */
enum claim_state claim_judge(struct interval deciding, double at_least, double at_most);

/* Several cells: supported if all are; contradicted if any is, at 1 - .05/k. The deciding interval at
 * 1 - .05/m covers that, since each of the k cells is counted in m. */
enum claim_state claim_join(const enum claim_state *cell, size_t k);

/* "x% slower" (faster) read two ways. A bound r on the ratio of speeds, 1 - x (1 + x), is the reading
 * as speed; the same x read as time, +x% (-x%), puts the bound at 1 / (2 - r). r < 2, else NAN. */
double claim_by_time(double bound_by_speed);

/* A limit holds when the interval lies wholly on the good side; a trend over blocks (its p below .05)
 * leaves a limit that would hold undecided, since the next block need not hold it. */
enum claim_state claim_limit(struct interval deciding, double at_least, double at_most, double trend_p);

/* Arithmetic: does a statement follow from the figures quoted? Kept apart from the verdict, any n. */
struct interval claim_rounded(double figure, double unit);  /* figure -+ unit / 2: "2.3" has unit .1 */
struct interval claim_quotient(struct interval a, struct interval b); /* a / b, both > 0 */
bool claim_is_consistent(struct interval computed, struct interval stated); /* they meet */

#endif
