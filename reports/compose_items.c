/* SPDX-License-Identifier: Apache-2.0 */
#include "base/jsonx.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/vec.h"
#include "reports/machines.h"
#include "reports/said.h"
#include "reports/sections.h"

#include <stdlib.h>
#include <string.h>

/* Items tested and platform: tables of facts, a column each thing, made from host.json. */

#define FACT_COLUMNS 3

/* Which facts stand in which order, how they are written, and which every report must have or name as missing. */
enum fact_type { FACT_TEXT, FACT_NAME, FACT_BYTES, FACT_RATE };

struct fact_row {
	const char *key;
	enum fact_type type;
	bool wanted;
};

static const struct fact_row target_rows[] = {
	{ "driver", 0, 0 }, { "node", 0, 0 }, { "path", 0, 1 }, { "bytes", FACT_BYTES, 1 }, { "made", 0, 0 },
	{ "made_as", 0, 0 }, { "made_in", 0, 0 }, { "device", 0, 1 }, { "layers", 0, 1 }, { "layers_below", 0, 0 },
	{ "loop_direct", 0, 0 }, { "leaves", 0, 1 }, { "maker", 0, 1 }, { "model", 0, 1 }, { "serial", 0, 1 },
	{ "firmware", 0, 1 }, { "stable_id", 0, 1 }, { "capacity", 0, 1 }, { "interface", 0, 1 }, { "link", 0, 0 },
	{ "link_bytes_per_s", FACT_RATE, 0 }, { "logical_block", 0, 1 }, { "physical_block", 0, 1 },
	{ "align", FACT_BYTES, 0 }, { "largest_request", 0, 0 }, { "read_ahead", 0, 1 }, { "scheduler", FACT_NAME, 1 },
	{ "queue_depth", 0, 1 }, { "rotational", 0, 1 }, { "write_cache", 0, 1 }, { "fua", 0, 0 },
	{ "filesystem", 0, 1 }, { "mount_point", 0, 0 }, { "mount_options", 0, 1 }, { "mount_source", 0, 0 },
	{ "fill_state", 0, 1 }, { NULL, 0, 0 },
};

static const struct fact_row node_rows[] = {
	{ "host_name", 0, 1 }, { "machine", 0, 1 }, { "virtualisation", 0, 1 }, { "cpu", 0, 1 }, { "cores", 0, 1 },
	{ "governor", 0, 1 }, { "frequency", 0, 0 }, { "isolated_cpus", 0, 0 }, { "memory", 0, 1 },
	{ "memory_bytes_per_s", FACT_RATE, 0 }, { "numa", 0, 1 }, { "huge_pages", 0, 0 }, { "kernel", 0, 1 },
	{ "command_line", 0, 1 }, { "os", 0, 1 }, { "adapters", 0, 1 }, { "clock_source", 0, 1 }, { "clock_state", 0, 0 },
	{ "load_at_start", 0, 1 }, { "pressure_stall", 0, 0 },
	{ "up_for", 0, 0 }, { "versions", 0, 0 }, { "agent_version", 0, 0 }, { NULL, 0, 0 },
};

static enum fact_type fact_type(const struct fact_row *rows, const char *key)
{
	for (; rows->key; rows++)
		if (strcmp(rows->key, key) == 0)
			return rows->type;
	return strcmp(key, "key size") == 0 ? FACT_BYTES : FACT_TEXT;
}

/* A fact in words; arrays are joined with arrows (layers) or lines (adapters). The caller owns it. */
static char *fact_text(const struct compose *x, const json_t *v, enum fact_type type)
{
	struct buf b = BUF_INIT;
	size_t i;
	json_t *item;

	if (!v || json_is_null(v) || (json_is_string(v) && !*json_string_value(v)))
		return mem_strdup(W(x, "none"));
	if (json_is_string(v) && type == FACT_NAME && strncmp(json_string_value(v), "not readable", 12) != 0)
		return mem_strdup(json_string_value(v)); /* the scheduler "none" is a name */
	if (json_is_string(v))
		return said(x->w, json_string_value(v));
	if (json_is_boolean(v))
		return mem_strdup(W(x, json_is_true(v) ? "said.yes" : "said.no"));
	if (json_is_number(v) && type == FACT_BYTES)
		return say_size((uint64_t)json_number_value(v));
	if (json_is_number(v) && type == FACT_RATE)
		return say_rate(json_number_value(v));
	if (json_is_array(v)) {
		json_array_foreach(v, i, item) {
			mem_auto char *one = fact_text(x, item, type);

			buf_printf(&b, "%s%s", i ? " → " : "", one);
		}
	} else {
		jsonx_write(&b, v, 0);
	}
	return buf_take(&b);
}

/* "Queue depth", or for a key of the driver "advice (as the plan says)". The caller owns it. */
static char *fact_name(const struct compose *x, const char *key)
{
	if (strncmp(key, "key ", 4) == 0)
		return wording_fill(x->w, "items.key", "key", key + 4, NULL);
	return mem_strdup(wording_or(x->w, "fact", key));
}

