/* SPDX-License-Identifier: Apache-2.0 */
#include "run/run.h"

#include "base/clock.h"
#include "base/err.h"
#include "base/jsonx.h"
#include "base/vec.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define APPENDED_BLOCKS 2 /* of a test, for faults from outside */
#define DESCRIBE_WAIT (30 * NS_PER_S)
#define FACTS_MAX 400
#define FACT_LEN 1000

/* ---- log and progress ---- */

void campaign_log(struct campaign *k, const char *fmt, ...)
{
	mem_auto char *line = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&line, fmt, ap) < 0)
		line = NULL;
	va_end(ap);
	if (!line)
		return;
	for (char *p = line; *p; p++)
		if ((unsigned char)*p < ' ')
			*p = ' ';
	if (k->w)
		bundle_log(k->w, "%s", line);
	else
		buf_printf(&k->early_log, "%s\n", line);
}

void campaign_say(struct campaign *k, const char *fmt, ...)
{
	char line[600];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof line, fmt, ap);
	va_end(ap);
	for (char *p = line; *p; p++) /* parts of it come from other machines: no commands to a terminal */
		if ((unsigned char)*p < ' ' || *p == 127)
			*p = ' ';
	if (k->o.say)
		k->o.say(k->o.ctx, line);
}

static void flush_early_log(struct campaign *k)
{
	char *save = NULL;

	if (!k->early_log.len)
		return;
	for (char *l = strtok_r(k->early_log.data, "\n", &save); l; l = strtok_r(NULL, "\n", &save))
		bundle_log(k->w, "%s", l);
	buf_release(&k->early_log);
}

/* What a run of a cell takes with everything around it: measured, else planned. */
static int64_t expected_ns(const struct campaign *k, uint32_t cell, int64_t mean)
{
	const struct cell *c = &k->c->cells[cell];

	if (k->cell_time[cell].n)
		return k->cell_time[cell].total_ns / k->cell_time[cell].n;
	if (c->spec.duration_ns && !c->spec.amount)
		return c->spec.duration_ns + k->c->tests[c->test].pause_ns + 200 * NS_PER_MS;
	return mean;
}

static int64_t time_left(const struct campaign *k)
{
	int64_t all = 0, left = 0, mean;
	uint32_t n = 0, seen = 0;

	for (size_t i = 0; i < k->c->n_cells; i++) {
		all += k->cell_time[i].total_ns;
		n += k->cell_time[i].n;
	}
	if (!n)
		return -1;
	mean = all / n;
	for (size_t b = 0; b < k->c->n_blocks; b++)
		for (size_t s = 0; s < k->c->blocks[b].n_steps; s++) {
			const struct step *st = &k->c->steps[k->c->blocks[b].steps[s]];
			int64_t step = 0;

			for (size_t i = 0; i < st->n_cells; i++) {
				int64_t t = expected_ns(k, st->cells[i], mean);

				step = st->n_cells > 1 && k->c->cells[st->cells[0]].company == COMPANY_TOGETHER
					       ? (t > step ? t : step) : step + t;
				seen++;
			}
			if (seen > k->done)
				left += step;
		}
	return left;
}

void campaign_report(struct campaign *k, const char *now, bool run_ended)
{
	struct campaign_progress p = { .done = k->done, .total = k->total, .now = now, .run_ended = run_ended };
	int64_t t = clock_mono_ns();

	if (!k->o.progress || (!run_ended && t - k->progress_at < 100 * NS_PER_MS))
		return;
	k->progress_at = t;
	p.elapsed_ns = t - k->started;
	p.left_ns = k->total ? time_left(k) : -1;
	p.bytes_per_s = NAN;
	campaign_rate(k, &p.bytes_per_s);
	k->o.progress(k->o.ctx, &p);
}

/* ---- what agents say on their own ---- */

static json_t *child_object(json_t *o, const char *key)
{
	json_t *v = json_object_get(o, key);

	if (!json_is_object(v)) {
		v = json_object();
		jsonx_set_new(o, key, v);
	}
	return v;
}

static void on_fact(void *ctx, struct node *n, const json_t *f)
{
	struct campaign *k = ctx;
	const char *name = jsonx_str(f, "name", NULL), *value = jsonx_str(f, "value", NULL);
	json_t *facts;

	for (size_t i = 0; name && value && i < k->n_prepared; i++) {
		struct prepared *p = &k->prepared[i];

		if (strcmp(p->name, jsonx_str(f, "target", "")) || campaign_target_node(k, p->target) != n)
			continue;
		if (!p->info && !p->early)
			p->early = json_object();
		facts = p->info ? child_object(p->info, "facts") : p->early;
		if (strlen(name) <= 64 && strlen(value) <= FACT_LEN &&
		    (json_object_size(facts) < FACTS_MAX || json_object_get(facts, name)))
			jsonx_set_str(facts, name, value);
	}
}

