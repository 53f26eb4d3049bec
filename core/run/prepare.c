/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "base/err.h"
#include "base/jsonx.h"
#include "base/vec.h"
#include "run/run.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define FACTS_MAX ((size_t)256 << 10) /* bytes of JSON */
#define HOST_WAIT (60 * NS_PER_S)

/* ---- nodes ---- */

/* What a node says of itself is kept as it is, within reason. New. */
static json_t *bounded(const json_t *said)
{
	struct buf b = BUF_INIT;
	json_t *o;

	jsonx_write(&b, said, 0);
	o = json_is_object(said) && b.len <= FACTS_MAX ? json_deep_copy(said) : json_object();
	if (b.len > FACTS_MAX)
		jsonx_set_str(o, "dropped", "it was more than 256 KiB");
	buf_release(&b);
	return o;
}

static void put_facts(json_t *nodes, const struct node *n, const json_t *answer)
{
	json_t *facts = json_object_get(answer, "facts");

	facts = facts ? bounded(facts) : json_object();
	jsonx_set_str(facts, "agent_version", n->version);
	jsonx_set_str(facts, "host_name", n->host);
	jsonx_set_new(nodes, n->name, facts);
}

static int all_facts(struct campaign *k, json_t *nodes, struct iow_error *e)
{
	struct nodes *ns = k->nodes;
	struct ask *asks = mem_array(ns->n, sizeof *asks);
	int rc;

	for (size_t i = 0; i < ns->n; i++) {
		json_t *f = wire_frame("PREPARE");

		jsonx_set_str(f, "what", "host");
		ask_post(ns, &asks[i], &ns->v[i], f);
	}
	rc = ask_wait(ns, asks, ns->n, HOST_WAIT, e);
	for (size_t i = 0; i < ns->n; i++) {
		if (!rc && strcmp(wire_type(asks[i].answer), "READY"))
			rc = err_set(e, 0, "node %s: %s", ns->v[i].name, jsonx_str(asks[i].answer, "text", "it failed"));
		if (!rc)
			put_facts(nodes, &ns->v[i], asks[i].answer);
		json_decref(asks[i].answer);
	}
	free(asks);
	return rc;
}

/* ---- drivers ---- */

static int describe_one(struct campaign *k, struct node *n, const char *name, struct iow_error *e)
{
	json_t *d;

	if (json_object_get(k->drivers, name))
		return 0;
	d = node_describe(k->nodes, n, name, e);
	if (!d)
		return err_in(e, "node %s", n->name);
	jsonx_set_new(k->drivers, name, d);
	return 0;
}

static int describe_all(struct campaign *k, struct iow_error *e)
{
	for (size_t i = 0; i < k->c->n_targets; i++)
		if (describe_one(k, campaign_target_node(k, (uint32_t)i), k->c->targets[i].driver, e))
			return -1;
	for (size_t i = 1; i < k->c->n_nodes; i++)
		if (describe_one(k, &k->nodes->v[0], k->c->nodes[i].driver, e))
			return -1;
	return 0;
}

/* ---- targets ---- */

static bool is_cold(const struct campaign *k, const struct cell *cell)
{
	return k->c->tests[cell->test].cache == CACHE_COLD && cell->spec.op == WORKLOAD_READ;
}

static bool name_is_taken(const struct campaign *k, const char *name)
{
	for (size_t i = 0; i < k->c->n_targets; i++)
		if (!strcmp(k->c->targets[i].name, name))
			return true;
	for (size_t i = 0; i < k->n_prepared; i++)
		if (k->prepared[i].name && !strcmp(k->prepared[i].name, name))
			return true;
	return false;
}

/* Agents know what they prepared by its name: a target may be called "x (2)" in the plan. */
static char *name_of_another(const struct campaign *k, const char *target, uint32_t number)
{
	char *name = mem_printf("%s (%u)", target, number);

	while (name_is_taken(k, name)) {
		free(name);
		name = mem_printf("%s (%u)", target, ++number);
	}
	return name;
}

