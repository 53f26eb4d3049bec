/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/csv.h"

#include "base/num.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

void csv_text(struct buf *out, const char *s)
{
	bool formula = *s && strchr("=+-@\t\r", *s), quoted = formula || strpbrk(s, ",\"\n\r");

	if (quoted)
		buf_putc(out, '"');
	if (formula)
		buf_putc(out, '\'');
	for (; *s; s++) {
		if (*s == '"')
			buf_putc(out, '"');
		buf_putc(out, *s);
	}
	if (quoted)
		buf_putc(out, '"');
}

void csv_real(struct buf *out, double v)
{
	char s[40];

	buf_putc(out, ',');
	if (!isfinite(v))
		return;
	num_real12(v, s);
	buf_puts(out, s);
}
