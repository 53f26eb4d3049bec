/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_PDF_TAGS_H
#define IOW_REPORTS_PDF_TAGS_H

#include <hpdf.h>
#include <stdbool.h>
#include <stddef.h>

/* The logical structure of a tagged PDF (ISO 32000-1, 14.7): headings, paragraphs, lists, tables with
 * their head cells, figures with their description, for readers that speak or reflow the page. */

struct lay;

struct pdf_tag {
	const char *kind; /* standard type: "H2", "P", "TD" */
	int parent;       /* index; 0: the document itself has none */
	char *alt;        /* of a figure */
	unsigned span;    /* of a cell, 0: one column */
	int scope;        /* of a head cell: 'c' its column, 'r' its row */
};
struct pdf_tags {
	struct pdf_tag *v; /* v[0]: artifacts (rules, running heads), v[1]: the document */
	size_t n;
};
/* A piece of a page's content that belongs to a tag; the pieces of a page are numbered from 0. */
struct pdf_mark {
	int tag;
	size_t page;
};
/* A place to click at, as a part of a tag. */
struct pdf_linked {
	int tag;
	size_t page;
	HPDF_Annotation annotation;
};

void tags_reset(struct lay *l);
void tags_release(struct pdf_tags *t);
void tags_cut(struct pdf_tags *t, size_t n); /* back to n */
/* A new tag under `parent`; what is laid from here on belongs to it. Gives its index. */
int tag_open(struct lay *l, const char *kind, int parent);
/* The same without changing what is laid. */
int tag_new(struct lay *l, const char *kind, int parent);
/* From here on `tag` (0: artifact); gives the one before. */
int tag_to(struct lay *l, int tag);
#define TAG_DOCUMENT 1

/* Builds the tree once all pages are written; what was written, in its order. */
struct pdf_written {
	HPDF_Page *pages;
	size_t n_pages;
	struct pdf_mark *marks;
	size_t n_marks;
	struct pdf_linked *links;
	size_t n_links;
};
void tags_emit(const struct pdf_tags *t, HPDF_Doc pdf, const struct pdf_written *w);
/* Begin and end of a piece in a page's content; mcid < 0: an artifact. */
void tag_begin(HPDF_Page page, const char *kind, int mcid);
void tag_end(HPDF_Page page);

#endif
