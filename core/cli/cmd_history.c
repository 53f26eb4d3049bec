/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cmd.h"

#include "base/err.h"
#include "base/file.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "base/vec.h"
#include "cli/dirs.h"
#include "cli/opt.h"
#include "cli/report.h"
#include "stats/archive.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static struct {
	struct report_options report;
	const char *dir, *metric, *title;
	bool any_plan, json;
} o;

static const struct opt opts[] = {
	{ "output", 'o', OPT_STRING, "DIR", &o.dir, "the directory of the history; it must not exist or be empty; default: DATE-history-TITLE.iow here" },
	{ "metric", 0, OPT_STRING, "METRIC", &o.metric, "what is followed: throughput (the default), iops, mean, p99 … as in a plan" },
	{ "any-plan", 0, OPT_FLAG, NULL, &o.any_plan, "take bundles of other plans too, as far as they have the same cells" },
	{ "title", 0, OPT_STRING, "TITLE", &o.title, "title of the report; default: that of the newest campaign" },
	{ "templates", 0, OPT_STRING, "DIR", &o.report.templates, "look for templates here first" },
	{ "language", 0, OPT_STRING, "LANG", &o.report.language, "language of the report; default: the plan's, else en" },
	{ "json", 0, OPT_FLAG, NULL, &o.json, "print the results as JSON" },
	{ NULL, 0, OPT_FLAG, NULL, NULL, NULL },
};

static const struct opt_usage usage = {
	.synopsis = "history ARCHIVE [OPTION…]",
	.about = "Follows each cell over the bundles of one plan in a directory, and writes a directory of its own with the figures "
		 "of each campaign, results.json, report.html and report.pdf. From 8 campaigns on it says whether the newest "
		 "lies where those before it let expect; from 40 on it looks for candidate changes. Bundles that are "
		 "broken, were changed or are of another plan than the newest are named and left out.",
	.opts = opts,
	.notes = "Exit status: 0 nothing to look at; 2 a cell of the newest is on the slow side, or the latest\n"
		 "candidate of a cell made it slower; 5 a cell of the newest is void; 3 the newest is incomplete;\n"
		 "1 usage, or no bundle can be used.\n",
	.min = 1,
	.max = 1,
};

/* ---- the archive ---- */

/* A directory of the archive; why: it is left out. */
struct entry {
	char *name, *path, *why, plan[DIGEST_HEX], evidence[DIGEST_HEX];
	int64_t start;
};

struct entries {
	struct entry *v;
	size_t n;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

/* By time, then by what they hold: never by the order of the directory. */
static int by_start(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return strcmp(x->evidence, y->evidence);
}

static int entries_read(struct entries *e, const char *archive, struct iow_error *err)
{
	DIR *d = opendir(archive);
	struct dirent *f;

	if (!d)
		return err_sys(err, errno, "%s", archive);
	while ((f = readdir(d))) {
		mem_auto char *path = file_join(archive, f->d_name);
		struct stat st;
		struct entry *x;

		if (f->d_name[0] == '.' || stat(path, &st) || !S_ISDIR(st.st_mode))
			continue;
		x = VEC_ADD(e->v, e->n);
		x->name = mem_strdup(f->d_name);
		x->path = mem_strdup(path);
	}
	closedir(d);
	if (e->n)
		qsort(e->v, e->n, sizeof *e->v, by_name);
	return 0;
}

static void entries_release(struct entries *e)
{
	for (size_t i = 0; i < e->n; i++) {
		free(e->v[i].name);
		free(e->v[i].path);
		free(e->v[i].why);
	}
	free(e->v);
}

static bool is_pilot(const char *title)
{
	size_t n = strlen(title);

	return n > 8 && strcmp(title + n - 8, " (pilot)") == 0;
}

/* Without the path, which is another on every machine. */
static char *reason(const struct entry *x, const char *text)
{
	size_t n = strlen(x->path);

	if (strncmp(text, x->path, n) == 0 && strncmp(text + n, ": ", 2) == 0)
		text += n + 2;
	n = strcspn(text, ";");
	return mem_strndup(text, n);
}

/* Loads once to see what it is; it is loaded again in order of time. */
static void entry_look(struct entry *x)
{
	struct iow_error e = ERR_INIT;
	struct bundle b;

	if (report_source_open(&b, x->path, &e)) {
		x->why = reason(x, e.text);
		return;
	}
	if (is_pilot(b.cells.title))
		x->why = mem_strdup("a pilot");
	x->start = b.start_utc_ns;
	memcpy(x->plan, b.cells.plan_sha256, sizeof x->plan);
	memcpy(x->evidence, b.evidence, sizeof x->evidence);
	bundle_release(&b);
}

/* The newest says which plan it is about; the same bundle twice is one. */
static int entries_choose(struct entries *e, const char *archive, struct iow_error *err)
{
	struct entry *newest = NULL;
	size_t i, k;

	for (i = 0; i < e->n; i++)
		entry_look(&e->v[i]);
	for (i = 0; i < e->n; i++)
		if (!e->v[i].why && (!newest || by_start(&e->v[i], newest) > 0))
			newest = &e->v[i];
	if (!newest)
		return e->n ? err_set(err, EINVAL, "%s: no bundle that can be used: %s: %s", archive, e->v[0].name, e->v[0].why)
			    : err_set(err, ENOENT, "%s: no bundle in it", archive);
	for (i = 0; i < e->n; i++) {
		struct entry *x = &e->v[i];

		for (k = 0; k < i && !x->why; k++)
			if (!e->v[k].why && strcmp(e->v[k].evidence, x->evidence) == 0)
				x->why = mem_printf("the same campaign as %s", e->v[k].name);
		if (!x->why && !o.any_plan && strcmp(x->plan, newest->plan) != 0)
			x->why = mem_printf("another plan, %.12s, than the newest campaign's, %.12s", x->plan, newest->plan);
	}
	return 0;
}

/* ---- history.json ---- */

static json_t *left_out_json(const struct entries *e)
{
	json_t *a = json_array();

	for (size_t i = 0; i < e->n; i++) {
		json_t *x;

		if (!e->v[i].why)
			continue;
		x = json_object();
		jsonx_set_str(x, "name", e->v[i].name);
		jsonx_set_str(x, "why", e->v[i].why);
		json_array_append_new(a, x);
	}
	return a;
}

struct loaded {
	struct bundle b;
	struct results r;
};

static void loaded_release(struct loaded *l)
{
	results_release(&l->r);
	bundle_release(&l->b);
}

/* Campaigns in order of time; two are in memory, one and the one before it. */
static int campaigns_fill(struct entries *e, const struct metric *metric, json_t *cells, json_t *campaigns, json_t **report,
			  struct iow_error *err)
{
	struct loaded l[2];
	size_t n = 0;
	int rc = 0;

