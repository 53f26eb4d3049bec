/* SPDX-License-Identifier: Apache-2.0 */
/* Documents of any shape, from a fixed seed, through every renderer: none may crash, lose its way in a
 * loop, or let a name become markup. Worth most in a build with sanitizers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/vec.h"
#include "reports/chart.h"
#include "reports/document.h"
#include "reports/html.h"
#include "reports/markdown.h"
#include "reports/pdf.h"
#include "reports/text.h"

#define VALUES 200

static uint64_t seed;
static char **texts; /* freed after each document */
static size_t n_texts;

static unsigned below(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % n;
}

/* Mostly a few words, now and then hundreds or thousands. */
static const char *text(void)
{
	static const char *const words[] = { "a", "word", "longerword", "1.25", "-3", "\u65e5\u672c", "\xff", "<b>", "%s", "\n",
		"\t", " ", "x/y", "\U0001F600", "\u00a0", "4 KiB", "\u2026", "|", "`", "\u00e9", "[", "**", "\x01" };
	unsigned n = below(10) ? below(12) : below(10) ? below(300) : below(5000);
	struct buf b = BUF_INIT;
	char *s;

	for (unsigned i = 0; i < n; i++)
		buf_printf(&b, "%s%s", words[below(ARRAY_LEN(words))], below(3) ? " " : "");
	buf_putc(&b, 0);
	s = buf_take(&b);
	*VEC_ADD(texts, n_texts) = s;
	return s;
}

static const char *maybe(void)
{
	return below(2) ? text() : NULL;
}

static double number(void)
{
	static const double odd[] = { 0, 1, -1, 0.5, 2.33, 1e9, 1e300, -1e300, NAN, INFINITY, -INFINITY, 1e-300 };

	return below(3) ? odd[below(ARRAY_LEN(odd))] : (double)below(1000) / 7;
}

static struct chart *rows_chart(void)
{
	struct chart *c = below(2) ? chart_forest_new(number(), number(), maybe(), maybe()) : NULL;
	unsigned n = below(20);

	if (c && below(2))
		chart_forest_heads(c, text(), text(), text(), text());
	for (unsigned i = 0; c && i < n; i++)
		chart_forest_add(c, &(struct chart_forest_row){ text(), number(), number(), number(),
			(enum chart_mark)below(4), maybe(), maybe(), number(), number() });
	if (c)
		return c;
	c = chart_slope_new(maybe(), maybe(), maybe());
	for (unsigned i = 0; i < n; i++)
		chart_slope_add(c, &(struct chart_slope_row){ text(), number(), number(), maybe(), maybe(),
			(enum chart_mark)below(4) });
	return c;
}

static struct chart *values_chart(void)
{
	double x[VALUES], y[VALUES], lo[VALUES], hi[VALUES];
	const char *words[VALUES];
	bool out[VALUES];
	unsigned n = below(5) ? below(9) : below(VALUES);
	struct chart *c;

	for (unsigned i = 0; i < VALUES; i++) {
		x[i] = number();
		y[i] = number();
		lo[i] = number();
		hi[i] = number();
		out[i] = below(2);
		words[i] = "word";
	}
	if (below(3) == 0) {
		c = chart_dots_new(maybe(), maybe());
		for (unsigned i = below(30); i > 0; i--)
			chart_dots_add(c, &(struct chart_dots_panel){ text(), maybe(), number(), number(), number(), y,
				below(2) ? out : NULL, n, (enum chart_style)below(4) });
		return c;
	}
	if (below(3) == 0) {
		c = chart_bars_new(maybe(), number(), maybe());
		for (unsigned i = below(5); i > 0; i--)
			chart_bars_add(c, &(struct chart_bar){ text(), maybe(), below(2) ? words : NULL, y, n % 9, number(),
				number(), maybe(), maybe() });
		return c;
	}
	c = chart_lines_new(&(struct chart_axis){ maybe(), maybe(), (enum chart_scale)below(4), 0, below(3) ? 0 : number() },
			    &(struct chart_axis){ NULL, maybe(), (enum chart_scale)below(2), 0, below(3) ? 0 : number() });
	for (unsigned i = below(6); i > 0; i--)
		chart_lines_add(c, &(struct chart_line){ .label = maybe(), .sub = maybe(), .x = x, .y = y, .n = n,
			.lo = below(2) ? lo : NULL, .hi = below(2) ? hi : NULL, .style = (enum chart_style)below(4),
			.thin = below(2), .excluded = below(2), .fitted = below(2), .marks = below(2),
			.x_labels = below(4) ? NULL : words });
	chart_lines_cut(c, number(), maybe());
	chart_lines_point(c, number(), number(), maybe());
	chart_lines_under(c, maybe(), x, words, n);
	return c;
}

