/* SPDX-License-Identifier: Apache-2.0 */
#include "base/mem.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void mem_fail(void)
{
	static const char line[] = "iowitness: out of memory; what was measured is in the bundle\n";
	ssize_t n = write(2, line, sizeof line - 1);

	(void)n;
	_exit(3);
}

void *mem_alloc(size_t n)
{
	void *p = calloc(1, n ? n : 1);

	if (!p)
		mem_fail();
	return p;
}

void *mem_array(size_t n, size_t each)
{
	void *p = calloc(n ? n : 1, each ? each : 1);

	if (!p)
		mem_fail();
	return p;
}

void *mem_resize(void *p, size_t n, size_t each)
{
	void *q;

	if (each && n > SIZE_MAX / each)
		mem_fail();
	q = realloc(p, n && each ? n * each : 1);
	if (!q)
		mem_fail();
	return q;
}

char *mem_strdup(const char *s)
{
	return s ? mem_strndup(s, strlen(s)) : NULL;
}

char *mem_strndup(const char *s, size_t n)
{
	size_t len = strnlen(s, n);
	char *p = mem_alloc(len + 1);

	memcpy(p, s, len);
	return p;
}

char *mem_printf(const char *fmt, ...)
{
	char *p = NULL;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&p, fmt, ap);
	va_end(ap);
	if (n < 0)
		mem_fail();
	return p;
}

void mem_cleanup(void *pp)
{
	int keep = errno;

	free(*(void **)pp);
	errno = keep;
}
