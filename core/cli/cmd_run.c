/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "base/err.h"
#include "base/jsonx.h"
#include "base/vec.h"
#include "cli/cmd.h"
#include "cli/dirs.h"
#include "cli/opt.h"
#include "cli/pilot.h"
#include "cli/plan_open.h"
#include "cli/report.h"
#include "cli/run_view.h"
#include "config.h"
#include "run/driver.h"
#include "run/ledger.h"
#include "run/run.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define GREET_WAIT (20 * NS_PER_S)
#define CONNECT_WAIT (60 * NS_PER_S)

static struct {
	const char *files, *dir, *plugins, *fail_on, *templates;
	struct opt_list set, destroy;
	bool dry_run, allow_commands, json, no_report, pilot;
} o;

static const struct opt opts[] = {
	{ "output", 'o', OPT_STRING, "DIR", &o.dir, "directory of the bundle; it must not exist or be empty" },
	{ "set", 0, OPT_LIST, "/PATH=VALUE", &o.set, "change one value of the plan; recorded in the bundle" },
	{ "dir", 0, OPT_STRING, "DIR", &o.files, "where test files are made: --set /params/dir=DIR" },
	{ "plugin-path", 0, OPT_STRING, "DIRS", &o.plugins, "look for drivers in these directories first" },
	{ "dry-run", 'n', OPT_FLAG, NULL, &o.dry_run, "say what would be touched, and touch nothing" },
	{ "destroy", 0, OPT_LIST, "ID", &o.destroy,
	  "the device with this id, named for it in the plan too, may lose its contents" },
	{ "allow-commands", 0, OPT_FLAG, NULL, &o.allow_commands, "run the commands that the plan holds" },
	{ "pilot", 0, OPT_FLAG, NULL, &o.pilot,
	  "measure a few blocks first, into a bundle of their own, and choose the number of blocks from them" },
	{ "json", 0, OPT_FLAG, NULL, &o.json, "print what came of it as JSON" },
	{ "no-report", 0, OPT_FLAG, NULL, &o.no_report, "measure and seal only" },
	{ "templates", 0, OPT_STRING, "DIR", &o.templates, "look for the report's templates here first" },
	{ "fail-on", 0, OPT_STRING, "claim", &o.fail_on, "a contradicted claim gives exit code 2" },
	{ NULL, 0, OPT_FLAG, NULL, NULL, NULL },
};

static const struct opt_usage usage = {
	"run PLAN [OPTION…]",
	"Measures what the plan says, writes the evidence into a bundle, seals it and renders the reports. Ctrl-C keeps "
	"what was measured.",
	opts,
	"Exit codes: 1 usage or plan, 4 refused for safety, both before anything starts; then 3 incomplete,\n"
	"5 a verdict is void, 2 a limit failed or a regression was found, 0.\n",
	1, 1
};

/* What one call of the command holds. */
struct session {
	struct nodes nodes;
	struct plan plan;
	struct cells cells;
	struct campaign campaign;
	struct run_view view;
	struct bundle_writer *w;
	const struct pilot *pilot; /* its result; NULL: none was run, or this is the pilot */
	bool is_pilot;
	bool planned, begun;
	bool broken; /* the bundle could not be written to its end */
	struct buf said;           /* what the pilot led to, for the log */
	char *dir;
	char state[200];
};

static int fail(struct session *s, int status, const struct iow_error *e)
{
	struct iow_error shown = *e;

	for (char *p = shown.text; *p; p++) /* it may come from another machine: no commands to a terminal */
		if (((unsigned char)*p < ' ' && *p != '\n') || *p == 127)
			*p = ' ';
	run_view_close(&s->view);
	fprintf(stderr, "iowitness run: %s\n", shown.text);
	return status;
}

/* ---- plan ---- */

static json_t *describe(void *ctx, const char *driver, struct iow_error *e)
{
	struct session *s = ctx;

	return node_describe(&s->nodes, &s->nodes.v[0], driver, e);
}

static int load_plan(struct session *s, const char *path)
{
	s->planned = true;
	if (plan_read(&s->plan, &s->cells, path, o.set.v, o.set.n, describe, s, &s->nodes) == 0)
		return 0;
	return s->nodes.stop ? EXIT_INCOMPLETE : EXIT_USAGE;
}

/* ---- where the bundle goes ---- */

