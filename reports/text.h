/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_TEXT_H
#define IOW_REPORTS_TEXT_H

#include "base/buf.h"
#include "reports/document.h"

/* The report as plain text for a terminal or a mail: wrapped, tables aligned, figures by their
 * caption and description. Sentences are those of the other forms; only spaces become line ends. */
struct text_options {
	int width;   /* columns, 0: 100 */
	bool color;  /* bold and dim by ANSI sequences; for a terminal only */
};

/* Appends the text. The document must be finished. */
int text_render(const struct document *d, const struct text_options *o, struct buf *out, struct iow_error *e);

/* ---- shared with markdown.c and tests ---- */

/* The words of a text with raised ones marked: "10^6", "n/a[a]". */
char *text_words(const struct doc_text *t);
/* Appends `s` wrapped to `width` with `indent` spaces before each line but the first, which begins at
 * column `at`. Ends with a line end. Words longer than a line stand alone on theirs. */
void text_wrap(struct buf *out, const char *s, int at, int indent, int width);

#endif
