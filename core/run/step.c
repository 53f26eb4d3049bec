/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "base/err.h"
#include "base/jsonx.h"
#include "base/rng.h"
#include "base/vec.h"
#include "bundle/format.h"
#include "run/run.h"

#include <math.h>
#include <stdio.h>

#define START_LEAD (20 * NS_PER_MS) /* from GO to its instant, at least */
#define LEAD_EACH (NS_PER_MS)       /* for each of many runs: the orders go out one by one */
#define CLOCK_ROUNDS 8
#define STOP_WAIT (30 * NS_PER_S)

/* One run of the pass in progress. */
struct active {
	struct run r;
	const struct cell *cell;
	struct node *node;
	struct ask ask;
	json_t *samples;
	bool ready, going, done;
	int64_t late; /* of the first I/O after the instant of GO; -1: not said */
	uint64_t bytes;
	int64_t offset_before, bound_before;
};

struct step_state {
	struct active *v; size_t n;
	int64_t at; /* instant of GO here */
	int64_t rate_at; uint64_t rate_bytes; double rate;
};

/* ---- what one run is ---- */

static uint64_t run_seed(const struct campaign *k, const struct cell *cell, uint32_t block)
{
	struct rng r;

	/* The same in all arms and passes of a block: they take the same offsets in the same order. */
	rng_stream(&r, k->c->seed, (uint64_t)cell->test << 32 | block);
	return rng_next(&r);
}

static const char *cache_of(const struct plan_test *t, uint32_t pass)
{
	return cache_names[pass > 1 && t->cache == CACHE_COLD ? CACHE_ASIS : t->cache];
}

static json_t *prepare_frame(const struct campaign *k, const struct active *a)
{
	const struct plan_test *t = &k->c->tests[a->cell->test];
	const struct prepared *p = &k->prepared[k->cell_prepared[a->cell->id]];
	json_t *f = wire_frame("PREPARE");
	char seed[24];

	snprintf(seed, sizeof seed, "%016llx",
		 (unsigned long long)run_seed(k, a->cell, a->r.replaces ? a->r.replaces : a->r.block));
	jsonx_set_str(f, "what", "run");
	jsonx_set_int(f, "run", a->r.run);
	jsonx_set_str(f, "target", p->name);
	jsonx_set_str(f, "driver", k->c->targets[p->target].driver);
	json_object_set(f, "keys", p->keys);
	jsonx_set_new(f, "workload", workload_to_json(&a->cell->spec));
	jsonx_set_str(f, "cache", cache_of(t, a->r.pass));
	jsonx_set_int(f, "pass", a->r.pass);
	jsonx_set_int(f, "offset", (int64_t)a->r.offset);
	jsonx_set_int(f, "length", (int64_t)a->r.length);
	jsonx_set_str(f, "seed", seed);
	jsonx_set_bool(f, "write", a->cell->spec.op != WORKLOAD_READ);
	return f;
}