static void fill(struct doc_text *t)
{
	for (unsigned i = below(4); i > 0; i--)
		switch (below(5)) {
		case 0: doc_add(t, "%s", text()); break;
		case 1: doc_mark(t, below(512), "%s", text()); break;
		case 2: doc_ref_page(t, "first"); break;
		case 3: doc_url(t, text(), "%s", text()); break;
		default: doc_fill(t, text(), "a", text(), NULL); break;
		}
}

static void row(struct doc_table *t, unsigned columns)
{
	struct doc_row *r = doc_row(t, below(6) ? 0 : below(16));

	for (unsigned left = columns; left && below(12);) {
		struct doc_text *x = below(6) ? doc_cell(r, "%s", below(3) ? "1.25" : text()) : NULL;
		unsigned span = 1;
		if (x && !below(5))
			fill(x);
		if (x && !below(8))
			doc_footnote(t, x, "%s", text());
		if (!x && below(2)) {
			doc_cell_tag(r, (enum doc_tag)(1 + below(6)), text());
		} else if (!x) {
			doc_cell(r, "%s", text());
			span = 1 + below(left);
			doc_span(r, span);
		}
		left -= span;
	}
}

static void table(struct document *d)
{
	struct doc_table *t = doc_table(d, NULL, "%s", text());
	unsigned columns = 1 + below(below(4) ? 6 : 40);

	t->dense = below(2);
	t->fit = below(2);
	t->fold = below(2);
	for (unsigned i = 0; i < columns; i++) {
		struct doc_column *c = doc_column(t, (enum doc_align)below(5), below(3) ? "head" : text());
		c->strong = below(2);
		c->nowrap = !below(4);
	}
	if (columns > 3)
		doc_group(t, text(), 1, 1 + below(columns - 1));
	for (unsigned i = below(3) ? below(8) : below(100); i > 0; i--)
		row(t, columns);
	fill(&t->note);
}

static void finding(struct document *d)
{
	struct doc_finding *f = doc_finding(d, (enum doc_tag)below(7), maybe(), text());

	f->lead = below(2);
	fill(&f->say);
	fill(&f->caveat);
	if (below(2))
		document_set(&f->key_note, "%s", text());
	if (below(2))
		doc_finding_evidence(f, "first", text());
}

static void definition(struct document *d)
{
	struct doc_def *f = doc_def(d, text(), "%s", text());

	f->first = below(2);
	f->opinion = below(2);
	fill(&f->text);
	if (below(2))
		doc_def_code(f, text());
}

static void block(struct document *d)
{
	struct doc_list *l;

	switch (below(12)) {
	case 0: doc_section(d, NULL, text()); break;
	case 1: doc_subhead(d, 2 + (int)below(2), NULL, "%s", text())->plain = below(2); break;
	case 2: fill(doc_para(d, "%s", text())); break;
	case 3: fill(doc_note(d, "%s", text())); break;
	case 4: definition(d); break;
	case 5: finding(d); break;
	case 6:
	case 7: table(d); break;
	case 8: fill(&doc_figure(d, NULL, below(2) ? rows_chart() : values_chart(), "%s", text())->note); break;
	case 9: fill(&doc_callout(d, text(), "%s", text())->text); break;
	case 10:
		l = doc_list(d, below(2));
		for (unsigned i = below(6); i > 0; i--)
			fill(doc_item(l, "%s", text()));
		break;
	default: doc_code(d, text()); break;
	}
}

static struct document *any_document(void)
{
	struct document *d = document_new(text(), text());

	document_set(&d->footer, "%s", text());
	document_set(&d->notice, "%s", text());
	document_set(&d->subtitle, "%s", text());
	for (unsigned i = below(4); i > 0; i--) {
		document_issuer(d, text());
		document_fact(d, text(), "%s", text());
	}
	doc_section(d, "first", text())->summary = below(2);
	for (unsigned i = below(20); i > 0; i--)
		block(d);
	return d;
}

static void any_document_is_rendered(void **state)
{
	const char *src = getenv("IOW_SRC");
	mem_auto char *dir = mem_printf("%s/templates/report", src ? src : ".");
	const char *dirs[] = { dir };

	for (unsigned i = 1; i <= 25; i++) {
		struct iow_error e = ERR_INIT;
		struct buf b = BUF_INIT;
		struct document *d;
		seed = i * 7919;
		d = any_document();
		if (document_finish(d, &e) < 0 || html_render(d, &(struct html_options){ dirs, 1 }, &b, &e) < 0)
			fail_msg("document %u: %s", i, e.text);
		assert_null(strstr(b.data, "<b>"));
		buf_clear(&b);
		if (pdf_render(d, &b, &e) < 0)
			fail_msg("document %u: %s", i, e.text);
		buf_clear(&b);
		assert_int_equal(text_render(d, &(struct text_options){ .width = 20 + (int)below(100) }, &b, &e), 0);
		buf_clear(&b);
		assert_int_equal(markdown_render(d, &b, &e), 0);
		buf_release(&b);
		document_free(d);
		while (n_texts)
			free(texts[--n_texts]);
	}
	free(texts);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(any_document_is_rendered) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
