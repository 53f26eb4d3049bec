/* SPDX-License-Identifier: Apache-2.0 */
#include "bundle/cells.h"
#include "base/err.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "base/rng.h"
#include "bundle/record.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"

static const char *const kinds[] = { "compare", "sensitivity", "cache", "scaling", "limit", "steady", "cpu", NULL };

static const struct record_field set_fields[] = {
	REC(REC_TEXT, plan_set, path), REC(REC_TEXT, plan_set, value), REC_END,
};
static const struct record set_record = { sizeof(struct plan_set), set_fields };

static const struct record_field node_fields[] = {
	REC(REC_TEXT, plan_node, name), REC(REC_MAYBE, plan_node, driver), REC(REC_JSON, plan_node, keys), REC_END,
};
static const struct record node_record = { sizeof(struct plan_node), node_fields };

static const struct record_field target_fields[] = {
	REC(REC_TEXT, plan_target, name),    REC(REC_U32, plan_target, node),
	REC(REC_TEXT, plan_target, driver),  REC(REC_JSON, plan_target, keys),
	REC(REC_JSON, plan_target, make),    REC(REC_BOOL, plan_target, destroy),
	REC(REC_MAYBE, plan_target, destroy_id), REC_END,
};
static const struct record target_record = { sizeof(struct plan_target), target_fields };

static const struct record_field workload_fields[] = {
	REC(REC_TEXT, plan_workload, name), REC(REC_JSON, plan_workload, keys), REC_END,
};
static const struct record workload_record = { sizeof(struct plan_workload), workload_fields };

static const struct record_field test_fields[] = {
	REC(REC_TEXT, plan_test, name),
	REC_NAMED(plan_test, mode, mode_names),
	REC_NAMED(plan_test, cache, cache_names),
	REC_NAMED(plan_test, region, region_names),
	REC_NAMED(plan_test, layout, layout_names),
	REC(REC_U32, plan_test, blocks),
	REC(REC_U32, plan_test, passes),
	REC(REC_I64, plan_test, warmup_ns),
	REC(REC_I64, plan_test, pause_ns),
	REC(REC_BOOL, plan_test, control),
	REC(REC_BOOL, plan_test, control_repeat),
	REC(REC_JSON, plan_test, waive),
	REC(REC_JSON, plan_test, variants),
	REC_LATER_REAL(plan_test, sd),
	REC_LATER_U32(plan_test, blocks_most),
	REC_LATER_U32(plan_test, pilot_blocks),
	REC_END,
};
static const struct record test_record = { sizeof(struct plan_test), test_fields };

static const struct record_field sweep_fields[] = {
	REC(REC_TEXT, sweep_value, dim), REC(REC_TEXT, sweep_value, text), REC(REC_JSON, sweep_value, value), REC_END,
};
static const struct record sweep_record = { sizeof(struct sweep_value), sweep_fields };

static json_t *spec_get(const void *p)
{
	return workload_to_json(p);
}

static int spec_set(void *p, const json_t *v, struct iow_error *e)
{
	return workload_from_json(p, v, e);
}

static const struct record_field cell_fields[] = {
	REC(REC_U32, cell, id),
	REC(REC_TEXT, cell, key),
	REC(REC_TEXT, cell, label),
	REC(REC_U32, cell, test),
	REC(REC_U32, cell, target),
	REC(REC_U32, cell, workload),
	REC(REC_U32, cell, pass),
	REC_NAMED(cell, company, company_names),
	REC(REC_I32, cell, variant),
	REC(REC_BOOL, cell, control),
	REC_COUNTED(REC_LIST, cell, sweep, n_sweep, &sweep_record),
	REC_OWNED(cell, spec, spec_get, spec_set),
	REC(REC_JSON, cell, target_keys),
	REC_END,
};
static const struct record cell_record = { sizeof(struct cell), cell_fields };

static const struct record_field step_fields[] = {
	REC(REC_U32, step, id), REC(REC_U32, step, test), REC_COUNTED(REC_NUMBERS, step, cells, n_cells, NULL), REC_END,
};
static const struct record step_record = { sizeof(struct step), step_fields };

static const struct record_field block_fields[] = {
	REC(REC_U32, block, test), REC(REC_U32, block, number),
	REC_COUNTED(REC_NUMBERS, block, steps, n_steps, NULL), REC_END,
};
static const struct record block_record = { sizeof(struct block), block_fields };

static const struct record_field pair_fields[] = {
	REC(REC_U32, pair, subject), REC(REC_U32, pair, against), REC_END,
};
static const struct record pair_record = { sizeof(struct pair), pair_fields };

static const struct record_field quote_fields[] = {
	REC(REC_TEXT, plan_quote, subject), REC(REC_TEXT, plan_quote, against), REC(REC_TEXT, plan_quote, says), REC_END,
};
static const struct record quote_record = { sizeof(struct plan_quote), quote_fields };