static void cell_prepared_set(struct campaign *k, const struct cell *cell)
{
	uint32_t same = 0;
	struct prepared *p;

	for (size_t i = 0; i < k->n_prepared; i++) {
		if (k->prepared[i].target != cell->target)
			continue;
		same++;
		if (!json_equal(k->prepared[i].keys, cell->target_keys))
			continue;
		k->cell_prepared[cell->id] = (uint32_t)i;
		k->prepared[i].write |= cell->spec.op != WORKLOAD_READ;
		k->prepared[i].cold |= is_cold(k, cell);
		if (k->prepared[i].deadline_ns < cell->spec.deadline_ns)
			k->prepared[i].deadline_ns = cell->spec.deadline_ns;
		return;
	}
	k->cell_prepared[cell->id] = (uint32_t)k->n_prepared;
	p = VEC_ADD(k->prepared, k->n_prepared);
	p->target = cell->target;
	p->keys = cell->target_keys;
	p->write = cell->spec.op != WORKLOAD_READ;
	p->cold = is_cold(k, cell);
	p->deadline_ns = cell->spec.deadline_ns;
	p->layout = k->c->tests[cell->test].layout;
	p->name = same ? name_of_another(k, k->c->targets[cell->target].name, same + 1)
		       : mem_strdup(k->c->targets[cell->target].name);
}

/* Same kernel, other agent. */
static bool beside(const struct campaign *k, const struct prepared *a, const struct prepared *b)
{
	const struct node *x = campaign_target_node(k, a->target), *y = campaign_target_node(k, b->target);

	return x != y && *x->boot && !strcmp(x->boot, y->boot);
}

/* Agents of one kernel would refuse each other's claims: the later ones are told. */
static json_t *claimed(const struct campaign *k, const struct prepared *p)
{
	json_t *a = json_array();

	for (size_t i = 0; i < k->n_prepared; i++) {
		const struct prepared *q = &k->prepared[i];

		if (p->write && q->write && q->info && q->rdev && beside(k, p, q))
			json_array_append_new(a, json_integer((json_int_t)q->rdev));
	}
	return a;
}

static json_t *prepare_frame(const struct campaign *k, const struct prepared *p)
{
	const struct plan_target *t = &k->c->targets[p->target];
	json_t *f = wire_frame("PREPARE"), *ids = json_array();
	char seed[24];

	snprintf(seed, sizeof seed, "%016llx", (unsigned long long)k->c->seed);
	for (size_t i = 0; i < k->o.n_destroy; i++)
		json_array_append_new(ids, json_string(k->o.destroy[i]));
	jsonx_set_str(f, "what", "target");
	jsonx_set_str(f, "target", p->name);
	jsonx_set_str(f, "driver", t->driver);
	json_object_set(f, "keys", p->keys);
	if (t->make)
		json_object_set(f, "make", t->make);
	jsonx_set_bool(f, "write", p->write);
	jsonx_set_bool(f, "cold", p->cold);
	jsonx_set_int(f, "deadline", p->deadline_ns);
	if (k->o.look)
		jsonx_set_bool(f, "look", true);
	jsonx_set_str(f, "layout", layout_names[p->layout]);
	jsonx_set_str(f, "seed", seed);
	jsonx_set_new(f, "destroy", ids);
	if (t->destroy)
		jsonx_set_str(f, "destroy_id", t->destroy_id);
	jsonx_set_new(f, "claimed", claimed(k, p));
	return f;
}

static enum campaign_end end_of_class(const char *class)
{
	if (!strcmp(class, "refused"))
		return CAMPAIGN_REFUSED;
	return strcmp(class, "lost") ? CAMPAIGN_PLAN : CAMPAIGN_BROKEN;
}

static void take_info(struct prepared *p, json_t *ready_take)
{
	int64_t bytes = jsonx_int(ready_take, "bytes", 0), align = jsonx_int(ready_take, "align", 0);

	p->info = bounded(ready_take);
	p->bytes = bytes > 0 ? (uint64_t)bytes : 0;
	p->rdev = (uint64_t)jsonx_int(ready_take, "rdev", 0);
	p->device_id = mem_strdup(jsonx_str(ready_take, "device_id", NULL));
	json_decref(ready_take);
	p->align = align > 0 && align <= 1 << 20 ? (uint32_t)align : 1;
	if (jsonx_bool(p->info, "made", false))
		p->same = json_incref(json_object_get(p->info, "same"));
	json_object_del(p->info, "same");
	json_object_del(p->info, "device_id");
	json_object_del(p->info, "type");
	json_object_del(p->info, "id");
	if (p->early && !json_is_object(json_object_get(p->info, "facts")))
		jsonx_set_new(p->info, "facts", json_object());
	if (p->early)
		json_object_update_missing(json_object_get(p->info, "facts"), p->early);
}

