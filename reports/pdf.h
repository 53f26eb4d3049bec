/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_PDF_H
#define IOW_REPORTS_PDF_H

#include "base/buf.h"
#include "reports/document.h"

/* report.pdf through libharu: cover with contents, bookmarks, links, running heads, embedded fonts,
 * attachments. Characters that the fonts lack are printed as "[U+65E5]", never dropped.
 *
 * Appends the file. The document must be finished. The same document, font files and library give the
 * same bytes. Errors: no Liberation fonts (or their metric twins Arimo, Tinos, Cousine), whatever
 * libharu reports. */
int pdf_render(const struct document *d, struct buf *out, struct iow_error *e);

#endif
