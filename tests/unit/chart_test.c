/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"
#include "reports/chart.h"
#include "reports/chart_axis.h"
#include "reports/chart_draw.h"

#define T(f) cmocka_unit_test(f)

static void assert_ticks(const struct tick *t, int n, const char *want)
{
	struct buf b = BUF_INIT;

	for (int i = 0; i < n; i++)
		buf_printf(&b, "%s%s", i ? " " : "", t[i].label);
	assert_string_equal(buf_str(&b), want);
	buf_release(&b);
}

static void linear_ticks_are_round(void **state)
{
	struct tick t[TICKS_MAX];
	double lo = 3.2, hi = 217;

	assert_ticks(t, ticks_linear(0, 300, 7, t), "0 50 100 150 200 250 300");
	assert_ticks(t, ticks_linear(0, 1, 6, t), "0.0 0.2 0.4 0.6 0.8 1.0");
	assert_ticks(t, ticks_linear(0, 10, 5, t), "0.0 2.5 5.0 7.5 10.0");
	assert_ticks(t, ticks_linear(-0.3, 0.3, 5, t), "\u22120.2 0.0 0.2");
	assert_ticks(t, ticks_linear(95.1, 108, 4, t), "100 105");
	assert_ticks(t, ticks_linear(2e9, 9e9, 5, t), "2000000000 4000000000 6000000000 8000000000");
	assert_int_equal(ticks_linear(5, 5, 4, t), 0);
	assert_int_equal(ticks_linear(NAN, 5, 4, t), 0);
	ticks_widen(&lo, &hi, 7);
	assert_true(lo == 0 && hi == 250);
}

static void log_ticks_are_1_2_5(void **state)
{
	struct tick t[TICKS_MAX];

	assert_ticks(t, ticks_log(0.012, 3.3, 9, t), "0.02 0.05 0.1 0.2 0.5 1 2");
	assert_ticks(t, ticks_log(1, 1e5, 9, t), "1 10 100 1000 10000 100000");
	assert_int_equal(ticks_log(0, 10, 9, t), 0);
}

static void ratio_ticks_are_mirrored_and_apart(void **state)
{
	struct tick t[TICKS_MAX];
	int n = ticks_ratio(1 / 3.2, 1.3, 200, 34, t);

	assert_ticks(t, n, "1.0 2x 1.5x 1.2x 1.2x 3x");
	assert_true(t[1].value == 0.5 && t[4].value == 1 / 1.2);
	for (int i = 0; i < n; i++)
		for (int k = 0; k < i; k++)
			assert_true(fabs(log(t[i].value) - log(t[k].value)) * 200 >= 34);
}

/* Nothing outside the drawing, nothing that is not a number, in both widths. */
static void assert_inside(const struct chart *c)
{
	for (int narrow = 0; narrow < 2; narrow++) {
		struct drawing d;
		chart_layout(c, narrow, &d);
		assert_true(d.w == (narrow ? 328 : 800) && d.h > 0 && d.h < 32000);
		for (size_t i = 0; i < d.n; i++) {
			const struct op *o = &d.ops[i];
			assert_true(isfinite(o->x) && isfinite(o->y) && isfinite(o->w) && isfinite(o->h));
			assert_true(o->x > -30 && o->x < d.w + 30 && o->y > -30 && o->y < d.h + 30);
			for (size_t k = 0; k < 2 * o->n_pts; k++)
				assert_true(o->pts[k] > -30 && o->pts[k] < 32000);
		}
		drawing_release(&d);
	}
}

static void forest_with_every_oddity(void **state)
{
	struct chart *c = chart_forest_new(0.95, 1.0526, "slower", "faster");
	static const double odd[] = { NAN, INFINITY, 0, -1, 1e-300, 1e300, 1, 0.5 };

	for (size_t i = 0; i < 8; i++)
		chart_forest_add(c, &(struct chart_forest_row){ "row", odd[i], odd[(i + 3) % 8], odd[(i + 5) % 8],
			(enum chart_mark)(i % 4), NULL, "WORD", 0, 0 });
	assert_inside(c);
	chart_free(c);
}

