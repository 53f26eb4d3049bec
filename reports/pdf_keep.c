/* SPDX-License-Identifier: Apache-2.0 */
/* What must stay together on a page, and how high it is. */
#include "reports/pdf_lay.h"

#include <math.h>

#include "reports/table.h"

double lay_text_least(struct lay *l, const struct doc_text *t, const struct pdf_style *st, double w)
{
	struct flow f;
	double h;

	flow_init(l, &f, t, st, w);
	h = (double)(f.n_lines < 4 ? f.n_lines : 3) * st->lead;
	flow_release(&f);
	return h;
}

static double caption_height(struct lay *l, const struct doc_text *t)
{
	struct flow f;
	double h;

	flow_init(l, &f, t, &st_caption, COL - 60);
	h = flow_height(&f) + 5;
	flow_release(&f);
	return h;
}

double lay_figure_height(struct lay *l, const struct doc_figure *f)
{
	struct drawing d;
	double h;

	chart_layout(f->chart, false, &d);
	h = d.h * UNIT + caption_height(l, &f->caption) + 4;
	drawing_release(&d);
	return h + (f->note.n ? lay_text_least(l, &f->note, &st_small, COL - 30) : 0);
}

static double heading_height(const struct doc_block *b)
{
	return b->kind == DOC_B_SECTION ? 18 + 12 : b->subhead.level == 2 ? 13 + 9 : 12 + 7;
}

static double def_height(struct lay *l, const struct doc_def *def)
{
	struct flow f;
	double h, label;

	flow_init_str(l, &f, def->label, &st_label, TEXT_X - 12);
	label = flow_height(&f);
	flow_release(&f);
	flow_init(l, &f, &def->text, &st_body, TEXT_W);
	h = def->text.n ? flow_height(&f) : 0;
	flow_release(&f);
	for (const char *p = def->code; p && *p; p++)
		h += *p == '\n' ? st_code.lead : 0;
	return fmax(h + (def->code ? st_code.lead + 14 : 0), label) + 4.5;
}

/* A diagnosis stays in one piece when it is short. */
double lay_group_height(struct lay *l, size_t i)
{
	double h = 0;

	for (size_t k = i; k < l->d->n_blocks && l->d->blocks[k]->kind == DOC_B_DEF; k++) {
		if (k > i && l->d->blocks[k]->def.first)
			break;
		h += def_height(l, &l->d->blocks[k]->def);
	}
	return h < (l->bottom - MARGIN_TOP) / 3 ? h : 0;
}

double lay_figure_gap(const struct lay *l)
{
	return l->tight ? 10 : 17;
}

/* Asked from above the gap, as what stands before the table does. */
static double table_least(struct lay *l, size_t i)
{
	double h;

	l->y += TABLE_GAP;
	h = lay_table_least(l, i);
	l->y -= TABLE_GAP;
	return h;
}

/* h, and what must stay with it. A table asks how much of the page is left where it will stand: a short one
 * moves as a whole, and would leave its heading behind. */
static double least_after(struct lay *l, double h, size_t i)
{
	double all;

	l->y += h;
	all = h + lay_block_least(l, i);
	l->y -= h;
	return all;
}

/* The height that must stay on the page with what stands before block i, its gap included. */
double lay_block_least(struct lay *l, size_t i)
{
	const struct doc_block *b = i < l->d->n_blocks ? l->d->blocks[i] : NULL;
	double least;

	if (!b)
		return 0;
	switch (b->kind) {
	case DOC_B_SECTION:
	case DOC_B_SUBHEAD:
		return least_after(l, heading_height(b), i + 1);
	case DOC_B_PARA:
		/* A line or two that open a section do not stay behind alone; all of a section may. */
		least = lay_text_least(l, &b->para, &st_body, TEXT_W);
		if (i && least < 2.5 * st_body.lead && i + 1 < l->d->n_blocks &&
		    l->d->blocks[i + 1]->kind != DOC_B_SECTION &&
		    (l->d->blocks[i - 1]->kind == DOC_B_SECTION || l->d->blocks[i - 1]->kind == DOC_B_SUBHEAD))
			least = least_after(l, least + 16, i + 1);
		return least;
	case DOC_B_NOTE: return lay_text_least(l, &b->para, &st_small, COL - 30);
	case DOC_B_DEF:
		return fmax(lay_text_least(l, &b->def.text, &st_body, TEXT_W), b->def.first ? lay_group_height(l, i) : 0);
	case DOC_B_CALLOUT: return lay_text_least(l, &b->callout.text, &st_body, TEXT_W - 10);
	case DOC_B_LIST: return b->list.n ? lay_text_least(l, &b->list.items[0], &st_body, TEXT_W - 14) : 0;
	case DOC_B_TABLE: return TABLE_GAP + table_least(l, i);
	case DOC_B_FIGURE: return lay_figure_gap(l) + lay_figure_height(l, &b->figure);
	case DOC_B_FINDING: return lay_finding_height(l, &b->finding);
	case DOC_B_CODE: return 3 * st_code.lead;
	default: return 0;
	}
}