/* One target at a time on each node, the nodes at once. */
struct preparing {
	struct ask *asks;  /* one for each target */
	bool *posted;
	size_t done;
};

/* Two that are written on one kernel are prepared one after the other, so that the second knows what
 * the first holds. */
static bool must_wait(const struct campaign *k, const struct preparing *w, const struct prepared *p)
{
	for (size_t i = 0; i < k->n_prepared; i++)
		if (p->write && k->prepared[i].write && w->posted[i] && !k->prepared[i].info &&
		    beside(k, p, &k->prepared[i]))
			return true;
	return false;
}

static void post_next(struct campaign *k, struct preparing *w, const struct node *n)
{
	for (size_t i = 0; i < k->n_prepared; i++) {
		struct prepared *p = &k->prepared[i];

		if (campaign_target_node(k, p->target) != n || p->info)
			continue;
		if (!w->posted[i] && !must_wait(k, w, p)) {
			campaign_report(k, p->name, true);
			ask_post(k->nodes, &w->asks[i], &k->nodes->v[n - k->nodes->v], prepare_frame(k, p));
			w->posted[i] = true;
		}
		return;
	}
}

static enum campaign_end take_answers(struct campaign *k, struct preparing *w, struct iow_error *e)
{
	for (size_t i = 0; i < k->n_prepared; i++) {
		struct prepared *p = &k->prepared[i];
		json_t *a = w->asks[i].answer;
		enum campaign_end end;

		if (!w->posted[i] || p->info || !a)
			continue;
		if (!strcmp(wire_type(a), "READY")) {
			w->asks[i].answer = NULL;
			ask_drop(k->nodes, &w->asks[i]);
			take_info(p, a);
			w->done++;
			continue;
		}
		err_set(e, (int)jsonx_int(a, "errno", 0), "target \"%s\": %s", p->name, jsonx_str(a, "text", "it failed"));
		end = end_of_class(jsonx_str(a, "class", "failed"));
		return end;
	}
	return CAMPAIGN_OK;
}

static enum campaign_end prepare_targets(struct campaign *k, struct iow_error *e)
{
	struct preparing w = { mem_array(k->n_prepared, sizeof *w.asks), mem_array(k->n_prepared, sizeof *w.posted), 0 };
	enum campaign_end end = CAMPAIGN_OK;

	while (end == CAMPAIGN_OK && w.done < k->n_prepared) {
		for (size_t i = 0; i < k->nodes->n; i++)
			post_next(k, &w, &k->nodes->v[i]);
		nodes_poll(k->nodes, clock_mono_ns() + NS_PER_S);
		end = take_answers(k, &w, e);
		if (end == CAMPAIGN_OK && k->nodes->stop) {
			err_set(e, EINTR, "interrupted");
			end = CAMPAIGN_BROKEN;
		}
	}
	for (size_t i = 0; i < k->n_prepared; i++)
		if (w.posted[i])
			ask_drop(k->nodes, &w.asks[i]);
	free(w.asks);
	free(w.posted);
	return end;
}

/* ---- devices that several nodes see ---- */

/* Id of the one disk below it; empty: none, or there are several. */
static const char *disk_id(const struct prepared *p)
{
	const json_t *facts = json_object_get(p->info, "facts");
	const char *id = jsonx_str(facts, "stable_id", "");

	/* A device without an id has a sentence there, with blanks; ids of several have a comma. */
	return strchr(id, ' ') ? "" : id;
}

static bool are_parts(const char *a, const char *b)
{
	return (strstr(a, "-part") && strstr(b, "-part")) ||
	       (!strncmp(a, "dm-uuid-", 8) && !strncmp(b, "dm-uuid-", 8));
}

/* Do two targets on two nodes lie on the same blocks? Names tell nothing; two partitions or volumes of one
 * disk have each their own. */
static bool on_same_blocks(const struct campaign *k, const struct prepared *a, const struct prepared *b)
{
	if (!a->device_id || !b->device_id)
		return false;
	if (beside(k, a, b) && a->rdev && a->rdev == b->rdev)
		return true;
	if (*a->device_id && !strcmp(a->device_id, b->device_id))
		return true;
	return *disk_id(a) && !strcmp(disk_id(a), disk_id(b)) && !are_parts(a->device_id, b->device_id);
}

