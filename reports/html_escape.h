/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_HTML_ESCAPE_H
#define IOW_REPORTS_HTML_ESCAPE_H

#include "base/buf.h"

/* Appends text for an element's content or a double-quoted attribute: & < > " ' as references. */
void html_escape(struct buf *out, const char *s);

#endif
