/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_CLI_REPORT_H
#define IOW_CLI_REPORT_H

#include <stdbool.h>

#include "base/buf.h"
#include "bundle/derived.h"
#include "reports/change.h"
#include "reports/finding.h"
#include "reports/history.h"

/* From a bundle on disk to its reports: results → findings → document → renderers. The same for a
 * comparison of two bundles and for the history of an archive. */

struct report_options {
	const char *templates; /* --templates; NULL: the usual places */
	const char *language;  /* NULL: the plan's, else "en" */
};

/* A loaded bundle with everything that is derived from it. */
struct report {
	char *dir;
	struct bundle bundle;   /* of a comparison: the campaign after */
	struct results results;
	enum derived_kind kind; /* DERIVED_KINDS: the bundle of a campaign; then what follows is empty */
	struct derived derived;
	struct derived_about about;
	struct bundle before;
	struct results before_results;
	struct changes changes;
	struct archive archive;
	struct wording wording;
	struct findings findings;
	struct document *document;
	char **templates;
	size_t n_templates;
	bool color;  /* text goes to a terminal */
	int width;   /* its columns, 0: not known */
};

/* The words of the language are there: asked before a command makes what it reports on. */
int report_options_check(const struct report_options *o, struct iow_error *e);

/* Loads and derives; on failure nothing is left to release. */
int report_open(struct report *r, const char *dir, const struct report_options *o, struct iow_error *e);
void report_close(struct report *r);

/* One form: "html", "pdf", "text", "markdown", "json" or "csv". Appends to `out`. */
int report_render(const struct report *r, const char *format, struct buf *out, struct iow_error *e);

/* Writes results.json, report.html and report.pdf into the bundle and seals them in MANIFEST. */
int report_write(const struct report *r, struct iow_error *e);

/* The exit code that the results call for; with `claims`, a contradicted claim counts as a failed limit. */
int report_exit(const struct report *r, bool claims);

/* ---- report_derived.c: the same for a comparison and a history ---- */

int report_derived_open(struct report *r, const char *dir, struct iow_error *e);
void report_derived_close(struct report *r);
/* Findings and document. */
int report_derived_compose(struct report *r, const struct compose_options *o, struct iow_error *e);
/* What the plan that names language, issuer and paper says of the report. Borrowed. */
const json_t *report_plan(const struct report *r);
json_t *report_derived_json(const struct report *r, const char *tool);
void report_derived_csv(const struct report *r, struct buf *out);
int report_derived_exit(const struct report *r);

/* A campaign's bundle to make evidence of: refused when it is none, or was changed since it was sealed. */
int report_source_open(struct bundle *b, const char *dir, struct iow_error *e);
/* Writes the reports of what a command has just made and prints the conclusions, or the results as
 * JSON; gives the exit code. */
int report_show(const char *command, const char *dir, const struct report_options *ro, bool json);

/* Prints the conclusions for a terminal: tag, sentence, caveat. */
void report_print(const struct report *r);

#endif
