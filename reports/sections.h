/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_SECTIONS_H
#define IOW_REPORTS_SECTIONS_H

#include "reports/compose.h"
#include "reports/say.h"

/* What each section is made from. */
struct compose {
	const struct results *r;
	const struct bundle *b;
	const struct cells *c;
	const struct findings *f;
	const struct wording *w;
	const struct compose_options *o;
	struct document *d;
};

typedef void section_fn(struct compose *);

section_fn section_cover, section_summary, section_attestation, section_items, section_platform, section_method,
	section_deviations, section_gates, section_results, section_comparisons, section_claims, section_diagnoses,
	section_open, section_history, section_appendices;

/* Words of a key. */
const char *W(const struct compose *x, const char *key);
/* A paragraph from a filled key; pairs of name and value, then NULL. */
void compose_para(struct compose *x, const char *key, ...) __attribute__((sentinel));
/* A labelled definition: label and text keys are PREFIX.label and PREFIX; the text is filled. */
struct doc_def *compose_def(struct compose *x, const char *prefix, ...) __attribute__((sentinel));
/* One finding as a block; `lead` for the first of the summary. */
void compose_finding(struct compose *x, const struct finding *f, bool lead, const char *evidence);
/* How a verdict's tag looks. */
enum doc_tag compose_tag(enum verdict_kind v);
/* Declared findings' anchors in section 10 and 11: where the evidence of a finding is. */
const char *compose_evidence(const struct finding *f);
/* Members of plan's report object; NULL when absent or empty. */
const char *compose_report_key(const struct compose *x, const char *key);
/* Figures from the interval samples: throughput over time of at most four cells, and steadiness of
 * every cell of a test. Nothing where runs are too short. */
void compose_series(struct compose *x, uint32_t test, const uint32_t *cells, size_t n);
void compose_steady(struct compose *x, uint32_t test);
/* Bars of what ran alone and together in a test; nothing when it has no such step or several. */
void compose_together(struct compose *x, uint32_t test);
/* "a to b" of an interval divided by `divide`, with `decimals`; "–" when there is none. */
char *compose_span(const struct compose *x, double lo, double hi, double divide, int decimals);

#endif
