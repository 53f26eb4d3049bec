/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *err_name(int err)
{
	const char *s = strerrordesc_np(err);

	return s ? s : "unknown error";
}

static void set_text(struct iow_error *e, const char *fmt, va_list ap)
{
	/* A temporary, since an argument may be the old text itself. */
	char text[sizeof e->text];

	vsnprintf(text, sizeof text, fmt, ap);
	memcpy(e->text, text, sizeof text);
}

int err_set(struct iow_error *e, int err, const char *fmt, ...)
{
	va_list ap;

	if (!e)
		return -1;
	e->err = err;
	va_start(ap, fmt);
	set_text(e, fmt, ap);
	va_end(ap);
	return -1;
}

int err_sys(struct iow_error *e, int err, const char *fmt, ...)
{
	va_list ap;
	size_t n;

	if (!e)
		return -1;
	e->err = err;
	va_start(ap, fmt);
	set_text(e, fmt, ap);
	va_end(ap);
	n = strlen(e->text);
	snprintf(e->text + n, sizeof e->text - n, ": %s", err_name(err));
	return -1;
}

int err_in(struct iow_error *e, const char *fmt, ...)
{
	char head[512], old[sizeof e->text];
	va_list ap;

	if (!e)
		return -1;
	va_start(ap, fmt);
	vsnprintf(head, sizeof head, fmt, ap);
	va_end(ap);
	memcpy(old, e->text, sizeof old);
	snprintf(e->text, sizeof e->text, "%s: %.*s", head, (int)(sizeof old - strlen(head) - 3), old);
	return -1;
}