static int cannot_be_written(const char *dir)
{
	fprintf(stderr, "iowitness run: %s: %s\n", dir, err_name(errno));
	return EXIT_USAGE;
}

static int check_parent(const char *dir)
{
	mem_auto char *parent = mem_strdup(dir);
	size_t n = strlen(parent);

	while (n && parent[n - 1] == '/')
		n--;
	while (n && parent[n - 1] != '/')
		n--;
	parent[n] = 0;
	return *dir && access(n ? parent : ".", W_OK | X_OK) == 0 ? 0 : cannot_be_written(dir);
}

/* Said before anything is touched; bundle_create refuses it too. */
static int check_dir(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *entry;
	int n = 0;

	if (!d)
		return errno == ENOENT ? check_parent(dir) : cannot_be_written(dir);
	while ((entry = readdir(d)))
		n += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
	closedir(d);
	if (!n)
		return access(dir, W_OK | X_OK) ? cannot_be_written(dir) : 0;
	fprintf(stderr, "iowitness run: %s is not empty; a bundle needs a directory of its own\n", dir);
	return EXIT_USAGE;
}

/* ---- campaign ---- */

/* The drivers of a node's targets, and null for its ceiling. New. */
static json_t *drivers_of_node(const struct session *s, size_t node)
{
	json_t *a = json_pack("[s]", "null");

	for (size_t i = 0; i < s->cells.n_targets; i++)
		if (s->cells.targets[i].node == node)
			json_array_append_new(a, json_string(s->cells.targets[i].driver));
	return a;
}

static int start_nodes(struct session *s, struct iow_error *e)
{
	size_t n = s->cells.n_nodes;

	nodes_grow(&s->nodes, n);
	s->nodes.announced_ns = campaign_silence(&s->cells);
	for (size_t i = 1; i < n; i++) {
		const struct plan_node *p = &s->cells.nodes[i];

		json_t *needs = drivers_of_node(s, i);
		int rc = node_start_remote(&s->nodes, &s->nodes.v[i], p->name, p->driver, p->keys, needs, CONNECT_WAIT, e);

		json_decref(needs);
		if (rc)
			return -1;
	}
	for (size_t i = 1; i < n; i++)
		if (node_greet(&s->nodes, &s->nodes.v[i], CONNECT_WAIT, e))
			return -1;
	return 0;
}

/* Exit code when a node is not reached: a mistake of the plan, or the world. */
static int exit_of_nodes(const struct session *s)
{
	for (size_t i = 0; i < s->nodes.n; i++)
		if (s->nodes.v[i].misplanned)
			return EXIT_USAGE;
	return EXIT_INCOMPLETE;
}

static int exit_of(enum campaign_end end)
{
	static const int codes[] = { EXIT_OK, EXIT_USAGE, EXIT_REFUSED, EXIT_INCOMPLETE };

	return codes[end];
}

/* ---- dry run ---- */

/* The nodes look at what each target would be, and refuse what they would refuse. */
static int dry_run(struct session *s)
{
	struct campaign_options co = { .destroy = o.destroy.v, .n_destroy = o.destroy.n,
				       .allow_commands = o.allow_commands, .look = true };
	const struct cells *c = &s->cells;
	struct iow_error e = ERR_INIT;
	enum campaign_end end;

	if (start_nodes(s, &e))
		return fail(s, exit_of_nodes(s), &e);
	campaign_init(&s->campaign, &s->nodes, c, &co);
	s->begun = true;
	printf("%s: %zu cells, %zu runs\n", c->title, c->n_cells, plan_runs(c));
	end = campaign_prepare(&s->campaign, &e);
	for (size_t i = 0; i < s->campaign.n_prepared; i++) {
		const struct prepared *p = &s->campaign.prepared[i];
		const struct plan_target *t = &c->targets[p->target];

		if (p->info)
			printf("would %s \"%s\" on node %s, driver %s: %s\n", p->write ? "write" : "read", p->name,
			       c->nodes[t->node].name, t->driver, jsonx_str(p->info, "says", "?"));
	}
	if (end != CAMPAIGN_OK)
		return fail(s, exit_of(end), &e);
	printf("would write the bundle %s\n", s->dir);
	return EXIT_OK;
}

/* ---- measuring ---- */