static void on_log(void *ctx, struct node *n, const char *line)
{
	campaign_log(ctx, "%s: %s", n->name, line);
}

/* ---- open and close ---- */

struct node *campaign_target_node(const struct campaign *k, uint32_t target)
{
	return &k->nodes->v[k->c->targets[target].node];
}

struct node *campaign_node(const struct campaign *k, const struct cell *cell)
{
	return campaign_target_node(k, cell->target);
}

void campaign_init(struct campaign *k, struct nodes *nodes, const struct cells *c, const struct campaign_options *o)
{
	memset(k, 0, sizeof *k);
	k->c = c;
	k->nodes = nodes;
	k->o = *o;
	k->host = json_object();
	k->drivers = json_object();
	k->cell_prepared = mem_array(c->n_cells, sizeof *k->cell_prepared);
	k->cell_ceiling = mem_array(c->n_cells, sizeof *k->cell_ceiling);
	k->cell_time = mem_array(c->n_cells, sizeof *k->cell_time);
	k->started = clock_mono_ns();
	nodes->ctx = k;
	nodes->on_frame = campaign_on_frame;
	nodes->on_fact = on_fact;
	nodes->on_log = on_log;
	nodes->on_lost = campaign_on_lost;
}

void campaign_release(struct campaign *k)
{
	for (size_t i = 0; i < k->n_prepared; i++) {
		free(k->prepared[i].name);
		free(k->prepared[i].device_id);
		json_decref(k->prepared[i].same);
		json_decref(k->prepared[i].info);
		json_decref(k->prepared[i].early);
	}
	ceilings_release(k);
	free(k->prepared);
	free(k->cell_prepared);
	free(k->cell_ceiling);
	free(k->cell_time);
	json_decref(k->host);
	json_decref(k->drivers);
	buf_release(&k->early_log);
	k->nodes->ctx = NULL;
	k->nodes->on_frame = NULL;
	k->nodes->on_fact = NULL;
	k->nodes->on_log = NULL;
	k->nodes->on_lost = NULL;
}

json_t *node_describe(struct nodes *ns, struct node *n, const char *driver, struct iow_error *e)
{
	json_t *f = wire_frame("PREPARE"), *answer, *d;

	jsonx_set_str(f, "what", "driver");
	jsonx_set_str(f, "driver", driver);
	answer = node_ask(ns, n, f, DESCRIBE_WAIT, NULL, e);
	d = json_object_get(answer, "driver");
	d = json_is_object(d) ? json_incref(d) : NULL;
	if (answer && !d)
		err_set(e, EPROTO, "driver %s: its description is missing", driver);
	json_decref(answer);
	return d;
}

/* ---- the blocks ---- */

static uint32_t passes_of(const struct campaign *k, const struct step *s)
{
	uint32_t passes = 1;

	for (size_t i = 0; i < s->n_cells; i++)
		if (k->c->cells[s->cells[i]].pass > passes)
			passes = k->c->cells[s->cells[i]].pass;
	return passes;
}

static bool any_node(const struct campaign *k)
{
	for (size_t i = 0; i < k->nodes->n; i++)
		if (k->nodes->v[i].state == NODE_UP)
			return true;
	return false;
}

/* Nothing can be measured any more, or nothing should be. */
static bool over(const struct campaign *k)
{
	return k->nodes->stop || k->stopped[0] || !any_node(k);
}

static void stop_at(struct campaign *k, const struct iow_error *e)
{
	if (!k->stopped[0])
		snprintf(k->stopped, sizeof k->stopped, "%.179s", e->text);
	campaign_log(k, "the campaign ends here: %s", e->text);
	campaign_say(k, "%s", e->text);
}

static bool run_block(struct campaign *k, const struct block *b, uint32_t replaces)
{
	struct iow_error e = ERR_INIT;
	bool outside = false;

	k->bad_block = false;
	for (size_t i = 0; i < b->n_steps && !over(k); i++) {
		const struct step *s = &k->c->steps[b->steps[i]];
		uint32_t passes = passes_of(k, s);

		if (variant_begin(k, s, &e)) {
			stop_at(k, &e);
			break;
		}
		for (uint32_t pass = 1; pass <= passes && !k->nodes->stop; pass++)
			outside |= campaign_pass(k, b, replaces, (uint32_t)i + 1, s, pass);
	}
	if (variant_end(k, &e)) /* each block is a phase of its own */
		stop_at(k, &e);
	return outside;
}

