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

/* One subcommand: main.c has the table of these, each in a cmd_NAME.c that defines cmd_NAME.
 * argv[0] is the subcommand's name. It parses with cli/opt.h and returns an exit code. */
struct cmd {
	const char *name;
	int (*main)(int argc, char **argv);
	const char *summary;
};

/* Declared here for main.c's table; defined in cmd_NAME.c. */
int cmd_agent(int argc, char **argv);
int cmd_child(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_driver(int argc, char **argv);
int cmd_drivers(int argc, char **argv);
int cmd_history(int argc, char **argv);
int cmd_plan(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_verify(int argc, char **argv);

#endif
