/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/utf8.h"

#include <stdbool.h>

uint32_t utf8_next(const char **s)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = (const unsigned char *)*s;
	int n = p[0] < 0x80 ? 1 : p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : p[0] >= 0xc2 ? 2 : 0;
	uint32_t c;

	*s += 1;
	if (n == 1)
		return p[0];
	if (n == 0 || p[0] > 0xf4)
		return 0xfffd;
	c = p[0] & (0x7fu >> n);
	for (int i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0xfffd;
		c = c << 6 | (p[i] & 0x3f);
	}
	if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0xfffd;
	*s += n - 1;
	return c;
}

void utf8_put(struct buf *b, uint32_t c)
{
	if (c < 0x80) {
		buf_putc(b, (char)c);
	} else if (c < 0x800) {
		buf_putc(b, (char)(0xc0 | c >> 6));
		buf_putc(b, (char)(0x80 | (c & 0x3f)));
	} else if (c < 0x10000) {
		buf_putc(b, (char)(0xe0 | c >> 12));
		buf_putc(b, (char)(0x80 | (c >> 6 & 0x3f)));
		buf_putc(b, (char)(0x80 | (c & 0x3f)));
	} else {
		buf_putc(b, (char)(0xf0 | c >> 18));
		buf_putc(b, (char)(0x80 | (c >> 12 & 0x3f)));
		buf_putc(b, (char)(0x80 | (c >> 6 & 0x3f)));
		buf_putc(b, (char)(0x80 | (c & 0x3f)));
	}
}

static bool is_in(uint32_t c, const uint32_t (*ranges)[2], unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (c >= ranges[i][0] && c <= ranges[i][1])
			return true;
	return false;
}

int utf8_columns(uint32_t c)
{
	static const uint32_t none[][2] = { { 0x300, 0x36f }, { 0x483, 0x489 }, { 0x591, 0x5bd },
		{ 0x610, 0x61a }, { 0x64b, 0x65f }, { 0x200b, 0x200f }, { 0x20d0, 0x20f0 },
		{ 0xfe00, 0xfe0f }, { 0xfe20, 0xfe2f } };
	static const uint32_t wide[][2] = { { 0x1100, 0x115f }, { 0x2e80, 0x303e }, { 0x3041, 0xa4cf },
		{ 0xac00, 0xd7a3 }, { 0xf900, 0xfaff }, { 0xfe30, 0xfe6f }, { 0xff00, 0xff60 },
		{ 0xffe0, 0xffe6 }, { 0x1f300, 0x1f64f }, { 0x1f680, 0x1f6ff }, { 0x1f900, 0x1faff },
		{ 0x20000, 0x3fffd } };

	if (c < 0x300)
		return 1;
	if (is_in(c, none, sizeof none / sizeof *none))
		return 0;
	return is_in(c, wide, sizeof wide / sizeof *wide) ? 2 : 1;
}

int utf8_width(const char *s)
{
	int w = 0;

	while (*s)
		w += utf8_columns(utf8_next(&s));
	return w;
}
