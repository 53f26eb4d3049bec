/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_SECTIONS_CHANGE_H
#define IOW_REPORTS_SECTIONS_CHANGE_H

#include "reports/sections.h"

/* Sections of reports about several campaigns: before and after, and the history of an archive. They
 * have the names of a campaign's, so that one layout serves all. */

section_fn change_results, change_comparisons, change_claims, change_diagnoses, change_open, change_history,
	change_appendices;

/* The attestation's heading and definitions; `repeat` is the command that makes the evidence again. */
void compose_about_defs(struct compose *x, const char *repeat);
/* Appends `s` as one word of a shell. */
void compose_quote(struct buf *out, const char *s);
/* A table row of one thing that is not the same in two campaigns; columns Where, What and the two. */
void compose_where(struct compose *x, struct doc_row *row, const char *where, const char *what);

#endif
