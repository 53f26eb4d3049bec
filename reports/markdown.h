/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_MARKDOWN_H
#define IOW_REPORTS_MARKDOWN_H

#include "base/buf.h"
#include "reports/document.h"

/* The report as Markdown for a ticket (CommonMark with GitHub's tables); everything that Markdown or
 * HTML would read as markup is escaped. Appends. The document must be finished. */
int markdown_render(const struct document *d, struct buf *out, struct iow_error *e);

#endif
