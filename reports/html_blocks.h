/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_HTML_BLOCKS_H
#define IOW_REPORTS_HTML_BLOCKS_H

#include "base/buf.h"
#include "reports/document.h"

/* Parts of html_render(): all append to `out`. */
void html_text(struct buf *out, const struct doc_text *t);
void html_blocks(struct buf *out, const struct document *d);
void html_table(struct buf *out, const struct document *d, const struct doc_block *b);
/* name="value", escaped, with a space before; nothing when `v` is NULL. */
void html_attr(struct buf *out, const char *name, const char *v);
void html_tag(struct buf *out, enum doc_tag tag, const char *word);

#endif