	qsort(e->v, e->n, sizeof *e->v, by_start);
	for (size_t i = 0; i < e->n && !rc; i++) {
		struct loaded *now = &l[n % 2], *before = n ? &l[(n + 1) % 2] : NULL;

		if (e->v[i].why)
			continue;
		rc = bundle_load(&now->b, e->v[i].path, err);
		if (!rc && results_build(&now->r, &now->b, err)) {
			bundle_release(&now->b);
			rc = -1;
		}
		if (rc)
			break;
		json_array_append_new(campaigns, archive_campaign_json(&now->r, before ? &before->r : NULL, e->v[i].name, metric,
								       cells));
		json_decref(*report);
		*report = json_incref(now->b.cells.report);
		if (before)
			loaded_release(before);
		n++;
	}
	if (n)
		loaded_release(&l[(n + 1) % 2]);
	return rc;
}

static json_t *history_about(struct entries *e, const struct metric *metric, struct iow_error *err)
{
	json_t *a = derived_head(DERIVED_HISTORY), *cells = json_array(), *campaigns = json_array(), *report = NULL;
	json_t *left_out = left_out_json(e);
	int rc = campaigns_fill(e, metric, cells, campaigns, &report, err);

	jsonx_set_str(a, "title", o.title);
	jsonx_set_str(a, "metric", metric->name);
	jsonx_set_new(a, "report", report ? report : json_object());
	jsonx_set_new(a, "cells", cells);
	jsonx_set_new(a, "campaigns", campaigns);
	jsonx_set_new(a, "left_out", left_out);
	if (!rc)
		return a;
	json_decref(a);
	return NULL;
}

static char *default_dir(const json_t *about)
{
	const json_t *campaigns = json_object_get(about, "campaigns");
	const json_t *newest = json_array_get(campaigns, json_array_size(campaigns) - 1);
	mem_auto char *name = mem_printf("history %s", o.title ? o.title : jsonx_str(newest, "title", ""));

	return dirs_bundle(name);
}

static char *create(const char *archive, struct iow_error *err)
{
	const struct metric *metric = metric_find(o.metric ? o.metric : "throughput");
	struct entries e = { NULL, 0 };
	json_t *about = NULL;
	char *dir = NULL;

	if (!metric)
		return err_set(err, EINVAL, "no metric \"%s\"; there are throughput, iops, mean, p50, p95, p99 and more, see "
			       "iowitness-plan(5)", o.metric), NULL;
	if (!entries_read(&e, archive, err) && !entries_choose(&e, archive, err))
		about = history_about(&e, metric, err);
	if (about) {
		dir = o.dir ? mem_strdup(o.dir) : default_dir(about);
		if (derived_create(dir, DERIVED_HISTORY, about, NULL, NULL, err)) {
			free(dir);
			dir = NULL;
		}
	}
	if (e.n)
		qsort(e.v, e.n, sizeof *e.v, by_name);
	for (size_t i = 0; dir && i < e.n; i++)
		if (e.v[i].why)
			fprintf(stderr, "iowitness history: left out: %s: %s\n", e.v[i].name, e.v[i].why);
	json_decref(about);
	entries_release(&e);
	return dir;
}

int cmd_history(int argc, char **argv)
{
	struct iow_error e = ERR_INIT;
	char *dir;
	int status;

	if (opt_parse(&usage, argc, argv, &status) < 0)
		return status;
	dir = report_options_check(&o.report, &e) ? NULL : create(argv[1], &e);
	if (!dir) {
		fprintf(stderr, "iowitness history: %s\n", e.text);
		return EXIT_USAGE;
	}
	status = report_show("history", dir, &o.report, o.json);
	free(dir);
	return status;
}
