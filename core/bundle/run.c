/* SPDX-License-Identifier: Apache-2.0 */
#include "bundle/run.h"
#include "base/err.h"
#include "base/jsonx.h"
#include "base/utf8.h"
#include "base/vec.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>


static const char *const statuses[] = { "ok", "failed", "crashed", "hung", "killed", "cancelled", "not run", NULL };
static const char *const classes[] = { "read", "write", "trim", "flush", "commit", "response", NULL };
static const char *const cold_methods[] = { "none", "cachestat", "mincore", "driver", NULL };
static const char *const clocks[] = { "none", "tsc", "clock_gettime", NULL };

/* How one number is stored and which of its values means "not known". */
enum kind {
	U32,       /* 0: not known */
	U32_ID,    /* UINT32_MAX: not known */
	U64,       /* always known */
	I64,       /* -1: not known */
	I64_TIME,  /* 0: not known */
	BOOL,      /* int64_t: -1 not known, else 0 or 1 */
	NAME,      /* uint32_t, index into names; always known */
	NAME_SOME  /* the same, 0: not known */
};

struct element {
	enum kind kind;
	size_t offset;
	const char *const *names;
};

/* A member of the line: one element is a bare value, several are an array, null where not known.
 * `always`: written even when all of it is 0. `gate`: offset of a bool that says whether it is known. */
#define MEMBER_MAX 9
struct member {
	const char *name;
	bool always;
	size_t gate;
	uint8_t n;
	struct element e[MEMBER_MAX];
};

#define AT(kind, field) { kind, offsetof(struct run, field), NULL }
#define AT_NAME(kind, field, names) { kind, offsetof(struct run, field), names }

static const struct member members[] = {
	{ "run", false, 0, 1, { AT(U32, run) } },
	{ "cell", false, 0, 1, { AT(U32_ID, cell) } },
	{ "block", false, 0, 1, { AT(U32, block) } },
	{ "step", false, 0, 1, { AT(U32_ID, step) } },
	{ "pass", false, 0, 1, { AT(U32, pass) } },
	{ "position", false, 0, 1, { AT(U32, position) } },
	{ "replaces", false, 0, 1, { AT(U32, replaces) } },
	{ "status", true, 0, 1, { AT_NAME(NAME, status, statuses) } },
	{ "start_utc_ns", false, 0, 1, { AT(I64_TIME, start_utc_ns) } },
	{ "wall_ns", false, 0, 1, { AT(I64_TIME, wall_ns) } },
	{ "bytes", true, 0, 1, { AT(U64, bytes) } },
	{ "ios", true, 0, 1, { AT(U64, ios) } },
	{ "errors", true, 0, 1, { AT(U64, errors) } },
	{ "moved", false, 0, 2, { AT(U64, read_bytes), AT(U64, write_bytes) } },
	{ "region", false, 0, 2, { AT(U64, offset), AT(U64, length) } },
	{ "final_flush_ns", false, 0, 1, { AT(I64, final_flush_ns) } },
	{ "cpu", false, 0, 9,
	  { AT(I64, user_ns), AT(I64, sys_ns), AT(I64, wait_ns), AT(I64, busy_cpu_ns), AT(I64, busy_wait_ns),
	    AT(U64, ctx_voluntary), AT(U64, ctx_involuntary), AT(U64, major_faults), AT(I64, machine_cpu_ns) } },
	{ "dev", false, offsetof(struct run, dev_known), 4,
	  { AT(U64, dev_read_bytes), AT(U64, dev_write_bytes), AT(U64, dev_reads), AT(U64, dev_writes) } },
	{ "foreign_bytes", false, 0, 1, { AT(I64, foreign_bytes) } },
	{ "cold", false, 0, 3,
	  { AT_NAME(NAME_SOME, cold_method, cold_methods), AT(I64, resident_pages), AT(I64, checked_pages) } },
	{ "direct", false, 0, 1, { AT(BOOL, direct) } },
	{ "allocated", false, 0, 1, { AT(I64, allocated) } },
	{ "content", false, 0, 2, { AT(I64, sampled_blocks), AT(I64, weak_blocks) } },
	{ "workers", false, 0, 2, { AT(I64, workers), AT(I64, workers_moved) } },
	{ "clock", false, 0, 2, { AT_NAME(NAME_SOME, clock_source, clocks), AT(I64, clock_step_ns) } },
	{ "wrong_blocks", false, 0, 1, { AT(I64, wrong_blocks) } },
	{ "ceiling_permille", false, 0, 1, { AT(I64, ceiling_permille) } },
	{ "together", false, 0, 4,
	  { AT(I64, window_ns), AT(I64, shortest_ns), AT(I64, offset_bound_ns), AT(I64, skew_ns) } },
	{ "backlog", false, 0, 1, { AT(I64, backlog) } },
	{ "pressure", false, 0, 3,
	  { AT(I64, pressure_cpu_ns), AT(I64, pressure_io_ns), AT(I64, pressure_memory_ns) } },
	{ "stopped_ns", false, 0, 1, { AT(I64, stopped_ns) } },
	{ "samples", false, 0, 2, { AT(U64, samples_at), AT(U64, samples_len) } },
};

