/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report.h"

#include "base/err.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "cli/cmd.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Reports about several campaigns. */

static int load_part(const struct derived *d, struct bundle *b, struct results *r, const char *dir, bool after,
		     struct iow_error *e)
{
	mem_auto char *path = derived_part(dir, after);

	if (bundle_load(b, path, e))
		return -1;
	if (!derived_is_part(d, after, b))
		return err_set(e, EINVAL, "%s: is not the bundle that compare.json names", path);
	return results_build(r, b, e);
}

static int compare_open(struct report *r, const char *dir, struct iow_error *e)
{
	const char *name = jsonx_str(r->derived.about, "metric", "");
	const struct metric *metric = metric_find(name);
	double margin = jsonx_real(r->derived.about, "margin", -1);

	if (!metric)
		return err_set(e, EINVAL, "%s: compare.json: no metric \"%s\"", dir, name);
	if (!(margin >= 0 && margin < 10))
		return err_set(e, EINVAL, "%s: compare.json: the margin must be a number from 0 to 10", dir);
	if (load_part(&r->derived, &r->before, &r->before_results, dir, false, e) ||
	    load_part(&r->derived, &r->bundle, &r->results, dir, true, e))
		return -1;
	changes_build(&r->changes, &r->before_results, &r->results, metric, margin);
	return 0;
}

/* Of the Monte Carlo for candidates: the same archive gives the same p. */
#define HISTORY_SEED 1

static int history_open(struct report *r, const char *dir, struct iow_error *e)
{
	return archive_build(&r->archive, r->derived.about, HISTORY_SEED, e) ? err_in(e, "%s: history.json", dir) : 0;
}

int report_derived_open(struct report *r, const char *dir, struct iow_error *e)
{
	if (derived_load(&r->derived, dir, e))
		return -1;
	r->about = (struct derived_about){ .dir = r->derived.dir, .evidence = r->derived.evidence, .id = r->derived.id,
		.sealed = r->derived.sealed, .title = jsonx_str(r->derived.about, "title", NULL), .root = r->derived.about };
	if ((r->kind == DERIVED_COMPARE ? compare_open(r, dir, e) : history_open(r, dir, e)) == 0)
		return 0;
	report_derived_close(r);
	results_release(&r->results);
	bundle_release(&r->bundle);
	return -1;
}

void report_derived_close(struct report *r)
{
	if (r->kind == DERIVED_KINDS)
		return;
	archive_release(&r->archive);
	changes_release(&r->changes);
	results_release(&r->before_results);
	bundle_release(&r->before);
	derived_release(&r->derived);
}

int report_derived_compose(struct report *r, const struct compose_options *o, struct iow_error *e)
{
	if (r->kind == DERIVED_COMPARE) {
		change_findings(&r->findings, &r->changes, &r->wording);
		r->document = compose_change(&r->changes, &r->about, &r->findings, &r->wording, o, e);
	} else {
		history_findings(&r->findings, &r->archive, &r->wording);
		r->document = compose_history(&r->archive, &r->about, &r->findings, &r->wording, o, e);
	}
	return r->document ? 0 : -1;
}

const json_t *report_plan(const struct report *r)
{
	return r->kind == DERIVED_HISTORY ? json_object_get(r->derived.about, "report") : r->bundle.cells.report;
}

json_t *report_derived_json(const struct report *r, const char *tool)
{
	return r->kind == DERIVED_COMPARE ? change_json(&r->changes, &r->about, &r->findings, tool)
					  : history_json(&r->archive, &r->about, &r->findings, tool);
}

void report_derived_csv(const struct report *r, struct buf *out)
{
	if (r->kind == DERIVED_COMPARE)
		change_csv(&r->changes, out);
	else
		history_csv(&r->archive, out);
}

static bool is_cut(const struct results *r)
{
	return r->incomplete || !r->bundle->end_state || strcmp(r->bundle->end_state, "complete") != 0;
}

static int history_exit(const struct archive *a)
{
	const struct archive_campaign *newest = &a->campaigns[a->n - 1];
	bool slow = false;

	for (size_t i = 0; i < a->n_courses; i++)
		slow |= a->courses[i].watch_worse || archive_is_slower(a, &a->courses[i]);
	if (!newest->state || strcmp(newest->state, "complete") != 0 || newest->done_runs != newest->planned_runs)
		return EXIT_INCOMPLETE;
	return newest->voids ? EXIT_VOID : slow ? EXIT_LIMIT : EXIT_OK;
}

int report_derived_exit(const struct report *r)
{
	if (r->kind == DERIVED_HISTORY)
		return history_exit(&r->archive);
	if (is_cut(&r->before_results) || is_cut(&r->results))
		return EXIT_INCOMPLETE;
	if (change_count(&r->changes, CHANGE_VOID))
		return EXIT_VOID;
	return r->changes.worse ? EXIT_LIMIT : EXIT_OK;
}

/* ---- for the commands ---- */

int report_source_open(struct bundle *b, const char *dir, struct iow_error *e)
{
	struct iow_error problem = ERR_INIT;
	int n;

	if (derived_kind_of(dir) != DERIVED_KINDS)
		return err_set(e, EINVAL, "%s: is a comparison or a history; what is needed is the bundle of a campaign", dir);
	n = bundle_verify(dir, bundle_first_problem, &problem, e);
	if (n < 0)
		return -1;
	if (n > 0)
		return err_set(e, EINVAL, "%s: %s; see iowitness verify", dir, problem.text);
	return bundle_load(b, dir, e);
}

int report_show(const char *command, const char *dir, const struct report_options *ro, bool json)
{
	struct iow_error e = ERR_INIT;
	struct buf b = BUF_INIT;
	struct report r;
	int status;

	if (report_open(&r, dir, ro, &e)) {
		fprintf(stderr, "iowitness %s: no report: %s\n", command, e.text);
		return EXIT_INCOMPLETE;
	}
	status = report_exit(&r, false);
	if (report_write(&r, &e) || (json && report_render(&r, "json", &b, &e))) {
		fprintf(stderr, "iowitness %s: no report: %s\n", command, e.text);
		status = EXIT_INCOMPLETE;
	} else if (json) {
		fputs(buf_str(&b), stdout);
	} else {
		report_print(&r);
		printf("\n%s/report.html\n%s/report.pdf\n%s/results.json\n", dir, dir, dir);
	}
	buf_release(&b);
	report_close(&r);
	return status;
}
