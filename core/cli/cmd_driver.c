/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "cli/cmd.h"
#include "cli/dirs.h"
#include "cli/driver_check.h"
#include "cli/opt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
	const char *out, *templates;
	struct opt_list set;
	bool write;
} o;

static const struct opt opts[] = {
	{ "output", 'o', OPT_STRING, "DIR", &o.out, "new: where to put it; default: a directory of its name" },
	{ "templates", 0, OPT_STRING, "DIR", &o.templates, "new: look for templates in this directory first" },
	{ "set", 0, OPT_LIST, "KEY=VALUE", &o.set, "check: a key of the driver, as a plan would give it; may be repeated" },
	{ "write", 0, OPT_FLAG, NULL, &o.write, "check: write too, and read back each byte: what was there is lost" },
	{ NULL, 0, 0, NULL, NULL, NULL },
};

static const struct opt_usage usage = {
	.synopsis = "driver new|check NAME|FILE [OPTION…]",
	.about = "new NAME writes a small driver that works and the Makefile that builds it. check FILE opens a driver in "
		 "processes of its own, runs it in all the shapes that it says it can, and tells what does not hold.",
	.opts = opts,
	.min = 2,
	.max = 2,
};

static int fail(const char *what, const char *why)
{
	fprintf(stderr, "iowitness driver: %s: %s\n", what, why);
	return EXIT_USAGE;
}

/* ---- new ---- */

static int load_template(const char *name, struct buf *text)
{
	size_t n = 0;
	char **dirs = dirs_templates(o.templates, "/driver", &n);
	int rc = -1;

	for (size_t i = 0; i < n && rc; i++) {
		mem_auto char *path = file_join(dirs[i], name);

		rc = file_read(path, text, 1 << 20, NULL);
	}
	dirs_free(dirs);
	return rc;
}

static void put_name(const struct buf *text, const char *name, struct buf *out)
{
	const char *p = buf_str(text), *at;

	for (; (at = strstr(p, "@NAME@")); p = at + 6) {
		buf_add(out, p, (size_t)(at - p));
		buf_puts(out, name);
	}
	buf_puts(out, p);
}

static int write_from(const char *template, const char *path, const char *name)
{
	struct buf text = BUF_INIT, out = BUF_INIT;
	struct iow_error e = ERR_INIT;
	int status = EXIT_OK;

	if (load_template(template, &text))
		return fail(template, "no such template");
	put_name(&text, name, &out);
	if (file_create(path, 0666, out.data, out.len, &e))
		status = fail(path, e.text);
	else
		printf("%s\n", path);
	buf_release(&text);
	buf_release(&out);
	return status;
}

static int new(const char *name)
{
	const char *dir = o.out ? o.out : name;
	mem_auto char *source = mem_printf("%s/%s.c", dir, name), *makefile = file_join(dir, "Makefile");
	int status;

	if (!*name || name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_")])
		return fail(name, "a name of a driver has small letters, digits, - and _");
	if (mkdir(dir, 0777) && errno != EEXIST)
		return fail(dir, err_name(errno));
	status = write_from("driver.c", source, name);
	if (status == EXIT_OK)
		status = write_from("Makefile", makefile, name);
	if (status == EXIT_OK)
		printf("\nmake -C %s && iowitness driver check %s/%s.so --set path=FILE\n", dir, dir, name);
	return status;
}

int cmd_driver(int argc, char **argv)
{
	int status = 0, operands = opt_parse(&usage, argc, argv, &status);

	if (operands < 0)
		return status;
	if (strcmp(argv[1], "new") == 0)
		status = new(argv[2]);
	else if (strcmp(argv[1], "check") == 0)
		status = driver_check(argv[2], o.set.v, o.set.n, o.write);
	else
		status = fail(argv[1], "new or check is needed");
	free(o.set.v);
	return status;
}
