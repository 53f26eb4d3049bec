/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_COMPOSE_H
#define IOW_REPORTS_COMPOSE_H

#include "reports/document.h"
#include "reports/finding.h"

/* From results and findings to the document: the sections of the report in their order. A pure
 * function of the bundle, the wording and the versions given here. */
struct compose_options {
	const char *tool;      /* "iowitness 0.1.0" that renders */
	const char *libraries; /* "libharu 2.3.0, Jansson 2.14" */
};

/* A finished document, the caller's; NULL with the error set. */
struct document *compose_report(const struct results *r, const struct findings *f, const struct wording *w,
				const struct compose_options *o, struct iow_error *e);

#endif
