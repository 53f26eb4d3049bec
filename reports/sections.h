/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_SECTIONS_H
#define IOW_REPORTS_SECTIONS_H

#include "reports/compose.h"
#include "reports/say.h"

/* What each section is made from. */
struct changes;
struct archive;
struct derived_about;
struct compose {
	const struct results *r;
	const struct bundle *b;
	const struct cells *c;
	const struct findings *f;
	const struct wording *w;
	const struct compose_options *o;
	struct document *d;
	/* of a comparison or a history; else NULL. Then r, b and c are those of the later campaign. */
	const struct changes *change;
	const struct archive *archive;
	const struct derived_about *about;
};

typedef void section_fn(struct compose *);

section_fn section_cover, section_summary, section_attestation, section_items, section_platform, section_method,
	section_deviations, section_gates, section_results, section_comparisons, section_claims, section_diagnoses,
	section_open, section_history, section_appendices;

/* The document of x that these sections make; the caller owns it. NULL with *e when it is not whole. */
struct document *compose_sections(struct compose *x, const char *title, const char *id, section_fn *const *make, size_t n,
				  struct iow_error *e);
/* What every cover has; tests' dates and the like are added by the caller. */
void compose_cover(struct compose *x);
/* The findings of the summary that are concluded, or those that are not, at most `most`; how many there are. */
size_t compose_summary_list(struct compose *x, bool concluded, bool lead, size_t most);
/* Grouped digits of a SHA-256 for print. The caller's. */
char *compose_hash(const char *hex);
/* Words and their meaning under the heading of key `title`, a definition for each of `terms` (NULL-terminated) with the texts of
 * term.NAME; units at the end. */
void compose_glossary(struct compose *x, const char *title, const char *const *terms);
/* Attaches a file of `dir` as `as`, unless it is larger than `limit`. */
void compose_attach(struct compose *x, const char *dir, const char *name, const char *as, const char *mime,
		    const char *about, size_t limit);

/* Words of a key. */
const char *W(const struct compose *x, const char *key);
/* What a comparison is called: its question, and what sets it apart from the others of that. New. */
char *compose_question(const struct compose *x, const struct comparison *c);
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
/* All findings of a kind, one after the other; how many. */
size_t compose_kind(struct compose *x, enum finding_kind kind);
/* The tests with their times, and the order of a test's steps as run. */
void compose_tests(struct compose *x);
void compose_schedule(struct compose *x, uint32_t test);
/* Bars of what ran alone and together in a test; nothing when it has no such step or several. */
void compose_together(struct compose *x, uint32_t test);
/* "a to b" of an interval divided by `divide`, with `decimals`; "–" when there is none. */
char *compose_span(const struct compose *x, double lo, double hi, double divide, int decimals);
/* Does the plan ask or claim anything, be it of two cells or not? */
bool compose_asks(const struct compose *x);

#endif
