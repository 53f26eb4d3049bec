/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_CHART_DRAW_H
#define IOW_REPORTS_CHART_DRAW_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct chart;

/* A drawing: a list of lines, shapes and words in units, x to the right, y down. 800 units are the
 * column's width (0.6 pt each in print), 328 a phone's. Each operation has a role; the table of roles
 * gives its colours, width and dash to every back end. */

enum chart_ink { INK_NONE, INK_PAPER, INK_INK, INK_SECOND, INK_ACCENT, INK_RUN, INK_HAIR, INK_BAND, INK_BAR2, INK_ON_ACCENT };

enum chart_role {
	R_TEXT, R_TEXT2, R_BOLD, R_ACCENT, R_ACCENT_BOLD, R_VERDICT, R_VERDICT2, R_IN1, R_IN2, /* words */
	R_GRID, R_HAIR, R_RULE, R_AXIS, R_EDGE, R_ONE, R_CUT, R_LEAD, R_IDEAL,      /* lines */
	R_CI, R_CI_INK, R_CI_VOID, R_CROSS, R_CROSS_THIN, R_MEAN, R_RUN, R_RUN_OUT, R_FIT,
	R_SUBJECT, R_VARIANT, R_REFERENCE, R_OTHER,
	R_BAND, R_BAND2, R_MARK, R_MARK_INK, R_MARK2, R_HOLLOW, R_HOLLOW_THIN, R_BAR1, R_BAR2,  /* shapes */
	R_MAX
};

struct chart_role_style {
	const char *name;            /* CSS class */
	enum chart_ink fill, stroke; /* a text's fill is its colour */
	double width;
	int dash[2];                 /* 0: solid */
	bool bold;
	double size;                 /* of text */
};
extern const struct chart_role_style chart_roles[R_MAX];

enum op_kind { OP_LINE, OP_RECT, OP_PATH, OP_SHAPE, OP_CIRCLE, OP_TEXT };
enum op_anchor { AT_START, AT_MIDDLE, AT_END };

struct op {
	enum op_kind kind;
	enum chart_role role;
	enum op_anchor anchor;
	bool halo;        /* a text that crosses lines */
	double x, y, w, h; /* LINE: w, h = the other end; CIRCLE: w = radius */
	double *pts;      /* PATH (open) and SHAPE (closed): x, y pairs */
	size_t n_pts;
	char *text, *full; /* full: what was shortened, or NULL */
};

struct drawing {
	double w, h;
	struct op *ops;
	size_t n;
};
void drawing_release(struct drawing *d);

/* Lays the chart out; `narrow` for 328 units. */
void chart_layout(const struct chart *c, bool narrow, struct drawing *out);
/* Appends an <svg> with classes only; `css_class` is its class, `label` its accessible name (escaped
 * here), or NULL: hidden from screen readers. */
void chart_svg(const struct drawing *d, const char *css_class, const char *label, struct buf *out);
/* Appends the style rules of all roles, with var(--ink) and so on as colours. */
void chart_css(struct buf *out);

/* Width of words in Liberation Sans (whose widths are Helvetica's) in units at that role's size. */
double chart_text_width(const char *s, enum chart_role role);
/* Shortened to `width` with "…" in the middle: names alike often differ at their end. The caller owns it. */
char *chart_text_fit(const char *s, enum chart_role role, double width);

/* ---- for the layouts ---- */
void draw_line(struct drawing *d, enum chart_role r, double x1, double y1, double x2, double y2);
void draw_rect(struct drawing *d, enum chart_role r, double x, double y, double w, double h);
void draw_circle(struct drawing *d, enum chart_role r, double x, double y, double radius);
/* `pts` are n pairs, copied; pairs with NaN split an open path. */
void draw_path(struct drawing *d, enum chart_role r, const double *pts, size_t n, bool closed);
/* The baseline is at y. Shortened when wider than `max` (0: the drawing). */
void draw_text(struct drawing *d, enum chart_role r, enum op_anchor at, double x, double y, double max,
	       const char *s);
void draw_text_halo(struct drawing *d, enum chart_role r, enum op_anchor at, double x, double y, const char *s);
/* Up to `lines` lines broken between words, `step` apart; gives the number of lines. */
int draw_text_wrap(struct drawing *d, enum chart_role r, double x, double y, double max, int lines,
		   double step, const char *s);

#endif
