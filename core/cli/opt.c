/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/opt.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/num.h"
#include "base/vec.h"
#include "cli/cmd.h"

enum { WIDTH = 79, INDENT = 26, FIRST_LONG = 256 };

/* Prints words from column `at` on, later lines indented. */
static void print_wrapped(const char *text, int at, int indent)
{
	int column = at;

	while (*text) {
		int len = (int)strcspn(text, " ");
		if (column > indent && column + 1 + len > WIDTH) {
			printf("\n%*s", indent, "");
			column = indent;
		} else if (column > indent) {
			putchar(' ');
			column++;
		}
		printf("%.*s", len, text);
		column += len;
		text += len;
		text += strspn(text, " ");
	}
	putchar('\n');
}

static void print_option(const struct opt *o)
{
	char head[80];
	int n;

	if (o->letter)
		n = snprintf(head, sizeof head, "  -%c, --%s", o->letter, o->name);
	else
		n = snprintf(head, sizeof head, "      --%s", o->name);
	if (o->arg)
		n += snprintf(head + n, sizeof head - (size_t)n, " %s", o->arg);
	printf("%s", head);
	if (n + 2 > INDENT)
		printf("\n%*s", INDENT, "");
	else
		printf("%*s", INDENT - n, "");
	print_wrapped(o->help, INDENT, INDENT);
}

/* Without a newline at its end. */
static int notes_length(const char *notes)
{
	size_t n = strlen(notes);

	return (int)(n && notes[n - 1] == '\n' ? n - 1 : n);
}

static void print_help(const struct opt_usage *u)
{
	static const struct opt help = { "help", 'h', OPT_FLAG, NULL, NULL, "print this" };

	printf("usage: iowitness %s\n\n", u->synopsis);
	print_wrapped(u->about, 0, 0);
	printf("\n");
	for (const struct opt *o = u->opts; o && o->name; o++)
		print_option(o);
	print_option(&help);
	if (u->notes)
		printf("\n%.*s\n", notes_length(u->notes), u->notes);
}

/* getopt's two tables. Long options return FIRST_LONG + index, letters themselves. */
struct tables {
	char letters[128];
	struct option *longs;
};

static void tables_init(struct tables *t, const struct opt *opts)
{
	size_t n_letters = 0, n = 0;

	t->longs = NULL;
	t->letters[n_letters++] = '-'; /* operands in order, whatever POSIXLY_CORRECT says */
	t->letters[n_letters++] = ':';
	t->letters[n_letters++] = 'h';
	for (const struct opt *o = opts; o && o->name; o++) {
		int has_arg = o->type == OPT_FLAG ? no_argument : required_argument;
		int val = FIRST_LONG + (int)n;

		*VEC_ADD(t->longs, n) = (struct option){ o->name, has_arg, NULL, val };
		if (o->letter)
			t->letters[n_letters++] = o->letter;
		if (o->letter && has_arg)
			t->letters[n_letters++] = ':';
	}
	t->letters[n_letters] = '\0';
	*VEC_ADD(t->longs, n) = (struct option){ "help", no_argument, NULL, 'h' };
	(void)VEC_ADD(t->longs, n);
}

static const struct opt *find(const struct opt *opts, int c)
{
	if (c >= FIRST_LONG)
		return &opts[c - FIRST_LONG];
	while (opts->letter != c)
		opts++;
	return opts;
}

static int take(const struct opt *o, const char *value, const char *cmd)
{
	struct iow_error e = ERR_INIT;
	int64_t n;

	switch (o->type) {
	case OPT_FLAG:
		*(bool *)o->to = true;
		return 0;
	case OPT_STRING:
		*(const char **)o->to = value;
		return 0;
	case OPT_LIST: {
		struct opt_list *l = o->to;
		*VEC_ADD(l->v, l->n) = value;
		return 0;
	}
	case OPT_COUNT:
		if (num_parse_int(value, &n, &e) == 0 && n >= 0 && n <= UINT32_MAX) {
			*(uint32_t *)o->to = (uint32_t)n;
			return 0;
		}
		fprintf(stderr, "iowitness %s: --%s: \"%s\" is no whole number\n", cmd, o->name, value);
		return -1;
	}
	return -1;
}

static int complain(const char *cmd, int c, char **argv)
{
	const char *what = c == ':' ? "needs a value" : "is not an option of this command";

	if (optopt && optopt < FIRST_LONG)
		fprintf(stderr, "iowitness %s: -%c %s", cmd, optopt, what);
	else
		fprintf(stderr, "iowitness %s: %s %s", cmd, argv[optind - 1], what);
	fprintf(stderr, "; iowitness %s --help lists them\n", cmd);
	return -1;
}

static int check_count(const struct opt_usage *u, int n, char **argv)
{
	if (n >= u->min && (u->max < 0 || n <= u->max))
		return n;
	if (n < u->min)
		fprintf(stderr, "iowitness %s: something is missing", argv[0]);
	else
		fprintf(stderr, "iowitness %s: \"%s\" is one too many", argv[0], argv[1 + u->max]);
	fprintf(stderr, "; usage: iowitness %s\n", u->synopsis);
	return -1;
}

int opt_parse(const struct opt_usage *u, int argc, char **argv, int *status)
{
	struct tables t;
	int c, n = 0, failed = 0;

	tables_init(&t, u->opts);
	*status = EXIT_USAGE;
	optind = 0;
	opterr = 0;
	while (!failed && (c = getopt_long(argc, argv, t.letters, t.longs, NULL)) != -1) {
		if (c == 1) { /* an operand; its new place was read before */
			argv[++n] = optarg;
		} else if (c == 'h') {
			print_help(u);
			*status = EXIT_OK;
			failed = -1;
		} else if (c == '?' || c == ':') {
			failed = complain(argv[0], c, argv);
		} else {
			failed = take(find(u->opts, c), optarg, argv[0]);
		}
	}
	free(t.longs);
	while (!failed && optind < argc)
		argv[++n] = argv[optind++];
	return failed ? -1 : check_count(u, n, argv);
}
