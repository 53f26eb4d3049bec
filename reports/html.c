/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/html.h"

#include <string.h>

#include "base/digest.h"
#include "base/err.h"
#include "base/mem.h"
#include "reports/chart_draw.h"
#include "reports/color.h"
#include "reports/html_blocks.h"
#include "reports/mustache.h"
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

static int style_put(const struct document *d, const struct template_dirs *t, struct buf *css, struct iow_error *e)
{
	struct buf raw = BUF_INIT;
	int rc = template_load(t, "style.css", &raw, NULL, e);

	if (rc == 0) {
		style_pack(css, buf_str(&raw));
		rc = style_more(d, css, e);
	}
	if (rc == 0 && strstr(buf_str(css), "</"))
		rc = err_set(e, 0, "style.css: \"</\" would end the style sheet");
	buf_release(&raw);
	return rc;
}

/* ---- what page.html may use ---- */

static void set(json_t *o, const char *key, const char *v)
{
	json_object_set_new(o, key, json_string_nocheck(v ? v : ""));
}

static void set_len(json_t *o, const char *key, const struct buf *b)
{
	json_object_set_new(o, key, json_stringn_nocheck(buf_str(b), b->len));
}

static void policy_set(json_t *o, const struct buf *css)
{
	struct buf b = BUF_INIT;
	unsigned char hash[32];

	digest_data(css->data, css->len, hash);
	buf_puts(&b, "default-src 'none'; style-src 'sha256-");
	base64(&b, hash, sizeof hash);
	buf_puts(&b, "'; img-src data:; base-uri 'none'; form-action 'none'");
	set_len(o, "policy", &b);
	buf_release(&b);
}

static json_t *logo_new(const struct document *d)
{
	json_t *o;
	struct buf b = BUF_INIT;

	if (!d->logo)
		return json_null();
	buf_printf(&b, "data:image/%s;base64,", d->logo_len > 4 && memcmp(d->logo, "\x89PNG", 4) == 0 ? "png" : "jpeg");
	base64(&b, d->logo, d->logo_len);
	o = json_object();
	set_len(o, "src", &b);
	set(o, "alt", d->logo_alt);
	buf_release(&b);
	return o;
}

static json_t *issuer_new(const struct document *d)
{
	json_t *list = json_array();

	for (size_t i = 0; i < d->n_issuer; i++) {
		json_t *o = json_object();
		set(o, "line", d->issuer[i]);
		json_object_set_new(o, "first", json_boolean(i == 0));
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *facts_new(const struct document *d)
{
	json_t *list = json_array();

	for (size_t i = 0; i < d->n_facts; i++) {
		json_t *o = json_object();
		set(o, "label", d->facts[i].label);
		set(o, "value", d->facts[i].value);
		json_object_set_new(o, "code", json_boolean(d->facts[i].code));
		json_array_append_new(list, o);
	}
	return list;
}

static void contents_add(json_t *list, const char *anchor, unsigned number, const char *title)
{
	json_t *o = json_object();

	set(o, "anchor", anchor);
	json_object_set_new(o, "number", json_integer(number));
	set(o, "title", title);
	json_array_append_new(list, o);
}

static json_t *contents_new(const struct document *d)
{
	json_t *list = json_array();

	if (d->first_section > 1)
		contents_add(list, "cover", d->first_section - 1, d->words[DOC_W_COVER]);
	for (size_t i = 0; i < d->n_blocks; i++) {
		const struct doc_block *b = d->blocks[i];
		mem_auto char *own = NULL;
		if (b->kind != DOC_B_SECTION)
			continue;
		own = mem_printf("section-%u", b->section.number);
		contents_add(list, b->anchor ? b->anchor : own, b->section.number, b->section.title);
	}
	return list;
}

static json_t *words_new(const struct document *d)
{
	json_t *o = json_object();

	set(o, "contents", d->words[DOC_W_CONTENTS]);
	set(o, "report", d->words[DOC_W_REPORT]);
	set(o, "skip", d->words[DOC_W_SKIP]);
	set(o, "end", d->words[DOC_W_END]);
	return o;
}

static const char *first_anchor(const struct document *d)
{
	for (size_t i = 0; i < d->n_blocks; i++)
		if (d->blocks[i]->kind == DOC_B_SECTION && d->blocks[i]->anchor)
			return d->blocks[i]->anchor;
	return "cover";
}

static json_t *page_values(const struct document *d, const struct buf *css)
{
	json_t *o = json_object();
	struct buf body = BUF_INIT;

	set(o, "language", d->language);
	set(o, "title", d->title);
	set(o, "report_id", d->report_id);
	set(o, "revision", d->revision);
	set(o, "subtitle", d->subtitle);
	set(o, "notice", d->notice);
	set(o, "footer", d->footer);
	set(o, "generator", d->generator);
	set(o, "start", first_anchor(d));
	set_len(o, "style", css);
	policy_set(o, css);
	json_object_set_new(o, "logo", logo_new(d));
	json_object_set_new(o, "issuer", issuer_new(d));
	json_object_set_new(o, "has_facts", json_boolean(d->n_facts > 0));
	json_object_set_new(o, "facts", facts_new(d));
	json_object_set_new(o, "contents", contents_new(d));
	json_object_set_new(o, "words", words_new(d));
	html_blocks(&body, d);
	set_len(o, "main", &body);
	buf_release(&body);
	return o;
}

static bool partial(void *data, const char *name, struct buf *out)
{
	mem_auto char *file = mem_printf("%s.html", name);

	return !strchr(name, '/') && template_load(data, file, out, NULL, NULL) == 0;
}

int html_render(const struct document *d, const struct html_options *o, struct buf *out, struct iow_error *e)
{
	struct template_dirs dirs = { o->templates, o->n_templates };
	struct buf css = BUF_INIT, page = BUF_INIT;
	mem_auto char *path = NULL;
	int rc = d->finished ? style_put(d, &dirs, &css, e) : err_set(e, 0, "html: the document is not finished");

	if (rc == 0)
		rc = template_load(&dirs, "page.html", &page, &path, e);
	if (rc == 0) {
		json_t *values = page_values(d, &css);
		rc = mustache_render(path, buf_str(&page), values, partial, &dirs, out, e);
		json_decref(values);
	}
	buf_release(&css);
	buf_release(&page);
	return rc;
}
