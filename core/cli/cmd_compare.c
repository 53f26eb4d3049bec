/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cmd.h"

#include "base/err.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "base/num.h"
#include "cli/dirs.h"
#include "cli/opt.h"
#include "cli/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
	struct report_options report;
	const char *dir, *metric, *margin, *title;
	struct opt_list changed;
	bool json;
} o;

static const struct opt opts[] = {
	{ "output", 'o', OPT_STRING, "DIR", &o.dir, "the directory of the comparison; it must not exist or be empty; default: DATE-compare-TITLE.iow here" },
	{ "metric", 0, OPT_STRING, "METRIC", &o.metric, "what is compared: throughput (the default), iops, mean, p99 … as in a plan" },
	{ "margin", 0, OPT_STRING, "SHARE", &o.margin, "differences up to this do not matter; default 0.05" },
	{ "changed", 0, OPT_LIST, "WHAT", &o.changed, "what was changed on purpose between the two, in words; may be given again" },
	{ "title", 0, OPT_STRING, "TITLE", &o.title, "title of the report; default: that of the campaign after" },
	{ "templates", 0, OPT_STRING, "DIR", &o.report.templates, "look for templates here first" },
	{ "language", 0, OPT_STRING, "LANG", &o.report.language, "language of the report; default: the plan's, else en" },
	{ "json", 0, OPT_FLAG, NULL, &o.json, "print the results as JSON" },
	{ NULL, 0, OPT_FLAG, NULL, NULL, NULL },
};

static const struct opt_usage usage = {
	.synopsis = "compare BEFORE AFTER [OPTION…]",
	.about = "Compares two bundles cell by cell, before and after a change, and writes a directory of its own with the evidence "
		 "of both, results.json, report.html and report.pdf. What it finds is an association: two campaigns differ in "
		 "more than what was changed, and each difference that is found is listed.",
	.opts = opts,
	.notes = "Exit status: 0 no regression; 2 a cell is worse beyond the margin; 5 a cell is void; 3 a campaign is\n"
		 "incomplete; 1 usage, or the two can't be compared.\n",
	.min = 2,
	.max = 2,
};

static int fail(const struct iow_error *e)
{
	fprintf(stderr, "iowitness compare: %s\n", e->text);
	return EXIT_USAGE;
}

/* ---- what may be compared ---- */

static bool has_cell(const struct cells *c, const char *key)
{
	for (size_t i = 0; i < c->n_cells; i++)
		if (!c->cells[i].control && strcmp(c->cells[i].key, key) == 0)
			return true;
	return false;
}

static int check_pair(const struct bundle *x, const struct bundle *y, struct iow_error *e)
{
	if (strcmp(x->evidence, y->evidence) == 0)
		return err_set(e, EINVAL, "%s and %s are the same campaign", x->dir, y->dir);
	for (size_t i = 0; i < x->cells.n_cells; i++)
		if (has_cell(&y->cells, x->cells.cells[i].key))
			return 0;
	return err_set(e, EINVAL, "no cell is in both: %s has \"%s\", %s has \"%s\"", x->dir, x->cells.n_cells ?
		       x->cells.cells[0].key : "", y->dir, y->cells.n_cells ? y->cells.cells[0].key : "");
}

/* ---- compare.json ---- */

static json_t *part_json(const struct bundle *b)
{
	json_t *p = json_object();

	jsonx_set_str(p, "title", b->cells.title);
	jsonx_set_str(p, "id", b->id);
	jsonx_set_str(p, "evidence", b->evidence);
	return p;
}

static json_t *about_json(const struct bundle *before, const struct bundle *after, double margin)
{
	json_t *a = derived_head(DERIVED_COMPARE), *changed = json_array();

	jsonx_set_str(a, "title", o.title);
	jsonx_set_str(a, "metric", o.metric);
	jsonx_set_real(a, "margin", margin);
	for (size_t i = 0; i < o.changed.n; i++)
		json_array_append_new(changed, json_string(o.changed.v[i]));
	jsonx_set_new(a, "planned", changed);
	jsonx_set_new(a, "before", part_json(before));
	jsonx_set_new(a, "after", part_json(after));
	return a;
}

static int make(const char *dir, const struct bundle *before, const struct bundle *after, double margin,
		struct iow_error *e)
{
	json_t *about;
	int rc;

	if (check_pair(before, after, e))
		return -1;
	about = about_json(before, after, margin);
	rc = derived_create(dir, DERIVED_COMPARE, about, before->dir, after->dir, e);
	json_decref(about);
	return rc;
}

static int check_options(double *margin, struct iow_error *e)
{
	if (!o.metric)
		o.metric = "throughput";
	if (!metric_find(o.metric))
		return err_set(e, EINVAL, "no metric \"%s\"; there are throughput, iops, mean, p50, p95, p99 and more, see "
			       "iowitness-plan(5)", o.metric);
	*margin = 0.05;
	if (o.margin && (num_parse_real(o.margin, margin, e) || !(*margin >= 0 && *margin < 10)))
		return err_set(e, EINVAL, "--margin takes a share from 0 to 10 (0.05 is 5%%), not \"%s\"", o.margin);
	return 0;
}

/* Both bundles are loaded twice, here and from the copies: the report rests on what was copied. */
static char *create(const char *x, const char *y, struct iow_error *e)
{
	struct bundle before = { 0 }, after = { 0 };
	double margin;
	char *dir = NULL;

	if (check_options(&margin, e) || report_options_check(&o.report, e) || report_source_open(&before, x, e))
		return NULL;
	if (report_source_open(&after, y, e) == 0) {
		mem_auto char *name = mem_printf("compare %s", o.title ? o.title : after.cells.title);

		dir = o.dir ? mem_strdup(o.dir) : dirs_bundle(name);
		if (make(dir, &before, &after, margin, e)) {
			free(dir);
			dir = NULL;
		}
		bundle_release(&after);
	}
	bundle_release(&before);
	return dir;
}

int cmd_compare(int argc, char **argv)
{
	struct iow_error e = ERR_INIT;
	char *dir;
	int status;

	if (opt_parse(&usage, argc, argv, &status) < 0)
		return status;
	dir = create(argv[1], argv[2], &e);
	status = dir ? report_show("compare", dir, &o.report, o.json) : fail(&e);
	free(dir);
	free(o.changed.v);
	return status;
}
