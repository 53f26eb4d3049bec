/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "report_sample.h"
#include "reports/html.h"
#include "reports/template.h"
#include "reports/text.h"

#define T(f) cmocka_unit_test(f)

static char *dir;

static int make_dir(void **state)
{
	const char *tmp = getenv("TMPDIR");

	dir = mem_printf("%s/iowitness-template.XXXXXX", tmp ? tmp : "/tmp");
	return mkdtemp(dir) ? 0 : -1;
}

static void put(const char *name, const char *text)
{
	mem_auto char *path = mem_printf("%s/%s", dir, name);
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static int remove_dir(void **state)
{
	static const char *const names[] = { "branding.json", "layout.json", "page.html", "style.css", "logo.png" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		mem_auto char *path = mem_printf("%s/%s", dir, names[i]);
		unlink(path);
	}
	rmdir(dir);
	free(dir);
	return 0;
}

static struct template_dirs dirs_of(const char **list)
{
	list[0] = dir;
	return (struct template_dirs){ list, 1 };
}

static void brand_fails(const char *json, const char *want)
{
	const char *list[1];
	struct template_dirs t = dirs_of(list);
	struct document *d = sample_report();
	struct iow_error e = ERR_INIT;

	put("branding.json", json);
	assert_int_equal(template_brand(&t, d, false, false, &e), -1);
	if (!strstr(e.text, want))
		fail_msg("wanted \"%s\", got \"%s\"", want, e.text);
	document_free(d);
}

static void branding_is_applied(void **state)
{
	const char *list[1];
	struct template_dirs t = dirs_of(list);
	struct document *d = sample_report();
	struct iow_error e = ERR_INIT;

	put("logo.png", "\x89PNG\r\n\x1a\n and so on");
	put("branding.json", "{ \"issuer\": [\"House\", \"Street 1\", \"Town\"], \"accent\": \"#7a1f5c\", \"paper\": \"Letter\","
			     " \"logo\": \"logo.png\", \"logo_alt\": \"a house\" }");
	assert_int_equal(template_brand(&t, d, true, true, &e), 0);
	assert_string_equal(d->issuer[0], "Block Storage Group, Sample Institute");
	assert_int_equal(d->n_issuer, 3);
	assert_string_equal(d->issuer[2], "Town");
	assert_int_equal(d->paper, DOC_A4);
	assert_int_equal(d->logo_len, 18);
	assert_int_equal(template_brand(&t, d, false, false, &e), 0);
	assert_string_equal(d->issuer[0], "House");
	assert_int_equal(d->paper, DOC_LETTER);
	assert_string_equal(d->accent, "#7a1f5c");
	document_free(d);
}

static void branding_mistakes_name_their_place(void **state)
{
	brand_fails("{\n \"colour\": 1 }", "branding.json:2:12: /colour: there are issuer, logo");
	brand_fails("{ \"accent\": \"#ffff00\" }", "branding.json:1:13: /accent: accent #ffff00 is too pale");
	brand_fails("{ \"paper\": \"A5\" }", "/paper: there are A4 and Letter");
	brand_fails("{ \"issuer\": \"x\" }", "/issuer: a list of lines");
	brand_fails("{ \"logo\": \"../x.png\" }", "/logo: a file beside");
	brand_fails("{ \"logo\": \"branding.json\" }", "/logo: neither a PNG nor a JPEG");
	brand_fails("{ \"logo\": \"none.png\" }", "none.png");
	brand_fails("{", "branding.json:1:");
}

static void sections_are_ordered_and_left_out(void **state)
{
	const char *list[1];
	struct template_dirs t = dirs_of(list);
	struct document *d = sample_report();
	struct iow_error e = ERR_INIT;
	struct buf b = BUF_INIT;

	put("layout.json", "{ \"order\": [\"summary\", \"results\"], \"leave_out\": [\"gates\", \"comparisons\"] }");
	if (template_layout(&t, d, &e) < 0)
		fail_msg("%s", e.text);
	text_render(d, &(struct text_options){ 0 }, &b, &e);
	assert_non_null(strstr(b.data, "\n3  Results\n"));
	assert_non_null(strstr(b.data, "\n4  Attestation\n"));
	assert_non_null(strstr(b.data, "Validity gates\n-----------------\n\nLeft out by this site's layout"));
	assert_null(strstr(b.data, "Foreign load on the device"));
	assert_non_null(strstr(b.data, "beyond the 5% margin. [Evidence 7]"));
	buf_release(&b);
	document_free(d);

	d = sample_report();
	put("layout.json", "{ \"order\": [\"summary\",\n \"sumary\"] }");
	assert_int_equal(template_layout(&t, d, &e), -1);
	assert_non_null(strstr(e.text, "layout.json:2:2: /order/1: no section has this name"));
	document_free(d);
}

static void page_is_the_sites(void **state)
{
	const char *list[1];
	struct document *d = sample_report();
	struct iow_error e = ERR_INIT;
	struct buf b = BUF_INIT;
	struct html_options o = { list, 1 };

	dirs_of(list);
	put("style.css", "body { color: red }\n");
	put("page.html", "<title>{{title}}</title>{{#contents}}{{number}} {{/contents}}<style>{{{style}}}</style>\n");
	assert_int_equal(html_render(d, &o, &b, &e), 0);
	assert_memory_equal(b.data, "<title>Fabric volume against local volume</title>1 2 3 4 5 6 7 8 9 10 11 12 <style>body", 84);
	buf_clear(&b);
	put("page.html", "x\n{{#contents}}\n");
	assert_int_equal(html_render(d, &o, &b, &e), -1);
	assert_non_null(strstr(e.text, "page.html:2: {{#contents}} is not closed"));
	put("style.css", "</style>");
	assert_int_equal(html_render(d, &o, &b, &e), -1);
	buf_release(&b);
	document_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(branding_is_applied), T(branding_mistakes_name_their_place), T(sections_are_ordered_and_left_out),
		T(page_is_the_sites),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
