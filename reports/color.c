/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/color.h"

#include <math.h>
#include <string.h>

#include "base/err.h"

#define LEAST 4.5 /* contrast of text that WCAG 2.2 asks for */

static int hex(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

/* Relative luminance as WCAG 2.2 defines it. */
static double linear(double v)
{
	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double contrast_to_white(const double *v)
{
	return 1.05 / (0.2126 * linear(v[0]) + 0.7152 * linear(v[1]) + 0.0722 * linear(v[2]) + 0.05);
}

/* The lightest colour of the same hue that can be read, in 1/255 steps of its strongest part. */
static void darker(const double *v, int *out)
{
	for (int k = 255; k >= 0; k--) {
		double less[3];
		for (int i = 0; i < 3; i++) {
			out[i] = (int)(v[i] * k);
			less[i] = out[i] / 255.0;
		}
		if (contrast_to_white(less) >= LEAST)
			return;
	}
}

int color_parse(const char *s, struct color *out, struct iow_error *e)
{
	double v[3], contrast;
	int better[3];

	if (strlen(s) != 7 || s[0] != '#')
		return err_set(e, 0, "accent \"%.20s\": a colour is written #rrggbb", s);
	for (int i = 0; i < 3; i++) {
		int a = hex(s[1 + 2 * i]), b = hex(s[2 + 2 * i]);
		if (a < 0 || b < 0)
			return err_set(e, 0, "accent \"%.20s\": a colour is written #rrggbb", s);
		v[i] = (a * 16 + b) / 255.0;
	}
	contrast = contrast_to_white(v);
	if (contrast < LEAST) {
		darker(v, better);
		return err_set(e, 0, "accent %s is too pale: its contrast against white is %d.%d to 1, the least is 4.5; "
			       "#%02x%02x%02x would do", s, (int)contrast, (int)(10 * contrast) % 10, better[0], better[1],
			       better[2]);
	}
	*out = (struct color){ v[0], v[1], v[2] };
	return 0;
}
