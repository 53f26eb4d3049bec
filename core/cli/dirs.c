/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/dirs.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "base/vec.h"

#include <stdlib.h>
#include <unistd.h>

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
		add(&dirs, n, program, "/templates", below);
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
