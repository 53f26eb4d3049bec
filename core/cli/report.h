/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_CLI_REPORT_H
#define IOW_CLI_REPORT_H

#include <stdbool.h>

#include "base/buf.h"
#include "reports/finding.h"

/* From a bundle on disk to its reports: results → findings → document → renderers. */

struct report_options {
	const char *templates; /* --templates; NULL: the usual places */
	const char *language;  /* NULL: the plan's, else "en" */
};

/* A loaded bundle with everything that is derived from it. */
struct report {
	struct bundle bundle;
	struct results results;
	struct wording wording;
	struct findings findings;
	struct document *document;
	char **templates;
	size_t n_templates;
	bool color;  /* text goes to a terminal */
};

/* Loads and derives; on failure nothing is left to release. */
int report_open(struct report *r, const char *dir, const struct report_options *o, struct iow_error *e);
void report_close(struct report *r);

/* One form: "html", "pdf", "text", "markdown" or "json". Appends to `out`. */
int report_render(const struct report *r, const char *format, struct buf *out, struct iow_error *e);

/* Writes results.json, report.html and report.pdf into the bundle and seals them in MANIFEST. */
int report_write(const struct report *r, struct iow_error *e);

/* The exit code that the results call for; with `claims`, a contradicted claim counts as a failed limit. */
int report_exit(const struct report *r, bool claims);

/* Prints the conclusions for a terminal: tag, sentence, caveat. */
void report_print(const struct report *r);

#endif
