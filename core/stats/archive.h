/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_STATS_ARCHIVE_H
#define IOW_STATS_ARCHIVE_H

#include "stats/history.h"
#include "stats/results.h"

/* A weekly archive: many bundles of one plan, each cell's course over them, METHODS (j). */

struct course_point {
	uint32_t bundle;       /* index into the archive's results */
	int64_t start_utc_ns;
	uint32_t n;            /* runs */
	double value, lo, hi;  /* geometric mean and its 95% interval within the campaign */
};

/* One cell over the bundles in which it has figures and no VOID gate. */
struct course {
	const char *key, *label;              /* borrowed from the last bundle that has it */
	const struct metric *metric;
	struct course_point *points; size_t n; /* by time */
	bool judged;                          /* the last one has HISTORY_LEAST_WATCH before it */
	bool watch;                           /* … and lies outside their prediction interval */
	bool watch_worse;                     /* … on the slow side */
	double predicted_lo, predicted_hi;    /* metric's unit; NaN: not judged */
	struct history_change *changes; size_t n_changes; /* candidates; `before`, `after` are logs */
};

struct archive {
	const struct results **all; size_t n; /* borrowed, by time of start */
	struct course *courses; size_t n_courses;
	uint32_t left_out;                    /* cell figures left out: void or none */
};

/* Candidates are sought from HISTORY_LEAST_CHANGE points on; `seed` fixes their Monte Carlo. */
void archive_build(struct archive *a, const struct results *const *results, size_t n,
		   const struct metric *metric, uint64_t seed);
void archive_release(struct archive *a);

#endif