static bool has_key(const json_t *const *facts, size_t n, const char *key)
{
	for (size_t i = 0; i < n; i++)
		if (json_object_get(facts[i], key))
			return true;
	return false;
}

/* Keys that any of the objects has: those of `rows` in their order, then others as they come. */
static const char **fact_keys(const struct fact_row *rows, const json_t *const *facts, size_t n, size_t *n_keys)
{
	const char **keys = NULL, *key;
	json_t *v;

	*n_keys = 0;
	for (const struct fact_row *r = rows; r->key; r++)
		if (has_key(facts, n, r->key))
			*VEC_ADD(keys, *n_keys) = r->key;
	for (size_t i = 0; i < n; i++) {
		json_object_foreach((json_t *)facts[i], key, v) {
			size_t k = 0;

			while (k < *n_keys && strcmp(keys[k], key) != 0)
				k++;
			if (k == *n_keys)
				*VEC_ADD(keys, *n_keys) = key;
		}
	}
	return keys;
}

/* "Not recorded in this bundle: Scheduler, Queue depth." of what a reader may look for in vain. */
static void missing_note(struct compose *x, struct doc_table *t, const struct fact_row *rows, const json_t *const *facts,
			 size_t n)
{
	struct buf list = BUF_INIT;

	for (; rows->key; rows++) {
		if (!rows->wanted || has_key(facts, n, rows->key))
			continue;
		buf_printf(&list, "%s%s", list.len ? "; " : "", wording_or(x->w, "fact", rows->key));
	}
	if (list.len) {
		mem_auto char *note = wording_fill(x->w, "items.missing", "list", buf_str(&list), NULL);

		doc_add(&t->note, "%s", note);
	}
	buf_release(&list);
}

/* One table of at most FACT_COLUMNS things with a row for each key. */
static struct doc_table *facts_table(struct compose *x, const char *anchor, const char *caption, const struct fact_row *rows,
				     const char **keys, size_t n_keys, const char *const *names,
				     const json_t *const *facts, size_t n)
{
	struct doc_table *t = doc_table(x->d, anchor, "%s", caption);

	doc_column(t, DOC_LEFT, W(x, "items.property"));
	for (size_t i = 0; i < n; i++)
		doc_column(t, DOC_LEFT, names[i]);
	for (size_t k = 0; k < n_keys; k++) {
		mem_auto char *name = fact_name(x, keys[k]);
		char *text[FACT_COLUMNS];
		bool same = true;

		for (size_t i = 0; i < n; i++) {
			text[i] = fact_text(x, json_object_get(facts[i], keys[k]), fact_type(rows, keys[k]));
			same = same && strcmp(text[i], text[0]) == 0;
		}
		struct doc_row *row = doc_row(t, 0);
		doc_cell(row, "%s", name);
		for (size_t i = 0; i < n; i++) {
			doc_cell(row, "%s", i && same ? W(x, "items.same") : text[i]);
			if (i)
				free(text[i]);
		}
		free(text[0]);
	}
	return t;
}

/* The same with all that is known of them, and what is not. */
static void facts_all(struct compose *x, const char *anchor, const char *caption, const struct fact_row *rows,
		      const char *const *names, const json_t *const *facts, size_t n)
{
	size_t n_keys;
	const char **keys = fact_keys(rows, facts, n, &n_keys);

	missing_note(x, facts_table(x, anchor, caption, rows, keys, n_keys, names, facts, n), rows, facts, n);
	free(keys);
}

/* A key as the plan writes it ("500us"), NULL where the plan leaves it to the driver; what a parameter of
 * the plan or a sweep fills in is only known as resolved. */
static json_t *as_written(const json_t *plan, const struct plan_target *t, const char *key)
{
	const json_t *all = json_object_get(plan, "targets"), *own = json_object_get(all, t->name);
	json_t *v = json_object_get(own, key);

	if (own && (!v || !json_is_string(v) || !strstr(json_string_value(v), "${")))
		return v;
	return json_object_get(t->keys, key);
}

/* Facts of a target: those of the host first, then what the plan says of it. New. */
static json_t *target_facts(const struct compose *x, const json_t *plan, const struct plan_target *t)
{
	json_t *o = json_object(), *v;
	const json_t *host = json_object_get(json_object_get(x->b->host, "targets"), t->name);
	const char *key;

	jsonx_set_str(o, "driver", t->driver);
	jsonx_set_str(o, "node", x->c->nodes[t->node].name);
	json_object_foreach(t->keys, key, v) {
		mem_auto char *name = mem_printf("key %s", key);

		/* Where and how large: told by what the target said when it was opened. */
		if (strcmp(key, "path") == 0 && json_object_get(host, "path"))
			continue;
		if (strcmp(key, "size") == 0 && json_object_get(host, "bytes"))
			continue;
		json_t *written = as_written(plan, t, key);
		if (written)
			json_object_set(o, name, written);
	}
	json_object_foreach((json_t *)host, key, v)
		if (!json_is_object(v))
			json_object_set(o, key, v);
	json_object_foreach(json_object_get(host, "facts"), key, v)
		json_object_set(o, key, v);
	json_object_del(o, "rdev"); /* a number of the kernel's, told by the device's name already */
	return o;
}

