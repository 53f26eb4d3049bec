/* SPDX-License-Identifier: Apache-2.0 */
#include "base/jsonx.h"
#include "base/num.h"

#include <string.h>

/* What needs no escape goes out in one piece: most of a large file is names. */
static void write_string(struct buf *b, const char *s, size_t n)
{
	size_t from = 0;

	buf_putc(b, '"');
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c >= 0x20 && c != 0x7f && c != '"' && c != '\\')
			continue;
		buf_add(b, s + from, i - from);
		from = i + 1;
		if (c == '"' || c == '\\')
			buf_putc(b, '\\'), buf_putc(b, (char)c);
		else if (c == '\n')
			buf_puts(b, "\\n");
		else if (c == '\t')
			buf_puts(b, "\\t");
		else
			buf_printf(b, "\\u%04x", c);
	}
	buf_add(b, s + from, n - from);
	buf_putc(b, '"');
}

static void write_integer(struct buf *b, int64_t x)
{
	char text[24], *p = text + sizeof text;
	uint64_t left = x < 0 ? -(uint64_t)x : (uint64_t)x;

	do
		*--p = (char)('0' + left % 10);
	while (left /= 10);
	if (x < 0)
		*--p = '-';
	buf_add(b, p, (size_t)(text + sizeof text - p));
}

static void write_real(struct buf *b, double x)
{
	char text[32];

	num_real12(x, text);
	buf_puts(b, text);
	/* Stays a real when read again. */
	if (!strpbrk(text, ".e"))
		buf_puts(b, ".0");
}

static bool all_scalars(const json_t *a)
{
	size_t i;
	json_t *v;

	json_array_foreach(a, i, v)
		if (json_is_object(v) || json_is_array(v))
			return false;
	return true;
}

static void newline(struct buf *b, int indent, int level)
{
	static const char spaces[16] = "                ";

	if (!indent)
		return;
	buf_putc(b, '\n');
	for (int left = indent * level, n; left > 0; left -= n)
		buf_add(b, spaces, (size_t)(n = left < (int)sizeof spaces ? left : (int)sizeof spaces));
}

static void write_value(struct buf *b, const json_t *v, int indent, int level);

static void write_array(struct buf *b, const json_t *v, int indent, int level)
{
	bool flat = all_scalars(v);
	size_t i;
	json_t *item;

	buf_putc(b, '[');
	json_array_foreach(v, i, item) {
		if (i)
			buf_puts(b, indent && flat ? ", " : ",");
		if (!flat)
			newline(b, indent, level + 1);
		write_value(b, item, indent, level + 1);
	}
	if (!flat)
		newline(b, indent, level);
	buf_putc(b, ']');
}

static void write_object(struct buf *b, const json_t *v, int indent, int level)
{
	void *it = json_object_iter((json_t *)v);
	bool any = it;

	buf_putc(b, '{');
	for (bool first = true; it; first = false) {
		const char *key = json_object_iter_key(it);

		if (!first)
			buf_putc(b, ',');
		newline(b, indent, level + 1);
		write_string(b, key, strlen(key));
		buf_puts(b, indent ? ": " : ":");
		write_value(b, json_object_iter_value(it), indent, level + 1);
		it = json_object_iter_next((json_t *)v, it);
	}
	if (any)
		newline(b, indent, level);
	buf_putc(b, '}');
}

static void write_value(struct buf *b, const json_t *v, int indent, int level)
{
	switch (json_typeof(v)) {
	case JSON_OBJECT:
		write_object(b, v, indent, level);
		break;
	case JSON_ARRAY:
		write_array(b, v, indent, level);
		break;
	case JSON_STRING:
		write_string(b, json_string_value(v), json_string_length(v));
		break;
	case JSON_INTEGER:
		write_integer(b, json_integer_value(v));
		break;
	case JSON_REAL:
		write_real(b, json_real_value(v));
		break;
	case JSON_TRUE:
		buf_puts(b, "true");
		break;
	case JSON_FALSE:
		buf_puts(b, "false");
		break;
	case JSON_NULL:
		buf_puts(b, "null");
		break;
	}
}

void jsonx_write(struct buf *b, const json_t *v, int indent)
{
	write_value(b, v, indent, 0);
}
