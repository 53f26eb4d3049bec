/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_CHART_MODEL_H
#define IOW_REPORTS_CHART_MODEL_H

#include "reports/chart.h"
#include "reports/chart_draw.h"

/* What chart.h's builders collect; seen by chart*.c alone. Strings and arrays are owned. */

enum chart_kind { CHART_FOREST, CHART_STEADY, CHART_DOTS, CHART_LINES, CHART_BARS, CHART_SLOPE };

struct forest_row {
	char *label, *ratio_text, *verdict;
	double ratio, lo, hi, margin_lo, margin_hi;
	enum chart_mark mark;
};
struct forest {
	double margin_lo, margin_hi;
	char *slower, *faster, *head_question, *head_ratio, *head_verdict, *margin;
	struct forest_row *rows;
	size_t n;
};
struct steady_row {
	char *label, *word;
	double slope, lo, hi;
	bool steady;
};
struct steady {
	double limit;
	char *limit_word;
	struct steady_row *rows;
	size_t n;
};
struct dots_panel {
	char *label, *value;
	double mean, lo, hi, *y;
	bool *excluded;
	size_t n;
	enum chart_style style;
};
struct dots {
	char *unit, *block;
	struct dots_panel *panels;
	size_t n;
};
struct lines_axis {
	char *title, *unit;
	enum chart_scale scale;
	double lo, hi;
};
struct line {
	char *label, *sub, **x_labels;
	double *x, *y, *lo, *hi;
	size_t n;
	enum chart_style style;
	bool thin, excluded, fitted, marks;
};
struct lines_cut {
	double x;
	char *label;
};
struct lines_point {
	double x, y;
	char *label;
};
struct lines_under {
	char *label, **words;
	double *x;
	size_t n;
};
struct lines {
	struct lines_axis x, y;
	struct line *lines;
	size_t n;
	struct lines_cut *cuts;
	size_t n_cuts;
	struct lines_point *points;
	size_t n_points;
	struct lines_under under; /* n 0: none */
};
struct bar {
	char *label, *sub, *end, *end_sub, **parts;
	double *values, lo, hi;
	size_t n;
};
struct bars {
	char *unit, *ideal_label;
	double ideal;
	struct bar *bars;
	size_t n;
};

struct slope_row {
	char *label, *before_text, *after_text;
	double before, after;
	enum chart_mark mark;
};
struct slope {
	char *unit, *before, *after;
	struct slope_row *rows;
	size_t n;
};

struct chart {
	enum chart_kind kind;
	union {
		struct forest forest;
		struct steady steady;
		struct dots dots;
		struct lines lines;
		struct bars bars;
		struct slope slope;
	};
};

void forest_draw(const struct forest *f, bool narrow, struct drawing *d);
void steady_draw(const struct steady *s, bool narrow, struct drawing *d);
void dots_draw(const struct dots *g, bool narrow, struct drawing *d);
void lines_draw(const struct lines *g, bool narrow, struct drawing *d);
void bars_draw(const struct bars *g, bool narrow, struct drawing *d);
void slope_draw(const struct slope *s, bool narrow, struct drawing *d);

#endif
