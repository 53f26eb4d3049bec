/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/chart_model.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "reports/document.h"

static char *word(const char *s)
{
	return s ? doc_clean(s, false) : NULL;
}

static double *reals(const double *v, size_t n)
{
	double *p = v ? mem_array(n + 1, sizeof *p) : NULL;

	if (p)
		memcpy(p, v, n * sizeof *p);
	return p;
}

static char **words(const char *const *v, size_t n)
{
	char **p = v ? mem_array(n + 1, sizeof *p) : NULL;

	for (size_t i = 0; p && i < n; i++)
		p[i] = word(v[i] ? v[i] : "");
	return p;
}

static void words_free(char **v, size_t n)
{
	for (size_t i = 0; v && i < n; i++)
		free(v[i]);
	free(v);
}

static struct chart *chart_new(enum chart_kind kind)
{
	struct chart *c = mem_alloc(sizeof *c);

	c->kind = kind;
	return c;
}

struct chart *chart_forest_new(double margin_lo, double margin_hi, const char *slower, const char *faster)
{
	struct chart *c = chart_new(CHART_FOREST);

	c->forest.margin_lo = margin_lo;
	c->forest.margin_hi = margin_hi;
	c->forest.slower = word(slower);
	c->forest.faster = word(faster);
	return c;
}

void chart_forest_heads(struct chart *c, const char *question, const char *ratio, const char *verdict,
			const char *margin)
{
	c->forest.head_question = word(question);
	c->forest.head_ratio = word(ratio);
	c->forest.head_verdict = word(verdict);
	c->forest.margin = word(margin);
}

void chart_forest_add(struct chart *c, const struct chart_forest_row *r)
{
	struct forest_row *row = VEC_ADD(c->forest.rows, c->forest.n);

	*row = (struct forest_row){
		.label = word(r->label), .ratio_text = word(r->ratio_text), .verdict = word(r->verdict),
		.ratio = r->ratio, .lo = r->lo, .hi = r->hi, .mark = r->mark,
		.margin_lo = r->margin_lo > 0 ? r->margin_lo : c->forest.margin_lo,
		.margin_hi = r->margin_hi > 0 ? r->margin_hi : c->forest.margin_hi,
	};
}

struct chart *chart_steady_new(double limit, const char *limit_word)
{
	struct chart *c = chart_new(CHART_STEADY);

	c->steady.limit = limit;
	c->steady.limit_word = word(limit_word);
	return c;
}

void chart_steady_add(struct chart *c, const struct chart_steady_row *r)
{
	struct steady_row *row = VEC_ADD(c->steady.rows, c->steady.n);

	*row = (struct steady_row){ .label = word(r->label), .word = word(r->word), .slope = r->slope,
				    .lo = r->lo, .hi = r->hi, .steady = r->steady };
}

struct chart *chart_dots_new(const char *unit, const char *block_word)
{
	struct chart *c = chart_new(CHART_DOTS);

	c->dots.unit = word(unit);
	c->dots.block = word(block_word);
	return c;
}

void chart_dots_add(struct chart *c, const struct chart_dots_panel *p)
{
	struct dots_panel *q = VEC_ADD(c->dots.panels, c->dots.n);

	*q = (struct dots_panel){ .label = word(p->label), .value = word(p->value), .mean = p->mean,
				  .lo = p->lo, .hi = p->hi, .y = reals(p->y, p->n), .n = p->n,
				  .style = p->style };
	q->excluded = mem_array(p->n + 1, sizeof *q->excluded);
	if (p->excluded)
		memcpy(q->excluded, p->excluded, p->n * sizeof *q->excluded);
}

static struct lines_axis axis_copy(const struct chart_axis *a)
{
	return (struct lines_axis){ .title = word(a->title), .unit = word(a->unit), .scale = a->scale,
				    .lo = a->lo, .hi = a->hi };
}

struct chart *chart_lines_new(const struct chart_axis *x, const struct chart_axis *y)
{
	struct chart *c = chart_new(CHART_LINES);

	c->lines.x = axis_copy(x);
	c->lines.y = axis_copy(y);
	return c;
}

void chart_lines_add(struct chart *c, const struct chart_line *l)
{
	struct line *q = VEC_ADD(c->lines.lines, c->lines.n);

	*q = (struct line){ .label = word(l->label), .sub = word(l->sub), .n = l->n, .style = l->style,
			    .x = reals(l->x, l->n), .y = reals(l->y, l->n),
			    .lo = reals(l->lo, l->n), .hi = reals(l->hi, l->n), .thin = l->thin,
			    .excluded = l->excluded, .fitted = l->fitted, .marks = l->marks,
			    .x_labels = words(l->x_labels, l->n) };
}

void chart_lines_cut(struct chart *c, double x, const char *label)
{
	struct lines_cut *cut = VEC_ADD(c->lines.cuts, c->lines.n_cuts);

	cut->x = x;
	cut->label = word(label);
}

void chart_lines_point(struct chart *c, double x, double y, const char *label)
{
	struct lines_point *p = VEC_ADD(c->lines.points, c->lines.n_points);

	*p = (struct lines_point){ x, y, word(label) };
}

