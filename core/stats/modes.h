/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_STATS_MODES_H
#define IOW_STATS_MODES_H

#include <stdbool.h>
#include <stddef.h>

/* Two modes among the runs of a cell, METHODS (f). */

#define MODES_LEAST 5

struct modes {
	bool is_judged;      /* n >= MODES_LEAST and the values differ */
	bool is_bimodal;
	double gap;          /* largest inner gap over the range, two points or more on each side */
	double threshold;    /* simulated on normal data, linear between its entries; n > 20: as 20 */
	size_t n_low;        /* points below the gap */
	double low, high;    /* means of the two sides, whether or not they are called modes */
};

/* x (logs of rates, or the rates) is sorted in place. */
void modes_find(struct modes *m, double *x, size_t n);

/* Threshold of the gap that normal data of n runs exceed with probability .01 / cells: for a statement
 * that is made once over that many cells. Simulated, 2,000,000 samples for each n, linear between its entries
 * (levels: in their logarithm) and never below 1e-5; cells = 1 is `threshold`. */
double modes_threshold(size_t n, size_t cells);

/* Upper 95% bound on the share of a slow mode that none of n runs has met: 1 - .05^(1/n). */
double modes_unseen(size_t n);

#endif
