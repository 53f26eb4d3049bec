/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/pdf_lay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/vec.h"
#include "reports/color.h"
#include "reports/pdf_image.h"

struct emit {
	struct lay *l;
	HPDF_Doc pdf;
	struct color colors[INK_ON_ACCENT + 1];
	/* of the page being written: what is set already */
	HPDF_Page page;
	int fill, stroke, face;
	double width, size, spacing, height; /* height: of the page itself */
	bool in_text;
	/* the structure: the piece that is open (-1: none), those written so far */
	int tag, mcid;
	size_t page_no;
	struct pdf_written out;
};

static struct color gray_mix(struct color c, double share)
{
	return (struct color){ 1 - (1 - c.r) * share, 1 - (1 - c.g) * share, 1 - (1 - c.b) * share };
}

static int colors_make(struct emit *m, const char *accent, struct iow_error *e)
{
	static const char *const fixed[] = { "#f4f5f7", "#ffffff", "#15181c", "#4d555e", "#0b4f86", "#868f98",
		"#d8dce0", "#d9e6f1", "#b9d0e4", "#ffffff" };
	struct color c;

	for (int i = 0; i <= INK_ON_ACCENT; i++) {
		unsigned long v = strtoul(fixed[i] + 1, NULL, 16);
		m->colors[i] = (struct color){ (double)(v >> 16) / 255, (double)(v >> 8 & 255) / 255, (double)(v & 255) / 255 };
	}
	if (!accent)
		return 0;
	if (color_parse(accent, &c, e) < 0)
		return -1;
	m->colors[INK_ACCENT] = c;
	m->colors[INK_BAND] = gray_mix(c, 0.16);
	m->colors[INK_BAR2] = gray_mix(c, 0.3);
	return 0;
}

/* ---- state, set only where it changes ---- */

static void text_end(struct emit *m)
{
	if (m->in_text)
		HPDF_Page_EndText(m->page);
	m->in_text = false;
}

static void fill_set(struct emit *m, enum chart_ink ink)
{
	const struct color *c = &m->colors[ink];

	if (m->fill != (int)ink)
		HPDF_Page_SetRGBFill(m->page, (float)c->r, (float)c->g, (float)c->b);
	m->fill = (int)ink;
}

static void stroke_set(struct emit *m, enum chart_ink ink, double width)
{
	const struct color *c = &m->colors[ink];

	text_end(m);
	if (m->stroke != (int)ink)
		HPDF_Page_SetRGBStroke(m->page, (float)c->r, (float)c->g, (float)c->b);
	m->stroke = (int)ink;
	if (m->width != width)
		HPDF_Page_SetLineWidth(m->page, (float)width);
	m->width = width;
}

static float up(const struct emit *m, double y)
{
	return (float)(m->height - y);
}

/* libharu writes what is beyond its range as garbage, without an error. */
static bool is_near(const struct pdf_op *o)
{
	return fabs(o->x) < 30000 && fabs(o->y) < 30000 && fabs(o->w) < 30000 && fabs(o->h) < 30000;
}

/* ---- operations ---- */

static void text_put(struct emit *m, const struct pdf_op *o)
{
	HPDF_Font font = pdf_font(m->l->fonts, o->face);

	if (!*o->text || !font)
		return;
	fill_set(m, o->color);
	if (!m->in_text)
		HPDF_Page_BeginText(m->page);
	m->in_text = true;
	if (m->face != o->face || m->size != o->size)
		HPDF_Page_SetFontAndSize(m->page, font, (float)o->size);
	m->face = o->face;
	m->size = o->size;
	if (m->spacing != o->spacing)
		HPDF_Page_SetCharSpace(m->page, (float)o->spacing);
	m->spacing = o->spacing;
	HPDF_Page_TextOut(m->page, (float)o->x, up(m, o->y), o->text);
}

static void line_put(struct emit *m, const struct pdf_op *o, bool dots)
{
	static const HPDF_UINT16 dotted[] = { 1, 2 };

	stroke_set(m, o->color, o->width);
	if (dots)
		HPDF_Page_SetDash(m->page, dotted, 2, 0);
	HPDF_Page_MoveTo(m->page, (float)o->x, up(m, o->y));
	HPDF_Page_LineTo(m->page, (float)o->w, up(m, o->h));
	HPDF_Page_Stroke(m->page);
	if (dots)
		HPDF_Page_SetDash(m->page, NULL, 0, 0);
}

static void box_put(struct emit *m, const struct pdf_op *o)
{
	static const HPDF_UINT16 dash[] = { 2, 2 };

	if (o->kind == P_RECT) {
		text_end(m);
		fill_set(m, o->color);
	} else {
		stroke_set(m, o->color, o->width);
	}
	if (o->kind == P_DASHED)
		HPDF_Page_SetDash(m->page, dash, 2, 0);
	HPDF_Page_Rectangle(m->page, (float)o->x, up(m, o->y + o->h), (float)o->w, (float)o->h);
	if (o->kind == P_RECT)
		HPDF_Page_Fill(m->page);
	else
		HPDF_Page_Stroke(m->page);
	if (o->kind == P_DASHED)
		HPDF_Page_SetDash(m->page, NULL, 0, 0);
}

