/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_TEMPLATE_H
#define IOW_REPORTS_TEMPLATE_H

#include "base/buf.h"
#include "reports/document.h"

#include <iowitness/driver.h>

/* What a site may change without touching C: files in templates/report/, searched along a list of
 * directories; the first that has a file wins, for each file alone.
 *
 *	style.css      the look of report.html
 *	page.html      its shell, in mustache
 *	branding.json  issuer's lines, logo (PNG or JPEG beside it), its description, accent colour, paper
 *	layout.json    the order of the sections by their anchors, and which are left out
 */
struct template_dirs {
	const char *const *dirs;
	size_t n;
};

/* Appends the file NAME; `path` (may be NULL) gets where it was found, owned by the caller. Errors
 * name the directories searched. */
int template_load(const struct template_dirs *t, const char *name, struct buf *out, char **path, struct iow_error *e);

/* Applies branding.json. `issuer_given`, `paper_given`: the plan names them and keeps them (the issuer's
 * name; address lines come from here). Errors name file, line and what is allowed. */
int template_brand(const struct template_dirs *t, struct document *d, bool issuer_given, bool paper_given,
		   struct iow_error *e);

/* Applies layout.json to a finished document and finishes it again. Sections that the file does not
 * name follow in their own order; what is left out keeps its heading and says so, and links into it
 * lead there. */
int template_layout(const struct template_dirs *t, struct document *d, struct iow_error *e);

#endif
