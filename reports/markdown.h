/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_MARKDOWN_H
#define IOW_REPORTS_MARKDOWN_H

#include "base/buf.h"
#include "reports/document.h"

/* The report as Markdown for a ticket (CommonMark with GitHub's tables); everything that Markdown or
 * HTML would read as markup is escaped. Appends. The document must be finished. */
/* For a ticket or a mail: cover, summary, the table of declared questions, how to verify and repeat. */
int markdown_ticket(const struct document *d, struct buf *out, struct iow_error *e);
int markdown_render(const struct document *d, struct buf *out, struct iow_error *e);

#endif