/* Slanting lines through a box, cut at its edges. */
static void hatch_put(struct emit *m, const struct pdf_op *o)
{
	stroke_set(m, o->color, 0.5);
	for (double c = 2; c < o->w + o->h; c += 2.2) {
		double x1 = fmax(0, c - o->h), x2 = fmin(o->w, c);
		HPDF_Page_MoveTo(m->page, (float)(o->x + x1), up(m, o->y + c - x1));
		HPDF_Page_LineTo(m->page, (float)(o->x + x2), up(m, o->y + c - x2));
	}
	HPDF_Page_Stroke(m->page);
}

static void shape_path(struct emit *m, const struct op *o)
{
	HPDF_Page p = m->page;

	switch (o->kind) {
	case OP_LINE:
		HPDF_Page_MoveTo(p, (float)o->x, (float)-o->y);
		HPDF_Page_LineTo(p, (float)o->w, (float)-o->h);
		break;
	case OP_RECT:
		HPDF_Page_Rectangle(p, (float)o->x, (float)-(o->y + o->h), (float)o->w, (float)o->h);
		break;
	case OP_CIRCLE:
		HPDF_Page_Circle(p, (float)o->x, (float)-o->y, (float)o->w);
		break;
	default:
		for (size_t i = 0; i < o->n_pts; i++)
			(i ? HPDF_Page_LineTo : HPDF_Page_MoveTo)(p, (float)o->pts[2 * i], (float)-o->pts[2 * i + 1]);
		break;
	}
}

static void shape_put(struct emit *m, const struct op *o)
{
	const struct chart_role_style *r = &chart_roles[o->role];
	HPDF_UINT16 dash[2] = { (HPDF_UINT16)r->dash[0], (HPDF_UINT16)r->dash[1] };

	if (o->kind == OP_TEXT)
		return;
	if (r->fill)
		fill_set(m, r->fill);
	if (r->stroke)
		stroke_set(m, r->stroke, r->width);
	if (r->dash[0])
		HPDF_Page_SetDash(m->page, dash, 2, 0);
	shape_path(m, o);
	if (r->fill && r->stroke)
		HPDF_Page_FillStroke(m->page);
	else if (r->fill)
		HPDF_Page_Fill(m->page);
	else
		HPDF_Page_Stroke(m->page);
	if (r->dash[0])
		HPDF_Page_SetDash(m->page, NULL, 0, 0);
}

/* In the chart's own units, so that dashes stay whole numbers. */
static void chart_put(struct emit *m, const struct pdf_op *o)
{
	text_end(m);
	HPDF_Page_GSave(m->page);
	HPDF_Page_Concat(m->page, (float)UNIT, 0, 0, (float)UNIT, (float)o->x, up(m, o->y));
	m->fill = m->stroke = -1;
	m->width = -1;
	for (size_t i = 0; i < o->chart->n; i++)
		shape_put(m, &o->chart->ops[i]);
	HPDF_Page_GRestore(m->page);
	m->fill = m->stroke = m->face = -1;
	m->width = m->size = -1;
	m->spacing = 0;
}

/* A block's place: of an anchor, of "#12" (a section without one), of "" (the cover). */
static HPDF_Destination place_of(struct emit *m, const char *anchor)
{
	const struct document *d = m->l->d;
	size_t block = *anchor == '#' ? strtoul(anchor + 1, NULL, 10) : document_place(d, anchor);
	struct spot s = { 1, 0 };
	HPDF_Destination to;
	float top;

	if (block < d->n_blocks)
		s = m->l->spots[block];
	to = HPDF_Page_CreateDestination(m->out.pages[s.page - 1]);
	top = HPDF_Page_GetHeight(m->out.pages[s.page - 1]);
	HPDF_Destination_SetXYZ(to, 0, top - (float)fmax(s.y - 8, 0), 0 + 1.0f);
	return to;
}

static void link_put(struct emit *m, const struct pdf_op *o)
{
	HPDF_Rect box = { (float)o->x, up(m, o->y + o->h), (float)(o->x + o->w), up(m, o->y) };
	HPDF_Annotation a;

	/* What runs off the page has no place to click at; libharu refuses such a box. */
	if (!(o->w > 0) || o->x < 0 || o->x + o->w > 2 * m->l->width || o->y < 0 || o->y > m->height)
		return;
	a = o->url ? HPDF_Page_CreateURILinkAnnot(m->page, box, o->text)
		   : HPDF_Page_CreateLinkAnnot(m->page, box, place_of(m, o->text));
	if (a)
		HPDF_LinkAnnot_SetBorderStyle(a, 0, 0, 0);
	if (a && o->tag)
		*VEC_ADD(m->out.links, m->out.n_links) = (struct pdf_linked){ o->tag, m->page_no, a };
}