/* The farthest becomes an arrow rather than squeezing the margin to nothing. */
static void margin_keeps_its_width(void **state)
{
	struct chart *c = chart_forest_new(0.99, 1.01, NULL, NULL);
	struct drawing d;
	double band = 0;

	chart_forest_add(c, &(struct chart_forest_row){ "near", 1.02, 1.01, 1.03, CHART_OPEN, NULL, NULL, 0, 0 });
	chart_forest_add(c, &(struct chart_forest_row){ "far", 50, 48, 52, CHART_DECIDED, NULL, NULL, 0, 0 });
	chart_layout(c, false, &d);
	for (size_t i = 0; i < d.n; i++)
		if (d.ops[i].kind == OP_RECT && d.ops[i].role == R_BAND)
			band = d.ops[i].w;
	assert_true(band >= 12);
	drawing_release(&d);
	chart_free(c);
}

/* Where the interval does not fit but the ratio does, the ratio is shown and one end of the interval is cut off. */
static void ratio_is_shown_where_it_fits(void **state)
{
	struct chart *c = chart_forest_new(0.95, 1.0526, NULL, NULL);
	struct drawing d;
	size_t marks = 0, heads = 0;

	chart_forest_add(c, &(struct chart_forest_row){ "near", 0.3, 0.2, 0.5, CHART_DECIDED, NULL, NULL, 0, 0 });
	chart_forest_add(c, &(struct chart_forest_row){ "wide", 0.15, 0.02, 0.5, CHART_DECIDED, NULL, NULL, 0, 0 });
	chart_layout(c, false, &d);
	for (size_t i = 0; i < d.n; i++) {
		marks += d.ops[i].kind == OP_RECT && d.ops[i].role == R_MARK;
		heads += d.ops[i].kind == OP_SHAPE && d.ops[i].role == R_MARK;
	}
	assert_int_equal(marks, 2);
	assert_int_equal(heads, 1);
	drawing_release(&d);
	chart_free(c);
}

static void lines_thin_out_but_keep_a_stall(void **state)
{
	struct chart *c = chart_lines_new(&(struct chart_axis){ 0 }, &(struct chart_axis){ 0 });
	double *x = mem_array(5000, sizeof *x), *y = mem_array(5000, sizeof *y), lowest = 0;
	struct drawing d;
	size_t points = 0;

	for (int i = 0; i < 5000; i++) {
		x[i] = i;
		y[i] = i == 2499 ? NAN : i == 2500 ? 0 : 100; /* nothing moved, then little */
	}
	chart_lines_add(c, &(struct chart_line){ .label = "line", .x = x, .y = y, .n = 5000 });
	chart_layout(c, false, &d);
	for (size_t i = 0; i < d.n; i++)
		for (size_t k = 0; d.ops[i].kind == OP_PATH && k < d.ops[i].n_pts; k++, points++)
			lowest = fmax(lowest, d.ops[i].pts[2 * k + 1]);
	assert_true(points > 100 && points <= 480);
	assert_true(lowest == 300); /* the axis */
	drawing_release(&d);
	assert_inside(c);
	chart_free(c);
	free(x);
	free(y);
}

static void long_labels_are_shortened_visibly(void **state)
{
	mem_auto char *s = chart_text_fit("a label that is far too long for its place", R_TEXT, 80);

	assert_true(chart_text_width(s, R_TEXT) <= 80);
	assert_non_null(strstr(s, "\u2026"));
	assert_memory_equal(s, "a lab", 5);
	assert_string_equal(s + strlen(s) - 5, "place");
}

static void svg_is_escaped(void **state)
{
	struct chart *c = chart_steady_new(0.05, "</svg><script>");
	struct drawing d;
	struct buf b = BUF_INIT;

	chart_steady_add(c, &(struct chart_steady_row){ "a<b>&\"", 0.01, NAN, NAN, true, "x" });
	chart_layout(c, false, &d);
	chart_svg(&d, "w", "\"><script>", &b);
	assert_null(strstr(b.data, "<script"));
	assert_non_null(strstr(b.data, "a&lt;b&gt;&amp;&quot;"));
	buf_release(&b);
	drawing_release(&d);
	assert_inside(c);
	chart_free(c);
}

