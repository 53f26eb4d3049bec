/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/gates.h"

#include "base/buf.h"
#include "base/jsonx.h"
#include "base/vec.h"

#include <math.h>
#include <string.h>

static const struct {
	const char *key, *name;
	bool voids;
	gate_fn *judge; /* NULL: on the whole test */
} table[GATES] = {
	[GATE_COLD] = { "cold", "cold", true, gate_cold },
	[GATE_DIRECT] = { "direct", "direct in force", true, gate_direct },
	[GATE_WRITTEN] = { "written", "written", true, gate_written },
	[GATE_WORKERS] = { "workers", "workers", true, gate_workers },
	[GATE_CLOCK] = { "clock", "clock", true, gate_clock },
	[GATE_VERIFY] = { "verify", "verify", true, gate_verify },
	[GATE_FOREIGN] = { "foreign-load", "foreign load", true, gate_foreign },
	[GATE_CEILING] = { "ceiling", "ceiling", true, gate_ceiling },
	[GATE_WINDOW] = { "window", "window", true, gate_window },
	[GATE_AA] = { "aa", "A/A", true, NULL },
	[GATE_DEVICE] = { "device-bytes", "device bytes", false, gate_device },
	[GATE_DURABILITY] = { "durability", "durability", false, gate_durability },
	[GATE_STEADY] = { "steady", "steady", false, gate_steady },
	[GATE_ORDER] = { "order", "order effect", false, NULL },
	[GATE_BIMODAL] = { "bimodal", "bimodal", false, gate_bimodal },
	[GATE_SKEW] = { "skew", "skew", false, gate_skew },
	[GATE_IMPLAUSIBLE] = { "implausible", "implausible speed", false, gate_implausible },
};

const char *gate_name(enum gate_kind g)
{
	return (size_t)g < GATES ? table[g].name : "";
}

bool gate_voids(enum gate_kind g)
{
	return (size_t)g < GATES && table[g].voids;
}

static bool same_words(const char *a, const char *b)
{
	for (; *a && *b; a++, b++) {
		char x = *a == '-' || *a == '_' ? ' ' : *a, y = *b == '-' || *b == '_' ? ' ' : *b;

		if (x != y)
			return false;
	}
	return *a == *b;
}

int gate_find(const char *name)
{
	int i;

	for (i = 0; name && i < GATES; i++)
		if (same_words(name, table[i].key) || same_words(name, table[i].name))
			return i;
	return -1;
}

static bool is_waived(const struct plan_test *t, enum gate_kind kind)
{
	size_t i;

	for (i = 0; i < json_array_size(t->waive); i++)
		if (gate_find(json_string_value(json_array_get(t->waive, i))) == (int)kind)
			return true;
	return false;
}

struct gate *gate_new(struct judge *j, enum gate_kind kind, uint32_t cell, uint32_t test)
{
	struct gate *g = VEC_ADD(j->r->gates, j->r->n_gates);

	g->kind = kind;
	g->state = GATE_NOT_APPLICABLE;
	g->cell = cell;
	g->test = test;
	g->number = g->threshold = g->lo = g->hi = NAN;
	g->waived = is_waived(&j->b->cells.tests[test], kind);
	return g;
}

void gate_say(struct gate *g, enum gate_state state, const char *fmt, ...)
{
	struct buf b = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	free(g->reason);
	g->reason = buf_take(&b);
	g->state = state;
}

void gate_basis(struct gate *g, const char *fmt, ...)
{
	struct buf b = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	free(g->basis);
	g->basis = buf_take(&b);
}

void gate_number(struct gate *g, double number, double threshold, const char *unit)
{
	g->number = number;
	g->threshold = threshold;
	free(g->unit);
	g->unit = mem_strdup(unit);
}

void gate_blame(struct gate *g, const struct kept_run *r)
{
	if (!g->n_runs || g->runs[g->n_runs - 1] != r->run)
		*VEC_ADD(g->runs, g->n_runs) = r->run;
}

bool gate_driver_has(const struct gate_view *v, const char *cap)
{
	const json_t *drivers = json_object_get(v->j->b->host, "drivers"), *d, *c;
	const char *name = v->target->driver ? v->target->driver : "";
	size_t i, k;

	json_array_foreach(drivers, i, d) {
		if (strcmp(jsonx_str(d, "name", ""), name) != 0)
			continue;
		json_array_foreach(json_object_get(d, "caps"), k, c)
			if (json_is_string(c) && strcmp(json_string_value(c), cap) == 0)
				return true;
	}
	if (strcmp(cap, "NO_DATA") == 0)
		return strcmp(name, "null") == 0;
	if (strcmp(cap, "VIRTUAL_TIME") == 0)
		return strcmp(name, "synth") == 0;
	if (strcmp(cap, "DIRECT") == 0)
		return strcmp(name, "direct") == 0 || strcmp(name, "raw") == 0;
	return false;
}

