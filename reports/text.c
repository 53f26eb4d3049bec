/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/text.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "reports/table.h"
#include "reports/text_table.h"
#include "reports/utf8.h"

#define INDENT 4
#define LABEL 20

struct text {
	const struct document *d;
	struct buf *out;
	int width;
	bool color;
};

char *text_words(const struct doc_text *t)
{
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < t->n; i++) {
		const struct doc_run *r = &t->runs[i];
		bool letter = strlen(r->text) == 1 && r->text[0] >= 'a' && r->text[0] <= 'z';
		if (r->marks & DOC_SUP)
			buf_puts(&b, letter ? "[" : "^");
		buf_puts(&b, r->text);
		if (r->marks & DOC_SUP && letter)
			buf_putc(&b, ']');
	}
	buf_putc(&b, 0);
	return buf_take(&b);
}

static void spaces(struct buf *out, int n)
{
	for (int i = 0; i < n; i++)
		buf_putc(out, ' ');
}

void text_wrap(struct buf *out, const char *s, int at, int indent, int width)
{
	bool first = true;

	while (*(s += strspn(s, " "))) {
		size_t n = strcspn(s, " ");
		mem_auto char *word = mem_strndup(s, n);
		int w = utf8_width(word);
		if (!first && at + 1 + w > width) {
			buf_putc(out, '\n');
			spaces(out, indent);
			at = indent;
			first = true;
		}
		if (!first)
			buf_putc(out, ' ');
		buf_add(out, s, n);
		at += w + !first;
		first = false;
		s += n;
	}
	buf_putc(out, '\n');
}

static void style_on(const struct text *x, const char *code)
{
	if (x->color)
		buf_printf(x->out, "\x1b[%sm", code);
}

static void style_off(const struct text *x)
{
	if (x->color)
		buf_puts(x->out, "\x1b[0m");
}

static void wrapped(const struct text *x, const struct doc_text *t, int at, int indent)
{
	mem_auto char *s = text_words(t);

	text_wrap(x->out, s, at, indent, x->width);
}

static void paragraph(const struct text *x, const struct doc_text *t, int indent)
{
	spaces(x->out, indent);
	wrapped(x, t, indent, indent);
}

static void heading(const struct text *x, const char *number, const char *title, char under)
{
	mem_auto char *line = mem_printf("%s%s%s", number, *number ? "  " : "", title);

	buf_putc(x->out, '\n');
	style_on(x, "1");
	buf_puts(x->out, line);
	style_off(x);
	buf_putc(x->out, '\n');
	for (int i = 0; under && i < utf8_width(line) && i < x->width; i++)
		buf_putc(x->out, under);
	buf_puts(x->out, under ? "\n\n" : "\n");
}

static void cover(const struct text *x)
{
	const struct document *d = x->d;

	for (size_t i = 0; i < d->n_issuer; i++)
		buf_printf(x->out, "%s\n", d->issuer[i]);
	buf_printf(x->out, "%s %s%s%s\n", d->words[DOC_W_REPORT], d->report_id, d->revision ? ", " : "",
		   d->revision ? d->revision : "");
	heading(x, "", d->title, '=');
	if (d->subtitle)
		text_wrap(x->out, d->subtitle, 0, 0, x->width);
	for (size_t i = 0; i < d->n_facts; i++) {
		int w = utf8_width(d->facts[i].label);
		buf_puts(x->out, d->facts[i].label);
		spaces(x->out, w < LABEL ? LABEL - w : 1);
		text_wrap(x->out, d->facts[i].value, w < LABEL ? LABEL : w + 1, LABEL, x->width);
	}
	if (d->notice)
		buf_printf(x->out, "%s\n", d->notice);
	if (d->footer)
		text_wrap(x->out, d->footer, 0, 0, x->width);
}

static void lines_indented(struct buf *out, const char *s, int indent)
{
	while (*s) {
		size_t n = strcspn(s, "\n");
		spaces(out, indent);
		buf_add(out, s, n);
		buf_putc(out, '\n');
		s += n + (s[n] == '\n');
	}
}

static void definition(const struct text *x, const struct doc_def *f)
{
	int w = utf8_width(f->label);

	if (f->first)
		buf_putc(x->out, '\n');
	style_on(x, "1");
	buf_puts(x->out, f->label);
	style_off(x);
	if (f->text.n) {
		spaces(x->out, w < LABEL ? LABEL - w : 1);
		wrapped(x, &f->text, w < LABEL ? LABEL : w + 1, LABEL);
	} else {
		buf_putc(x->out, '\n');
	}
	if (f->code)
		lines_indented(x->out, f->code, LABEL);
}

static void finding(const struct text *x, const struct doc_finding *f)
{
	mem_auto char *evidence = document_evidence(x->d, f);
	struct doc_text say = { 0 };

	style_on(x, f->tag == DOC_TAG_FAIL ? "1;7" : "1");
	buf_puts(x->out, f->word ? f->word : "");
	style_off(x);
	buf_printf(x->out, "%s%s%s%s\n", f->word ? "  " : "", f->key, f->key_note ? " " : "", f->key_note ? f->key_note : "");
	doc_text_copy(&say, &f->say);
	if (evidence)
		doc_add(&say, " [%s]", evidence);
	paragraph(x, &say, INDENT);
	doc_text_release(&say);
	if (f->caveat.n) {
		doc_add(&say, "%s: ", x->d->words[DOC_W_CAVEAT]);
		doc_text_copy(&say, &f->caveat);
		paragraph(x, &say, INDENT);
		doc_text_release(&say);
	}
	buf_putc(x->out, '\n');
}

