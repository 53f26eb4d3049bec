/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "cli/cmd.h"
#include "cli/opt.h"
#include "cli/redact.h"
#include "cli/report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct report_args {
	struct report_options o;
	const char *format, *output;
	bool claims, open, redact;
	struct redact_options redaction;
	struct opt_list fail_on;
};

static int fail(const struct iow_error *e)
{
	fprintf(stderr, "iowitness report: %s\n", e->text);
	return EXIT_USAGE;
}

/* What a line of the terminal takes, no narrower than a table can be. */
static int columns(void)
{
	struct winsize w;

	if (ioctl(1, TIOCGWINSZ, &w) || w.ws_col < 20)
		return 0;
	return w.ws_col < 60 ? 60 : w.ws_col > 120 ? 120 : w.ws_col;
}

static int write_output(const char *path, const struct buf *b, struct iow_error *e)
{
	int fd, rc;

	if (!path || strcmp(path, "-") == 0)
		return file_write_all(1, buf_str(b), b->len, e);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0)
		return err_sys(e, errno, "%s", path);
	rc = file_write_all(fd, buf_str(b), b->len, e);
	if (close(fd) && !rc)
		rc = err_sys(e, errno, "%s", path);
	return rc;
}

static int one_format(const struct report *r, const struct report_args *a)
{
	struct iow_error e = ERR_INIT;
	struct buf b = BUF_INIT;
	int rc = report_render(r, a->format, &b, &e);


	if (!rc)
		rc = write_output(a->output, &b, &e);
	buf_release(&b);
	return rc ? fail(&e) : report_exit(r, a->claims);
}

static int all_formats(const struct report *r, const struct report_args *a)
{
	struct iow_error e = ERR_INIT;

	if (report_write(r, &e))
		return fail(&e);
	report_print(r);
	printf("\n%s/report.html\n%s/report.pdf\n%s/results.json\n", r->dir, r->dir, r->dir);
	return report_exit(r, a->claims);
}

/* What the desktop shows HTML with; it outlives this command. */
static int open_page(const char *dir, struct iow_error *e)
{
	mem_auto char *path = file_join(dir, "report.html");
	const char *const argv[] = { "xdg-open", path, NULL };
	struct spawn s = SPAWN_INIT;
	pid_t pid;

	s.argv = argv;
	s.session = true;
	return spawn_start(&s, &pid, e) ? err_in(e, "--open") : 0;
}

static int redacted(const char *bundle, struct report_args *a)
{
	struct iow_error e = ERR_INIT;
	mem_auto char *made = NULL;
	struct buf said = BUF_INIT;
	struct report r;
	int status;

	a->redaction.output = a->output;
	a->redaction.report = a->o;
	if (redact_bundle(bundle, &a->redaction, &r, &made, &said, &e)) {
		buf_release(&said);
		return fail(&e);
	}
	report_print(&r);
	printf("\n%s%s/report.html\n%s/report.pdf\n%s/results.json\n", buf_str(&said), made, made, made);
	status = report_exit(&r, a->claims);
	if (a->open && open_page(made, &e) < 0)
		status = fail(&e);
	buf_release(&said);
	report_close(&r);
	return status;
}

static int check_args(struct report_args *a)
{
	const char *wrong = NULL;

	if (a->redact && a->format)
		wrong = "--redact makes a bundle, --format one report: first the one, then the other of the new bundle";
	else if (!a->redact && (a->redaction.key || a->redaction.map))
		wrong = "--redact-key and --redact-map belong to --redact";
	if (wrong) {
		fprintf(stderr, "iowitness report: %s\n", wrong);
		return -1;
	}
	for (size_t i = 0; i < a->fail_on.n; i++) {
		if (strcmp(a->fail_on.v[i], "claim") != 0) {
			fprintf(stderr, "iowitness report: --fail-on takes \"claim\", not \"%s\"\n", a->fail_on.v[i]);
			return -1;
		}
		a->claims = true;
	}
	return 0;
}

int cmd_report(int argc, char **argv)
{
	struct report_args a = { 0 };
	const struct opt opts[] = {
		{ "format", 'f', OPT_STRING, "FORMAT", &a.format, "html, pdf, text, markdown, ticket (the conclusions in Markdown), json or csv (all runs), to stdout; without it "
		  "report.html, report.pdf and results.json are written into the bundle" },
		{ "output", 'o', OPT_STRING, "FILE", &a.output, "with --format: write here instead of stdout; with --redact: name of the new bundle" },
		{ "templates", 0, OPT_STRING, "DIR", &a.o.templates, "look for templates here first" },
		{ "language", 0, OPT_STRING, "LANG", &a.o.language, "language of the report; default: the plan's, else en" },
		{ "open", 0, OPT_FLAG, NULL, &a.open, "without --format: show report.html with xdg-open" },
		{ "redact", 0, OPT_FLAG, NULL, &a.redact, "make a bundle for outside, BUNDLE-redacted.iow: host names, serial numbers, "
		  "addresses and paths are pseudonyms in all of it" },
		{ "redact-key", 0, OPT_STRING, "FILE", &a.redaction.key, "with --redact: secret of 16 bytes or more, which gives the "
		  "same pseudonyms in each bundle" },
		{ "redact-map", 0, OPT_STRING, "FILE", &a.redaction.map, "with --redact: write here which pseudonym stands for what, "
		  "readable by you alone" },
		{ "fail-on", 0, OPT_LIST, "claim", &a.fail_on, "exit 2 also when a claim is contradicted" },
		{ NULL, 0, OPT_FLAG, NULL, NULL, NULL },
	};
	const struct opt_usage usage = {
		"report BUNDLE [OPTION…]",
		"Renders the reports of a bundle again, from what was measured: no hardware and no driver is needed, and the "
		"same bundle gives the same bytes.", opts, NULL, 1, 1
	};
	struct iow_error e = ERR_INIT;
	struct report r;
	int status;

	if (opt_parse(&usage, argc, argv, &status) < 0)
		return status;
	status = check_args(&a);
	free(a.fail_on.v);
	if (status)
		return EXIT_USAGE;
	if (a.redact)
		return redacted(argv[1], &a);
	if (report_open(&r, argv[1], &a.o, &e))
		return fail(&e);
	r.color = !a.output && isatty(1);
	r.width = r.color ? columns() : 0;
	status = a.format ? one_format(&r, &a) : all_formats(&r, &a);
	if (a.open && !a.format && open_page(r.dir, &e) < 0)
		status = fail(&e);
	report_close(&r);
	return status;
}
