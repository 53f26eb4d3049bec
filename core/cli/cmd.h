/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_CLI_CMD_H
#define IOW_CLI_CMD_H

/* Exit codes of the program; when several hold, the strongest is given (see exit_worst). */
enum {
	EXIT_OK = 0,
	EXIT_USAGE = 1,      /* usage or plan error; nothing was started */
	EXIT_LIMIT = 2,      /* a limit failed or a regression was found */
	EXIT_INCOMPLETE = 3, /* runs are missing */
	EXIT_REFUSED = 4,    /* refused for safety; nothing was started */
	EXIT_VOID = 5        /* a verdict is void */
};

/* One subcommand: main is a table of these. argv[0] is the subcommand's name. */
struct cmd {
	const char *name;
	int (*main)(int argc, char **argv);
	const char *summary;
};

#endif
