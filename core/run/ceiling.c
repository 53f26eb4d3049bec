/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "base/err.h"
#include "base/jsonx.h"
#include "base/vec.h"
#include "run/run.h"

#define CEILING_NS (100 * NS_PER_MS)
#define CEILING_RUN 1000000000 /* run numbers of their own */
#define CEILING_WAIT (15 * NS_PER_S)

/* What the harness itself can do: the rate of a driver that does nothing, for one shape of I/O. */
struct ceiling {
	char *shape;
	uint32_t node, cell; /* first cell of that shape */
	double rate;         /* I/Os per second; 0: unknown */
	struct ask ask;
	bool going, done;
	int64_t run;
};

/* The parts of a workload that cost the harness time, as text; also what is run. */
static json_t *shape_of(const struct cell *cell)
{
	struct workload w = cell->spec;

	w.durability = DURABILITY_NONE;
	w.flush_every = 1;
	w.final_flush = 0;
	w.amount = 0;
	w.duration_ns = CEILING_NS;
	w.warmup_ns = 0;
	w.rate = 0;
	w.arrival = ARRIVAL_CLOSED;
	w.verify = 0;
	w.duplicate = w.compressible = 0;
	return workload_to_json(&w);
}

static bool has_ceiling(const struct campaign *k, const struct cell *cell)
{
	const char *driver = k->c->targets[cell->target].driver;
	json_t *caps = json_object_get(json_object_get(k->drivers, driver), "caps"), *v;
	size_t i;

	json_array_foreach(caps, i, v) {
		if (!strcmp(json_string_value(v) ? json_string_value(v) : "", "VIRTUAL_TIME"))
			return false;
	}
	return strcmp(driver, "null") != 0;
}

/* Nodes that are one machine share its ceiling. */
static bool same_host(const struct campaign *k, uint32_t a, uint32_t b)
{
	const struct node *x = &k->nodes->v[a], *y = &k->nodes->v[b];

	return a == b || (*x->host && !strcmp(x->host, y->host));
}

static int32_t find_or_add(struct campaign *k, const struct cell *cell)
{
	json_t *shape = shape_of(cell);
	struct buf b = BUF_INIT;
	struct ceiling *c;
	uint32_t node = k->c->targets[cell->target].node;
	size_t i;

	jsonx_write(&b, shape, 0);
	json_decref(shape);
	for (i = 0; i < k->n_ceilings; i++)
		if (same_host(k, k->ceilings[i].node, node) && !strcmp(k->ceilings[i].shape, buf_str(&b)))
			break;
	if (i == k->n_ceilings) {
		c = VEC_ADD(k->ceilings, k->n_ceilings);
		c->shape = buf_take(&b);
		c->node = node;
		c->cell = cell->id;
	}
	buf_release(&b);
	return (int32_t)i;
}

static json_t *null_run(const struct cell *cell, int64_t run)
{
	json_t *f = wire_frame("PREPARE");

	jsonx_set_str(f, "what", "run");
	jsonx_set_int(f, "run", run);
	jsonx_set_str(f, "target", "");
	jsonx_set_str(f, "driver", "null");
	jsonx_set_new(f, "keys", json_object());
	jsonx_set_new(f, "workload", shape_of(cell));
	jsonx_set_str(f, "cache", "as-is");
	jsonx_set_int(f, "pass", 1);
	jsonx_set_int(f, "offset", 0);
	jsonx_set_int(f, "length", (int64_t)1 << 40);
	jsonx_set_str(f, "seed", "0000000000000001");
	jsonx_set_bool(f, "write", cell->spec.op != WORKLOAD_READ);
	return f;
}

/* ---- measuring: one shape at a time on each machine, the machines at once ---- */

