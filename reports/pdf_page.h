/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_PDF_PAGE_H
#define IOW_REPORTS_PDF_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/chart_draw.h"

/* Laid-out pages: what stands where, in points from the top left corner. Layout fills them (pdf_lay*),
 * pdf_emit.c turns them into libharu's calls once all page numbers are known. */

struct pdf_op {
	enum { P_TEXT, P_LINE, P_DOTS, P_RECT, P_FRAME, P_DASHED, P_HATCH, P_CHART, P_LINK, P_IMAGE } kind;
	enum chart_ink color;
	int face;            /* TEXT */
	double size, spacing;
	double x, y, w, h;   /* TEXT: baseline at y; LINE, DOTS: to w, h; others: a box */
	double width;        /* of a line */
	char *text;          /* TEXT: words; LINK: anchor or address */
	struct drawing *chart;
	bool url;
	int tag;             /* of the structure, see pdf_tags.h; 0: an artifact */
};

struct pdf_page {
	int tag;             /* what is added now belongs to */
	bool turned;         /* lies on its side */
	struct pdf_op *ops;
	size_t n;
};
struct pdf_pages {
	struct pdf_page *pages;
	size_t n;
};
void pdf_pages_release(struct pdf_pages *p);
/* Back to n pages with `ops` on the last. */
void pdf_pages_cut(struct pdf_pages *p, size_t n, size_t ops);
struct pdf_op *pdf_op_add(struct pdf_page *p, int kind, enum chart_ink color, double x, double y, double w, double h);
void pdf_text_add(struct pdf_page *p, int face, double size, enum chart_ink color, double x, double y,
		  const char *text);

#endif
