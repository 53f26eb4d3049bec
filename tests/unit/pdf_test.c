/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "report_sample.h"
#include "reports/chart.h"
#include "reports/markdown.h"
#include "reports/pdf.h"
#include "reports/text.h"

#define T(f) cmocka_unit_test(f)

static void render(struct document *d, struct buf *out)
{
	struct iow_error e = ERR_INIT;

	if (pdf_render(d, out, &e) < 0)
		fail_msg("%s", e.text);
	assert_memory_equal(out->data, "%PDF-1.7", 8);
	assert_non_null(strstr(out->data + out->len - 8, "%%EOF"));
}

static void same_document_gives_the_same_bytes(void **state)
{
	struct document *d = sample_report(), *again = sample_report();
	struct buf a = BUF_INIT, b = BUF_INIT;

	render(d, &a);
	render(again, &b);
	assert_int_equal(a.len, b.len);
	assert_memory_equal(a.data, b.data, a.len);
	buf_release(&a);
	buf_release(&b);
	document_free(d);
	document_free(again);
}

static void odd_documents_are_laid_out(void **state)
{
	struct document *all[] = { sample_hostile(), sample_large(300), document_new("", "") };

	assert_int_equal(document_finish(all[2], NULL), 0);
	for (size_t i = 0; i < 3; i++) {
		struct buf b = BUF_INIT;
		all[i]->paper = i == 1 ? DOC_LETTER : DOC_A4;
		render(all[i], &b);
		buf_release(&b);
		document_free(all[i]);
	}
}

/* 1 by 1 pixel, made for this test. */
static const unsigned char dot_png[] = {
	0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0, 0, 13, 'I', 'H', 'D', 'R', 0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0,
	0x90, 0x77, 0x53, 0xde, 0, 0, 0, 12, 'I', 'D', 'A', 'T', 0x78, 0x9c, 0x63, 0x60, 0x60, 0x60, 0, 0, 0, 4, 0, 1,
	0xf6, 0x17, 0x38, 0x55, 0, 0, 0, 0, 'I', 'E', 'N', 'D', 0xae, 0x42, 0x60, 0x82 };

static void logo_is_embedded_or_refused(void **state)
{
	struct document *d = sample_report();
	struct iow_error e = ERR_INIT;
	struct buf b = BUF_INIT;

	document_logo(d, dot_png, sizeof dot_png, "a dot");
	render(d, &b);
	buf_clear(&b);
	document_logo(d, dot_png, 50, "cut off");
	assert_int_equal(pdf_render(d, &b, &e), -1);
	assert_non_null(strstr(e.text, "logo"));
	document_logo(d, "GIF89a", 6, "no");
	assert_int_equal(pdf_render(d, &b, &e), -1);
	assert_non_null(strstr(e.text, "neither PNG nor JPEG"));
	buf_release(&b);
	document_free(d);
}

static void text_is_aligned_and_wrapped(void **state)
{
	struct document *d = sample_report();
	struct buf b = BUF_INIT;

	assert_int_equal(text_render(d, &(struct text_options){ 0 }, &b, NULL), 0);
	assert_non_null(strstr(b.data, "\nLocal volume                8      218.8  216.0 to 221.6"));
	assert_non_null(strstr(b.data, "\nSecond read                 8     2603      2551 to 2655"));
	assert_non_null(strstr(b.data, "    Reads of the fabric volume ran 2.13x slower than of the local volume (95% CI 2.07 "
				       "to 2.20, 8\n    blocks, paired): SLOWER, beyond the 5% margin. [Evidence 7]\n"));
	assert_null(memchr(b.data, 0x1b, b.len));
	for (char *line = strtok(b.data, "\n"); line; line = strtok(NULL, "\n"))
		assert_true(strlen(line) <= 130); /* bytes; 100 columns */
	buf_release(&b);
	document_free(d);
}

static void markdown_escapes_what_it_would_read(void **state)
{
	struct document *d = sample_hostile();
	struct buf b = BUF_INIT;

	assert_int_equal(markdown_render(d, &b, NULL), 0);
	assert_non_null(strstr(b.data, "\\<script\\>alert('x')\\</script\\> {{{mustache}}} \\*\\*md\\*\\* \\|pipe\\| \\`tick\\`"));
	assert_null(strstr(b.data, "](javascript"));
	buf_clear(&b);
	document_free(d);
	d = sample_report();
	assert_int_equal(markdown_render(d, &b, NULL), 0);
	assert_non_null(strstr(b.data, "Reads of the fabric volume ran 2.13x slower than of the local volume (95% CI 2.07 to "
				       "2.20, 8 blocks, paired): SLOWER, beyond the 5% margin."));
	buf_release(&b);
	document_free(d);
}

static size_t pages_of(unsigned findings)
{
	struct document *d = document_new("Title", "IOW-1");
	struct buf b = BUF_INIT;
	size_t n = 0;

	doc_section(d, "summary", "Summary")->summary = true;
	for (unsigned i = 0; i < findings; i++) {
		struct doc_finding *f = doc_finding(d, DOC_TAG_DECIDED, "SLOWER", "2.13x");
		doc_add(&f->say, "A sentence that takes two lines of the page: reads of one volume ran 2.13x slower than "
				 "reads of another one (95%% CI 2.07 to 2.20, 8 blocks, paired).");
		doc_add(&f->caveat, "A caveat.");
	}
	doc_section(d, "next", "Next");
	doc_para(d, "Words.");
	assert_int_equal(document_finish(d, NULL), 0);
	render(d, &b);
	for (size_t i = 0; i + 12 < b.len; i++)
		n += memcmp(b.data + i, "/Type /Page\n", 12) == 0;
	buf_release(&b);
	document_free(d);
	return n;
}

