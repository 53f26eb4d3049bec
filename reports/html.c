/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/html.h"

#include <string.h>

#include "base/digest.h"
#include "base/err.h"
#include "base/mem.h"
#include "reports/chart_draw.h"
#include "reports/color.h"
#include "reports/html_blocks.h"
#include "reports/html_escape.h"
#include "reports/template.h"
#include "reports/utf8.h"

static void base64(struct buf *out, const void *data, size_t n)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *p = data;

	for (size_t i = 0; i < n; i += 3) {
		unsigned a = p[i], b = i + 1 < n ? p[i + 1] : 0, c = i + 2 < n ? p[i + 2] : 0;
		buf_putc(out, digits[a >> 2]);
		buf_putc(out, digits[(a & 3) << 4 | b >> 4]);
		buf_putc(out, i + 1 < n ? digits[(b & 15) << 2 | c >> 6] : '=');
		buf_putc(out, i + 2 < n ? digits[c & 63] : '=');
	}
}

/* A CSS string; everything but letters, digits and a few marks goes as an escape. */
static void css_string(struct buf *out, const char *s)
{
	buf_putc(out, '"');
	while (*s) {
		uint32_t c = utf8_next(&s);
		if (c >= 0x80 || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || strchr(" .,:-", (int)c))
			utf8_put(out, c);
		else
			buf_printf(out, "\\%x ", (unsigned)c);
	}
	buf_putc(out, '"');
}

static void margin_box(struct buf *out, const char *where, const char *v_align, const char *words)
{
	buf_printf(out, "@%s{content:", where);
	css_string(out, words);
	buf_printf(out, ";font:8pt \"Liberation Sans\",Arial,sans-serif;color:#4d555e;vertical-align:%s;padding:5mm 0}\n",
		   v_align);
}

/* What depends on the document: figures, accent, paper, the printed page's margins. */
static int style_more(const struct document *d, struct buf *css, struct iow_error *e)
{
	const char *foot = d->footer ? d->footer : "";
	struct color c;

	chart_css(css);
	if (d->accent) {
		if (color_parse(d->accent, &c, e) < 0)
			return -1;
		buf_printf(css, ":root{--accent:%s;--band:color-mix(in srgb,var(--accent) 16%%,var(--paper));"
			   "--bar2:color-mix(in srgb,var(--accent) 30%%,var(--paper))}\n"
			   "@media screen and (prefers-color-scheme:dark){:root{--accent:color-mix(in srgb,%s 45%%,#fff);"
			   "--onaccent:#101418}}\n", d->accent, d->accent);
	}
	buf_printf(css, "@media print{@page{size:%s;\n", d->paper == DOC_LETTER ? "letter" : "A4");
	margin_box(css, "top-left", "bottom", d->report_id);
	margin_box(css, "top-right", "bottom", d->title);
	margin_box(css, "bottom-left", "top", foot);
	buf_puts(css, "@bottom-right{content:");
	css_string(css, d->words[DOC_W_PAGE]);
	buf_puts(css, " \" \" counter(page) \" \" ");
	css_string(css, d->words[DOC_W_OF]);
	buf_puts(css, " \" \" counter(pages);font:8pt \"Liberation Sans\",Arial,sans-serif;color:#4d555e;"
		      "vertical-align:top;padding:5mm 0}}\n"
		      "@page:first{@top-left{content:\"\"}@top-right{content:\"\"}}}\n");
	return 0;
}

/* The style sheet without comments and indents; strings in it hold neither. */
static void style_pack(struct buf *out, const char *css)
{
	while (*css) {
		if (css[0] == '/' && css[1] == '*') {
			const char *end = strstr(css + 2, "*/");
			css = end ? end + 2 : css + strlen(css);
		} else if (*css == '\n') {
			css += strspn(css, "\n\t ");
			if (out->len && out->data[out->len - 1] != '\n')
				buf_putc(out, '\n');
		} else {
			buf_putc(out, *css++);
		}
	}
}

static int style_put(const struct document *d, const struct html_options *o, struct buf *css, struct iow_error *e)
{
	struct buf raw = BUF_INIT;
	int rc = template_load(o->templates, o->n_templates, "style.css", &raw, e);

	if (rc == 0) {
		style_pack(css, buf_str(&raw));
		rc = style_more(d, css, e);
	}
	if (rc == 0 && strstr(buf_str(css), "</"))
		rc = err_set(e, 0, "style.css: \"</\" would end the style sheet");
	buf_release(&raw);
	return rc;
}

static void head_put(struct buf *out, const struct document *d, const struct buf *css)
{
	unsigned char hash[32];

	digest_data(css->data, css->len, hash);
	buf_puts(out, "<!DOCTYPE html>\n<html");
	html_attr(out, "lang", d->language);
	buf_puts(out, ">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\""
		      "default-src &#39;none&#39;; style-src &#39;sha256-");
	base64(out, hash, sizeof hash);
	buf_puts(out, "&#39;; img-src data:; base-uri &#39;none&#39;; form-action &#39;none&#39;\">\n"
		      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		      "<meta name=\"referrer\" content=\"no-referrer\">\n");
	if (d->generator) {
		buf_puts(out, "<meta name=\"generator\"");
		html_attr(out, "content", d->generator);
		buf_puts(out, ">\n");
	}
	buf_puts(out, "<title>");
	html_escape(out, d->title);
	buf_puts(out, " \u00b7 ");
	html_escape(out, d->report_id);
	buf_puts(out, "</title>\n<style>");
	buf_add(out, css->data, css->len);
	buf_puts(out, "</style>\n</head>\n");
}

