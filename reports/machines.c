/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/machines.h"

#include <math.h>
#include <string.h>

#include "base/jsonx.h"
#include "base/mem.h"

#define RATES_ALIKE 0.25

static bool one_of(const char *key, const char *const *list)
{
	for (; *list; list++)
		if (strcmp(key, *list) == 0)
			return true;
	return false;
}

bool machine_fact_counts(const char *key)
{
	static const char *const none[] = { "host_name", "up_for", "load_at_start", "clock_state", NULL };

	return !one_of(key, none);
}

/* Of a target: not what it is, but how the node reaches it; what a comparison names among its own
 * attributes is not here. */
static bool way_counts(const char *key)
{
	static const char *const way[] = { "firmware", "interface", "link", "largest_request", "queue_depth", "write_cache",
					   "fua", NULL };

	return one_of(key, way);
}

bool machine_fact_differs(const json_t *a, const json_t *b)
{
	double x, y;

	if (!a && !b)
		return false;
	if (!json_is_number(a) || !json_is_number(b))
		return !json_equal(a, b);
	x = json_number_value(a);
	y = json_number_value(b);
	return fabs(x - y) > RATES_ALIKE * fmax(fabs(x), fabs(y));
}

typedef bool counts_fn(const char *key);

/* Appends the names of those that count and differ; what only one side has told is a difference, too. */
static size_t add_unlike(struct buf *list, size_t n, const struct wording *w, const json_t *a, const json_t *b,
			 counts_fn *counts)
{
	const char *key;
	json_t *v;

	json_object_foreach((json_t *)a, key, v) {
		if (!counts(key) || !machine_fact_differs(v, json_object_get(b, key)))
			continue;
		buf_printf(list, "%s%s", n ? "\n" : "", wording_or(w, "fact", key));
		n++;
	}
	json_object_foreach((json_t *)b, key, v)
		if (counts(key) && !json_object_get(a, key)) {
			buf_printf(list, "%s%s", n ? "\n" : "", wording_or(w, "fact", key));
			n++;
		}
	return n;
}

char *machines_unlike(const struct results *r, const struct wording *w, uint32_t target_a, uint32_t target_b)
{
	const struct cells *c = &r->bundle->cells;
	const struct plan_target *a = &c->targets[target_a], *b = &c->targets[target_b];
	const json_t *nodes = json_object_get(r->bundle->host, "nodes"), *targets = json_object_get(r->bundle->host, "targets");
	struct buf list = BUF_INIT, out = BUF_INIT;
	size_t n, i = 0;
	char *save = NULL;

	if (a->node == b->node)
		return NULL;
	n = add_unlike(&list, 0, w, json_object_get(nodes, c->nodes[a->node].name),
		       json_object_get(nodes, c->nodes[b->node].name), machine_fact_counts);
	n = add_unlike(&list, n, w, json_object_get(json_object_get(targets, a->name), "facts"),
		       json_object_get(json_object_get(targets, b->name), "facts"), way_counts);
	for (char *one = n ? strtok_r(list.data, "\n", &save) : NULL; one; one = strtok_r(NULL, "\n", &save), i++)
		buf_printf(&out, "%s%s", !i ? "" : i + 1 == n ? wording_get(w, "and") : ", ", one);
	buf_release(&list);
	return n ? buf_take(&out) : NULL;
}
