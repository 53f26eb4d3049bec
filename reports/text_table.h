/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_TEXT_TABLE_H
#define IOW_REPORTS_TEXT_TABLE_H

#include "base/buf.h"
#include "reports/document.h"

/* A table in aligned columns of at most `width`; words of text columns wrap inside theirs. What does
 * not fit even so is written row by row, "head: cell" lines. */
void text_table(struct buf *out, const struct doc_table *t, int width);

#endif
