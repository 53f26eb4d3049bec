/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"
#include "base/buf.h"

#include <stdint.h>
#include <string.h>

#define ELLIPSIS "\xe2\x80\xa6"
#define REPLACEMENT "\xef\xbf\xbd"

size_t utf8_sequence(const char *s, size_t n)
{
	const unsigned char *p = (const unsigned char *)s;
	uint32_t c, least;
	size_t len;

	if (n == 0)
		return 0;
	if (p[0] < 0x80)
		return 1;
	if (p[0] >= 0xc2 && p[0] <= 0xdf)
		len = 2, c = p[0] & 0x1f, least = 0x80;
	else if ((p[0] & 0xf0) == 0xe0)
		len = 3, c = p[0] & 0x0f, least = 0x800;
	else if (p[0] >= 0xf0 && p[0] <= 0xf4)
		len = 4, c = p[0] & 0x07, least = 0x10000;
	else
		return 0;
	if (len > n)
		return 0;
	for (size_t i = 1; i < len; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 0x3f);
	}
	return c < least || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff) ? 0 : len;
}

/* Length of the longest prefix of whole characters that has at most n bytes. */
static size_t prefix(const char *s, size_t n)
{
	while (n && ((unsigned char)s[n] & 0xc0) == 0x80)
		n--;
	return n;
}

char *utf8_clean(const char *s, size_t max)
{
	struct buf b = BUF_INIT;
	size_t left = s ? strlen(s) : 0;

	while (left) {
		size_t n = utf8_sequence(s, left);

		if (n == 0)
			buf_puts(&b, REPLACEMENT);
		else if (n == 1 && ((unsigned char)*s < 0x20 || *s == 0x7f))
			buf_putc(&b, ' ');
		else
			buf_add(&b, s, n);
		n = n ? n : 1;
		s += n;
		left -= n;
	}
	if (max && b.len > max) {
		b.len = max > 3 ? prefix(b.data, max - 3) : 0;
		b.data[b.len] = 0;
		if (max >= 3)
			buf_puts(&b, ELLIPSIS);
	}
	return buf_take(&b);
}
