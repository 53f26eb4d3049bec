/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_STATS_CLIFF_H
#define IOW_STATS_CLIFF_H

#include <stdbool.h>
#include <stddef.h>

/* One fall for good in the series of one run: the split into two means with the least sum of squares
 * (Hinkley, Biometrika 57, 1970, 1-17), told only where the second mean is below CLIFF_FALL of the
 * first, two levels fit better than a line, and the bins keep to their side of the middle between
 * the two: nine in ten before, nine in ten after. Each side has a tenth of the bins at least. */

#define CLIFF_FALL 0.8
#define CLIFF_LEAST_BINS 20

struct cliff {
	bool is_found;
	size_t at;            /* bins before the fall */
	double before, after; /* means */
};

void cliff_find(struct cliff *c, const double *x, size_t n);

#endif
