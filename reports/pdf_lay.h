/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_PDF_LAY_H
#define IOW_REPORTS_PDF_LAY_H

#include "reports/document.h"
#include "reports/pdf_fonts.h"
#include "reports/pdf_page.h"
#include "reports/pdf_tags.h"

/* The column and its tracks, in points. */
#define COL 482.0 /* of an upright page; on any page: struct lay's col */
#define TEXT_X 91.0
#define TEXT_W 374.0
#define MARGIN_TOP 59.5
#define MARGIN_BOTTOM 54.0
#define TABLE_GAP 15.0 /* before a table */
#define UNIT 0.6025 /* of a chart: 800 units are the column */

struct pdf_style {
	int face;          /* family + F_BOLD + F_ITALIC */
	double size, lead;
	enum chart_ink color;
	bool below;        /* a small addition goes on a line of its own */
};
extern const struct pdf_style st_body, st_lead, st_small, st_caption, st_table, st_head, st_label, st_code, st_h2, st_h3;

/* ---- text broken into lines ---- */

#define DOC_EVIDENCE 0x10000 /* a mark of runs made here: the link after a finding's sentence */

struct flow_char {
	uint32_t c;
	float w;
	uint16_t run;
};
struct flow_line {
	size_t from, to;   /* without the spaces at its end */
	double w;
};
struct flow {
	struct pdf_style style;
	struct doc_text text;   /* a copy, with page numbers put in */
	struct flow_char *chars;
	size_t n;
	struct flow_line *lines;
	size_t n_lines;
};

struct lay_table;

struct spot {
	int page;          /* from 1; 0: not known yet */
	double y;
};

struct lay {
	const struct document *d;
	struct pdf_fonts *fonts;
	struct pdf_pages out;
	bool turned;            /* the page lies on its side, for a table too wide for the other way */
	double left, bottom, height, width, col; /* of the page as it lies */
	double y;               /* where the next thing goes */
	struct spot *spots;     /* by block; of this pass, */
	struct spot *before;    /* and of the one before */
	struct lay_table **tables; /* by block, measured once */
	size_t block;           /* being laid */
	double head_y;          /* where the last heading began, or the first of several in a row */
	bool tight;             /* less air: a summary that would run over */
	struct pdf_tags tags;
	const struct doc_run *link; /* a link being drawn, with its tag and that of what it is in */
	int link_tag, link_parent;
	int tag, list;          /* what is laid belongs to; the list that findings and definitions are in */
};

static inline struct pdf_page *lay_page(struct lay *l)
{
	return &l->out.pages[l->out.n - 1];
}
static inline double flow_height(const struct flow *f)
{
	return (double)f->n_lines * f->style.lead;
}

void flow_init(struct lay *l, struct flow *f, const struct doc_text *t, const struct pdf_style *st, double width);
void flow_init_str(struct lay *l, struct flow *f, const char *s, const struct pdf_style *st, double width);
/* One long line: its width. */
double flow_natural(struct lay *l, const struct doc_text *t, const struct pdf_style *st, double *longest_word);
void flow_release(struct flow *f);
/* Lines from..to with the first one's top at y; `w`: the track; align as in a column. */
void flow_draw(struct lay *l, const struct flow *f, size_t from, size_t to, double x, double y, double w,
	       enum doc_align align);
/* All of it at x from l->y on, over page breaks with at least two lines on either side. */
void flow_place(struct lay *l, const struct flow *f, double x, double w);

/* Width of a plain string; what the face lacks counts as its substitute. */
double str_width(struct lay *l, const char *s, const struct pdf_style *st);
/* One line of plain text, baseline at y; shortened with an ellipsis when wider than `max` (0: never). */
void str_draw(struct lay *l, const char *s, const struct pdf_style *st, double x, double y, double max,
	      enum doc_align align);

/* A space after the words just drawn, for those who extract the text. */
void str_space(struct lay *l);

/* ---- pages ---- */
void lay_break(struct lay *l);               /* to the top of a new page */
void lay_gap(struct lay *l, double h);       /* nothing at the top of a page */
void lay_need(struct lay *l, double h);      /* a new page unless h fits */
bool lay_at_top(const struct lay *l);
/* From here on pages lie this way; the page that is begun is left, or turned when it is empty. */
void lay_turn(struct lay *l, bool turned);
/* Which way block i wants its page. */
bool lay_wants_turned(struct lay *l, size_t i);
void lay_paper(struct lay *l, bool turned);  /* measures only */
void lay_rule(struct lay *l, double x1, double x2, double y, double width, enum chart_ink color);
/* A tag with its word, top left at x, y; gives its width. Height TAG_H. */
#define TAG_H 11.0
double lay_tag(struct lay *l, enum doc_tag tag, const char *word, double x, double y, double max);

/* ---- blocks ---- */
void lay_cover(struct lay *l);
void lay_finding(struct lay *l, const struct doc_block *b, size_t i);
double lay_finding_height(struct lay *l, const struct doc_finding *f);
void lay_table_block(struct lay *l, size_t block);
bool lay_table_turned(struct lay *l, size_t block);
double lay_table_least(struct lay *l, size_t block); /* height that must stay on one page */
void lay_table_free(struct lay_table *t);
/* One pass over the whole document into l->out. */
void lay_document(struct lay *l);

/* ---- to libharu ---- */
int pdf_emit(struct lay *l, HPDF_Doc pdf, struct iow_error *e);
int pdf_attach(const struct document *d, HPDF_Doc pdf, struct iow_error *e);
void pdf_mend_fonts(struct pdf_fonts *f);
void pdf_metadata(const struct document *d, const struct pdf_fonts *f, HPDF_Doc pdf);

/* ---- what must stay together, in points ---- */

/* The first lines of a text. */
double lay_text_least(struct lay *l, const struct doc_text *t, const struct pdf_style *st, double w);
double lay_figure_height(struct lay *l, const struct doc_figure *f);
/* A diagnosis from its first block on; 0 when it is too long to be kept in one piece. */
double lay_group_height(struct lay *l, size_t i);
double lay_figure_gap(const struct lay *l);
/* The height that must stay on the page with what stands before block i, its gap included. */
double lay_block_least(struct lay *l, size_t i);

#endif