static void on_frame(void *ctx, struct node *n, const json_t *f)
{
	struct campaign *k = ctx;
	const json_t *line = json_object_get(f, "line");
	int64_t i = jsonx_int(f, "run", -1) - CEILING_RUN;
	struct ceiling *c;
	struct run r;

	if (i < 0 || i >= (int64_t)k->n_ceilings || strcmp(wire_type(f), "PROGRESS") == 0)
		return;
	c = &k->ceilings[i];
	if (&k->nodes->v[c->node] != n || c->done)
		return;
	c->done = true;
	run_init(&r);
	if (line && !run_from_json(&r, line, NULL) && r.status == RUN_OK && r.wall_ns > 0)
		c->rate = (double)r.ios * 1e9 / (double)r.wall_ns;
}

static void take_ready(struct campaign *k, struct ceiling *c)
{
	json_t *go;

	if (!c->ask.answer || c->going || c->done)
		return;
	if (strcmp(wire_type(c->ask.answer), "READY") != 0) {
		c->done = true;
		return;
	}
	go = wire_frame("GO");
	jsonx_set_int(go, "run", c->run);
	jsonx_set_int(go, "at", 0);
	node_send(k->nodes, &k->nodes->v[c->node], go);
	c->going = true;
}

/* The next ceilings, at most one of each node, from those that are not done. */
static void measure_some(struct campaign *k, size_t from)
{
	struct nodes *ns = k->nodes;
	int64_t end = clock_mono_ns() + CEILING_WAIT;
	bool waiting = true;

	for (size_t i = from; i < k->n_ceilings; i++) {
		struct ceiling *c = &k->ceilings[i];
		bool free_node = !c->done && !c->run;

		for (size_t j = from; j < i; j++)
			free_node = free_node && !(k->ceilings[j].run && k->ceilings[j].node == c->node);
		if (!free_node)
			continue;
		c->run = CEILING_RUN + (int64_t)i;
		ask_post(ns, &c->ask, &ns->v[c->node], null_run(&k->c->cells[c->cell], c->run));
	}
	while (waiting && !ns->stop && clock_mono_ns() < end) {
		nodes_poll(ns, end);
		waiting = false;
		for (size_t i = from; i < k->n_ceilings; i++) {
			struct ceiling *c = &k->ceilings[i];

			take_ready(k, c);
			c->done = c->done || (c->run && ns->v[c->node].state != NODE_UP);
			waiting |= c->run && !c->done;
		}
	}
	for (size_t i = from; i < k->n_ceilings; i++)
		if (k->ceilings[i].run) {
			ask_drop(ns, &k->ceilings[i].ask);
			k->ceilings[i].run = 0;
			k->ceilings[i].done = true;
		}
}

void ceilings_measure(struct campaign *k)
{
	for (size_t i = 0; i < k->c->n_cells; i++)
		k->cell_ceiling[i] = has_ceiling(k, &k->c->cells[i]) ? find_or_add(k, &k->c->cells[i]) : -1;
	k->nodes->on_frame = on_frame;
	for (size_t i = 0; i < k->n_ceilings && !k->nodes->stop; i++) {
		if (!k->ceilings[i].done)
			measure_some(k, i);
	}
	k->nodes->on_frame = campaign_on_frame;
	for (size_t i = 0; i < k->n_ceilings; i++) {
		struct ceiling *c = &k->ceilings[i];

		if (c->rate > 0)
			campaign_log(k, "ceiling of node %s: %.0f I/Os per second for %s", k->nodes->v[c->node].name,
				     c->rate, c->shape);
		else
			campaign_log(k, "ceiling of node %s unknown for %s", k->nodes->v[c->node].name, c->shape);
	}
}

int64_t ceiling_permille(const struct campaign *k, const struct run *r)
{
	int32_t i = k->cell_ceiling[r->cell];

	if (i < 0 || k->ceilings[i].rate <= 0 || r->wall_ns <= 0)
		return -1;
	return (int64_t)((double)r->ios * 1e9 / (double)r->wall_ns / k->ceilings[i].rate * 1000 + 0.5);
}

void ceilings_release(struct campaign *k)
{
	for (size_t i = 0; i < k->n_ceilings; i++)
		free(k->ceilings[i].shape);
	free(k->ceilings);
}
