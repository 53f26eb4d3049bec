/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "reports/document.h"
#include "reports/utf8.h"

#define T(f) cmocka_unit_test(f)

static void assert_clean(const char *in, bool lines, const char *want)
{
	mem_auto char *s = doc_clean(in, lines);

	assert_string_equal(s, want);
}

static void text_is_cleaned_and_nothing_is_lost(void **state)
{
	assert_clean("plain \u03b1\u0416\u65e5", false, "plain \u03b1\u0416\u65e5");
	assert_clean("a\x1b[31m\x7f", false, "a[U+001B][31m[U+007F]");
	assert_clean("bad \xff\xc0\x80 \xed\xa0\x80", false, "bad \ufffd\ufffd\ufffd \ufffd\ufffd\ufffd");
	assert_clean("cut \xe6\x97", false, "cut \ufffd\ufffd");
	assert_clean("turn \u202e about\u200b", false, "turn [U+202E] about[U+200B]");
	assert_clean("one\ttwo\nthree", false, "one two three");
	assert_clean("a\tb\r\nc\td", true, "a       b\nc       d");
	assert_clean("\U0001F469\u200d\U0001F4BB", false, "\U0001F469\u200d\U0001F4BB");
	assert_clean(NULL, false, "");
}

static void utf8_refuses_what_is_not_utf8(void **state)
{
	const char *s = "\xf4\x90\x80\x80";

	assert_int_equal(utf8_next(&s), 0xfffd);
	s = "\xf0\x9f\x98\x80";
	assert_int_equal(utf8_next(&s), 0x1f600);
	assert_int_equal(*s, 0);
	assert_int_equal(utf8_width("a\u65e5e\u0301\U0001F600"), 6);
}

static void data_are_never_markup(void **state)
{
	struct doc_text t = { 0 };
	mem_auto char *s = NULL;

	doc_add(&t, "%s", "**bold** {x} <script>");
	assert_int_equal(t.n, 1);
	assert_int_equal(t.runs[0].marks, 0);
	doc_fill(&t, " A **{name}** of `{n}` 10^6^, [see {n}](#{a}) \\*{gone}", "name", "*{n}*", "n", "[4](#q)",
		 "a", "Q 1", NULL);
	s = doc_text_plain(&t);
	assert_string_equal(s, "**bold** {x} <script> A *{n}* of [4](#q) 106, see [4](#q) *{gone}");
	assert_int_equal(t.runs[1].marks, DOC_STRONG);
	assert_int_equal(t.runs[3].marks, DOC_CODE);
	assert_int_equal(t.runs[5].marks, DOC_SUP);
	assert_int_equal(t.runs[7].kind, DOC_RUN_LINK);
	assert_string_equal(t.runs[7].target, "q-1");
	doc_text_release(&t);
}

static void only_web_addresses_become_links(void **state)
{
	struct doc_text t = { 0 };

	doc_url(&t, "javascript:alert(1)", "x");
	doc_url(&t, "https://example.org/?a=1&b=2", "y");
	assert_int_equal(t.runs[0].kind, DOC_RUN_TEXT);
	assert_null(t.runs[0].target);
	assert_int_equal(t.runs[1].kind, DOC_RUN_URL);
	doc_text_release(&t);
}

static struct document *small(void)
{
	struct document *d = document_new("Title", "IOW-1");
	struct doc_table *t;
	struct doc_row *r;

	doc_section(d, "summary", "Summary");
	doc_ref(doc_para(d, "See "), "cells");
	doc_section(d, "results", "Results");
	doc_subhead(d, 2, "scan", "Scan");
	t = doc_table(d, "cells", "Cells");
	doc_column(t, DOC_LEFT, "Cell");
	doc_column(t, DOC_DECIMAL, "MB/s");
	r = doc_row(t, 0);
	doc_cell(r, "raw");
	doc_cell_num(r, -94.14, 1);
	doc_footnote(t, &r->cells[0].text, "first");
	doc_footnote(t, &r->cells[1].text, "second");
	doc_footnote(t, &r->cells[1].text, "first");
	return d;
}

static void references_get_their_numbers(void **state)
{
	struct document *d = small();
	struct iow_error e = ERR_INIT;
	mem_auto char *s = NULL, *n = NULL, *ev = NULL, *cell = NULL;
	struct doc_finding *f = doc_finding(d, DOC_TAG_DECIDED, "SLOWER", "2.33x");

	doc_finding_evidence(f, "Scan", "Evidence");
	assert_int_equal(document_finish(d, &e), 0);
	s = doc_text_plain(&d->blocks[1]->para);
	assert_string_equal(s, "See Table\u00a01");
	n = document_number(document_find(d, "scan"));
	assert_string_equal(n, "3.1");
	ev = document_evidence(d, f);
	assert_string_equal(ev, "Evidence\u00a03.1");
	cell = doc_text_plain(&d->blocks[4]->table.rows[0]->cells[1].text);
	assert_string_equal(cell, "\u221294.1ba");
	assert_int_equal(d->blocks[4]->table.n_footnotes, 2);
	document_free(d);
}

static void mistakes_are_found(void **state)
{
	struct iow_error e = ERR_INIT;
	struct document *d = small();

	doc_para(d, "again");
	doc_anchor(d, "cells");
	assert_int_equal(document_finish(d, &e), -1);
	assert_non_null(strstr(e.text, "\"cells\" is used twice"));
	document_free(d);

	d = small();
	doc_link(doc_para(d, "x"), "nowhere", "there");
	assert_int_equal(document_finish(d, &e), -1);
	assert_non_null(strstr(e.text, "\"nowhere\""));
	document_free(d);

	d = small();
	for (int i = 0; i < 3; i++)
		doc_cell(d->blocks[4]->table.rows[0], "more");
	assert_int_equal(document_finish(d, &e), -1);
	assert_non_null(strstr(e.text, "cells for 2 columns"));
	document_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(text_is_cleaned_and_nothing_is_lost), T(utf8_refuses_what_is_not_utf8),
		T(data_are_never_markup), T(only_web_addresses_become_links),
		T(references_get_their_numbers), T(mistakes_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