static void logo_put(struct buf *out, const struct document *d)
{
	bool png = d->logo_len > 4 && memcmp(d->logo, "\x89PNG", 4) == 0;

	if (!d->logo)
		return;
	buf_printf(out, "<img alt=\"");
	html_escape(out, d->logo_alt ? d->logo_alt : "");
	buf_printf(out, "\" src=\"data:image/%s;base64,", png ? "png" : "jpeg");
	base64(out, d->logo, d->logo_len);
	buf_puts(out, "\">");
}

static void element(struct buf *out, const char *open, const char *text, const char *close)
{
	if (!text || !*text)
		return;
	buf_puts(out, open);
	html_escape(out, text);
	buf_puts(out, close);
}

static void cover_put(struct buf *out, const struct document *d)
{
	buf_puts(out, "<header class=\"cover\" id=\"cover\">\n<div class=\"issuer\"><div class=\"org\">");
	logo_put(out, d);
	buf_puts(out, "<div>");
	for (size_t i = 0; i < d->n_issuer; i++)
		element(out, i ? i > 1 ? "<br>" : "" : "<strong>", d->issuer[i], i ? "" : "</strong>");
	buf_puts(out, "</div></div><div class=\"id\"><strong>");
	html_escape(out, d->words[DOC_W_REPORT]);
	buf_putc(out, ' ');
	html_escape(out, d->report_id);
	element(out, "</strong>", d->revision ? d->revision : "\u00a0", "</div></div>\n");
	element(out, "<h1>", d->title, "</h1>\n");
	element(out, "<p class=\"for\">", d->subtitle, "</p>\n");
	if (d->n_facts)
		buf_puts(out, "<dl class=\"facts\">\n");
	for (size_t i = 0; i < d->n_facts; i++) {
		element(out, "<div><dt>", d->facts[i].label, "</dt>");
		element(out, d->facts[i].code ? "<dd><code>" : "<dd>", *d->facts[i].value ? d->facts[i].value : "\u2013",
			d->facts[i].code ? "</code></dd></div>\n" : "</dd></div>\n");
	}
	if (d->n_facts)
		buf_puts(out, "</dl>\n");
	if (d->footer || d->notice) {
		element(out, "<p class=\"only\">", d->footer ? d->footer : " ", "");
		element(out, " <span class=\"notice\">", d->notice, "</span>");
		buf_puts(out, "</p>\n");
	}
	buf_puts(out, "</header>\n");
}

static void toc_line(struct buf *out, const char *anchor, unsigned number, const char *title)
{
	buf_puts(out, "<li><a href=\"#");
	html_escape(out, anchor);
	buf_printf(out, "\"><span class=\"no\">%u</span> <span>", number);
	html_escape(out, title);
	buf_puts(out, "</span></a></li>\n");
}

static void toc_put(struct buf *out, const struct document *d)
{
	buf_puts(out, "<nav class=\"toc\"");
	html_attr(out, "aria-label", d->words[DOC_W_CONTENTS]);
	element(out, "><details><summary>", d->words[DOC_W_CONTENTS], "</summary>\n<ol>\n");
	if (d->first_section > 1)
		toc_line(out, "cover", d->first_section - 1, d->words[DOC_W_COVER]);
	for (size_t i = 0; i < d->n_blocks; i++) {
		const struct doc_block *b = d->blocks[i];
		mem_auto char *own = NULL;
		if (b->kind != DOC_B_SECTION)
			continue;
		own = mem_printf("section-%u", b->section.number);
		toc_line(out, b->anchor ? b->anchor : own, b->section.number, b->section.title);
	}
	buf_puts(out, "</ol></details></nav>\n");
}

static const char *first_anchor(const struct document *d)
{
	for (size_t i = 0; i < d->n_blocks; i++)
		if (d->blocks[i]->kind == DOC_B_SECTION && d->blocks[i]->anchor)
			return d->blocks[i]->anchor;
	return "cover";
}

int html_render(const struct document *d, const struct html_options *o, struct buf *out, struct iow_error *e)
{
	struct buf css = BUF_INIT;
	int rc = d->finished ? style_put(d, o, &css, e) : err_set(e, 0, "html: the document is not finished");

	if (rc == 0) {
		head_put(out, d, &css);
		buf_puts(out, "<body>\n<a class=\"skip\" href=\"#");
		html_escape(out, first_anchor(d));
		element(out, "\">", d->words[DOC_W_SKIP], "</a>\n<div class=\"page\">\n");
		cover_put(out, d);
		toc_put(out, d);
		buf_puts(out, "<main>\n");
		html_blocks(out, d);
		buf_puts(out, "</main>\n<footer class=\"end\">");
		html_escape(out, d->words[DOC_W_END]);
		buf_putc(out, ' ');
		html_escape(out, d->report_id);
		element(out, ". ", d->footer, "");
		buf_puts(out, "</footer>\n</div>\n</body>\n</html>\n");
	}
	buf_release(&css);
	return rc;
}
