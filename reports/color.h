/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_COLOR_H
#define IOW_REPORTS_COLOR_H

#include <iowitness/driver.h>

struct color {
	double r, g, b; /* 0 to 1, sRGB */
};

/* "#0b4f86". An accent carries white words and links on white paper: one with a contrast below 4.5 to
 * 1 against white (WCAG 2.2, 1.4.3) is refused, and the error names the lightest of its hue that is not. */
int color_parse(const char *s, struct color *out, struct iow_error *e);

#endif
