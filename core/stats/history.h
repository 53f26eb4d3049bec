/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_STATS_HISTORY_H
#define IOW_STATS_HISTORY_H

#include "stats/interval.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A weekly archive, METHODS (j). Values are weekly log means in order of time. */

#define HISTORY_LEAST_WATCH 8
#define HISTORY_LEAST_CHANGE 40
#define HISTORY_LEAST_SIDE 4
#define HISTORY_DRAWS 999
#define HISTORY_ALPHA 0.05

/* Is `next` outside the 95% prediction interval of the T values before it? `i` (may be NULL) gets
 * the interval. false with fewer than HISTORY_LEAST_WATCH values. */
bool history_is_watch(const double *x, size_t n, double next, struct interval *i);

struct history_change {
	size_t at;             /* first value after the change, 0-based in the whole series */
	double before, after;  /* means of the two sides of the segment it was found in */
	double t;              /* |t| of the split, pooled within the segment */
	double rho;            /* autocorrelation that its null hypothesis takes for granted */
	double p;
};

/* The best split of x: the largest |t| with HISTORY_LEAST_SIDE values or more a side (the square root
 * of Andrews' 1993 supF). rho and p are not set. t = 0 where no value varies. n >= 8. */
void history_split(struct history_change *c, const double *x, size_t n);

/* Sets rho and p: lag-1 autocorrelation r of the residuals of the split, rho = r + 2(1 + 4r)/T + 2/T
 * clipped to [0, .95]: the bias (1 + 4r)/T of Kendall 1954 (Biometrika 41, 403-404) once for each of
 * the two halves whose mean is estimated, and 2/T for the place of the split, which is sought; nearly
 * unbiased at T = 52 (mean .29 at .3, .58 at .6). p = (1 + draws at or above t) / (1 + HISTORY_DRAWS)
 * over Gaussian AR(1) series of that rho. Allocates n values for the draws. */
void history_split_p(struct history_change *c, const double *x, size_t n, uint64_t seed);

/* Candidates, recursively: a segment of HISTORY_LEAST_CHANGE values or more is split where p <
 * HISTORY_ALPHA, then both of its sides. In order of time; at most `most`; returns how many. Each
 * segment's draws have a stream of their own from `seed`. */
size_t history_changes(struct history_change *out, size_t most, const double *x, size_t n,
		       uint64_t seed);

#endif