static bool said_destroy(const struct campaign *k, const char *id)
{
	for (size_t i = 0; i < k->o.n_destroy; i++)
		if (!strcmp(k->o.destroy[i], id))
			return true;
	return false;
}

/* Each node's guard sees its own users of a device only, so a writer needs the plan's word for it: the
 * device named by the id that all its nodes have read from it themselves. */
static int check_shared(const struct campaign *k, struct iow_error *e)
{
	for (size_t i = 0; i < k->n_prepared; i++)
		for (size_t j = 0; j < k->n_prepared; j++) {
			const struct prepared *a = &k->prepared[i], *b = &k->prepared[j];
			const struct plan_target *t = &k->c->targets[a->target];
			const char *id = a->device_id, *node = campaign_target_node(k, b->target)->name;

			if (!a->write || t->node == k->c->targets[b->target].node || !on_same_blocks(k, a, b))
				continue;
			if (!*id)
				return err_set(e, EPERM, "target \"%s\" is not written: node %s also has its device, as target "
					       "\"%s\", and the device has no id by which the plan could name it", a->name, node,
					       b->name);
			if (t->destroy && t->destroy_id && !strcmp(t->destroy_id, id) && said_destroy(k, id))
				continue;
			return err_set(e, EPERM, "target \"%s\" is not written: it is the device %s that node %s also has, "
				       "as target \"%s\". Needed: if all data on it may be lost: \"destroy\": \"%s\" on "
				       "the target in the plan, and --destroy %s on the command line", a->name, id, node,
				       b->name, id, id);
		}
	return 0;
}

/* ---- all of it ---- */

/* A region that does not fit is a mistake of the plan: better now than in the last block. */
static int check_regions(const struct campaign *k, struct iow_error *e)
{
	uint64_t offset, length;

	for (size_t i = 0; i < k->c->n_cells; i++) {
		const struct cell *c = &k->c->cells[i];

		if (region_of(k, c, k->c->tests[c->test].blocks, 0, &offset, &length, e))
			return -1;
	}
	return 0;
}

static int check_commands(const struct campaign *k, struct iow_error *e)
{
	for (size_t i = 0; i < k->c->n_tests; i++)
		if (json_array_size(k->c->tests[i].variants) && !k->o.allow_commands)
			return err_set(e, EPERM, "test \"%s\" has variants, whose commands run only with --allow-commands",
				       k->c->tests[i].name);
	return 0;
}

enum campaign_end campaign_prepare(struct campaign *k, struct iow_error *e)
{
	json_t *nodes = json_object();
	enum campaign_end end;

	jsonx_set_new(k->host, "nodes", nodes);
	if (check_commands(k, e))
		return CAMPAIGN_REFUSED;
	if (all_facts(k, nodes, e))
		return CAMPAIGN_BROKEN;
	if (describe_all(k, e))
		return k->nodes->stop ? CAMPAIGN_BROKEN : CAMPAIGN_PLAN;
	for (size_t i = 0; i < k->c->n_cells; i++)
		cell_prepared_set(k, &k->c->cells[i]);
	end = prepare_targets(k, e);
	if (end != CAMPAIGN_OK || k->o.look)
		return end;
	if (check_shared(k, e))
		return CAMPAIGN_REFUSED;
	if (check_regions(k, e))
		return CAMPAIGN_PLAN;
	campaign_report(k, "the tool itself", true);
	ceilings_measure(k);
	if (k->nodes->stop)
		return err_set(e, EINTR, "interrupted"), CAMPAIGN_BROKEN;
	return CAMPAIGN_OK;
}

const json_t *campaign_host(const struct campaign *k)
{
	json_t *drivers = json_array(), *targets = json_object(), *d;
	const char *name;

	json_object_foreach(k->drivers, name, d) {
		json_t *copy = json_deep_copy(d);

		json_object_del(copy, "keys");
		json_array_append_new(drivers, copy);
	}
	for (size_t i = 0; i < k->n_prepared; i++) {
		json_t *o = json_deep_copy(k->prepared[i].info);

		jsonx_set_str(o, "node", campaign_target_node(k, k->prepared[i].target)->name);
		jsonx_set_new(targets, k->prepared[i].name, o);
	}
	jsonx_set_new(k->host, "drivers", drivers);
	jsonx_set_new(k->host, "targets", targets);
	return k->host;
}
