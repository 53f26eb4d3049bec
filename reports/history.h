/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_HISTORY_H
#define IOW_REPORTS_HISTORY_H

#include "reports/change.h"
#include "stats/archive.h"

/* The history of an archive: from the courses of its cells to findings, document, results.json and CSV. */

/* The headline first, then what is to be looked at: watches and candidates, the slow side before the fast. */
void history_findings(struct findings *f, const struct archive *a, const struct wording *w);
/* A finished document, the caller's; NULL with the error set. */
struct document *compose_history(const struct archive *a, const struct derived_about *d, const struct findings *f,
				 const struct wording *w, const struct compose_options *o, struct iow_error *e);
/* results.json of a history (templates/schema/history-results.schema.json), new. */
json_t *history_json(const struct archive *a, const struct derived_about *d, const struct findings *f,
		     const char *tool);
/* A line for each figure. */
void history_csv(const struct archive *a, struct buf *out);

/* ---- between the files of this ---- */

/* "2026-11-30" of a campaign. */
void history_day(const struct archive *a, uint32_t campaign, char out[16]);
/* What is to be said of a course: watch, candidate, as expected, not judged. Borrowed. */
const char *history_word(const struct wording *w, const struct course *k);
/* Courses in the order in which a reader should meet them, an array of indexes; the caller's. */
size_t *history_order(const struct archive *a);
bool history_has(const struct course *k); /* is there a watch or a candidate? */

#endif