bool gate_is_simulated(const struct gate_view *v)
{
	return gate_driver_has(v, "NO_DATA") || gate_driver_has(v, "VIRTUAL_TIME");
}

double gate_device_share(const struct gate_view *v, const struct kept_run *r)
{
	bool writes = v->cell->spec.op == WORKLOAD_WRITE;
	uint64_t asked = writes ? r->write_bytes : r->read_bytes;
	uint64_t moved = writes ? r->dev_write_bytes : r->dev_read_bytes;

	/* Older lines and imports may give the sum only. */
	if (!asked && !r->read_bytes && !r->write_bytes)
		asked = r->bytes;
	if (!r->dev_known || !asked)
		return NAN;
	return (double)moved / (double)asked;
}

bool gate_is_cached_read(const struct gate_view *v)
{
	size_t i;

	if (v->cell->spec.op != WORKLOAD_READ)
		return false;
	if (v->test->cache == CACHE_COLD && v->cell->pass <= 1)
		return false;
	for (i = 0; i < v->res->n_runs; i++) {
		const struct kept_run *r = gate_run(v, i);
		double share = gate_device_share(v, r);

		if (isnan(share) ? r->direct != 1 : share < GATE_FULL)
			return true;
	}
	return false;
}

static void judge_one(struct judge *j, enum gate_kind kind, uint32_t cell)
{
	const struct cell *c = &j->b->cells.cells[cell];
	struct gate_view v = {
		.j = j,
		.cell = c,
		.res = &j->r->cells[cell],
		.test = &j->b->cells.tests[c->test],
		.target = &j->b->cells.targets[c->target],
		.g = gate_new(j, kind, cell, c->test),
	};

	if (!v.res->n_runs)
		gate_say(v.g, GATE_NOT_APPLICABLE, "no run of it was completed");
	else
		table[kind].judge(&v);
}

static bool voids(const struct gate *g)
{
	return g->state == GATE_FAILS && gate_voids(g->kind) && !g->waived;
}

static void note_void(struct judge *j, size_t index)
{
	const struct gate *g = &j->r->gates[index];

	if (!voids(g))
		return;
	if (g->cell == UINT32_MAX)
		*VEC_ADD(j->test_void, j->n_test_void) = (int)index;
	else if (j->cell_void[g->cell] < 0)
		j->cell_void[g->cell] = (int)index;
}

void judge_gates(struct judge *j)
{
	size_t i;
	int k;

	j->cell_void = mem_array(j->r->n_cells + 1, sizeof *j->cell_void);
	for (i = 0; i < j->r->n_cells; i++)
		j->cell_void[i] = -1;
	for (k = 0; k < GATES; k++) {
		j->r->first_gate[k] = j->r->n_gates;
		for (i = 0; table[k].judge && i < j->r->n_cells; i++)
			judge_one(j, (enum gate_kind)k, (uint32_t)i);
		for (i = 0; k == GATE_AA && i < j->b->cells.n_tests; i++)
			gate_aa(j, (uint32_t)i);
		for (i = 0; k == GATE_ORDER && i < j->b->cells.n_tests; i++)
			gate_new(j, GATE_ORDER, UINT32_MAX, (uint32_t)i); /* judged when there are comparisons */
	}
	j->r->first_gate[GATES] = j->r->n_gates;
	for (i = 0; i < j->r->n_gates; i++)
		note_void(j, i);
}

int judge_void_gate(const struct judge *j, uint32_t cell, const struct metric *m)
{
	uint32_t test = j->b->cells.cells[cell].test;
	size_t i;

	if (j->cell_void[cell] >= 0)
		return j->cell_void[cell];
	for (i = 0; i < j->n_test_void; i++) {
		const struct gate *g = &j->r->gates[j->test_void[i]];

		if (g->test == test && (!g->metric || g->metric == m))
			return j->test_void[i];
	}
	return -1;
}

const struct gate *results_gate(const struct results *r, enum gate_kind kind, uint32_t cell)
{
	return table[kind].judge && cell < r->n_cells ? &r->gates[r->first_gate[kind] + cell] : NULL;
}

bool results_is_void(const struct results *r, uint32_t cell)
{
	uint32_t test = r->bundle->cells.cells[cell].test;

	for (int k = 0; k < GATES; k++) {
		const struct gate *g = results_gate(r, (enum gate_kind)k, cell);

		if (g && voids(g))
			return true;
		for (size_t i = r->first_gate[k]; !g && i < r->first_gate[k + 1]; i++)
			if (r->gates[i].test == test && voids(&r->gates[i]))
				return true;
	}
	return false;
}
