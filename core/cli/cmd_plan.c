/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"
#include "base/file.h"
#include "base/num.h"
#include "base/vec.h"
#include "bundle/cells.h"
#include "cli/cmd.h"
#include "cli/dirs.h"
#include "cli/opt.h"
#include "cli/plan_open.h"
#include "cli/plan_show.h"
#include "run/driver.h"

#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

static struct {
	struct opt_list set;
	const char *files, *plugins, *templates, *out, *sd, *effect;
	bool json, list;
} o;

static const struct opt opts[] = {
	{ "set", 0, OPT_LIST, "/PATH=VALUE", &o.set, "change one value of the plan" },
	{ "dir", 0, OPT_STRING, "DIR", &o.files, "where test files would be: --set /params/dir=DIR" },
	{ "plugin-path", 0, OPT_STRING, "DIRS", &o.plugins, "look for drivers in these directories first" },
	{ "json", 0, OPT_FLAG, NULL, &o.json, "show: print what would be in cells.json" },
	{ "sd", 0, OPT_STRING, "SD", &o.sd,
	  "show: standard deviation of the log ratio over blocks, 0.03 for 3%, instead of the tests' own" },
	{ "effect", 0, OPT_STRING, "SIZE", &o.effect, "show: how many blocks a difference needs, 0.05 for 5%" },
	{ "list", 0, OPT_FLAG, NULL, &o.list, "new: print the templates that are there" },
	{ "output", 'o', OPT_STRING, "FILE", &o.out, "new: where to put the plan; default: NAME.json" },
	{ "templates", 0, OPT_STRING, "DIR", &o.templates, "new: look for templates in this directory first" },
	{ NULL, 0, OPT_FLAG, NULL, NULL, NULL },
};

static const struct opt_usage usage = {
	"plan check|show PLAN [OPTION…] | plan new NAME [OPTION…]",
	"check: says all that is wrong with a plan, each with its line, column and place. show: prints what it "
	"resolves to: cells, steps, order, an estimate of time and bytes, and the smallest effect it can see. new: "
	"copies a template. Nothing is measured or touched.",
	opts,
	"Exit codes: 0; 1 the plan has a mistake.\n",
	1, 2
};

static int fail(const char *what, const char *why)
{
	fprintf(stderr, "iowitness plan: %s: %s\n", what, why);
	return EXIT_USAGE;
}

static int print(struct buf *b, int status)
{
	fputs(buf_str(b), stdout);
	buf_release(b);
	return status;
}

/* ---- check and show ---- */

static int check(const char *path)
{
	struct plan_open p;
	struct buf b = BUF_INIT;
	int status = EXIT_USAGE;

	if (plan_open(&p, path, o.set.v, o.set.n) == 0) {
		buf_printf(&b, "%s: good: tests %zu, cells %zu, runs %zu, declared comparisons %u\n", path,
			   p.cells.n_tests, p.cells.n_cells, plan_runs(&p.cells), p.cells.family);
		plan_notes(&p.cells, &b);
		status = print(&b, EXIT_OK);
	}
	plan_open_release(&p);
	return status;
}

static int parse_share(const char *name, const char *text, double *out)
{
	struct iow_error e = ERR_INIT;

	*out = 0;
	if (!text || (num_parse_real(text, out, &e) == 0 && *out > 0 && *out < 10))
		return 0;
	fprintf(stderr, "iowitness plan: --%s %s: a number above 0 such as 0.05 for 5%% is needed\n", name, text);
	return -1;
}

static int show(const char *path)
{
	struct plan_open p;
	struct buf b = BUF_INIT;
	double sd, effect;
	int status = EXIT_USAGE;

	if (parse_share("sd", o.sd, &sd) || parse_share("effect", o.effect, &effect))
		return EXIT_USAGE;
	if (plan_open(&p, path, o.set.v, o.set.n) == 0) {
		if (o.json) {
			json_t *j = cells_to_json(&p.cells);

			jsonx_write(&b, j, 1);
			buf_putc(&b, '\n');
			json_decref(j);
		} else {
			plan_show(&p.cells, sd, effect, &b);
		}
		status = print(&b, EXIT_OK);
	}
	plan_open_release(&p);
	return status;
}

/* ---- new ---- */

