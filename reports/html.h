/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_HTML_H
#define IOW_REPORTS_HTML_H

#include "base/buf.h"
#include "reports/document.h"

/* report.html: one file, without script and without any request to elsewhere (a
 * Content-Security-Policy with the style's hash forbids both); dark and light, from 360 px up. */
struct html_options {
	const char *const *templates; /* directories to search for style.css and page.html, see template.h */
	size_t n_templates;
};

/* Appends the page. The document must be finished. Errors: a template is missing or wrong, an accent that is no
 * colour or too pale to read. The same document and templates give the same bytes. */
int html_render(const struct document *d, const struct html_options *o, struct buf *out, struct iow_error *e);

#endif