static void run_ends(struct active *a, uint32_t status, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void run_ends(struct active *a, uint32_t status, const char *fmt, ...)
{
	va_list ap;

	if (a->done)
		return;
	va_start(ap, fmt);
	vsnprintf(a->r.why, sizeof a->r.why, fmt, ap);
	va_end(ap);
	a->r.status = status;
	a->done = true;
}

/* The line of an agent must not say which run it is. */
static int merge_line(struct active *a, const json_t *line)
{
	struct run id = a->r;
	struct iow_error e = ERR_INIT;

	if (!line)
		return 0;
	if (run_from_json(&a->r, line, &e)) {
		a->r = id;
		run_ends(a, RUN_FAILED, "its agent sent a line that this program does not understand: %.120s", e.text);
		return -1;
	}
	a->r.run = id.run;
	a->r.cell = id.cell;
	a->r.block = id.block;
	a->r.step = id.step;
	a->r.pass = id.pass;
	a->r.position = id.position;
	a->r.replaces = id.replaces;
	a->r.offset = id.offset;
	a->r.length = id.length;
	a->r.start_utc_ns = id.start_utc_ns;
	a->r.samples_at = a->r.samples_len = 0;
	return 0;
}

/* ---- frames ---- */

static struct active *find(struct campaign *k, const struct node *n, const json_t *f)
{
	int64_t run = jsonx_int(f, "run", -1);

	for (size_t i = 0; k->step && i < k->step->n; i++)
		if (k->step->v[i].node == n && k->step->v[i].r.run == run)
			return &k->step->v[i];
	return NULL;
}

static void on_progress(struct campaign *k, struct active *a, const json_t *f)
{
	struct step_state *s = k->step;
	int64_t bytes = jsonx_int(f, "bytes", 0), now = clock_mono_ns();
	uint64_t sum = 0;

	a->bytes = bytes > 0 ? (uint64_t)bytes : 0;
	for (size_t i = 0; i < s->n; i++)
		sum += s->v[i].bytes;
	if (now - s->rate_at < 200 * NS_PER_MS)
		return;
	if (sum >= s->rate_bytes && s->rate_at)
		s->rate = (double)(sum - s->rate_bytes) * 1e9 / (double)(now - s->rate_at);
	s->rate_at = now;
	s->rate_bytes = sum;
	campaign_report(k, a->cell->label, false);
}

void campaign_rate(const struct campaign *k, double *bytes_per_s)
{
	if (k->step)
		*bytes_per_s = k->step->rate;
}

static void on_result(struct campaign *k, struct active *a, const json_t *f)
{
	const json_t *line = json_object_get(f, "line"), *samples = json_object_get(f, "samples");
	struct iow_error e = ERR_INIT;

	a->late = a->r.skew_ns = -1;
	if (merge_line(a, line))
		return;
	a->late = a->r.skew_ns;
	a->r.skew_ns = -1;
	if (!a->going && a->r.status == RUN_OK) {
		run_ends(a, RUN_FAILED, "its agent gave a result before it was told to go");
		return;
	}
	if (json_is_object(samples) && samples_check(samples, &e))
		run_ends(a, RUN_FAILED, "its agent sent samples that this program does not understand: %.110s", e.text);
	else if (json_is_object(samples))
		a->samples = json_incref((json_t *)(uintptr_t)samples);
	a->done = true;
}

void campaign_on_frame(void *ctx, struct node *n, const json_t *f)
{
	struct campaign *k = ctx;
	struct active *a = find(k, n, f);
	const char *type = wire_type(f);

	if (!a || a->done)
		return;
	if (!strcmp(type, "RESULT"))
		on_result(k, a, f);
	else if (!strcmp(type, "PROGRESS"))
		on_progress(k, a, f);
	else if (!strcmp(type, "ERROR"))
		run_ends(a, RUN_FAILED, "%.199s", jsonx_str(f, "text", "it failed"));
}

/* ---- phases of a pass ---- */

static void see_lost_nodes(struct step_state *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].node->state != NODE_UP)
			run_ends(&s->v[i], RUN_KILLED, "node %s was lost: %.150s", s->v[i].node->name, s->v[i].node->why);
}

static void take_answer(struct active *a)
{
	if (!a->ask.answer || a->done || a->ready)
		return;
	if (!strcmp(wire_type(a->ask.answer), "READY"))
		a->ready = merge_line(a, json_object_get(a->ask.answer, "line")) == 0;
	else
		run_ends(a, strcmp(jsonx_str(a->ask.answer, "class", ""), "lost") ? RUN_FAILED : RUN_KILLED, "%.199s",
			 jsonx_str(a->ask.answer, "text", "it failed"));
}

static bool all(const struct step_state *s, bool ready_too)
{
	for (size_t i = 0; i < s->n; i++)
		if (!s->v[i].done && !(ready_too && s->v[i].ready))
			return false;
	return true;
}

static void prepare_all(struct campaign *k, struct step_state *s)
{
	for (size_t i = 0; i < s->n; i++) {
		struct active *a = &s->v[i];

		if (a->node->state != NODE_UP)
			run_ends(a, RUN_NOT_RUN, "node %s was lost: %.150s", a->node->name, a->node->why);
		else
			ask_post(k->nodes, &a->ask, a->node, prepare_frame(k, a));
	}
	while (!all(s, true) && !k->nodes->stop) {
		nodes_poll(k->nodes, INT64_MAX);
		for (size_t i = 0; i < s->n; i++)
			take_answer(&s->v[i]);
		see_lost_nodes(s);
	}
	for (size_t i = 0; i < s->n; i++)
		ask_drop(k->nodes, &s->v[i].ask);
}

