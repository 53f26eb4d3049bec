/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_CHANGE_H
#define IOW_REPORTS_CHANGE_H

#include "base/buf.h"
#include "reports/compose.h"
#include "stats/change.h"

/* Before and after: from the changes between two campaigns to findings, document, results.json and CSV. */

/* The evidence that a report about several campaigns rests on. Borrowed. */
struct derived_about {
	const char *dir, *evidence, *id;
	bool sealed;
	const char *title;    /* NULL: made of the later campaign's */
	const json_t *root;   /* of compare.json or history.json */
};

/* The headline first, then each cell; regressions before improvements. */
void change_findings(struct findings *f, const struct changes *c, const struct wording *w);
/* A finished document, the caller's; NULL with the error set. */
struct document *compose_change(const struct changes *c, const struct derived_about *a, const struct findings *f,
				const struct wording *w, const struct compose_options *o, struct iow_error *e);
/* results.json of a comparison (templates/schema/compare-results.schema.json), new. */
json_t *change_json(const struct changes *c, const struct derived_about *a, const struct findings *f,
		    const char *tool);
/* A line for each cell. */
void change_csv(const struct changes *c, struct buf *out);

/* ---- between the files of this ---- */

/* A cell's label, with its test where there are several. The caller's. */
char *change_cell(const struct cells *c, uint32_t cell);
/* Cells in the order in which a reader should meet them: worse, better, not shown, void, no data; an
 * array of indexes into changes, the caller's. */
size_t *change_order(const struct changes *c);
/* Tag of a state: "REGRESSION". Borrowed. */
const char *change_word(const struct wording *w, enum change_state s);
const char *change_state_name(enum change_state s); /* for JSON: "worse" */
enum verdict_kind change_verdict(enum change_state s);
/* How many cells are in a state. */
uint32_t change_count(const struct changes *c, enum change_state s);
/* The gate that makes a cell void: index into its campaign's gates and which campaign; -1: none. */
int change_gate(const struct changes *c, const struct change *k, bool *after);
/* Where and what of something that is not the same in two campaigns, in words; the first is the caller's. */
char *change_where(const struct wording *w, const char *where);
const char *change_what(const struct wording *w, const char *what);
/* The title of the report. The caller's. */
char *change_title(const struct changes *c, const struct derived_about *a, const struct wording *w);

#endif