void section_items(struct compose *x)
{
	json_t *plan = x->b->plan_text ? json_loads(x->b->plan_text, 0, NULL) : NULL;

	doc_section(x->d, "items", W(x, "items.title"));
	for (size_t at = 0; at < x->c->n_targets; at += FACT_COLUMNS) {
		size_t n = x->c->n_targets - at < FACT_COLUMNS ? x->c->n_targets - at : FACT_COLUMNS;
		const char *names[FACT_COLUMNS];
		const json_t *facts[FACT_COLUMNS];
		mem_auto char *anchor = mem_printf("items-%zu", at / FACT_COLUMNS + 1);
		struct buf list = BUF_INIT;

		for (size_t i = 0; i < n; i++) {
			names[i] = x->c->targets[at + i].name;
			facts[i] = target_facts(x, plan, &x->c->targets[at + i]);
			buf_printf(&list, "%s%s", i ? i + 1 == n ? W(x, "and") : ", " : "", names[i]);
		}
		mem_auto char *caption = wording_fill(x->w, "items.caption", "targets", buf_str(&list), NULL);
		facts_all(x, anchor, caption, target_rows, names, facts, n);
		for (size_t i = 0; i < n; i++)
			json_decref((json_t *)facts[i]);
		buf_release(&list);
	}
	json_decref(plan);
	doc_note(x->d, "%s", W(x, "items.note"));
}

/* ---- nodes ---- */

struct nodes {
	const char **names;
	const json_t **facts;
	size_t n;
};

/* In what the nodes differ, all of them looked at together. */
static const char **node_differences(const struct nodes *all, size_t *n)
{
	size_t n_keys, kept = 0;
	const char **keys = fact_keys(node_rows, all->facts, all->n, &n_keys);

	for (size_t k = 0; k < n_keys; k++) {
		const json_t *first = json_object_get(all->facts[0], keys[k]);
		bool same = true;

		for (size_t i = 1; i < all->n; i++) {
			same = same && !machine_fact_differs(first, json_object_get(all->facts[i], keys[k]));
		}
		if (!same && machine_fact_counts(keys[k]))
			keys[kept++] = keys[k];
	}
	*n = kept;
	return keys;
}

static void platform_differences(struct compose *x, const struct nodes *all)
{
	size_t n_keys;
	const char **keys = node_differences(all, &n_keys);
	mem_auto char *number = mem_printf("%zu", n_keys);
	mem_auto char *caption = wording_fill(x->w, n_keys == 1 ? "platform.differences.one" : "platform.differences", "n", number,
					      NULL);

	for (size_t at = 0; n_keys && at < all->n; at += FACT_COLUMNS) {
		mem_auto char *anchor = mem_printf("platform-differences-%zu", at / FACT_COLUMNS + 1);

		facts_table(x, anchor, caption, node_rows, keys, n_keys, all->names + at, all->facts + at,
			    all->n - at < FACT_COLUMNS ? all->n - at : FACT_COLUMNS);
	}
	if (!n_keys)
		compose_para(x, "platform.alike", NULL);
	free(keys);
}

/* This machine may only have led the others. */
static bool measured(const struct compose *x, const char *node)
{
	for (size_t i = 0; i < x->c->n_targets; i++)
		if (strcmp(x->c->nodes[x->c->targets[i].node].name, node) == 0)
			return true;
	return false;
}

void section_platform(struct compose *x)
{
	const json_t *nodes = json_object_get(x->b->host, "nodes");
	size_t total = json_object_size(nodes);
	struct nodes all = { mem_array(total + 1, sizeof *all.names), mem_array(total + 1, sizeof *all.facts), 0 };
	const char *key;
	json_t *v;

	doc_section(x->d, "platform", W(x, "platform.title"));
	json_object_foreach((json_t *)nodes, key, v) {
		if (strcmp(key, "local") == 0 && total > 1 && !measured(x, key)) {
			compose_para(x, "platform.leader", "host", jsonx_str(v, "host_name", "?"), NULL);
			continue;
		}
		all.names[all.n] = strcmp(key, "local") == 0 ? W(x, "platform.local") : key;
		all.facts[all.n++] = v;
	}
	for (size_t at = 0; at < all.n; at += FACT_COLUMNS) {
		mem_auto char *anchor = mem_printf("platform-%zu", at / FACT_COLUMNS + 1);

		facts_all(x, anchor, W(x, all.n > 1 ? "platform.caption.many" : "platform.caption.one"), node_rows,
			  all.names + at, all.facts + at, all.n - at < FACT_COLUMNS ? all.n - at : FACT_COLUMNS);
	}
	if (all.n > 1)
		platform_differences(x, &all);
	else
		compose_para(x, total ? "platform.onenode" : "platform.none", NULL);
	free(all.names);
	free(all.facts);
}
