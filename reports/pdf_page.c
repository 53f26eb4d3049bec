/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/pdf_page.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/vec.h"

static void ops_free(struct pdf_page *p, size_t from)
{
	for (size_t k = from; k < p->n; k++) {
		free(p->ops[k].text);
		if (p->ops[k].chart)
			drawing_release(p->ops[k].chart);
		free(p->ops[k].chart);
	}
	p->n = from;
}

void pdf_pages_cut(struct pdf_pages *p, size_t n, size_t ops)
{
	for (size_t i = n; i < p->n; i++) {
		ops_free(&p->pages[i], 0);
		free(p->pages[i].ops);
	}
	p->n = n;
	ops_free(&p->pages[n - 1], ops);
}

void pdf_pages_release(struct pdf_pages *p)
{
	for (size_t i = 0; i < p->n; i++) {
		ops_free(&p->pages[i], 0);
		free(p->pages[i].ops);
	}
	free(p->pages);
	*p = (struct pdf_pages){ 0 };
}

struct pdf_op *pdf_op_add(struct pdf_page *p, int kind, enum chart_ink color, double x, double y, double w, double h)
{
	struct pdf_op *o = VEC_ADD(p->ops, p->n);

	o->kind = kind;
	o->color = color;
	o->x = x;
	o->y = y;
	o->w = w;
	o->h = h;
	/* Rules, frames and washes mean nothing to a reader who listens. */
	o->tag = kind == P_TEXT || kind == P_CHART || kind == P_IMAGE || kind == P_LINK ? p->tag : 0;
	return o;
}

void pdf_text_add(struct pdf_page *p, int face, double size, enum chart_ink color, double x, double y,
		  const char *text)
{
	struct pdf_op *o = pdf_op_add(p, P_TEXT, color, x, y, 0, 0);

	o->face = face;
	o->size = size;
	o->text = mem_strdup(text);
}
