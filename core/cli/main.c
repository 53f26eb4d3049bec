/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cmd.h"

#include <stdio.h>
#include <string.h>

#include "config.h"

static const struct cmd commands[] = {
	{ NULL, NULL, NULL },
};

static int usage(FILE *f)
{
	fprintf(f, "usage: iowitness COMMAND [ARGUMENT…]\n");
	for (const struct cmd *c = commands; c->name; c++)
		fprintf(f, "  %-10s %s\n", c->name, c->summary);
	return f == stdout ? EXIT_OK : EXIT_USAGE;
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return usage(stderr);
	if (strcmp(argv[1], "--version") == 0)
		return printf("iowitness %s\n", PACKAGE_VERSION) < 0;
	if (strcmp(argv[1], "--help") == 0)
		return usage(stdout);
	for (const struct cmd *c = commands; c->name; c++)
		if (strcmp(argv[1], c->name) == 0)
			return c->main(argc - 1, argv + 1);
	fprintf(stderr, "iowitness: no command \"%s\"; iowitness --help lists them\n", argv[1]);
	return EXIT_USAGE;
}