static void under_release(struct lines_under *u)
{
	words_free(u->words, u->n);
	free(u->label);
	free(u->x);
}

void chart_lines_under(struct chart *c, const char *label, const double *x, const char *const *v, size_t n)
{
	under_release(&c->lines.under);
	c->lines.under = (struct lines_under){ .label = word(label), .words = words(v, n), .x = reals(x, n), .n = n };
}

struct chart *chart_bars_new(const char *unit, double ideal, const char *ideal_label)
{
	struct chart *c = chart_new(CHART_BARS);

	c->bars.unit = word(unit);
	c->bars.ideal = ideal;
	c->bars.ideal_label = word(ideal_label);
	return c;
}

void chart_bars_add(struct chart *c, const struct chart_bar *b)
{
	struct bar *q = VEC_ADD(c->bars.bars, c->bars.n);

	*q = (struct bar){ .label = word(b->label), .sub = word(b->sub), .end = word(b->end),
			   .end_sub = word(b->end_sub), .parts = words(b->parts, b->n),
			   .values = reals(b->values, b->n), .n = b->n, .lo = b->lo, .hi = b->hi };
}

struct chart *chart_slope_new(const char *unit, const char *before, const char *after)
{
	struct chart *c = chart_new(CHART_SLOPE);

	c->slope.unit = word(unit);
	c->slope.before = word(before);
	c->slope.after = word(after);
	return c;
}

void chart_slope_add(struct chart *c, const struct chart_slope_row *r)
{
	struct slope_row *q = VEC_ADD(c->slope.rows, c->slope.n);

	*q = (struct slope_row){ .label = word(r->label), .before_text = word(r->before_text),
				 .after_text = word(r->after_text), .before = r->before, .after = r->after,
				 .mark = r->mark };
}

static void slope_release(struct slope *s)
{
	for (size_t i = 0; i < s->n; i++) {
		free(s->rows[i].label);
		free(s->rows[i].before_text);
		free(s->rows[i].after_text);
	}
	free(s->rows);
	free(s->unit);
	free(s->before);
	free(s->after);
}

static void forest_release(struct forest *f)
{
	for (size_t i = 0; i < f->n; i++) {
		free(f->rows[i].label);
		free(f->rows[i].ratio_text);
		free(f->rows[i].verdict);
	}
	free(f->rows);
	free(f->slower);
	free(f->faster);
	free(f->head_question);
	free(f->head_ratio);
	free(f->head_verdict);
	free(f->margin);
}

static void dots_release(struct dots *g)
{
	for (size_t i = 0; i < g->n; i++) {
		free(g->panels[i].label);
		free(g->panels[i].value);
		free(g->panels[i].y);
		free(g->panels[i].excluded);
	}
	free(g->panels);
	free(g->unit);
	free(g->block);
}

static void lines_release(struct lines *g)
{
	for (size_t i = 0; i < g->n; i++) {
		struct line *l = &g->lines[i];
		words_free(l->x_labels, l->n);
		free(l->label);
		free(l->sub);
		free(l->x);
		free(l->y);
		free(l->lo);
		free(l->hi);
	}
	for (size_t i = 0; i < g->n_cuts; i++)
		free(g->cuts[i].label);
	free(g->cuts);
	for (size_t i = 0; i < g->n_points; i++)
		free(g->points[i].label);
	free(g->points);
	under_release(&g->under);
	free(g->lines);
	free(g->x.title);
	free(g->x.unit);
	free(g->y.title);
	free(g->y.unit);
}

static void bars_release(struct bars *g)
{
	for (size_t i = 0; i < g->n; i++) {
		struct bar *b = &g->bars[i];
		words_free(b->parts, b->n);
		free(b->label);
		free(b->sub);
		free(b->end);
		free(b->end_sub);
		free(b->values);
	}
	free(g->bars);
	free(g->unit);
	free(g->ideal_label);
}

static void steady_release(struct steady *s)
{
	for (size_t i = 0; i < s->n; i++) {
		free(s->rows[i].label);
		free(s->rows[i].word);
	}
	free(s->rows);
	free(s->limit_word);
}

void chart_free(struct chart *c)
{
	if (!c)
		return;
	switch (c->kind) {
	case CHART_FOREST: forest_release(&c->forest); break;
	case CHART_STEADY: steady_release(&c->steady); break;
	case CHART_DOTS: dots_release(&c->dots); break;
	case CHART_LINES: lines_release(&c->lines); break;
	case CHART_BARS: bars_release(&c->bars); break;
	case CHART_SLOPE: slope_release(&c->slope); break;
	}
	free(c);
}

void chart_layout(const struct chart *c, bool narrow, struct drawing *out)
{
	*out = (struct drawing){ .w = narrow ? 328 : 800 };
	switch (c->kind) {
	case CHART_FOREST: forest_draw(&c->forest, narrow, out); break;
	case CHART_STEADY: steady_draw(&c->steady, narrow, out); break;
	case CHART_DOTS: dots_draw(&c->dots, narrow, out); break;
	case CHART_LINES: lines_draw(&c->lines, narrow, out); break;
	case CHART_BARS: bars_draw(&c->bars, narrow, out); break;
	case CHART_SLOPE: slope_draw(&c->slope, narrow, out); break;
	}
}