static bool has_text(const struct drawing *d, const char *text)
{
	for (size_t i = 0; i < d->n; i++)
		if (d->ops[i].kind == OP_TEXT && strcmp(d->ops[i].text, text) == 0)
			return true;
	return false;
}

/* Names inside a bar lose what is the same in all, then everything but the number; never a part of a word. */
static void names_in_bars_are_shortened_alike(void **state)
{
	static const char *const parts[] = { "shared raw from n1 219", "shared raw from n2 94", "shared raw from n3 91" };
	static const double wide[] = { 900, 900, 900 }, narrow[] = { 300, 300, 300 }, tiny[] = { 90, 90, 900 };
	struct chart *c = chart_bars_new("MB/s", 2700, "ideal");
	struct drawing d;

	chart_bars_add(c, &(struct chart_bar){ "Alone", "one by one", parts, wide, 3, NAN, NAN, "x", "y" });
	chart_bars_add(c, &(struct chart_bar){ "Together", "at once", parts, narrow, 3, NAN, NAN, "x", "y" });
	chart_bars_add(c, &(struct chart_bar){ "Tiny", "at once", parts, tiny, 3, NAN, NAN, "x", "y" });
	chart_layout(c, false, &d);
	assert_true(has_text(&d, "shared raw from n1 219"));
	assert_true(has_text(&d, "n1 219") && has_text(&d, "n2 94"));
	assert_true(has_text(&d, "91"));
	for (size_t i = 0; i < d.n; i++)
		assert_true(d.ops[i].kind != OP_TEXT || !strstr(d.ops[i].text, "\u2026"));
	drawing_release(&d);
	chart_free(c);
}

static void numbers_in_narrow_bars_are_whole_or_not_there(void **state)
{
	static const char *const alone[] = { "n1 219", "n2 220", "n3 219", "n4 220" };
	static const char *const both[] = { "n1 94.2", "n2 94.3", "n3 94.4", "n4 85.1" };
	struct chart *c = chart_bars_new("MB/s", 878, "ideal");
	struct drawing d;

	chart_bars_add(c, &(struct chart_bar){ "Alone", "", alone, (double[]){ 219, 220, 219, 220 }, 4, NAN, NAN, "x", "y" });
	chart_bars_add(c, &(struct chart_bar){ "Together", "", both, (double[]){ 94.2, 94.3, 94.4, 85.1 }, 4, NAN, NAN, "x", "y" });
	chart_bars_add(c, &(struct chart_bar){ "Tiny", "", both, (double[]){ 20, 20, 20, 20 }, 4, NAN, NAN, "x", "y" });
	chart_layout(c, true, &d);
	assert_true(has_text(&d, "n1 219") && has_text(&d, "94.2") && has_text(&d, "85.1"));
	for (size_t i = 0; i < d.n; i++)
		assert_true(d.ops[i].kind != OP_TEXT || !strstr(d.ops[i].text, "\u2026"));
	drawing_release(&d);
	chart_free(c);
}

static void a_long_name_moves_the_steadiness_axis(void **state)
{
	const char *name = "shared raw from node 14, together";
	struct chart *c = chart_steady_new(0.05, "limit");
	struct drawing d;

	chart_steady_add(c, &(struct chart_steady_row){ name, 0.01, -0.01, 0.02, true, "STEADY" });
	chart_layout(c, false, &d);
	assert_true(has_text(&d, name));
	drawing_release(&d);
	chart_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(linear_ticks_are_round), T(log_ticks_are_1_2_5), T(ratio_ticks_are_mirrored_and_apart),
		T(forest_with_every_oddity), T(margin_keeps_its_width), T(ratio_is_shown_where_it_fits),
		T(lines_thin_out_but_keep_a_stall),
		T(long_labels_are_shortened_visibly), T(names_in_bars_are_shortened_alike),
		T(numbers_in_narrow_bars_are_whole_or_not_there),
		T(a_long_name_moves_the_steadiness_axis), T(svg_is_escaped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
