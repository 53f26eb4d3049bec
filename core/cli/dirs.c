/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/dirs.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "base/vec.h"

#include <stdlib.h>
#include <unistd.h>

#define SLUG_MAX 40

static void add(char ***dirs, size_t *n, const char *dir, const char *more, const char *below)
{
	if (dir && *dir)
		*VEC_ADD(*dirs, *n) = mem_printf("%s%s%s", dir, more, below);
}

char **dirs_templates(const char *option, const char *below, size_t *n)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	mem_auto char *program = spawn_self_dir();
	mem_auto char *mark = program ? mem_printf("%s/config.status", program) : NULL;
	char **dirs = NULL;
	size_t count;

	*n = 0;
	add(&dirs, n, option, "", below);
	add(&dirs, n, getenv("IOWITNESS_TEMPLATES"), "", below);
	if (config && *config)
		add(&dirs, n, config, "/iowitness/templates", below);
	else
		add(&dirs, n, home, "/.config/iowitness/templates", below);
	if (mark && access(mark, F_OK) == 0)
		add(&dirs, n, program, "/templates", below); /* a build tree is whole: what is installed may be another version */
	else
		add(&dirs, n, IOW_DATADIR, "/templates", below);
	count = *n;
	*VEC_ADD(dirs, count) = NULL;
	return dirs;
}

void dirs_free(char **dirs)
{
	for (char **d = dirs; d && *d; d++)
		free(*d);
	free(dirs);
}

char *dirs_bundle(const char *title)
{
	struct buf b = BUF_INIT;
	char when[32];
	size_t start;

	clock_format_compact(clock_utc_ns(), when);
	buf_printf(&b, "%s-", when);
	start = b.len;
	for (; *title && b.len - start < SLUG_MAX; title++) {
		char c = *title >= 'A' && *title <= 'Z' ? (char)(*title + 32) : *title;

		if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
			buf_putc(&b, c);
		else if (b.len > start && b.data[b.len - 1] != '-')
			buf_putc(&b, '-');
	}
	while (b.data[b.len - 1] == '-')
		b.data[--b.len] = 0;
	buf_puts(&b, ".iow");
	return buf_take(&b);
}
