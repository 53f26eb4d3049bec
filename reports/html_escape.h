/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_HTML_ESCAPE_H
#define IOW_REPORTS_HTML_ESCAPE_H

#include "base/buf.h"

/* Appends text for an element's content or a double-quoted attribute: & < > " ' as references. */
void html_escape(struct buf *out, const char *s);

/* The same for words of an element's content. A word of more than 20 characters goes into <span class="lw">, so that
 * only such may be broken anywhere; Hebrew and Arabic goes into <bdi>, so that it leaves the order of what stands
 * around it alone. */
void html_words(struct buf *out, const char *s);

#endif