static void send_run(struct campaign *k, struct active *a, const char *type, int64_t at)
{
	json_t *f = wire_frame(type);

	jsonx_set_int(f, "run", a->r.run);
	if (at)
		jsonx_set_int(f, "at", at);
	node_send(k->nodes, a->node, f);
}

/* Runs together are compared with each other: if one can't go, the others' figures mean nothing. */
static bool broken(struct campaign *k, struct step_state *s)
{
	const struct active *bad = NULL;

	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].done)
			bad = &s->v[i];
	if (!bad && !k->nodes->stop)
		return false;
	for (size_t i = 0; i < s->n; i++) {
		struct active *a = &s->v[i];

		if (a->done)
			continue;
		send_run(k, a, "STOP", 0);
		if (k->nodes->stop)
			run_ends(a, RUN_CANCELLED, "interrupted before it started");
		else
			run_ends(a, RUN_NOT_RUN, "its step broke before it started: %.140s", bad->r.why);
	}
	return true;
}

static void go_all(struct campaign *k, struct step_state *s, const struct plan_test *t)
{
	int64_t lead = t->pause_ns > START_LEAD ? t->pause_ns : START_LEAD, utc;

	if (lead < (int64_t)s->n * LEAD_EACH)
		lead = (int64_t)s->n * LEAD_EACH;
	for (size_t i = 0; i < s->n; i++) {
		struct active *a = &s->v[i];

		a->offset_before = a->node->offset;
		a->bound_before = a->node->bound;
		if (8 * a->node->bound + START_LEAD > lead)
			lead = 8 * a->node->bound + START_LEAD;
	}
	s->at = clock_mono_ns() + lead;
	utc = clock_utc_ns() + lead;
	for (size_t i = 0; i < s->n; i++) {
		struct active *a = &s->v[i];

		a->r.start_utc_ns = utc;
		a->going = true;
		send_run(k, a, "GO", s->at + a->node->offset);
	}
}

static void wait_results(struct campaign *k, struct step_state *s)
{
	int stop = k->nodes->stop;
	int64_t give_up = INT64_MAX;

	while (!all(s, false)) {
		nodes_poll(k->nodes, give_up);
		see_lost_nodes(s);
		if (k->nodes->stop > stop && give_up == INT64_MAX) {
			for (size_t i = 0; i < s->n; i++)
				if (!s->v[i].done)
					send_run(k, &s->v[i], "STOP", 0);
			give_up = clock_mono_ns() + STOP_WAIT;
		}
		if (k->nodes->stop > stop + 1 || clock_mono_ns() >= give_up)
			for (size_t i = 0; i < s->n; i++)
				run_ends(&s->v[i], RUN_CANCELLED, "interrupted; its result was not waited for");
	}
}

/* ---- after the runs ---- */

static bool all_ok(const struct step_state *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].r.status != RUN_OK)
			return false;
	return true;
}