static void image_put(struct emit *m, const struct pdf_op *o, HPDF_Image image)
{
	double w = image ? HPDF_Image_GetWidth(image) : 0, h = image ? HPDF_Image_GetHeight(image) : 0, scale;

	if (!(w > 0) || !(h > 0))
		return;
	text_end(m);
	scale = fmin(o->w / w, o->h / h);
	HPDF_Page_DrawImage(m->page, image, (float)o->x, up(m, o->y + h * scale), (float)(w * scale), (float)(h * scale));
}

static void tag_close(struct emit *m)
{
	text_end(m);
	if (m->tag >= 0)
		tag_end(m->page);
	m->tag = -1;
}

static void tag_switch(struct emit *m, int tag)
{
	if (m->tag == tag)
		return;
	tag_close(m);
	m->tag = tag;
	tag_begin(m->page, m->l->tags.v[tag].kind, tag ? m->mcid : -1);
	if (!tag)
		return;
	m->mcid++;
	*VEC_ADD(m->out.marks, m->out.n_marks) = (struct pdf_mark){ tag, m->page_no };
}

static void page_put(struct emit *m, const struct pdf_page *p, HPDF_Image logo)
{
	m->tag = -1;
	m->mcid = 0;
	for (size_t i = 0; i < p->n; i++) {
		const struct pdf_op *o = &p->ops[i];
		if (!is_near(o))
			continue;
		if (o->kind != P_LINK)
			tag_switch(m, o->tag);
		switch (o->kind) {
		case P_TEXT: text_put(m, o); break;
		case P_LINE: line_put(m, o, false); break;
		case P_DOTS: line_put(m, o, true); break;
		case P_RECT:
		case P_FRAME:
		case P_DASHED: box_put(m, o); break;
		case P_HATCH: hatch_put(m, o); break;
		case P_CHART: chart_put(m, o); break;
		case P_LINK: link_put(m, o); break;
		case P_IMAGE: image_put(m, o, logo); break;
		}
	}
	tag_close(m);
}

/* ---- bookmarks ---- */

static void outline_put(struct emit *m)
{
	const struct document *d = m->l->d;
	HPDF_Encoder utf8 = HPDF_GetEncoder(m->pdf, "UTF-8");
	HPDF_Outline section = NULL, o;

	for (size_t i = 0; i < d->n_blocks; i++) {
		const struct doc_block *b = d->blocks[i];
		bool sub = b->kind == DOC_B_SUBHEAD && b->subhead.level == 2 && section;
		mem_auto char *number = NULL, *title = NULL, *own = mem_printf("#%zu", i);
		if (b->kind != DOC_B_SECTION && !sub)
			continue;
		number = document_number(b);
		title = mem_printf("%s%s%s", number, *number ? " " : "", sub ? b->subhead.title : b->section.title);
		o = HPDF_CreateOutline(m->pdf, sub ? section : NULL, title, utf8);
		HPDF_Outline_SetDestination(o, place_of(m, own));
		HPDF_Outline_SetOpened(o, HPDF_FALSE);
		if (!sub)
			section = o;
	}
}

static void pages_number(struct lay *l)
{
	struct pdf_style st = { F_SANS, 8, 10, INK_SECOND, false };
	size_t n = l->out.n;

	for (size_t i = 0; i < n; i++) {
		mem_auto char *words = mem_printf("%s %zu %s %zu", l->d->words[DOC_W_PAGE], i + 1, l->d->words[DOC_W_OF], n);
		l->out.n = i + 1; /* the page that str_draw() writes on */
		lay_page(l)->tag = 0;
		lay_paper(l, lay_page(l)->turned);
		str_draw(l, words, &st, l->left + l->col, l->height - 32, 0, DOC_RIGHT);
	}
	l->out.n = n;
}

int pdf_emit(struct lay *l, HPDF_Doc pdf, struct iow_error *e)
{
	struct emit m = {
		.l = l,
		.pdf = pdf,
		.out = { .pages = mem_array(l->out.n + 1, sizeof *m.out.pages), .n_pages = l->out.n },
	};
	HPDF_Image logo = NULL;
	int rc = colors_make(&m, l->d->accent, e);

	if (rc == 0 && l->d->logo)
		rc = pdf_image_load(pdf, l->d->logo, l->d->logo_len, &logo, e);
	if (rc == 0) {
		pages_number(l);
		HPDF_SetPagesConfiguration(pdf, 64);
		for (size_t i = 0; i < l->out.n; i++) {
			m.out.pages[i] = HPDF_AddPage(pdf);
			lay_paper(l, l->out.pages[i].turned);
			HPDF_Page_SetWidth(m.out.pages[i], (float)l->width);
			HPDF_Page_SetHeight(m.out.pages[i], (float)l->height);
		}
		for (size_t i = 0; i < l->out.n && HPDF_GetError(pdf) == HPDF_OK; i++) {
			m.page = m.out.pages[i];
			m.page_no = i;
			m.height = HPDF_Page_GetHeight(m.page);
			m.fill = m.stroke = m.face = -1;
			m.width = m.size = -1;
			m.spacing = 0;
			page_put(&m, &l->out.pages[i], logo);
		}
		outline_put(&m);
		tags_emit(&l->tags, pdf, &m.out);
	}
	free(m.out.pages);
	free(m.out.marks);
	free(m.out.links);
	return rc;
}
