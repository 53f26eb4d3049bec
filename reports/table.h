/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_TABLE_H
#define IOW_REPORTS_TABLE_H

#include "reports/document.h"

/* What every renderer needs to know of a table beyond its text. */

/* Where a number's fraction stands in a cell of a decimal column. */
struct decimal {
	bool number;          /* else the cell is set right-aligned as it is */
	size_t point, end;    /* bytes: where the integer part ends; where the digits end */
	unsigned fraction;    /* digits after the point */
};
struct decimal table_decimal(const char *plain);

/* For each column the greatest number of digits after the point, 0 where it is not decimal; the
 * caller owns the array. */
unsigned *table_fractions(const struct doc_table *t);

/* The words "Table 9" or "Figure 2". */
char *table_name(const struct document *d, const struct doc_block *b);

/* Whether a chart or a table stands for itself: rows a table may have to be kept on one page. */
#define TABLE_KEEP_ROWS 15

/* Is it raw data of so many rows that a form for reading on a screen names them only? */
bool table_too_long(const struct doc_table *t);

#endif