static bool nodes_up(const struct campaign *k, const struct block *b)
{
	for (size_t i = 0; i < b->n_steps; i++) {
		const struct step *s = &k->c->steps[b->steps[i]];

		for (size_t j = 0; j < s->n_cells; j++)
			if (campaign_node(k, &k->c->cells[s->cells[j]])->state != NODE_UP)
				return false;
	}
	return true;
}

static uint32_t runs_of(const struct campaign *k, const struct block *b)
{
	uint32_t n = 0;

	for (size_t i = 0; i < b->n_steps; i++)
		n += (uint32_t)k->c->steps[b->steps[i]].n_cells;
	return n;
}

/* A fault from outside is no property of an arm: its block is made again, after the test's others. */
static void append_block(struct campaign *k, struct block **more, size_t *n, const struct block *b, uint32_t replaces)
{
	const struct block *orig = b;
	struct block *a;
	uint32_t appended = 0, first = replaces ? replaces : b->number;

	for (size_t i = 0; i < *n; i++)
		appended += (*more)[i].test == b->test;
	if (appended >= APPENDED_BLOCKS || k->nodes->stop || !nodes_up(k, b))
		return;
	for (size_t i = 0; i < k->c->n_blocks; i++)
		if (k->c->blocks[i].test == b->test && k->c->blocks[i].number == first)
			orig = &k->c->blocks[i];
	a = VEC_ADD(*more, *n);
	*a = (struct block){ .test = orig->test, .number = k->c->tests[orig->test].blocks + appended + 1,
			     .steps = orig->steps, .n_steps = orig->n_steps };
	k->total += runs_of(k, a);
	campaign_log(k, "block %u of test \"%s\" is replaced by block %u", first, k->c->tests[b->test].name, a->number);
	campaign_say(k, "a fault from outside: block %u of test \"%s\" is measured again at the end", first,
		     k->c->tests[b->test].name);
}

static void run_all(struct campaign *k)
{
	struct block *more = NULL;
	uint32_t *replaces = NULL;
	size_t n = 0, n_replaces = 0;

	for (size_t i = 0; i < k->c->n_blocks + n && !over(k); i++) {
		bool again = i >= k->c->n_blocks;
		struct block b = again ? more[i - k->c->n_blocks] : k->c->blocks[i];
		uint32_t stands_for = again ? replaces[i - k->c->n_blocks] : 0;
		size_t before = n;

		if (run_block(k, &b, stands_for))
			append_block(k, &more, &n, &b, stands_for);
		if (n > before)
			*VEC_ADD(replaces, n_replaces) = stands_for ? stands_for : b.number;
		else
			k->incomplete |= k->bad_block;
	}
	free(replaces);
	free(more);
}

static const char *only_reason(const struct campaign *k)
{
	for (size_t i = 0; i < k->nodes->n; i++)
		if (k->nodes->v[i].state == NODE_LOST)
			return k->nodes->v[i].why;
	return "no node is left";
}

int64_t campaign_silence(const struct cells *c)
{
	return c->silence_ms ? c->silence_ms * NS_PER_MS : NODE_SILENCE;
}

enum campaign_end campaign_run(struct campaign *k, struct bundle_writer *w, char state[200], struct iow_error *e)
{
	k->w = w;
	k->started = clock_mono_ns();
	nodes_expect(k->nodes, campaign_silence(k->c));
	flush_early_log(k);
	for (size_t i = 0; i < k->c->n_blocks; i++)
		k->total += runs_of(k, &k->c->blocks[i]);
	if (bundle_put_host(w, campaign_host(k), e))
		return CAMPAIGN_BROKEN;
	run_all(k);
	if (k->fatal.text[0]) {
		*e = k->fatal;
		return CAMPAIGN_BROKEN;
	}
	if (k->stopped[0])
		snprintf(state, 200, "stopped: %.180s", k->stopped);
	else if (k->nodes->stop)
		snprintf(state, 200, "interrupted");
	else if (!any_node(k))
		snprintf(state, 200, "stopped: %.180s", only_reason(k));
	else
		snprintf(state, 200, "complete");
	k->incomplete = k->incomplete || k->done < k->total;
	return bundle_put_host(w, campaign_host(k), e) ? CAMPAIGN_BROKEN : CAMPAIGN_OK;
}