#define LATENCY_NUMBERS 10

const char *run_status_name(enum run_status s)
{
	return (unsigned)s < RUN_STATUSES ? statuses[s] : "?";
}

const char *latency_class_name(enum latency_class c)
{
	return (unsigned)c < LAT_CLASSES ? classes[c] : "?";
}

static int find_name(const char *const *names, const char *s)
{
	for (int i = 0; s && names[i]; i++)
		if (strcmp(names[i], s) == 0)
			return i;
	return -1;
}

/* ---- one element ---- */

static void element_clear(struct run *r, const struct element *el)
{
	void *p = (char *)r + el->offset;

	if (el->kind == U32_ID)
		*(uint32_t *)p = UINT32_MAX;
	else if (el->kind == I64 || el->kind == BOOL)
		*(int64_t *)p = -1;
}

static json_t *element_get(const struct run *r, const struct element *el, bool *known)
{
	const void *p = (const char *)r + el->offset;
	uint32_t u = 0;
	int64_t i = 0;

	switch (el->kind) {
	case U32:
	case U32_ID:
		u = *(const uint32_t *)p;
		*known = u != (el->kind == U32 ? 0 : UINT32_MAX);
		return *known ? json_integer(u) : json_null();
	case U64:
		*known = *(const uint64_t *)p != 0;
		return json_integer((json_int_t)(*(const uint64_t *)p & INT64_MAX));
	case I64:
	case BOOL:
	case I64_TIME:
		i = *(const int64_t *)p;
		*known = el->kind == I64_TIME ? i != 0 : i >= 0;
		return !*known ? json_null() : el->kind == BOOL ? json_boolean(i) : json_integer(i);
	case NAME:
	case NAME_SOME:
		u = *(const uint32_t *)p;
		*known = el->kind == NAME || u;
		return *known ? json_string(el->names[u]) : json_null();
	}
	abort();
}

static int element_set(struct run *r, const struct element *el, const json_t *v, const char *name,
		       struct iow_error *e)
{
	void *p = (char *)r + el->offset;
	json_int_t i = json_integer_value(v);

	if (json_is_null(v))
		return 0;
	if (el->names) {
		int n = find_name(el->names, json_string_value(v));

		if (n < 0)
			return err_set(e, EINVAL, "member \"%s\": not one of its words", name);
		*(uint32_t *)p = (uint32_t)n;
		return 0;
	}
	if (el->kind == BOOL) {
		if (!json_is_boolean(v))
			return err_set(e, EINVAL, "member \"%s\": must be true or false", name);
		*(int64_t *)p = json_is_true(v);
		return 0;
	}
	if (!json_is_integer(v) || i < 0 || ((el->kind == U32 || el->kind == U32_ID) && i > UINT32_MAX))
		return err_set(e, EINVAL, "member \"%s\": must be an integer of 0 or more", name);
	if (el->kind == U32 || el->kind == U32_ID)
		*(uint32_t *)p = (uint32_t)i;
	else
		*(int64_t *)p = i; /* uint64_t too: the value is in the range of both */
	return 0;
}

/* ---- one member ---- */

static bool member_gate(const struct run *r, const struct member *m)
{
	return m->gate && *(const bool *)((const char *)r + m->gate);
}

/* NULL when nothing of it is known. */
static json_t *member_get(const struct run *r, const struct member *m)
{
	json_t *a = json_array(), *v;
	bool any = m->always || member_gate(r, m), known;

	for (int i = 0; i < m->n; i++) {
		json_array_append_new(a, element_get(r, &m->e[i], &known));
		any |= known;
	}
	if (m->gate && !member_gate(r, m))
		any = false;
	v = !any ? NULL : m->n > 1 ? json_incref(a) : json_incref(json_array_get(a, 0));
	json_decref(a);
	return v;
}

static int member_set(struct run *r, const struct member *m, const json_t *v, struct iow_error *e)
{
	if (m->n == 1)
		return element_set(r, &m->e[0], v, m->name, e);
	if (json_array_size(v) != m->n)
		return err_set(e, EINVAL, "member \"%s\": must be an array of %d", m->name, m->n);
	for (int i = 0; i < m->n; i++)
		if (element_set(r, &m->e[i], json_array_get(v, (size_t)i), m->name, e))
			return -1;
	if (m->gate)
		*(bool *)((char *)r + m->gate) = true;
	return 0;
}

