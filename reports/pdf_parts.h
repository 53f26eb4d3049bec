/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_PDF_PARTS_H
#define IOW_REPORTS_PDF_PARTS_H

#include "reports/document.h"

/* A table too wide for the page as several: each repeats the first column. Texts stay the
 * original's; notes stay with the original. */
struct table_parts {
	struct doc_table *tables;
	size_t n;
};

/* `least`: the width each column needs at least. NULL when it cannot be divided: a cell spans columns,
 * or a single column is too wide already. Groups of columns are not torn apart if they fit. */
struct table_parts *table_parts_new(const struct doc_table *t, const double *least, double room, double gap);
void table_parts_free(struct table_parts *p);

#endif
