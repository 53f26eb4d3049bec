/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_STATS_STALL_H
#define IOW_STATS_STALL_H

#include <stdbool.h>
#include <stddef.h>

/* Stalls that come back at equal times in the series of one run. A bin is in a stall when it lies
 * below its run's median by more than six robust standard deviations (1.4826 MAD), but at least by
 * STALL_LEAST_DROP and at most by STALL_MOST_DROP of it. Bins in a row are one stall; its time is the
 * centre of what it lost, its length what it lost over the median rate. */

#define STALL_LEAST_EVENTS 4
#define STALL_LEAST_DROP 0.10
#define STALL_MOST_DROP 0.50
#define STALL_ALIKE 0.10     /* gaps within this of their median, or 1.5 bins, are equal */
#define STALL_ALIKE_SHARE 0.8 /* of the gaps must be equal */

struct stall {
	bool is_periodic;
	size_t events;
	double period, length;   /* in bins: median gap, mean loss of a stall */
	double lost;             /* share of the run's work that the stalls took */
};

/* x: work per bin, equally long bins, all whole. */
void stall_find(struct stall *s, const double *x, size_t n);

#endif
