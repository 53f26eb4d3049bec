/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_CSV_H
#define IOW_REPORTS_CSV_H

#include "base/buf.h"

/* Fields of CSV (RFC 4180), appended. */

/* Quoted where it must be; what a spreadsheet would take for a formula gets a ' before it. */
void csv_text(struct buf *out, const char *s);
/* A comma, and the number with 12 digits; nothing after the comma when it is not finite. */
void csv_real(struct buf *out, double v);

#endif