static void captioned(const struct text *x, const struct doc_block *b, const struct doc_text *caption)
{
	mem_auto char *name = table_name(x->d, b), *words = text_words(caption);
	mem_auto char *line = mem_printf("%s  %s", name, words);

	buf_putc(x->out, '\n');
	style_on(x, "1");
	text_wrap(x->out, line, 0, 0, x->width);
	style_off(x);
}

static void table(const struct text *x, const struct doc_block *b)
{
	const struct doc_table *t = &b->table;

	captioned(x, b, &t->caption);
	if (table_too_long(t)) {
		mem_auto char *both = mem_printf("%zu %s %s.", t->n_rows, x->d->words[DOC_W_ROWS], x->d->words[DOC_W_NOT_SHOWN]);

		text_wrap(x->out, both, 0, 0, x->width);
		buf_putc(x->out, '\n');
		return;
	}
	text_table(x->out, t, x->width);
	if (t->note.n)
		paragraph(x, &t->note, 0);
	for (size_t i = 0; i < t->n_footnotes; i++) {
		buf_printf(x->out, "[%c] ", i < 26 ? (char)('a' + i) : '*');
		text_wrap(x->out, t->footnotes[i], 4, 4, x->width);
	}
	buf_putc(x->out, '\n');
}

static void figure(const struct text *x, const struct doc_block *b)
{
	const struct doc_figure *f = &b->figure;

	captioned(x, b, &f->caption);
	if (doc_figure_alt_adds(f))
		text_wrap(x->out, f->alt, 0, 0, x->width);
	if (f->note.n)
		paragraph(x, &f->note, 0);
	buf_putc(x->out, '\n');
}

static void list(const struct text *x, const struct doc_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		mem_auto char *mark = l->ordered ? mem_printf("%zu.", i + 1) : mem_strdup("-");
		buf_printf(x->out, "  %s ", mark);
		wrapped(x, &l->items[i], 3 + (int)strlen(mark), INDENT);
	}
	buf_putc(x->out, '\n');
}

static void block(const struct text *x, const struct doc_block *b)
{
	mem_auto char *number = document_number(b);

	switch (b->kind) {
	case DOC_B_SECTION: heading(x, number, b->section.title, '-'); break;
	case DOC_B_SUBHEAD: heading(x, number, b->subhead.title, 0); break;
	case DOC_B_PARA:
	case DOC_B_NOTE:
		paragraph(x, &b->para, 0);
		buf_putc(x->out, '\n');
		break;
	case DOC_B_DEF: definition(x, &b->def); break;
	case DOC_B_FINDING: finding(x, &b->finding); break;
	case DOC_B_TABLE: table(x, b); break;
	case DOC_B_FIGURE: figure(x, b); break;
	case DOC_B_CALLOUT:
		buf_printf(x->out, "%s: ", b->callout.label);
		wrapped(x, &b->callout.text, utf8_width(b->callout.label) + 2, INDENT);
		buf_putc(x->out, '\n');
		break;
	case DOC_B_LIST: list(x, &b->list); break;
	case DOC_B_CODE:
		lines_indented(x->out, b->code, INDENT);
		buf_putc(x->out, '\n');
		break;
	}
}

/* A terminal or a mail has no use for the typographer's spaces, nor for two empty lines. */
static void plain_spaces(struct buf *b, size_t from)
{
	char *to = b->data + from;

	for (const char *p = b->data + from; *p;) {
		const char *next = p;
		uint32_t c = utf8_next(&next);
		if (c == '\n' && to - b->data >= 2 && to[-1] == '\n' && to[-2] == '\n') {
			p = next;
			continue;
		}
		if (c == 0xa0 || c == 0x2007 || c == 0x2008 || c == 0x2009 || c == 0x202f) {
			*to++ = ' ';
		} else {
			memmove(to, p, (size_t)(next - p));
			to += next - p;
		}
		p = next;
	}
	*to = 0;
	b->len = (size_t)(to - b->data);
}

int text_render(const struct document *d, const struct text_options *o, struct buf *out, struct iow_error *e)
{
	struct text x = { .d = d, .out = out, .width = o->width > 0 ? o->width : 100, .color = o->color };
	size_t from = out->len;

	if (!d->finished)
		return err_set(e, 0, "text: the document is not finished");
	cover(&x);
	for (size_t i = 0; i < d->n_blocks; i++) {
		bool ends_list = i && d->blocks[i - 1]->kind == DOC_B_DEF && d->blocks[i]->kind != DOC_B_DEF;
		if (ends_list)
			buf_putc(out, '\n');
		block(&x, d->blocks[i]);
	}
	buf_printf(out, "\n%s %s\n", d->words[DOC_W_END], d->report_id);
	plain_spaces(out, from);
	return 0;
}