static const struct record_field question_fields[] = {
	REC(REC_U32, question, id),
	REC_NAMED(question, kind, kinds),
	REC(REC_BOOL, question, declared),
	REC(REC_BOOL, question, claim),
	REC(REC_MAYBE, question, label),
	REC(REC_MAYBE, question, metric),
	REC(REC_REAL, question, margin),
	REC(REC_MAYBE, question, named),
	REC_COUNTED(REC_LIST, question, pairs, n_pairs, &pair_record),
	REC_COUNTED(REC_NUMBERS, question, cells, n_cells, NULL),
	REC(REC_MAYBE, question, says),
	REC(REC_MAYBE, question, by),
	REC(REC_REAL, question, at_least),
	REC(REC_REAL, question, at_most),
	REC(REC_MAYBE, question, where),
	REC_LATER_LIST(question, quotes, n_quotes, &quote_record),
	REC_END,
};
static const struct record question_record = { sizeof(struct question), question_fields };

static const struct record_field skip_fields[] = {
	REC(REC_TEXT, plan_skip, what), REC(REC_TEXT, plan_skip, why), REC_END,
};
static const struct record skip_record = { sizeof(struct plan_skip), skip_fields };

static const struct record_field cells_fields[] = {
	REC(REC_MAYBE, cells, title),
	REC(REC_HEX, cells, plan_sha256),
	REC_COUNTED(REC_LIST, cells, set, n_set, &set_record),
	REC(REC_JSON, cells, params),
	REC(REC_JSON, cells, report),
	REC_COUNTED(REC_LIST, cells, nodes, n_nodes, &node_record),
	REC_COUNTED(REC_LIST, cells, targets, n_targets, &target_record),
	REC_COUNTED(REC_LIST, cells, workloads, n_workloads, &workload_record),
	REC_COUNTED(REC_LIST, cells, tests, n_tests, &test_record),
	REC_COUNTED(REC_LIST, cells, cells, n_cells, &cell_record),
	REC_COUNTED(REC_LIST, cells, steps, n_steps, &step_record),
	REC_COUNTED(REC_LIST, cells, blocks, n_blocks, &block_record),
	REC_COUNTED(REC_LIST, cells, questions, n_questions, &question_record),
	REC(REC_U32, cells, family),
	REC_LATER_LIST(cells, skips, n_skips, &skip_record),
	REC_LATER_U32(cells, stop_when_lost),
	REC_LATER_U32(cells, silence_ms),
	REC_END,
};
static const struct record cells_record = { sizeof(struct cells), cells_fields };

/* ---- head ---- */

static void set_hex(json_t *o, const char *key, uint64_t v)
{
	char s[17];

	snprintf(s, sizeof s, "%016" PRIx64, v);
	jsonx_set_str(o, key, s);
}

static json_t *generator(uint64_t seed)
{
	json_t *o = json_object(), *first = json_array();
	struct rng r;
	char s[17];

	rng_seed(&r, seed);
	for (int i = 0; i < 3; i++) {
		snprintf(s, sizeof s, "%016" PRIx64, rng_next(&r));
		json_array_append_new(first, json_string(s));
	}
	jsonx_set_str(o, "name", RNG_NAME);
	set_hex(o, "seed", seed);
	jsonx_set_new(o, "first", first);
	return o;
}

json_t *cells_to_json(const struct cells *c)
{
	json_t *o = json_object();

	jsonx_set_str(o, "format", "iowitness-cells");
	jsonx_set_int(o, "version", 1);
	jsonx_set_new(o, "tool", json_pack("{s:s, s:s}", "name", "iowitness", "version", PACKAGE_VERSION));
	jsonx_set_new(o, "generator", generator(c->seed));
	record_get(&cells_record, c, o);
	return o;
}

static int wrong(struct buf *path, const char *pointer, struct iow_error *e, const char *what)
{
	buf_puts(path, pointer);
	return err_set(e, EINVAL, "%s", what);
}

