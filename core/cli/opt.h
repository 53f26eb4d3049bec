/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_CLI_OPT_H
#define IOW_CLI_OPT_H

#include <stddef.h>
#include <stdint.h>

/* Options of a command: one table is parsed and printed as --help, so the two can't disagree. */

enum opt_type {
	OPT_FLAG,   /* bool *: set to true */
	OPT_STRING, /* const char **: borrowed from argv; the last one given counts */
	OPT_LIST,   /* struct opt_list *: each one given, in order */
	OPT_COUNT   /* uint32_t *: a whole number */
};

struct opt_list {
	const char **v; /* VEC array of strings borrowed from argv; free(v) */
	size_t n;
};

struct opt {
	const char *name; /* "output": --output; NULL ends the table */
	char letter;      /* 'o' for -o, or 0 */
	enum opt_type type;
	const char *arg;  /* its value in the help, "DIR"; NULL for OPT_FLAG */
	void *to;
	const char *help; /* one sentence; wrapped when printed */
};

struct opt_usage {
	const char *synopsis; /* "run PLAN [OPTION…]" */
	const char *about;    /* a paragraph: what the command does */
	const struct opt *opts;
	const char *notes;    /* printed after the options as it is, or NULL */
	int min, max;         /* operands; max -1: any number */
};

/* Parses argv. Options and operands may be mixed; "--" ends the options. Operands are moved to
 * argv[1…] and their number is returned. --help prints the help; a mistake is told on stderr: then
 * the return value is -1 and *status is the exit code that the command should return. */
int opt_parse(const struct opt_usage *u, int argc, char **argv, int *status);

#endif
