/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cmd.h"

#include "base/err.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "config.h"

/* In the order of a user's day; --help prints them so. A command without a summary is internal. */
static const struct cmd commands[] = {
	{ "run", cmd_run, "measure what a plan says, write the bundle and its reports" },
	{ "plan", cmd_plan, "check a plan, show what it resolves to, start one from a template" },
	{ "report", cmd_report, "render the reports of a bundle again" },
	{ "verify", cmd_verify, "check the hashes, formats and signature of a bundle" },
	{ "compare", cmd_compare, "say what changed between two bundles, before and after" },
	{ "history", cmd_history, "follow each cell over the bundles of an archive" },
	{ "drivers", cmd_drivers, "list the drivers that are found, or explain one" },
	{ "driver", cmd_driver, "start a driver of your own, or check one" },
	{ "doctor", cmd_doctor, "say what this machine can measure, and what stands in the way" },
	{ "agent", cmd_agent, "serve a campaign on this node; started by run" },
	{ "child", cmd_child, NULL },
	{ NULL, NULL, NULL },
};

static const struct cmd *find(const char *name)
{
	const struct cmd *c = commands;

	while (c->name && strcmp(c->name, name) != 0)
		c++;
	return c->name ? c : NULL;
}

static int usage(FILE *f, int status)
{
	fprintf(f, "usage: iowitness COMMAND [ARGUMENT…]\n\n");
	for (const struct cmd *c = commands; c->name; c++)
		if (c->summary)
			fprintf(f, "  %-10s %s\n", c->name, c->summary);
	fprintf(f, "\niowitness COMMAND --help tells more; so does iowitness(1).\n");
	return status;
}

static int unknown(const char *name)
{
	fprintf(stderr, "iowitness: no command \"%s\"; iowitness --help lists them\n", name);
	return EXIT_USAGE;
}

static int help(const char *name)
{
	char option[] = "--help";
	const struct cmd *c = find(name);

	if (!c)
		return unknown(name);
	return c->main(2, (char *[]){ (char *)c->name, option, NULL });
}

/* A socket or a bundle's file must not get the number of a stream that the caller closed. */
static void open_streams(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

/* What was to be printed and is lost is no success; of a campaign it is the account that is missing. */
static int flush_stdout(const char *command, int status)
{
	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	fprintf(stderr, "iowitness %s: standard output: %s\n", command, err_name(errno ? errno : EIO));
	if (status != EXIT_OK)
		return status;
	return strcmp(command, "run") == 0 ? EXIT_INCOMPLETE : EXIT_USAGE;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : NULL;
	const struct cmd *c;

	open_streams();
	signal(SIGCHLD, SIG_DFL); /* ignored by the caller, it would hide how a program ended */
	if (!name)
		return usage(stderr, EXIT_USAGE);
	if (strcmp(name, "--version") == 0)
		return printf("iowitness %s\n", PACKAGE_VERSION), flush_stdout(name, EXIT_OK);
	if (strcmp(name, "help") == 0 && argc > 2)
		return flush_stdout(name, help(argv[2]));
	if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
		return flush_stdout(name, usage(stdout, EXIT_OK));
	c = find(name);
	return c ? flush_stdout(name, c->main(argc - 1, argv + 1)) : unknown(name);
}