/* One finding more than fits is set tighter; many more go on to a second page. */
static void summary_is_one_page_when_it_can_be(void **state)
{
	size_t fits = 0, tight = 0;

	for (unsigned n = 5; n < 25; n++) {
		size_t pages = pages_of(n);
		if (pages != 3 && pages != 4)
			fail_msg("%u findings: %zu pages", n, pages);
		if (pages == 3)
			tight = n;
		fits = n == 5 ? pages : fits;
	}
	assert_int_equal(fits, 3);
	assert_in_range(tight, 13, 17);
}

/* A document's last section, after so many lines, before a table as high as a third of a page: is the table on
 * the page of its heading, and under it? All places that links lead to are looked at; the last is the heading's. */
static bool heading_is_with_table(unsigned lines)
{
	struct document *d = document_new("Title", "IOW-1");
	struct buf b = BUF_INIT;
	struct doc_table *t;
	struct { int page; double y; } to[64];
	size_t n = 0;
	bool with = false;

	doc_section(d, "one", "One");
	for (unsigned i = 0; i < lines; i++)
		doc_para(d, "Words.");
	doc_ref(doc_para(d, "The table: "), "table");
	doc_section(d, "two", "Two");
	t = doc_table(d, "table", "A table.");
	doc_column(t, DOC_LEFT, "Column");
	for (unsigned i = 0; i < 14; i++)
		doc_cell(doc_row(t, 0), "row");
	assert_int_equal(document_finish(d, NULL), 0);
	render(d, &b);
	for (size_t i = 20; i + 5 < b.len && n < 64; i++) {
		const char *p = b.data + i;
		if (memcmp(p, "/XYZ ", 5) != 0)
			continue;
		while (*p != '[')
			p--;
		assert_int_equal(sscanf(p, "[ %d 0 R /XYZ %*f %lf", &to[n].page, &to[n].y), 2);
		n++;
	}
	assert_true(n > 3);
	for (size_t i = 0; i < n; i++)
		with = with || (to[i].page == to[n - 1].page && to[i].y < to[n - 1].y);
	buf_release(&b);
	document_free(d);
	return with;
}

static void heading_goes_with_its_table(void **state)
{
	for (unsigned lines = 1; lines < 30; lines++)
		if (!heading_is_with_table(lines))
			fail_msg("alone after %u lines", lines);
}

static size_t count(const struct buf *b, const char *what)
{
	size_t n = 0, len = strlen(what);

	for (size_t i = 0; i + len <= b->len; i++)
		n += memcmp(b->data + i, what, len) == 0;
	return n;
}

/* Pages on their side of a document with one table after its heading; the last place that a bookmark leads
 * to, in points from the foot of its page. */
static size_t turned_pages(size_t rows, size_t columns, double *heading)
{
	struct document *d = document_new("Title", "IOW-1");
	struct buf b = BUF_INIT;
	struct doc_table *t;
	size_t turned, upright;

	doc_section(d, "one", "One");
	doc_para(d, "Words.");
	doc_section(d, "two", "Two");
	t = doc_table(d, "table", "A table.");
	doc_column(t, DOC_LEFT, "Column");
	for (size_t k = 1; k < columns; k++)
		doc_column(t, DOC_DECIMAL, "MB/s");
	for (size_t i = 0; i < rows; i++) {
		struct doc_row *r = doc_row(t, 0);
		doc_cell(r, "The name of row %zu", i);
		for (size_t k = 1; k < columns; k++)
			doc_cell_num(r, (double)(i * k), 2);
	}
	doc_para(d, "More words.");
	assert_int_equal(document_finish(d, NULL), 0);
	render(d, &b);
	turned = count(&b, "MediaBox [ 0 0 841.89001 595.28003 ]");
	upright = count(&b, "MediaBox [ 0 0 595.28003 841.89001 ]");
	*heading = 0;
	for (size_t i = 0; i + 5 < b.len; i++)
		if (memcmp(b.data + i, "/XYZ ", 5) == 0)
			assert_int_equal(sscanf(b.data + i + 5, "%*f %lf", heading), 1);
	/* The cover, the first section and what follows the table stand upright. */
	assert_in_range(upright, turned ? 3 : 2, turned ? 3 : 99);
	buf_release(&b);
	document_free(d);
	return turned;
}

static void long_wide_table_turns_its_page(void **state)
{
	double y;

	assert_int_equal(turned_pages(30, 6, &y), 0);
	assert_int_equal(turned_pages(3, 22, &y), 0); /* divided where it stands */
	assert_int_equal(turned_pages(30, 22, &y), 2);
	assert_true(y > 500 && y < 595); /* at the top of the turned page, with the table */
	assert_int_equal(turned_pages(30, 60, &y), 4); /* and divided as well */
}

/* libharu's arrays hold 32767 parts, and a table of more rows has more. */
static void very_long_table_is_written(void **state)
{
	struct document *d = sample_large(34000);
	struct buf b = BUF_INIT;

	render(d, &b);
	assert_true(count(&b, "/S /Span") >= 4);
	buf_release(&b);
	document_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(same_document_gives_the_same_bytes), T(odd_documents_are_laid_out), T(logo_is_embedded_or_refused),
		T(text_is_aligned_and_wrapped), T(markdown_escapes_what_it_would_read), T(summary_is_one_page_when_it_can_be),
		T(heading_goes_with_its_table), T(long_wide_table_turns_its_page),
		T(very_long_table_is_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
