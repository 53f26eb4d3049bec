/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/html_blocks.h"

#include "base/mem.h"
#include "base/vec.h"
#include "reports/chart_draw.h"
#include "reports/html_escape.h"
#include "reports/table.h"

void html_attr(struct buf *out, const char *name, const char *v)
{
	if (!v)
		return;
	buf_printf(out, " %s=\"", name);
	html_escape(out, v);
	buf_putc(out, '"');
}

static const struct { unsigned bit; const char *open, *close; } marks[] = {
	{ DOC_STRUCK, "<del>", "</del>" },
	{ DOC_MUTED, "<span class=\"muted\">", "</span>" },
	{ DOC_SMALL, "<small>", "</small>" },
	{ DOC_FAIL, "<span class=\"fail\">", "</span>" },
	{ DOC_WARN, "<span class=\"warn\">", "</span>" },
	{ DOC_STRONG, "<strong>", "</strong>" },
	{ DOC_EM, "<em>", "</em>" },
	{ DOC_CODE, "<code>", "</code>" },
	{ DOC_SUP, "<sup>", "</sup>" },
};

static void run_put(struct buf *out, const struct doc_run *r)
{
	bool link = r->kind != DOC_RUN_TEXT;
	const char *words = r->text;

	/* A small addition is a box of its own, which would swallow its first blank. */
	if (r->marks & DOC_SMALL && *words == ' ') {
		buf_putc(out, ' ');
		words++;
	}
	if (link) {
		buf_puts(out, r->kind == DOC_RUN_URL ? "<a rel=\"noreferrer\" href=\"" : "<a href=\"#");
		html_escape(out, r->target);
		buf_puts(out, "\">");
	}
	for (size_t i = 0; i < ARRAY_LEN(marks); i++)
		if (r->marks & marks[i].bit)
			buf_puts(out, marks[i].open);
	html_words(out, words);
	for (size_t i = ARRAY_LEN(marks); i-- > 0;)
		if (r->marks & marks[i].bit)
			buf_puts(out, marks[i].close);
	if (link)
		buf_puts(out, "</a>");
}

void html_text(struct buf *out, const struct doc_text *t)
{
	for (size_t i = 0; i < t->n; i++)
		run_put(out, &t->runs[i]);
}

void html_tag(struct buf *out, enum doc_tag tag, const char *word)
{
	static const char *const names[] = { "none", "decided", "equivalent", "open", "void", "fail", "met" };

	buf_printf(out, "<span class=\"tag tag-%s\">", names[tag]);
	html_escape(out, word);
	buf_puts(out, "</span>");
}

static void section_open(struct buf *out, const struct doc_block *b)
{
	mem_auto char *own = mem_printf("section-%u", b->section.number);

	buf_printf(out, "<section%s", b->section.summary ? " class=\"summary\"" : "");
	html_attr(out, "id", b->anchor ? b->anchor : own);
	buf_printf(out, " aria-labelledby=\"h%u\">\n<h2 id=\"h%u\"><span class=\"no\">%u</span> ", b->section.number,
		   b->section.number, b->section.number);
	html_escape(out, b->section.title);
	buf_puts(out, "</h2>\n");
}

static void subhead_put(struct buf *out, const struct doc_block *b)
{
	int level = b->subhead.level + 1;

	buf_printf(out, "<h%d", level);
	html_attr(out, "id", b->anchor);
	buf_putc(out, '>');
	if (b->subhead.number)
		buf_printf(out, "%u.%u ", b->subhead.section, b->subhead.number);
	html_escape(out, b->subhead.title);
	buf_printf(out, "</h%d>\n", level);
}

static void para_put(struct buf *out, const struct doc_block *b)
{
	buf_printf(out, "<p class=\"%s\"", b->kind == DOC_B_NOTE ? "note" : "prose");
	html_attr(out, "id", b->anchor);
	buf_putc(out, '>');
	html_text(out, &b->para);
	buf_puts(out, "</p>\n");
}

static void def_put(struct buf *out, const struct doc_block *b)
{
	const struct doc_def *f = &b->def;

	buf_printf(out, "<dt%s", f->opinion ? " class=\"opinion\"" : "");
	html_attr(out, "id", b->anchor);
	buf_putc(out, '>');
	html_escape(out, f->label);
	buf_puts(out, "</dt><dd>");
	if (f->text.n) {
		buf_puts(out, "<p>");
		html_text(out, &f->text);
		buf_puts(out, "</p>");
	}
	if (f->code) {
		buf_puts(out, "<pre>");
		html_escape(out, f->code);
		buf_puts(out, "</pre>");
	}
	buf_puts(out, "</dd>\n");
}

