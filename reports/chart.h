/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_CHART_H
#define IOW_REPORTS_CHART_H

#include <stdbool.h>
#include <stddef.h>

/* Charts, described by what they show; layout and drawing are in chartdraw.h. A figure of the
 * document owns its chart. All strings are copied and cleaned as in document.h. Values that are not
 * finite are not drawn; an interval with NaN ends is drawn as its point alone. */

/* Hue says device, dash says variant. */
enum chart_style {
	CHART_SUBJECT,  /* accent, solid: the item under test */
	CHART_VARIANT,  /* accent, dashed: the same from elsewhere */
	CHART_REFERENCE,/* ink, solid: what it is compared with */
	CHART_OTHER     /* second ink, dotted */
};

enum chart_mark {
	CHART_DECIDED,    /* filled square */
	CHART_EQUIVALENT, /* filled circle */
	CHART_OPEN,       /* hollow circle */
	CHART_VOID        /* cross, dashed grey interval */
};

struct chart;
void chart_free(struct chart *c);

/* ---- forest plot of ratios: a row a question, band = margin, line = 1.0 ---- */
struct chart_forest_row {
	const char *label;
	double ratio, lo, hi;     /* speed of subject / against: below 1 is slower; NaN lo/hi: no interval */
	enum chart_mark mark;
	const char *ratio_text;   /* "2.33x slower"; NULL: made from ratio */
	const char *verdict;      /* "SLOWER" */
	double margin_lo, margin_hi; /* of this question, e.g. 0.95 and 1.0526; 0: the chart's */
};
/* `slower`, `faster`: words at the two sides; head words of the columns may be NULL for none. */
struct chart *chart_forest_new(double margin_lo, double margin_hi, const char *slower, const char *faster);
void chart_forest_heads(struct chart *c, const char *question, const char *ratio, const char *verdict,
			const char *margin);
void chart_forest_add(struct chart *c, const struct chart_forest_row *r);

/* ---- steadiness: a row a cell, slope in percent of the mean with its interval, band = ±limit ---- */
struct chart_steady_row {
	const char *label;
	double slope, lo, hi; /* fractions: -0.074 */
	bool steady;
	const char *word;     /* "STEADY" */
};
struct chart *chart_steady_new(double limit, const char *limit_word);
void chart_steady_add(struct chart *c, const struct chart_steady_row *r);

/* ---- all runs as dots in block order, a panel a cell, line and band = mean and interval ---- */
struct chart_dots_panel {
	const char *label, *value;  /* "Shared raw", "94.1 MB/s" */
	double mean, lo, hi;
	const double *y;            /* by block, NaN where there is none */
	const bool *excluded;       /* or NULL */
	size_t n;
	enum chart_style style;
};
struct chart *chart_dots_new(const char *unit, const char *block_word);
void chart_dots_add(struct chart *c, const struct chart_dots_panel *p);

/* ---- lines: time series, latency distribution, sweeps ---- */
enum chart_scale { CHART_LINEAR, CHART_LOG, CHART_LOG2, CHART_NINES }; /* NINES: p0 p50 p90 p99 p99.9 … */
struct chart_axis {
	const char *title;        /* "share of reads at or below the line", or NULL */
	const char *unit;         /* once, at the top (y) or right (x) */
	enum chart_scale scale;
	double lo, hi;            /* both 0: from the data; linear y starts at 0 */
};
struct chart_line {
	const char *label, *sub;  /* at the line's end, the second in second ink; NULL: none */
	const double *x, *y, *lo, *hi; /* lo and hi may be NULL: no band */
	size_t n;
	enum chart_style style;
	bool thin;                /* a single run: grey and thin, no end label */
	bool excluded;            /* thin and dashed */
	bool fitted;              /* a fitted slope: long dashes */
	bool marks;               /* a point at each value */
	const char *const *x_labels; /* tick words at this line's x values (sweeps); or NULL */
};
struct chart *chart_lines_new(const struct chart_axis *x, const struct chart_axis *y);
void chart_lines_add(struct chart *c, const struct chart_line *l);
/* A vertical cut with its words ("warm-up, 2.5 s, cut from every run"). */
void chart_lines_cut(struct chart *c, double x, const char *label);

/* A point that the caption speaks of, ringed, with its words: the knee, a failed path. */
void chart_lines_point(struct chart *c, double x, double y, const char *label);
/* A row of words under the axis, one at each x ("12.8x" under each block size), with what they are in
 * front. Left out on a phone, where the table has them. */
void chart_lines_under(struct chart *c, const char *label, const double *x, const char *const *words, size_t n);

/* ---- stacked bars: solo against together, dashed line = ideal ---- */
struct chart_bar {
	const char *label, *sub;      /* "Together", "same 30 s" */
	const char *const *parts;     /* "node 1 209" inside each part; of what does not fit the last word */
	const double *values;
	size_t n;
	double lo, hi;                /* interval of the total, NaN: none */
	const char *end, *end_sub;    /* right of the bar: "218 MB/s: 53.5% of ideal" */
};
struct chart *chart_bars_new(const char *unit, double ideal, const char *ideal_label);
void chart_bars_add(struct chart *c, const struct chart_bar *b);

/* ---- slopes: before and after a change, a line a cell; all on one axis from 0 (log when the values
 * span more than a factor of 20) ---- */
struct chart_slope_row {
	const char *label;                    /* at the left, before its value */
	double before, after;
	const char *before_text, *after_text; /* "94.1", "83.5: 1.13x slower" */
	enum chart_mark mark;                 /* decided ones are drawn heavy, void ones dashed */
};
struct chart *chart_slope_new(const char *unit, const char *before, const char *after);
void chart_slope_add(struct chart *c, const struct chart_slope_row *r);

/* A history is a chart of lines: x the campaigns, `marks`, lo and hi as the interval, each candidate
 * a cut with its words, the levels between them as fitted lines. */

#endif
