/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/html_escape.h"

#include <stdbool.h>
#include <string.h>

#include "reports/utf8.h"

#define LONG_WORD 20

void html_escape(struct buf *out, const char *s)
{
	static const char special[] = "&<>\"'";
	static const char *const refs[] = { "&amp;", "&lt;", "&gt;", "&quot;", "&#39;" };

	while (*s) {
		size_t n = strcspn(s, special);
		buf_add(out, s, n);
		s += n;
		if (*s)
			buf_puts(out, refs[strchr(special, *s++) - special]);
	}
}

static bool is_right_to_left(uint32_t c)
{
	return (c >= 0x590 && c <= 0x8ff) || (c >= 0xfb1d && c <= 0xfdff) || (c >= 0xfe70 && c <= 0xfefc) ||
	       (c >= 0x10800 && c <= 0x10fff) || (c >= 0x1e800 && c <= 0x1efff);
}

/* Between two right-to-left words: part of what they say. */
static bool is_between(uint32_t c)
{
	return c < 0x80 && strchr(" 0123456789.,:-/", (int)c);
}

/* The end of the phrase that begins at `s` with a right-to-left character. */
static const char *phrase_end(const char *s)
{
	const char *end = s;

	while (*s) {
		uint32_t c = utf8_next(&s);
		if (is_right_to_left(c))
			end = s;
		else if (!is_between(c))
			break;
	}
	return end;
}

static void piece(struct buf *out, const char *s, const char *end)
{
	struct buf b = BUF_INIT;

	buf_add(&b, s, (size_t)(end - s));
	html_escape(out, buf_str(&b));
	buf_release(&b);
}

/* One word or one blank of left-to-right text; gives its end. */
static const char *word(struct buf *out, const char *s)
{
	const char *at = s, *end = s;
	int n = 0;

	while (*at && *end != ' ') {
		if (is_right_to_left(utf8_next(&at)))
			break;
		end = at;
		n++;
	}
	if (end == s)
		end = s + 1;
	if (n > LONG_WORD)
		buf_puts(out, "<span class=\"lw\">");
	piece(out, s, end);
	if (n > LONG_WORD)
		buf_puts(out, "</span>");
	return end;
}

void html_words(struct buf *out, const char *s)
{
	while (*s) {
		const char *at = s;
		if (!is_right_to_left(utf8_next(&at))) {
			s = word(out, s);
			continue;
		}
		at = phrase_end(s);
		buf_puts(out, "<bdi class=\"lw\">");
		piece(out, s, at);
		buf_puts(out, "</bdi>");
		s = at;
	}
}
