/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_PDF_TABLE_H
#define IOW_REPORTS_PDF_TABLE_H

#include "reports/pdf_lay.h"
#include "reports/pdf_parts.h"

/* A table's measures, for pdf_table.c (which finds them) and pdf_table_draw.c. */
#define ROW_PAD 3.0
#define UNIT_GAP 3.0
#define TAG_ROWS 400 /* of a larger one the structure names the table alone, not its cells */
#define LEAST_ROWS 3 /* of a broken table on either side */

struct lay_table {
	const struct doc_table *t;
	struct table_parts *parts; /* of a table too wide for the page; each is laid as a table */
	bool fits;
	bool turned;          /* its page lies on its side */
	double room;          /* width of the page's column */
	bool wraps;           /* numbers may break at their spaces: an interval goes under its number */
	int tag;              /* 0: cells are not named */
	double *x, *w;        /* of each column, from the table's left edge */
	double *least;        /* its longest words */
	double width, gap;
	double *row_h;
	double head_h, group_h, caption_h, note_h;
	unsigned *fractions;
	struct pdf_style body, head;
};

struct pdf_style table_cell_style(const struct lay_table *x, const struct doc_row *r, size_t column);
double table_cell_width(const struct lay_table *x, const struct doc_row *r, const struct doc_cell *c, size_t column);
/* Lines of a head that are shown; a longer one (a name of a thousand words) ends in an ellipsis. */
#define HEAD_LINES 24
/* What a framed word in a cell needs beside itself, at either side. */
double table_frame_width(const struct doc_cell *c);
/* What stands right of a number so that the points align. */
double table_pad_width(struct lay *l, const struct lay_table *x, const struct doc_cell *c, size_t column,
		       const struct pdf_style *st);
/* The note with the lettered ones. */
void table_note_text(const struct doc_table *t, struct doc_text *out);
/* `whole`: it may be divided, and its page may be turned; else it is a part that gets `room`. */
struct lay_table *table_measure(struct lay *l, const struct doc_table *t, bool whole, double room);
struct lay_table *table_of_block(struct lay *l, size_t block);

#endif
