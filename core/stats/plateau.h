/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_STATS_PLATEAU_H
#define IOW_STATS_PLATEAU_H

#include <stdbool.h>
#include <stddef.h>

/* From which level of a swept factor on nothing is gained any more. Levels rise; the best one is that
 * of the largest mean log; a level is near it when the one-sided 95% bound on ln(best / level), paired
 * over blocks, is below ln(1 + M), and short of it when its lower bound is above. The knee is the
 * first level from which on all are near, with one more near it behind it at least and a first level
 * that is short. */

#define PLATEAU_LEAST_LEVELS 3
#define PLATEAU_LEAST_BLOCKS 5

struct plateau {
	bool is_found;      /* a knee: levels below gain, levels from it on do not */
	bool is_flat;       /* all levels are near */
	size_t knee, best;  /* levels */
	double gained;      /* geometric mean rate at the knee / at the first level */
	double height;      /* geometric mean rate over the levels from the knee on (flat: all) */
	double bound;       /* the largest upper bound on best / level over these, as a ratio */
};

/* x holds k rows of n rates (level i, block j at i * n + j), all > 0. */
void plateau_find(struct plateau *p, const double *x, size_t k, size_t n, double margin);

#endif
