/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_STATS_ARCHIVE_H
#define IOW_STATS_ARCHIVE_H

#include "stats/change.h"
#include "stats/history.h"
#include "stats/results.h"

/* A weekly archive: many bundles of one plan, each cell's course over them, METHODS (j). The figures of
 * each campaign are kept as JSON (history.json, see iowitness-bundle(5)), one at a time, so that an archive
 * of any length is read with two bundles in memory; all else follows from that JSON. */

struct archive_campaign {
	const char *name, *title, *id, *evidence, *tool, *plan_sha256, *state; /* borrowed; state NULL: cut off */
	int64_t start_utc_ns;
	uint32_t planned_runs, done_runs;
	uint32_t voids, empty;   /* cells with a failed VOID gate; without a figure */
	struct confounder *changed; size_t n_changed; /* what is not as in the campaign before */
	const json_t *void_cells; /* array of indexes into the cells; borrowed */
};

struct course_point {
	uint32_t campaign;     /* index into the archive's campaigns */
	uint32_t n;            /* runs */
	double value, lo, hi;  /* geometric mean and its 95% interval within the campaign */
};

/* One cell over the campaigns in which it has figures and no VOID gate. */
struct course {
	const char *key, *label;               /* borrowed */
	struct course_point *points; size_t n; /* by time */
	bool newest;                           /* its last point is of the newest campaign */
	bool judged;                           /* newest, with HISTORY_LEAST_WATCH before it */
	bool watch;                            /* … and lies outside their prediction interval */
	bool watch_worse;                      /* … on the slow side */
	double predicted_lo, predicted_hi;     /* metric's unit; NaN: not judged */
	struct history_change *changes; size_t n_changes; /* candidates; `before`, `after` are logs */
};

struct archive {
	const struct metric *metric;
	struct archive_campaign *campaigns; size_t n; /* by time of start */
	struct course *courses; size_t n_courses;     /* as they come in time */
	uint32_t left_out;                            /* cell figures left out: void or none */
};

/* A cell's label, with its test where the plan has several. The caller's. */
char *archive_label(const struct cells *c, const struct cell *cell);
/* What is kept of one campaign, new. `previous` (NULL: it is the first) is the one before it in time, for
 * what has changed since; `cells` is the history's array of cells, {key, label}, and gets new ones added. */
json_t *archive_campaign_json(const struct results *r, const struct results *previous, const char *name,
			      const struct metric *metric, json_t *cells);
/* From the root of history.json, which must outlive the archive. Candidates are sought from
 * HISTORY_LEAST_CHANGE points on; `seed` fixes their Monte Carlo. Refuses what is not of its form. */
int archive_build(struct archive *a, const json_t *root, uint64_t seed, struct iow_error *e);
void archive_release(struct archive *a);

/* R of a candidate: speed after / speed before. */
double archive_ratio(const struct archive *a, const struct history_change *h);
/* Does the course end on a level that a candidate made slower? */
bool archive_is_slower(const struct archive *a, const struct course *k);

#endif
