/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_SECTIONS_CHANGE_H
#define IOW_REPORTS_SECTIONS_CHANGE_H

#include "reports/sections.h"

/* Sections of reports about several campaigns: before and after, and the history of an archive. They
 * have the names of a campaign's, so that one layout serves all. */

section_fn change_results, change_comparisons, change_claims, change_diagnoses, change_open, change_history,
	change_appendices;

section_fn history_results, history_comparisons, history_claims, history_diagnoses, history_open, history_history,
	history_appendices;

struct course;
/* The figure of a cell's course; false, and nothing, when it has fewer than two points. */
bool compose_course(struct compose *x, const struct course *k, const char *anchor);
/* Findings that a summary of at most this many tells; compose_words lists the concluded ones beyond. */
#define SUMMARY_CHANGED 7
#define SUMMARY_SEEN 5
#define SUMMARY_OPEN 3
/* The concluded findings from the `from`th on, in words, a list under a heading; nothing when there are none. */
void compose_words(struct compose *x, size_t from);
/* The attestation's heading and definitions; `repeat` is the command that makes the evidence again, said
 * with the texts of `key`. */
void compose_about_defs(struct compose *x, const char *key, const char *repeat);
/* Appends `s` as one word of a shell. */
void compose_quote(struct buf *out, const char *s);
/* How to verify: the commands, with the name of the signer that the plan states. */
void compose_verify_def(struct compose *x);
/* Two cells of a table: where something is not the same in two campaigns, and what. */
void compose_where(struct compose *x, struct doc_row *row, const char *where, const char *what);

#endif