static void count_campaign(struct session *s)
{
	struct iow_error e = ERR_INIT;
	int64_t number;
	char real[4096];

	if (ledger_add(s->cells.plan_sha256, realpath(s->dir, real) ? real : s->dir, clock_utc_ns(), &number, &e)) {
		campaign_log(&s->campaign, "the ledger of campaigns could not be kept: %s", e.text);
		return;
	}
	jsonx_set_int(s->campaign.host, "campaign", number);
}

static void log_lines(struct campaign *k, const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n");

		campaign_log(k, "%.*s", (int)n, text);
		text += n + (text[n] == '\n');
	}
}

static int measure(struct session *s)
{
	struct campaign_options co = { .destroy = o.destroy.v, .n_destroy = o.destroy.n,
				       .allow_commands = o.allow_commands, .ctx = &s->view,
				       .progress = run_view_progress, .say = run_view_say };
	struct iow_error e = ERR_INIT;
	enum campaign_end end;

	if (start_nodes(s, &e))
		return fail(s, exit_of_nodes(s), &e);
	campaign_init(&s->campaign, &s->nodes, &s->cells, &co);
	s->begun = true;
	end = campaign_prepare(&s->campaign, &e);
	if (end != CAMPAIGN_OK)
		return fail(s, exit_of(end), &e);
	s->w = bundle_create(s->dir, s->plan.doc.text, s->plan.doc.len, &s->cells, &e);
	if (!s->w)
		return fail(s, EXIT_INCOMPLETE, &e);
	log_lines(&s->campaign, buf_str(&s->said));
	if (!s->is_pilot) /* nothing is concluded from it: it is not a try */
		count_campaign(s);
	if (campaign_run(&s->campaign, s->w, s->state, &e) != CAMPAIGN_OK || bundle_seal(s->w, s->state, &e)) {
		s->broken = true;
		return fail(s, EXIT_INCOMPLETE, &e);
	}
	run_view_close(&s->view);
	return s->campaign.incomplete ? EXIT_INCOMPLETE : EXIT_OK;
}

static void print_end(const struct session *s, int status)
{
	struct buf b = BUF_INIT;
	json_t *j;

	if (!o.json) {
		const struct campaign *k = &s->campaign;

		if (s->broken) {
			printf("%s: %u of %u runs were done, and the bundle is not sealed\n", s->dir, k->done, k->total);
			return;
		}
		printf("%s: %u of %u runs", s->dir, k->done - k->bad, k->total);
		if (k->failed)
			printf(", %u failed", k->failed);
		if (k->bad > k->failed)
			printf(", %u not run to the end", k->bad - k->failed);
		if (!k->bad || strcmp(s->state, "complete"))
			printf(", %s", s->state);
		putchar('\n');
		return;
	}
	j = json_object();
	jsonx_set_str(j, "bundle", s->dir);
	if (s->pilot)
		jsonx_set_str(j, "pilot", s->pilot->dir);
	jsonx_set_str(j, "state", s->state);
	jsonx_set_int(j, "runs", s->campaign.done);
	jsonx_set_int(j, "failed", s->campaign.failed);
	jsonx_set_int(j, "planned", s->campaign.total);
	jsonx_set_int(j, "exit", status);
	jsonx_write(&b, j, 2);
	printf("%s\n", buf_str(&b));
	buf_release(&b);
	json_decref(j);
}

/* Renders what is in the bundle; a report that fails never hides what was measured. */
static int render(const struct session *s, int status)
{
	struct report_options ro = { .templates = o.templates };
	struct iow_error e = ERR_INIT;
	struct report r;
	int judged;

	if (report_open(&r, s->dir, &ro, &e)) {
		fprintf(stderr, "iowitness run: no report: %s\n", e.text);
		return EXIT_INCOMPLETE;
	}
	judged = report_exit(&r, o.fail_on != NULL);
	if (report_write(&r, &e)) {
		fprintf(stderr, "iowitness run: no report: %s\n", e.text);
		judged = EXIT_INCOMPLETE;
	} else if (!o.json) {
		putchar('\n');
		report_print(&r);
		printf("\n%s/report.html\n%s/report.pdf\n", s->dir, s->dir);
	}
	report_close(&r);
	return status == EXIT_OK ? judged : status;
}

/* ---- pilot ---- */

