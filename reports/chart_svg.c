/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/chart_draw.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "reports/html_escape.h"

/* One decimal is a tenth of a pixel: enough, and the same on every machine. */
static void num_put(struct buf *b, double v)
{
	char s[40];
	size_t n;

	num_fixed(v, 1, s);
	n = strlen(s);
	if (n > 2 && strcmp(s + n - 2, ".0") == 0)
		s[n - 2] = 0;
	buf_puts(b, s);
}

static void attr(struct buf *b, const char *name, double v)
{
	buf_printf(b, " %s=\"", name);
	num_put(b, v);
	buf_putc(b, '"');
}

static void path_put(struct buf *b, const struct op *o, const char *name)
{
	buf_printf(b, "<path class=\"%s\" d=\"", name);
	for (size_t i = 0; i < o->n_pts; i++) {
		buf_putc(b, i ? 'L' : 'M');
		num_put(b, o->pts[2 * i]);
		buf_putc(b, ' ');
		num_put(b, o->pts[2 * i + 1]);
	}
	buf_puts(b, o->kind == OP_SHAPE ? "Z\"/>" : "\"/>");
}

static void text_put(struct buf *b, const struct op *o, const char *name)
{
	static const char *const anchors[] = { "", " text-anchor=\"middle\"", " text-anchor=\"end\"" };

	buf_printf(b, "<text class=\"%s%s\"", name, o->halo ? " halo\" paint-order=\"stroke" : "");
	attr(b, "x", o->x);
	attr(b, "y", o->y);
	buf_puts(b, anchors[o->anchor]);
	buf_putc(b, '>');
	if (o->full) {
		buf_puts(b, "<title>");
		html_escape(b, o->full);
		buf_puts(b, "</title>");
	}
	html_escape(b, o->text);
	buf_puts(b, "</text>");
}

static void op_put(struct buf *b, const struct op *o)
{
	const char *name = chart_roles[o->role].name;

	switch (o->kind) {
	case OP_LINE:
		buf_printf(b, "<line class=\"%s\"", name);
		attr(b, "x1", o->x);
		attr(b, "y1", o->y);
		attr(b, "x2", o->w);
		attr(b, "y2", o->h);
		buf_puts(b, "/>");
		break;
	case OP_RECT:
		buf_printf(b, "<rect class=\"%s\"", name);
		attr(b, "x", o->x);
		attr(b, "y", o->y);
		attr(b, "width", o->w);
		attr(b, "height", o->h);
		buf_puts(b, "/>");
		break;
	case OP_CIRCLE:
		buf_printf(b, "<circle class=\"%s\"", name);
		attr(b, "cx", o->x);
		attr(b, "cy", o->y);
		attr(b, "r", o->w);
		buf_puts(b, "/>");
		break;
	case OP_PATH:
	case OP_SHAPE:
		path_put(b, o, name);
		break;
	case OP_TEXT:
		text_put(b, o, name);
		break;
	}
}

void chart_svg(const struct drawing *d, const char *css_class, const char *label, struct buf *out)
{
	buf_printf(out, "<svg class=\"%s\" viewBox=\"0 0 ", css_class);
	num_put(out, d->w);
	buf_putc(out, ' ');
	num_put(out, ceil(d->h));
	buf_putc(out, '"');
	attr(out, "width", d->w);
	attr(out, "height", ceil(d->h));
	if (label) {
		buf_puts(out, " role=\"img\" aria-label=\"");
		html_escape(out, label);
		buf_puts(out, "\">");
	} else {
		buf_puts(out, " aria-hidden=\"true\">");
	}
	for (size_t i = 0; i < d->n; i++)
		op_put(out, &d->ops[i]);
	buf_puts(out, "</svg>\n");
}

void chart_css(struct buf *out)
{
	static const char *const inks[] = { "none", "var(--paper)", "var(--ink)", "var(--ink2)", "var(--accent)",
		"var(--run)", "var(--hair)", "var(--band)", "var(--bar2)", "var(--onaccent)" };

	for (int i = 0; i < R_MAX; i++) {
		const struct chart_role_style *s = &chart_roles[i];
		buf_printf(out, ".%s{fill:%s", s->name, inks[s->fill]);
		if (s->stroke) {
			buf_printf(out, ";stroke:%s;stroke-width:", inks[s->stroke]);
			num_put(out, s->width);
		}
		if (s->dash[0])
			buf_printf(out, ";stroke-dasharray:%d %d", s->dash[0], s->dash[1]);
		if (s->size > 0) {
			buf_puts(out, ";font-size:");
			num_put(out, s->size);
			buf_puts(out, s->bold ? "px;font-weight:700" : "px");
		}
		buf_puts(out, "}\n");
	}
}
