/* SPDX-License-Identifier: Apache-2.0 */
#include "base/jsonx.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/vec.h"
#include "reports/sections.h"

#include <stdlib.h>
#include <string.h>

/* Items tested and platform: tables of facts, a column each thing, made from host.json. */

#define FACT_COLUMNS 3

/* A fact in words; arrays are joined with arrows (layers) or commas. The caller owns it. */
static char *fact_text(const json_t *v)
{
	struct buf b = BUF_INIT;
	size_t i;
	json_t *item;

	if (!v || json_is_null(v))
		return mem_strdup("–");
	if (json_is_string(v))
		return mem_strdup(*json_string_value(v) ? json_string_value(v) : "–");
	if (json_is_array(v)) {
		json_array_foreach(v, i, item) {
			mem_auto char *one = fact_text(item);

			buf_printf(&b, "%s%s", i ? " → " : "", one);
		}
	} else {
		jsonx_write(&b, v, 0);
	}
	return buf_take(&b);
}

/* Keys of all objects, in the order of first appearance. */
static const char **fact_keys(const json_t *const *facts, size_t n, size_t *n_keys)
{
	const char **keys = NULL, *key;
	json_t *v;

	*n_keys = 0;
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

/* One table of at most FACT_COLUMNS things. `only_different`: rows in which they differ. Returns rows. */
static size_t facts_table(struct compose *x, const char *anchor, const char *caption, const char *const *names,
			  const json_t *const *facts, size_t n, bool only_different)
{
	struct doc_table *t = NULL;
	size_t n_keys, rows = 0;
	const char **keys = fact_keys(facts, n, &n_keys);

	for (size_t k = 0; k < n_keys; k++) {
		char *text[FACT_COLUMNS];
		bool same = true;

		for (size_t i = 0; i < n; i++) {
			text[i] = fact_text(json_object_get(facts[i], keys[k]));
			same = same && strcmp(text[i], text[0]) == 0;
		}
		if (!only_different || !same) {
			if (!t) {
				t = doc_table(x->d, anchor, "%s", caption);
				doc_column(t, DOC_LEFT, W(x, "items.property"));
				for (size_t i = 0; i < n; i++)
					doc_column(t, DOC_LEFT, names[i]);
			}
			struct doc_row *row = doc_row(t, 0);
			doc_cell(row, "%s", wording_or(x->w, "fact", keys[k]));
			for (size_t i = 0; i < n; i++)
				doc_cell(row, "%s", i && same ? W(x, "items.same") : text[i]);
			rows++;
		}
		for (size_t i = 0; i < n; i++)
			free(text[i]);
	}
	free(keys);
	return rows;
}

/* Facts of a target: those of the host first, then what the plan says of it. New. */
static json_t *target_facts(const struct compose *x, const struct plan_target *t)
{
	json_t *o = json_object(), *v;
	const json_t *host = json_object_get(json_object_get(x->b->host, "targets"), t->name);
	const char *key;

	jsonx_set_str(o, "driver", t->driver);
	jsonx_set_str(o, "node", x->c->nodes[t->node].name);
	json_object_foreach(t->keys, key, v) {
		mem_auto char *name = mem_printf("key %s", key);

		json_object_set(o, name, v);
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
	doc_section(x->d, "items", W(x, "items.title"));
	for (size_t at = 0; at < x->c->n_targets; at += FACT_COLUMNS) {
		size_t n = x->c->n_targets - at < FACT_COLUMNS ? x->c->n_targets - at : FACT_COLUMNS;
		const char *names[FACT_COLUMNS];
		const json_t *facts[FACT_COLUMNS];
		mem_auto char *anchor = mem_printf("items-%zu", at / FACT_COLUMNS + 1);
		struct buf list = BUF_INIT;

		for (size_t i = 0; i < n; i++) {
			names[i] = x->c->targets[at + i].name;
			facts[i] = target_facts(x, &x->c->targets[at + i]);
			buf_printf(&list, "%s%s", i ? i + 1 == n ? W(x, "and") : ", " : "", names[i]);
		}
		mem_auto char *caption = wording_fill(x->w, "items.caption", "targets", buf_str(&list), NULL);
		facts_table(x, anchor, caption, names, facts, n, false);
		for (size_t i = 0; i < n; i++)
			json_decref((json_t *)facts[i]);
		buf_release(&list);
	}
	doc_note(x->d, "%s", W(x, "items.note"));
}

void section_platform(struct compose *x)
{
	const json_t *nodes = json_object_get(x->b->host, "nodes");
	const char *names[FACT_COLUMNS], *key;
	const json_t *facts[FACT_COLUMNS];
	size_t n = 0, part = 0, total = json_object_size(nodes), seen = 0;
	json_t *v;

	doc_section(x->d, "platform", W(x, "platform.title"));
	if (!total) {
		compose_para(x, "platform.none", NULL);
		return;
	}
	json_object_foreach((json_t *)nodes, key, v) {
		names[n] = strcmp(key, "local") == 0 ? W(x, "platform.local") : key;
		facts[n++] = v;
		seen++;
		if (n < FACT_COLUMNS && seen < total)
			continue;
		mem_auto char *anchor = mem_printf("platform-%zu", ++part);
		facts_table(x, anchor, W(x, total > 1 ? "platform.caption.many" : "platform.caption.one"), names, facts, n, false);
		if (total > 1) {
			mem_auto char *diff = mem_printf("platform-differences-%zu", part);

			facts_table(x, diff, W(x, "platform.differences"), names, facts, n, true);
		}
		n = 0;
	}
	if (total == 1)
		compose_para(x, "platform.onenode", NULL);
}