static int read_head(struct cells *c, const json_t *o, char **tool_version, struct buf *path, struct iow_error *e)
{
	const json_t *tool = json_object_get(o, "tool"), *gen = json_object_get(o, "generator");
	const char *seed = jsonx_str(gen, "seed", "");
	static const char *const own[] = { "format", "version", "tool", "generator" };
	const char *name;
	json_t *v, *again;
	bool same;

	if (strcmp(jsonx_str(o, "format", ""), "iowitness-cells") != 0)
		return wrong(path, "/format", e, "must be \"iowitness-cells\"");
	if (jsonx_int(o, "version", -1) != 1)
		return wrong(path, "/version", e, "this program reads version 1");
	json_object_foreach((json_t *)(uintptr_t)o, name, v) {
		bool known = false;

		for (size_t i = 0; i < sizeof own / sizeof *own; i++)
			known |= strcmp(own[i], name) == 0;
		for (const struct record_field *f = cells_fields; f->name; f++)
			known |= strcmp(f->name, name) == 0;
		if (!known) {
			jsonx_pointer_add(path, name);
			return err_set(e, EINVAL, "unknown member; version 1 does not have it");
		}
	}
	if (!jsonx_str(tool, "version", NULL) || !jsonx_str(tool, "name", NULL) || json_object_size(tool) != 2)
		return wrong(path, "/tool", e, "must have a name and a version");
	if (strlen(seed) != 16 || strspn(seed, "0123456789abcdef") != 16)
		return wrong(path, "/generator/seed", e, "must be 16 hexadecimal digits");
	c->seed = strtoull(seed, NULL, 16);
	again = generator(c->seed);
	same = json_equal(again, gen);
	json_decref(again);
	if (!same)
		return wrong(path, "/generator", e, "name and first three values do not fit this program's generator");
	if (tool_version)
		*tool_version = mem_strdup(jsonx_str(tool, "version", ""));
	return 0;
}

/* ---- indexes ---- */

static int check(bool good, struct buf *path, struct iow_error *e, const char *list, size_t i, const char *member)
{
	if (good)
		return 0;
	buf_printf(path, "/%s/%zu/%s", list, i, member);
	return err_set(e, EINVAL, "refers to what is not there");
}

static bool all_below(const uint32_t *v, size_t n, size_t limit)
{
	for (size_t i = 0; i < n; i++)
		if (v[i] >= limit)
			return false;
	return true;
}

static int check_cells(const struct cells *c, struct buf *p, struct iow_error *e)
{
	for (size_t i = 0; i < c->n_targets; i++)
		if (check(c->targets[i].node < c->n_nodes, p, e, "targets", i, "node"))
			return -1;
	for (size_t i = 0; i < c->n_cells; i++) {
		const struct cell *x = &c->cells[i];
		size_t variants = x->test < c->n_tests ? json_array_size(c->tests[x->test].variants) : 0;

		if (check(x->id == i, p, e, "cells", i, "id") ||
		    check(x->test < c->n_tests, p, e, "cells", i, "test") ||
		    check(x->target < c->n_targets, p, e, "cells", i, "target") ||
		    check(x->workload < c->n_workloads, p, e, "cells", i, "workload") ||
		    check(x->variant >= -1 && x->variant < (int64_t)variants, p, e, "cells", i, "variant"))
			return -1;
	}
	return 0;
}

static int check_schedule(const struct cells *c, struct buf *p, struct iow_error *e)
{
	for (size_t i = 0; i < c->n_steps; i++) {
		const struct step *s = &c->steps[i];

		if (check(s->id == i, p, e, "steps", i, "id") ||
		    check(s->test < c->n_tests, p, e, "steps", i, "test") ||
		    check(all_below(s->cells, s->n_cells, c->n_cells), p, e, "steps", i, "cells"))
			return -1;
	}
	for (size_t i = 0; i < c->n_blocks; i++) {
		const struct block *b = &c->blocks[i];

		if (check(b->test < c->n_tests, p, e, "blocks", i, "test") ||
		    check(all_below(b->steps, b->n_steps, c->n_steps), p, e, "blocks", i, "steps"))
			return -1;
	}
	return 0;
}

static int check_questions(const struct cells *c, struct buf *p, struct iow_error *e)
{
	for (size_t i = 0; i < c->n_questions; i++) {
		const struct question *q = &c->questions[i];

		if (check(q->id == i, p, e, "questions", i, "id") ||
		    check(all_below(q->cells, q->n_cells, c->n_cells), p, e, "questions", i, "cells"))
			return -1;
		for (size_t k = 0; k < q->n_pairs; k++)
			if (check(q->pairs[k].subject < c->n_cells && q->pairs[k].against < c->n_cells, p, e,
				  "questions", i, "pairs"))
				return -1;
	}
	return 0;
}

int cells_from_json(struct cells *c, const json_t *o, char **tool_version, struct buf *path,
		    struct iow_error *e)
{
	int rc;

	cells_init(c);
	if (!json_is_object(o))
		return err_set(e, EINVAL, "must be an object");
	rc = read_head(c, o, tool_version, path, e);
	if (!rc)
		rc = record_set(&cells_record, c, o, true, path, e);
	if (!rc)
		rc = check_cells(c, path, e);
	if (!rc)
		rc = check_schedule(c, path, e);
	if (!rc)
		rc = check_questions(c, path, e);
	if (rc) {
		cells_release(c);
		if (tool_version) {
			free(*tool_version);
			*tool_version = NULL;
		}
	}
	return rc;
}