/* "about" of a template, new; NULL: it is no plan. */
static char *about(const char *dir, const char *file)
{
	mem_auto char *path = file_join(dir, file);
	struct iow_error e = ERR_INIT;
	struct jsonx_doc d;
	char *text;

	if (jsonx_load(&d, path, &e))
		return NULL;
	text = mem_strdup(jsonx_str(d.root, "about", jsonx_str(d.root, "title", "")));
	jsonx_release(&d);
	return text;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_known(char **names, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/* Adds "NAME\tABOUT" lines of a directory; a name that an earlier directory has counts there. */
static void list_dir(const char *dir, char ***names, size_t *n, char ***lines, size_t *n_lines)
{
	DIR *d = opendir(dir);
	struct dirent *entry;

	while (d && (entry = readdir(d))) {
		size_t len = strlen(entry->d_name);
		char *text, *name;

		if (len < 6 || strcmp(entry->d_name + len - 5, ".json") != 0)
			continue;
		text = about(dir, entry->d_name);
		name = mem_strndup(entry->d_name, len - 5);
		if (text && !is_known(*names, *n, name))
			*VEC_ADD(*lines, *n_lines) = mem_printf("%-26s %s", name, text);
		*VEC_ADD(*names, *n) = name;
		free(text);
	}
	if (d)
		closedir(d);
}

static int list(void)
{
	char **names = NULL, **lines = NULL, **dirs;
	size_t n = 0, n_lines = 0, n_dirs;

	dirs = dirs_templates(o.templates, "/plans", &n_dirs);
	for (size_t i = 0; i < n_dirs; i++)
		list_dir(dirs[i], &names, &n, &lines, &n_lines);
	if (n_lines)
		qsort(lines, n_lines, sizeof *lines, by_name);
	for (size_t i = 0; i < n_lines; i++) {
		puts(lines[i]);
		free(lines[i]);
	}
	if (!n_lines)
		fail("--list", "no templates where they are looked for; name their directory with --templates");
	for (size_t i = 0; i < n; i++)
		free(names[i]);
	free(names);
	free(lines);
	dirs_free(dirs);
	return n_lines ? EXIT_OK : EXIT_USAGE;
}

/* Text of the template in the first directory that has it. */
static int find(const char *name, struct buf *text)
{
	struct iow_error e = ERR_INIT;
	size_t n;
	char **dirs = dirs_templates(o.templates, "/plans", &n);
	int rc = -1;

	for (size_t i = 0; i < n && rc; i++) {
		mem_auto char *path = mem_printf("%s/%s.json", dirs[i], name);

		rc = access(path, R_OK) ? -1 : file_read(path, text, 0, &e);
	}
	dirs_free(dirs);
	return rc;
}

static int write_new(const char *path, const struct buf *text)
{
	struct iow_error e = ERR_INIT;

	if (file_create(path, 0666, text->data, text->len, &e))
		return fail(path, e.text);
	printf("%s\n", path);
	return EXIT_OK;
}

static int new(const char *name)
{
	mem_auto char *path = o.out ? mem_strdup(o.out) : mem_printf("%s.json", name);
	struct buf text = BUF_INIT;
	int status;

	if (strchr(name, '/') || find(name, &text))
		return fail(name, "no template of that name; iowitness plan new --list prints them");
	status = write_new(path, &text);
	buf_release(&text);
	return status;
}

/* ---- the command ---- */

static int dispatch(int operands, char **argv)
{
	const char *what = argv[1], *name = operands > 1 ? argv[2] : NULL;

	if (strcmp(what, "new") == 0 && o.list && !name)
		return list();
	if (strcmp(what, "check") && strcmp(what, "show") && strcmp(what, "new"))
		return fail(what, "check, show or new is needed");
	if (!name)
		return fail(what, "the name of a plan is needed");
	if (o.plugins)
		driver_path_prepend(o.plugins);
	return strcmp(what, "check") == 0 ? check(name) : strcmp(what, "show") == 0 ? show(name) : new(name);
}

int cmd_plan(int argc, char **argv)
{
	int status = 0, operands = opt_parse(&usage, argc, argv, &status);
	char *files = plan_add_dir(&o.set, o.files);

	if (operands >= 0)
		status = dispatch(operands, argv);
	free(files);
	free(o.set.v);
	return status;
}
