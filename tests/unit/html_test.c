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
#include "report_sample.h"
#include "reports/html.h"

#define T(f) cmocka_unit_test(f)

static char *templates(void)
{
	const char *src = getenv("IOW_SRC");

	return mem_printf("%s/templates/report", src ? src : ".");
}

static void render(struct document *d, struct buf *out)
{
	mem_auto char *dir = templates();
	const char *dirs[] = { "/nonexistent", dir };
	struct iow_error e = ERR_INIT;

	if (html_render(d, &(struct html_options){ dirs, 2 }, out, &e) < 0)
		fail_msg("%s", e.text);
}

static void page_needs_nothing_from_outside(void **state)
{
	struct document *d = sample_report();
	struct buf out = BUF_INIT;

	render(d, &out);
	assert_memory_equal(out.data, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n", 38);
	assert_null(strstr(out.data, "<script"));
	assert_null(strstr(out.data, "{{"));
	assert_null(strstr(out.data, " style="));
	assert_null(strstr(out.data, "src=\"http"));
	assert_null(strstr(out.data, "url("));
	assert_non_null(strstr(out.data, "default-src &#39;none&#39;"));
	assert_non_null(strstr(out.data, "Reads of the fabric volume ran 2.13x slower than of the local volume (95% CI "
					 "2.07 to 2.20, 8 blocks, paired): SLOWER, beyond the 5% margin."));
	buf_release(&out);
	document_free(d);
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

static void hostile_text_is_escaped_and_kept(void **state)
{
	struct document *d = sample_hostile();
	struct buf out = BUF_INIT;

	render(d, &out);
	assert_null(strstr(out.data, "<script"));
	assert_null(strstr(out.data, "href=\"javascript"));
	assert_null(memchr(out.data, 0x1b, out.len));
	assert_non_null(strstr(out.data, "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; {{{mustache}}} **md**"));
	assert_non_null(strstr(out.data, "[U+202E]evil"));
	assert_non_null(strstr(out.data, "\U0001F600"));
	assert_null(strstr(out.data, "nan"));
	assert_null(strstr(out.data, "inf\""));
	buf_release(&out);
	document_free(d);
}

static void mistakes_are_told(void **state)
{
	struct document *d = sample_report();
	struct iow_error e = ERR_INIT;
	struct buf out = BUF_INIT;
	const char *none[] = { "/nonexistent" };
	mem_auto char *dir = templates();
	const char *dirs[] = { dir };

	assert_int_equal(html_render(d, &(struct html_options){ none, 1 }, &out, &e), -1);
	assert_non_null(strstr(e.text, "/nonexistent"));
	document_set(&d->accent, "#ffee00");
	assert_int_equal(html_render(d, &(struct html_options){ dirs, 1 }, &out, &e), -1);
	assert_non_null(strstr(e.text, "too pale"));
	assert_non_null(strstr(e.text, "#817800 would do"));
	document_set(&d->accent, "#817800");
	assert_int_equal(html_render(d, &(struct html_options){ dirs, 1 }, &out, &e), 0);
	document_set(&d->accent, "#827900");
	assert_int_equal(html_render(d, &(struct html_options){ dirs, 1 }, &out, &e), -1);
	document_set(&d->accent, "red;}");
	assert_int_equal(html_render(d, &(struct html_options){ dirs, 1 }, &out, &e), -1);
	document_set(&d->accent, "#7a1f5c");
	assert_int_equal(html_render(d, &(struct html_options){ dirs, 1 }, &out, &e), 0);
	assert_non_null(strstr(out.data, "--accent:#7a1f5c"));
	buf_release(&out);
	document_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(page_needs_nothing_from_outside), T(same_document_gives_the_same_bytes),
		T(hostile_text_is_escaped_and_kept), T(mistakes_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
