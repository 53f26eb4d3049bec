/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_STATS_ORDER_H
#define IOW_STATS_ORDER_H

#include "stats/interval.h"

#include <stddef.h>

/* Order effects and trends over blocks: ordinary least squares of y on one x, n - 2 df (Draper and
 * Smith, Applied Regression Analysis, 1.4). */

struct order_line {
	struct inference slope;    /* df 0 when n < 3 or x does not vary: no interval, mean NAN */
	struct inference level;    /* at x = 0 */
};

void order_fit(struct order_line *l, const double *x, const double *y, size_t n);

/* gamma of d_i = delta + gamma o_i, METHODS (e): first[i] is +1 where the subject ran before the other
 * arm in block i, -1 after it. gamma is slope; delta, freed of the order, is level. exp(2 gamma) is
 * what coming first instead of second does to the ratio. */
void order_effect(struct order_line *l, const double *d, const double *first, size_t n);

#endif