static int session_open(struct session *s, const char *path)
{
	struct iow_error e = ERR_INIT;
	int status;

	if (nodes_open(&s->nodes, 1, &e) || node_start_local(&s->nodes, &s->nodes.v[0], "local", &e) ||
	    node_greet(&s->nodes, &s->nodes.v[0], GREET_WAIT, &e))
		return fail(s, EXIT_INCOMPLETE, &e);
	status = load_plan(s, path);
	if (status)
		return status;
	s->dir = o.dir ? mem_strdup(o.dir) : dirs_bundle(s->cells.title);
	return check_dir(s->dir);
}

static int check_commands(struct session *s)
{
	struct iow_error e = ERR_INIT;

	if (o.allow_commands || !campaign_check_commands(&s->nodes, &s->cells, &e))
		return 0;
	return fail(s, s->nodes.stop ? EXIT_INCOMPLETE : e.err == EPERM ? EXIT_REFUSED : EXIT_USAGE, &e);
}

static int session_run(struct session *s, const char *path)
{
	int status = session_open(s, path);

	if (!status)
		status = check_commands(s);
	if (status)
		return status;
	if (o.dry_run)
		return dry_run(s);
	if (s->pilot)
		pilot_apply(s->pilot, &s->cells, &s->said);
	if (s->pilot && !o.json) {
		fputs(buf_str(&s->said), stdout);
		fflush(stdout);
	}
	status = measure(s);
	if (s->broken)
		snprintf(s->state, sizeof s->state, "not sealed");
	if (!s->state[0])
		return status;
	if (!o.no_report && !s->broken)
		status = render(s, status);
	print_end(s, status);
	return status;
}

static void session_release(struct session *s)
{
	bundle_writer_free(s->w);
	s->campaign.w = NULL;
	nodes_close(&s->nodes);
	if (s->begun) {
		campaign_leftovers(&s->campaign);
		campaign_release(&s->campaign);
	}
	if (s->planned)
		plan_release(&s->plan);
	cells_release(&s->cells);
	buf_release(&s->said);
	free(s->dir);
}

/* Measures the pilot; where that fails, nothing else is started. */
static int pilot_run(struct pilot *p, const char *path)
{
	struct session s = { .nodes = { .signals = -1 }, .is_pilot = true };
	struct iow_error e = ERR_INIT;
	char *dir;
	int status;

	cells_init(&s.cells);
	run_view_init(&s.view, o.json);
	status = session_open(&s, path);
	if (status == EXIT_OK) {
		dir = pilot_dir_new(s.dir);
		free(s.dir);
		s.dir = dir;
		status = check_dir(dir);
	}
	if (status == EXIT_OK) {
		pilot_shorten(p, &s.cells, s.plan.doc.text, s.plan.doc.len);
		status = measure(&s);
		if (s.state[0] && !o.json)
			printf("%s: pilot, %u of %u runs, %s\n", s.dir, s.campaign.done, s.campaign.total, s.state);
		/* Runs that failed leave fewer blocks to learn from; a pilot that was stopped ends it all. */
		if (s.state[0] && strcmp(s.state, "complete") == 0)
			status = pilot_learn(p, s.dir, &e) ? fail(&s, EXIT_INCOMPLETE, &e) : EXIT_OK;
	}
	session_release(&s);
	return status;
}

int cmd_run(int argc, char **argv)
{
	struct session s = { .nodes = { .signals = -1 } };
	struct pilot pilot = { 0 };
	mem_auto char *files = NULL;
	int status;

	if (opt_parse(&usage, argc, argv, &status) < 0)
		return status;
	files = plan_add_dir(&o.set, o.files);
	if (o.fail_on && strcmp(o.fail_on, "claim") != 0) {
		fprintf(stderr, "iowitness run: --fail-on takes only: claim\n");
		return EXIT_USAGE;
	}
	if (o.plugins)
		driver_path_prepend(o.plugins);
	cells_init(&s.cells);
	run_view_init(&s.view, o.json);
	s.pilot = o.pilot && !o.dry_run ? &pilot : NULL;
	status = s.pilot ? pilot_run(&pilot, argv[1]) : EXIT_OK;
	if (status == EXIT_OK)
		status = session_run(&s, argv[1]);
	session_release(&s);
	pilot_release(&pilot);
	free(o.set.v);
	free(o.destroy.v);
	return status;
}
