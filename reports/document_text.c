/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/document.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "reports/utf8.h"

/* Characters that would be invisible or turn the text around: an attacker's, not a reader's. */
static bool is_hidden(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c || c == 0x180e ||
	       (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xfff9 && c <= 0xfffb) ||
	       (c & 0xfffe) == 0xfffe || (c >= 0xfdd0 && c <= 0xfdef) || (c >= 0xe0000 && c <= 0xe0fff);
}

static void clean_lines(struct buf *b, uint32_t c, size_t *column)
{
	if (c == '\n') {
		buf_putc(b, '\n');
		*column = 0;
		return;
	}
	do
		buf_putc(b, ' ');
	while (++*column % 8);
}

static void clean_into(struct buf *b, const char *s, bool keep_lines)
{
	uint32_t last = 0;
	size_t column = 0;

	while (*s) {
		uint32_t c = utf8_next(&s);
		if (c == '\r' && *s == '\n')
			continue;
		if (keep_lines && (c == '\n' || c == '\t')) {
			clean_lines(b, c, &column);
			continue;
		}
		if (c == '\n' || c == '\t')
			buf_putc(b, ' ');
		else if (is_hidden(c) && !(c == 0x200d && last >= 0x2190)) /* joins emoji */
			buf_printf(b, "[U+%04X]", (unsigned)c);
		else
			utf8_put(b, c);
		last = c;
		column++;
	}
}

char *doc_clean(const char *s, bool keep_lines)
{
	struct buf b = BUF_INIT;

	clean_into(&b, s ? s : "", keep_lines);
	buf_putc(&b, 0);
	return buf_take(&b);
}

static struct doc_run *run_add(struct doc_text *t, enum doc_run_kind kind, unsigned marks,
			       const char *target, const char *text)
{
	struct doc_run *r = t->n ? &t->runs[t->n - 1] : NULL;
	mem_auto char *clean = doc_clean(text, false);

	if (r && kind == DOC_RUN_TEXT && r->kind == kind && r->marks == marks) {
		size_t a = strlen(r->text), n = strlen(clean);
		r->text = mem_resize(r->text, a + n + 1, 1);
		memcpy(r->text + a, clean, n + 1);
		return r;
	}
	r = VEC_ADD(t->runs, t->n);
	r->kind = kind;
	r->marks = marks;
	r->target = mem_strdup(target);
	r->text = mem_strdup(clean);
	return r;
}

static bool is_web_address(const char *url)
{
	static const char *const schemes[] = { "https://", "http://", "mailto:" };

	for (size_t i = 0; i < ARRAY_LEN(schemes); i++)
		if (strncmp(url, schemes[i], strlen(schemes[i])) == 0)
			return true;
	return false;
}

/* What RFC 3986 does not allow in an address goes as %XX. */
static char *address(const char *url)
{
	struct buf b = BUF_INIT;

	for (const unsigned char *p = (const unsigned char *)url; *p; p++)
		if (*p <= ' ' || *p >= 0x7f || strchr("\"<>\\^`{|}[]", *p))
			buf_printf(&b, "%%%02X", *p);
		else
			buf_putc(&b, (char)*p);
	buf_putc(&b, 0);
	return buf_take(&b);
}

static void url_add(struct doc_text *t, unsigned marks, const char *url, const char *text)
{
	mem_auto char *clean = address(url);

	run_add(t, is_web_address(clean) ? DOC_RUN_URL : DOC_RUN_TEXT, marks,
		is_web_address(clean) ? clean : NULL, text);
}

static void link_add(struct doc_text *t, unsigned marks, const char *anchor, const char *text)
{
	mem_auto char *a = document_anchor(anchor);

	run_add(t, *text ? DOC_RUN_LINK : DOC_RUN_REF, marks, a, text);
}

#define FORMAT(text, fmt)                                                                                  \
	struct buf text = BUF_INIT;                                                                        \
	do {                                                                                               \
		va_list ap;                                                                                \
		va_start(ap, fmt);                                                                         \
		if (fmt)                                                                                   \
			buf_vprintf(&text, fmt, ap);                                                       \
		va_end(ap);                                                                                \
	} while (0)

void doc_add(struct doc_text *t, const char *fmt, ...)
{
	FORMAT(s, fmt);
	if (s.len)
		run_add(t, DOC_RUN_TEXT, 0, NULL, buf_str(&s));
	buf_release(&s);
}

void doc_mark(struct doc_text *t, unsigned marks, const char *fmt, ...)
{
	FORMAT(s, fmt);
	if (s.len)
		run_add(t, DOC_RUN_TEXT, marks, NULL, buf_str(&s));
	buf_release(&s);
}

void doc_link(struct doc_text *t, const char *anchor, const char *fmt, ...)
{
	FORMAT(s, fmt);
	link_add(t, 0, anchor, buf_str(&s));
	buf_release(&s);
}