/* ---- latency ---- */

static json_t *latency_get(const struct run *r)
{
	json_t *o = json_object();

	for (int c = 0; c < LAT_CLASSES; c++) {
		const struct latency *l = &r->lat[c];
		const int64_t v[LATENCY_NUMBERS] = { (int64_t)l->count, l->min, l->mean, l->p50, l->p90,
						     l->p95, l->p99, l->p999, l->p9999, l->max };
		json_t *a;

		if (!l->count)
			continue;
		a = json_array();
		for (int i = 0; i < LATENCY_NUMBERS; i++)
			json_array_append_new(a, json_integer(v[i]));
		jsonx_set_new(o, classes[c], a);
	}
	if (json_object_size(o))
		return o;
	json_decref(o);
	return NULL;
}

static int latency_set(struct run *r, json_t *o, struct iow_error *e)
{
	const char *name;
	json_t *a;

	if (!json_is_object(o))
		return err_set(e, EINVAL, "member \"lat\": must be an object");
	json_object_foreach(o, name, a) {
		int c = find_name(classes, name);
		int64_t v[LATENCY_NUMBERS];
		struct latency *l = c < 0 ? NULL : &r->lat[c];

		if (!l)
			return err_set(e, EINVAL, "member \"lat\": unknown class \"%s\"", name);
		if (json_array_size(a) != LATENCY_NUMBERS)
			return err_set(e, EINVAL, "member \"lat\": \"%s\" must be an array of %d", name, LATENCY_NUMBERS);
		for (size_t i = 0; i < LATENCY_NUMBERS; i++) {
			if (!json_is_integer(json_array_get(a, i)) || json_integer_value(json_array_get(a, i)) < 0)
				return err_set(e, EINVAL, "member \"lat\": \"%s\" has what is no count or time", name);
			v[i] = json_integer_value(json_array_get(a, i));
		}
		*l = (struct latency){ (uint64_t)v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9] };
	}
	return 0;
}

/* ---- the line ---- */

void run_init(struct run *r)
{
	memset(r, 0, sizeof *r);
	for (size_t i = 0; i < ARRAY_LEN(members); i++)
		for (int k = 0; k < members[i].n; k++)
			element_clear(r, &members[i].e[k]);
}

json_t *run_to_json(const struct run *r)
{
	json_t *o = json_object();

	for (size_t i = 0; i < ARRAY_LEN(members); i++) {
		json_t *v = member_get(r, &members[i]);

		if (v)
			jsonx_set_new(o, members[i].name, v);
		if (members[i].e[0].names == statuses && r->why[0]) {
			mem_auto char *why = utf8_clean(r->why, sizeof r->why - 1);

			jsonx_set_str(o, "why", why);
		}
		if (strcmp(members[i].name, "region") == 0 && (v = latency_get(r)))
			jsonx_set_new(o, "lat", v);
	}
	return o;
}

/* `next` is where the table is looked at first: members come in its order, as they are written. */
static int run_member(struct run *r, const char *name, json_t *v, size_t *next, struct iow_error *e)
{
	if (strcmp(name, "lat") == 0)
		return latency_set(r, v, e);
	if (strcmp(name, "why") == 0) {
		mem_auto char *why = NULL;

		if (!json_is_string(v) || json_string_length(v) > RUN_WHY_MOST)
			return err_set(e, EINVAL, "member \"why\": must be a text of at most %d bytes", RUN_WHY_MOST);
		why = utf8_clean(json_string_value(v), sizeof r->why - 1);
		snprintf(r->why, sizeof r->why, "%s", why);
		return 0;
	}
	for (size_t k = 0; k < ARRAY_LEN(members); k++) {
		size_t i = (*next + k) % ARRAY_LEN(members);

		if (strcmp(members[i].name, name) != 0)
			continue;
		*next = i + 1;
		return member_set(r, &members[i], v, e);
	}
	return err_set(e, EINVAL, "unknown member \"%s\"", name);
}

int run_from_json(struct run *r, const json_t *o, struct iow_error *e)
{
	const char *name;
	size_t next = 0;
	json_t *v;

	if (!json_is_object(o))
		return err_set(e, EINVAL, "a run must be a JSON object");
	json_object_foreach((json_t *)(uintptr_t)o, name, v) {
		if (run_member(r, name, v, &next, e))
			return -1;
	}
	return 0;
}