static int64_t llmax(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static void divide_devices(const struct campaign *k, const struct step_state *s)
{
	struct divided *d = mem_array(s->n, sizeof *d);

	for (size_t i = 0; i < s->n; i++) {
		struct active *a = &s->v[i];
		const json_t *facts = json_object_get(k->prepared[k->cell_prepared[a->cell->id]].info, "facts");

		d[i] = (struct divided){ &a->r, a->node, a->node->boot, json_object_get(facts, "layers") };
	}
	devices_divide(d, s->n);
	free(d);
}

static void common_window(struct campaign *k, struct step_state *s)
{
	struct run **runs = mem_array(s->n, sizeof *runs);
	const json_t **samples = mem_array(s->n, sizeof *samples);
	int64_t *start = mem_array(s->n, sizeof *start), first = INT64_MAX, last = INT64_MIN, bound = 0;
	bool unknown = false;

	nodes_measure_clocks(k->nodes, CLOCK_ROUNDS);
	for (size_t i = 0; i < s->n; i++) {
		struct active *a = &s->v[i];
		int64_t drift = a->node->offset - a->offset_before;

		runs[i] = &a->r;
		samples[i] = a->samples;
		/* The start was set by the first estimate; the middle of both is the better one. */
		start[i] = llmax(a->late, 0) - drift / 2;
		bound = llmax(bound, llmax(a->bound_before, a->node->bound) + llabs(drift) / 2);
		unknown = unknown || a->bound_before < 0 || a->node->bound < 0;
		first = start[i] < first ? start[i] : first;
		last = llmax(last, start[i]);
	}
	window_apply(runs, samples, start, s->n);
	divide_devices(k, s);
	for (size_t i = 0; i < s->n; i++) {
		const struct workload *w = &s->v[i].cell->spec;

		/* A run that starts late ends on time: what it lost must not make the window look whole. */
		if (!w->amount)
			runs[i]->shortest_ns = llmax(runs[i]->shortest_ns, w->duration_ns - w->warmup_ns);
		/* A clock that did not answer may be anywhere in the run. */
		runs[i]->offset_bound_ns = unknown ? llmax(bound, runs[i]->shortest_ns) : bound;
		runs[i]->skew_ns = last - first;
	}
	free(start);
	free(samples);
	free(runs);
}

static void append(struct campaign *k, struct active *a, int64_t took)
{
	struct iow_error e = ERR_INIT;

	a->r.ceiling_permille = a->r.status == RUN_OK ? ceiling_permille(k, &a->r) : -1;
	if (!k->fatal.text[0] && bundle_put_run(k->w, &a->r, a->samples, &e)) {
		k->fatal = e;
		k->nodes->stop++;
	}
	if (a->r.status != RUN_OK) {
		k->bad_block = true;
		k->bad++;
		campaign_log(k, "run %u (%s): %s: %s", a->r.run, a->cell->label, run_status_name(a->r.status), a->r.why);
	}
	if (a->r.status != RUN_OK && a->r.status != RUN_NOT_RUN && a->r.status != RUN_CANCELLED) {
		k->failed++;
		campaign_say(k, "run %u (%s) %s: %s", a->r.run, a->cell->label, run_status_name(a->r.status), a->r.why);
	}
	k->done++;
	k->cell_time[a->cell->id].total_ns += took;
	k->cell_time[a->cell->id].n++;
}

static void add_runs(struct campaign *k, struct step_state *st, const struct block *b, uint32_t replaces,
		     uint32_t position, const struct step *s, uint32_t pass)
{
	struct iow_error e = ERR_INIT;

	for (size_t i = 0; i < s->n_cells; i++)
		st->n += k->c->cells[s->cells[i]].pass == pass;
	st->v = mem_array(st->n, sizeof *st->v);
	st->n = 0;
	for (size_t i = 0; i < s->n_cells; i++) {
		const struct cell *cell = &k->c->cells[s->cells[i]];
		struct active *a = &st->v[st->n];

		if (cell->pass != pass)
			continue;
		st->n++;
		run_init(&a->r);
		a->cell = cell;
		a->node = campaign_node(k, cell);
		a->r.run = ++k->next_run;
		a->r.cell = cell->id;
		a->r.block = b->number;
		a->r.replaces = replaces;
		a->r.step = s->id;
		a->r.pass = pass;
		a->r.position = position;
		a->r.start_utc_ns = clock_utc_ns();
		if (region_of(k, cell, b->number, replaces, &a->r.offset, &a->r.length, &e))
			run_ends(a, RUN_NOT_RUN, "%.199s", e.text);
	}
}

bool campaign_pass(struct campaign *k, const struct block *b, uint32_t replaces, uint32_t position,
		   const struct step *s, uint32_t pass)
{
	struct step_state st = { .rate = NAN };
	int64_t began = clock_mono_ns();
	bool outside = false;

	add_runs(k, &st, b, replaces, position, s, pass);
	if (!st.n)
		return false;
	k->step = &st;
	campaign_report(k, st.v[0].cell->label, false);
	prepare_all(k, &st);
	if (st.n > 1)
		nodes_measure_clocks(k->nodes, CLOCK_ROUNDS);
	if (!broken(k, &st)) {
		go_all(k, &st, &k->c->tests[s->test]);
		wait_results(k, &st);
		if (st.n > 1 && all_ok(&st))
			common_window(k, &st);
	}
	for (size_t i = 0; i < st.n; i++) {
		outside = outside || st.v[i].r.status == RUN_KILLED;
		append(k, &st.v[i], clock_mono_ns() - began);
	}
	campaign_report(k, st.v[0].cell->label, true);
	k->step = NULL;
	for (size_t i = 0; i < st.n; i++)
		json_decref(st.v[i].samples);
	free(st.v);
	return outside;
}
