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
		if (k->ceilings[i].node == node && !strcmp(k->ceilings[i].shape, buf_str(&b)))
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

/* A result that on_frame of the campaign would not know: caught by this callback. */
struct catch {
	int64_t run;
	json_t *line;
	bool error;
};

static void on_frame(void *ctx, struct node *n, const json_t *f)
{
	struct catch *c = ctx;

	if (jsonx_int(f, "run", -1) != c->run)
		return;
	if (!strcmp(wire_type(f), "ERROR"))
		c->error = true;
	if (!strcmp(wire_type(f), "RESULT") && !c->line)
		c->line = json_incref(json_object_get(f, "line"));
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

static int measure(struct campaign *k, struct ceiling *c, int64_t run, struct iow_error *e)
{
	struct nodes *ns = k->nodes;
	struct node *n = &ns->v[c->node];
	void (*was)(void *, struct node *, const json_t *) = ns->on_frame;
	struct catch got = { .run = run };
	int64_t end = clock_mono_ns() + CEILING_WAIT, wall;
	json_t *ready, *go;

	ready = node_ask(ns, n, null_run(&k->c->cells[c->cell], run), CEILING_WAIT, NULL, e);
	if (!ready)
		return -1;
	json_decref(ready);
	ns->on_frame = on_frame;
	ns->ctx = &got;
	go = wire_frame("GO");
	jsonx_set_int(go, "run", run);
	jsonx_set_int(go, "at", 0);
	node_send(ns, n, go);
	while (!got.line && !got.error && n->state == NODE_UP && !ns->stop && clock_mono_ns() < end)
		nodes_poll(ns, end);
	ns->on_frame = was;
	ns->ctx = k;
	wall = jsonx_int(got.line, "wall_ns", 0);
	if (wall > 0)
		c->rate = (double)jsonx_int(got.line, "ios", 0) * 1e9 / (double)wall;
	err_set(e, 0, "%s", jsonx_str(got.line, "why", "no result"));
	json_decref(got.line);
	return wall > 0 ? 0 : -1;
}

void ceilings_measure(struct campaign *k)
{
	for (size_t i = 0; i < k->c->n_cells; i++)
		k->cell_ceiling[i] = has_ceiling(k, &k->c->cells[i]) ? find_or_add(k, &k->c->cells[i]) : -1;
	for (size_t i = 0; i < k->n_ceilings && !k->nodes->stop; i++) {
		struct iow_error e = ERR_INIT;
		struct ceiling *c = &k->ceilings[i];

		if (k->nodes->v[c->node].state != NODE_UP)
			continue;
		if (measure(k, c, CEILING_RUN + (int64_t)i, &e))
			campaign_log(k, "ceiling of node %s unknown: %s", k->nodes->v[c->node].name, e.text);
		else
			campaign_log(k, "ceiling of node %s: %.0f I/Os per second for %s", k->nodes->v[c->node].name,
				     c->rate, c->shape);
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