static void finding_put(struct buf *out, const struct document *d, const struct doc_block *b)
{
	const struct doc_finding *f = &b->finding;
	mem_auto char *evidence = document_evidence(d, f);

	buf_printf(out, "<li class=\"finding%s%s%s\"", f->lead ? " lead" : "", f->tag == DOC_TAG_OPEN ? " open" : "",
		   f->tag == DOC_TAG_VOID ? " void" : "");
	html_attr(out, "id", b->anchor);
	buf_puts(out, "><div class=\"key\"><span class=\"big\">");
	html_escape(out, f->key);
	if (f->key_note) {
		buf_puts(out, " <small>");
		html_escape(out, f->key_note);
		buf_puts(out, "</small>");
	}
	buf_puts(out, "</span> ");
	if (f->word)
		html_tag(out, f->tag, f->word);
	buf_puts(out, "</div><div><p class=\"say\">");
	html_text(out, &f->say);
	if (evidence) {
		buf_puts(out, " <a class=\"ev\" href=\"#");
		html_escape(out, f->evidence);
		buf_puts(out, "\">\u2192 ");
		html_escape(out, evidence);
		buf_puts(out, "</a>");
	}
	buf_puts(out, "</p>");
	if (f->caveat.n) {
		buf_puts(out, "<p class=\"caveat\"><strong>");
		html_escape(out, d->words[DOC_W_CAVEAT]);
		buf_puts(out, "</strong> ");
		html_text(out, &f->caveat);
		buf_puts(out, "</p>");
	}
	buf_puts(out, "</div></li>\n");
}

static void figure_put(struct buf *out, const struct document *d, const struct doc_block *b)
{
	const struct doc_figure *f = &b->figure;
	mem_auto char *name = table_name(d, b), *plain = doc_text_plain(&f->caption);
	const char *alt = f->alt && *f->alt ? f->alt : plain;
	struct drawing wide, narrow;

	chart_layout(f->chart, false, &wide);
	chart_layout(f->chart, true, &narrow);
	buf_puts(out, "<figure class=\"fig\"");
	html_attr(out, "id", b->anchor);
	buf_puts(out, ">\n<figcaption class=\"cap\"><span class=\"n\">");
	html_escape(out, name);
	buf_puts(out, "</span> ");
	html_text(out, &f->caption);
	buf_puts(out, "</figcaption>\n");
	chart_svg(&wide, "w", alt, out);
	chart_svg(&narrow, "n", alt, out);
	if (f->note.n) {
		buf_puts(out, "<p class=\"note\">");
		html_text(out, &f->note);
		buf_puts(out, "</p>\n");
	}
	buf_puts(out, "</figure>\n");
	drawing_release(&wide);
	drawing_release(&narrow);
}

static void list_put(struct buf *out, const struct doc_block *b)
{
	const char *tag = b->list.ordered ? "ol" : "ul";

	buf_printf(out, "<%s class=\"items\"", tag);
	html_attr(out, "id", b->anchor);
	buf_puts(out, ">\n");
	for (size_t i = 0; i < b->list.n; i++) {
		buf_puts(out, "<li>");
		html_text(out, &b->list.items[i]);
		buf_puts(out, "</li>\n");
	}
	buf_printf(out, "</%s>\n", tag);
}

static void callout_put(struct buf *out, const struct doc_block *b)
{
	buf_puts(out, "<p class=\"callout\"");
	html_attr(out, "id", b->anchor);
	buf_puts(out, "><strong>");
	html_escape(out, b->callout.label);
	buf_puts(out, "</strong> ");
	html_text(out, &b->callout.text);
	buf_puts(out, "</p>\n");
}

static void block_put(struct buf *out, const struct document *d, const struct doc_block *b)
{
	switch (b->kind) {
	case DOC_B_SECTION: section_open(out, b); break;
	case DOC_B_SUBHEAD: subhead_put(out, b); break;
	case DOC_B_PARA:
	case DOC_B_NOTE: para_put(out, b); break;
	case DOC_B_DEF: def_put(out, b); break;
	case DOC_B_FINDING: finding_put(out, d, b); break;
	case DOC_B_TABLE: html_table(out, d, b); break;
	case DOC_B_FIGURE: figure_put(out, d, b); break;
	case DOC_B_CALLOUT: callout_put(out, b); break;
	case DOC_B_LIST: list_put(out, b); break;
	case DOC_B_CODE:
		buf_puts(out, "<pre>");
		html_escape(out, b->code);
		buf_puts(out, "</pre>\n");
		break;
	}
}

/* Findings and definitions that follow each other share one list. */
void html_blocks(struct buf *out, const struct document *d)
{
	const char *close = NULL;
	bool section = false;

	for (size_t i = 0; i < d->n_blocks; i++) {
		const struct doc_block *b = d->blocks[i];
		bool first = !i || b->kind != d->blocks[i - 1]->kind || (b->kind == DOC_B_DEF && b->def.first);
		if (close && first) {
			buf_puts(out, close);
			close = NULL;
		}
		if (b->kind == DOC_B_SECTION && section)
			buf_puts(out, "</section>\n");
		section |= b->kind == DOC_B_SECTION;
		if (first && b->kind == DOC_B_FINDING) {
			buf_puts(out, "<ul class=\"findings\">\n");
			close = "</ul>\n";
		} else if (first && b->kind == DOC_B_DEF) {
			buf_puts(out, "<dl class=\"defs\">\n");
			close = "</dl>\n";
		}
		block_put(out, d, b);
	}
	buf_puts(out, close ? close : "");
	buf_puts(out, section ? "</section>\n" : "");
}