void doc_url(struct doc_text *t, const char *url, const char *fmt, ...)
{
	FORMAT(s, fmt);
	url_add(t, 0, url, s.len ? buf_str(&s) : url);
	buf_release(&s);
}

void doc_ref(struct doc_text *t, const char *anchor)
{
	link_add(t, 0, anchor, "");
}

void doc_ref_page(struct doc_text *t, const char *anchor)
{
	link_add(t, 0, anchor, "");
	t->runs[t->n - 1].page = true;
}

/* ---- templates ---- */

struct fill {
	struct doc_text *t;
	const char **pairs;
	size_t n_pairs;
	struct buf pending;
	unsigned marks;
};

static const char *fill_value(const struct fill *f, const char *name, size_t n)
{
	for (size_t i = 0; i + 1 < f->n_pairs; i += 2)
		if (strlen(f->pairs[i]) == n && memcmp(f->pairs[i], name, n) == 0)
			return f->pairs[i + 1];
	return NULL;
}

static void fill_flush(struct fill *f)
{
	if (f->pending.len)
		run_add(f->t, DOC_RUN_TEXT, f->marks, NULL, buf_str(&f->pending));
	buf_clear(&f->pending);
}

/* "{name}" at *s: its value into `out`; false when it is none. */
static bool fill_name(const struct fill *f, const char **s, struct buf *out)
{
	const char *end = **s == '{' ? strchr(*s, '}') : NULL;
	const char *v = end ? fill_value(f, *s + 1, (size_t)(end - *s - 1)) : NULL;

	if (!v)
		return false;
	buf_puts(out, v);
	*s = end + 1;
	return true;
}

/* Literal text up to `stop`, with names filled in. */
static void fill_until(const struct fill *f, const char **s, char stop, struct buf *out)
{
	while (**s && **s != stop)
		if (!fill_name(f, s, out))
			buf_putc(out, *(*s)++);
	if (**s)
		(*s)++;
}

static bool fill_link(struct fill *f, const char **s)
{
	const char *mid = strstr(*s, "](");
	struct buf words = BUF_INIT, to = BUF_INIT;

	if (!mid || !strchr(mid, ')'))
		return false;
	fill_flush(f);
	*s += 1;
	fill_until(f, s, ']', &words);
	*s += 1;
	fill_until(f, s, ')', &to);
	if (*buf_str(&to) == '#')
		link_add(f->t, f->marks, buf_str(&to) + 1, buf_str(&words));
	else
		url_add(f->t, f->marks, buf_str(&to), words.len ? buf_str(&words) : buf_str(&to));
	buf_release(&words);
	buf_release(&to);
	return true;
}

static bool fill_mark(struct fill *f, const char **s)
{
	static const struct { const char *mark; unsigned bit; } marks[] = {
		{ "**", DOC_STRONG }, { "*", DOC_EM }, { "`", DOC_CODE }, { "^", DOC_SUP },
	};

	for (size_t i = 0; i < ARRAY_LEN(marks); i++) {
		size_t n = strlen(marks[i].mark);
		if (strncmp(*s, marks[i].mark, n) != 0)
			continue;
		fill_flush(f);
		f->marks ^= marks[i].bit;
		*s += n;
		return true;
	}
	return false;
}

static void fill_run(struct fill *f, const char *s)
{
	while (*s) {
		if (*s == '\\' && s[1] && strchr("\\*`^[{", s[1])) {
			buf_putc(&f->pending, s[1]);
			s += 2;
		} else if (!fill_name(f, &s, &f->pending) && !fill_mark(f, &s) &&
			   !(*s == '[' && fill_link(f, &s))) {
			buf_putc(&f->pending, *s++);
		}
	}
	fill_flush(f);
}

void doc_fill(struct doc_text *t, const char *tmpl, ...)
{
	struct fill f = { .t = t };
	const char *p;
	va_list ap;

	va_start(ap, tmpl);
	while ((p = va_arg(ap, const char *)) != NULL)
		*VEC_ADD(f.pairs, f.n_pairs) = p;
	va_end(ap);
	fill_run(&f, tmpl);
	buf_release(&f.pending);
	free(f.pairs);
}

void doc_text_copy(struct doc_text *t, const struct doc_text *src)
{
	for (size_t i = 0; i < src->n; i++) {
		const struct doc_run *r = &src->runs[i];
		run_add(t, r->kind, r->marks, r->target, r->text)->page = r->page;
	}
}

char *doc_text_plain(const struct doc_text *t)
{
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < t->n; i++)
		buf_puts(&b, t->runs[i].text);
	buf_putc(&b, 0);
	return buf_take(&b);
}

void doc_text_release(struct doc_text *t)
{
	for (size_t i = 0; i < t->n; i++) {
		free(t->runs[i].text);
		free(t->runs[i].target);
	}
	free(t->runs);
	t->runs = NULL;
	t->n = 0;
}
