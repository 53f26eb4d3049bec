/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int fail(struct iow_error *e, int err, const char *fmt, ...)
{
	const char *words = err ? strerrordesc_np(err) : NULL;
	va_list ap;
	int n;

	if (!e)
		return -1;
	e->err = err;
	va_start(ap, fmt);
	n = vsnprintf(e->text, sizeof e->text, fmt, ap);
	va_end(ap);
	if (err && n >= 0 && (size_t)n < sizeof e->text)
		snprintf(e->text + n, sizeof e->text - (size_t)n, ": %s", words ? words : "unknown error");
	return -1;
}
