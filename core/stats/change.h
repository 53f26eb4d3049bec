/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_STATS_CHANGE_H
#define IOW_STATS_CHANGE_H

#include "stats/results.h"

/* Before and after: two bundles, cell by cell, METHODS (i). The unit is a configuration phase and two
 * bundles are one of each, so what is found is an association and never a cause: the runs of a phase
 * say nothing of how phases of the same configuration differ. */

enum change_state {
	CHANGE_NOT_SHOWN, /* the interval includes 1, or the margin is not exceeded */
	CHANGE_BETTER,    /* wholly beyond the margin, Benjamini-Hochberg at 5% */
	CHANGE_WORSE,
	CHANGE_VOID,      /* a VOID gate of either bundle covers the cell */
	CHANGE_NO_DATA    /* fewer than 2 runs on a side */
};

/* One cell that both bundles have. Ratios are speed(after) / speed(before). */
struct change {
	const char *key, *label;        /* of the cell; borrowed from `after` */
	uint32_t before_cell, after_cell;
	const struct metric *metric;
	uint32_t n_before, n_after;     /* runs */
	double before, after;           /* geometric means, metric's unit */
	double ratio, lo, hi;           /* Welch on logs, 95%: order effects not controlled */
	double p, bh_p;
	enum change_state state;
	/* 95% intervals of the two means, from logs; NaN: fewer than 2 runs */
	double before_lo, before_hi, after_lo, after_hi;
};

/* One thing that is not the same in both: a confounder. */
struct confounder {
	char *where;          /* "node local", "target file", "driver posix", "workload scan", "test t", "plan", "iowitness" */
	char *what;           /* "kernel", "mount_options", "sha256" */
	char *before, *after; /* "none" where it is absent */
};

struct changes {
	const struct results *before, *after; /* borrowed */
	double margin;
	struct change *changes; size_t n_changes;          /* in the order of `after`'s cells */
	struct confounder *confounders; size_t n_confounders;
	const char **only_before; size_t n_only_before;    /* keys; borrowed */
	const char **only_after; size_t n_only_after;
	uint32_t better, worse;                            /* counts: never one without the other */
};

/* Compares every cell of both (control arms left out) in one metric; `margin` .05 is 5%. */
void changes_build(struct changes *c, const struct results *before, const struct results *after,
		   const struct metric *metric, double margin);
void changes_release(struct changes *c);

#endif
