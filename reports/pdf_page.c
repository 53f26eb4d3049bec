/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/pdf_page.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/vec.h"

void pdf_pages_release(struct pdf_pages *p)
{
	for (size_t i = 0; i < p->n; i++) {
		for (size_t k = 0; k < p->pages[i].n; k++) {
			struct pdf_op *o = &p->pages[i].ops[k];
			free(o->text);
			if (o->chart)
				drawing_release(o->chart);
			free(o->chart);
		}
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
	o->tag = kind == P_TEXT || kind == P_CHART || kind == P_IMAGE ? p->tag : 0;
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
