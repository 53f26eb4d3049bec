/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/workload.h"
#include "base/err.h"
#include "base/num.h"
#include "base/vec.h"
#include "plan/keys.h"

#include <errno.h>
#include <math.h>

#define AT(member) offsetof(struct workload, member)
#define GIB ((int64_t)1 << 30)
#define HOUR ((int64_t)3600 * 1000000000)

static const char *const ops[] = { "read", "write", "mixed", "trim", NULL };
static const char *const patterns[] = { "sequential", "random", "strided", "zipf", "hotcold", NULL };
static const char *const durabilities[] = { "none", "dsync", "sync", "flush", NULL };
static const char *const arrivals[] = { "closed", "constant", "poisson", NULL };

const struct iow_key workload_keys[] = {
	{ "op", IOW_KEY_CHOICE, IOW_KEY_AXIS, AT(op), "read", 0, 0, 0, 0, ops,
	  "what an I/O does; mixed is reads and writes" },
	{ "read_percent", IOW_KEY_INT, IOW_KEY_AXIS, AT(read_percent), "70", 0, 100, 0, 0, NULL,
	  "share of the I/Os of a mixed workload that read" },
	{ "pattern", IOW_KEY_CHOICE, IOW_KEY_AXIS, AT(pattern), "sequential", 0, 0, 0, 0, patterns,
	  "order of the offsets; random takes each block once per pass" },
	{ "replacement", IOW_KEY_BOOL, 0, AT(replacement), "false", 0, 0, 0, 0, NULL,
	  "random draws offsets with replacement" },
	{ "stride", IOW_KEY_BYTES, IOW_KEY_AXIS, AT(stride), NULL, 0, 1024 * GIB, 0, 0, NULL,
	  "distance of the starts of two I/Os of a strided pattern" },
	{ "theta", IOW_KEY_REAL, IOW_KEY_AXIS, AT(theta), "0.99", 0, 0, 0.01, 10, NULL,
	  "exponent of the zipf pattern" },
	{ "hot_share", IOW_KEY_REAL, IOW_KEY_AXIS, AT(hot_share), "0.8", 0, 0, 0.001, 1, NULL,
	  "share of the I/Os of a hotcold pattern that go to the hot part" },
	{ "hot_region", IOW_KEY_REAL, IOW_KEY_AXIS, AT(hot_region), "0.2", 0, 0, 0.000001, 1, NULL,
	  "share of the region that is the hot part" },
	{ "block", IOW_KEY_BYTES, IOW_KEY_AXIS, AT(block), NULL, 512, GIB, 0, 0, NULL,
	  "bytes of one I/O, or {\"size\": weight, ...}; not given: 64 KiB when sequential, else 4 KiB" },
	{ "depth", IOW_KEY_INT, IOW_KEY_AXIS, AT(depth), "1", 1, 4096, 0, 0, NULL,
	  "I/Os in flight of one job" },
	{ "jobs", IOW_KEY_INT, IOW_KEY_AXIS, AT(jobs), "1", 1, 1024, 0, 0, NULL,
	  "threads, each with a queue of its own" },
	{ "batch", IOW_KEY_INT, IOW_KEY_AXIS, AT(batch), "1", 1, 4096, 0, 0, NULL,
	  "I/Os handed over at once, at most depth" },
	{ "shared", IOW_KEY_BOOL, 0, AT(shared), "false", 0, 0, 0, 0, NULL,
	  "all jobs work on the whole region; else each on its own part" },
	{ "poll", IOW_KEY_BOOL, IOW_KEY_AXIS, AT(poll), "false", 0, 0, 0, 0, NULL,
	  "a job may spin while it waits" },
	{ "durability", IOW_KEY_CHOICE, IOW_KEY_AXIS, AT(durability), "none", 0, 0, 0, 0, durabilities,
	  "when a write counts as done" },
	{ "flush_every", IOW_KEY_INT, IOW_KEY_AXIS, AT(flush_every), "1", 1, WORKLOAD_FLUSH_MOST, 0, 0, NULL,
	  "writes between two flushes when durability is flush" },
	{ "final_flush", IOW_KEY_BOOL, 0, AT(final_flush), NULL, 0, 0, 0, 0, NULL,
	  "one flush at the end, timed as its own figure; not given: where something is written and the driver can" },
	{ "amount", IOW_KEY_BYTES, 0, AT(amount), "0", 0, INT64_MAX, 0, 0, NULL,
	  "bytes over all jobs; 0: no limit; without duration too: one pass over the region" },
	{ "duration", IOW_KEY_TIME, 0, AT(duration_ns), "0", 0, 24 * HOUR, 0, 0, NULL,
	  "time of a run; 0: no limit; whichever of amount and duration ends first" },
	{ "warmup", IOW_KEY_TIME, 0, AT(warmup_ns), "0", 0, HOUR, 0, 0, NULL,
	  "cut from the start of each run, where the test's own cut does not apply" },
	{ "rate", IOW_KEY_REAL, IOW_KEY_AXIS, AT(rate), "0", 0, 0, 0, 1e12, NULL,
	  "I/Os per second over all jobs at which I/Os arrive; 0: each follows the one before" },
	{ "arrival", IOW_KEY_CHOICE, IOW_KEY_AXIS, AT(arrival), NULL, 0, 0, 0, 0, arrivals,
	  "how I/Os arrive; not given: closed without a rate, constant with one" },
	{ "compressible", IOW_KEY_REAL, IOW_KEY_AXIS, AT(compressible), "0", 0, 0, 0, 1, NULL,
	  "share of each written block that compresses away" },
	{ "duplicate", IOW_KEY_REAL, IOW_KEY_AXIS, AT(duplicate), "0", 0, 0, 0, 1, NULL,
	  "share of the written blocks that repeat another" },
	{ "verify", IOW_KEY_BOOL, 0, AT(verify), "false", 0, 0, 0, 0, NULL,
	  "each block carries a checksum that is proved on reading" },
	{ "deadline", IOW_KEY_TIME, 0, AT(deadline_ns), "60s", 1000000, HOUR, 0, 0, NULL,
	  "time that one I/O may take, and a tenth of what opening the target and asking for its state "
	  "may; after it the run is hung" },
	{ NULL, 0, 0, 0, NULL, 0, 0, 0, 0, NULL, NULL },
};

/* ---- the weighted form of block: {"4KiB": 70, "64KiB": 30} ---- */

static void parse_blocks(struct workload *w, const json_t *v, unsigned mode, const char *at,
			 struct problems *p)
{
	const struct iow_key *key = key_find(workload_keys, "block");
	const char *size;
	json_t *weight;

	if (json_object_size(v) < 1 || json_object_size(v) > WORKLOAD_BLOCKS)
		problem_add(p, at, NULL, "\"block\" has %zu sizes; allowed: 1 to %d",
			    json_object_size(v), WORKLOAD_BLOCKS);
	json_object_foreach((json_t *)v, size, weight) {
		int64_t bare = 0;
		json_t *text, *bytes;
		struct buf path = BUF_INIT;

		buf_puts(&path, at);
		jsonx_pointer_add(&path, size);
		text = num_parse_int(size, &bare, NULL) ? json_string(size) : json_integer(bare);
		bytes = key_resolve(key, text, mode, buf_str(&path), p);
		if (!json_is_integer(weight) || json_integer_value(weight) < 1 ||
		    json_integer_value(weight) > 1000000)
			problem_add(p, buf_str(&path), NULL,
				    "the weight of a block size is an integer from 1 to 1000000");
		else if (bytes && w->n_blocks < WORKLOAD_BLOCKS) {
			w->block[w->n_blocks] = (uint64_t)json_integer_value(bytes);
			w->weight[w->n_blocks++] = (uint32_t)json_integer_value(weight);
		}
		json_decref(text);
		json_decref(bytes);
		buf_release(&path);
	}
}

static json_t *blocks_to_json(const struct workload *w)
{
	json_t *o;
	char size[24];

	if (w->n_blocks <= 1)
		return json_integer((json_int_t)w->block[0]);
	o = json_object();
	for (uint32_t i = 0; i < w->n_blocks; i++) {
		snprintf(size, sizeof size, "%llu", (unsigned long long)w->block[i]);
		jsonx_set_int(o, size, w->weight[i]);
	}
	return o;
}

/* ---- what is derived, and what does not go together ---- */

static void derive(struct workload *w, const json_t *o)
{
	bool writes = w->op == WORKLOAD_WRITE || w->op == WORKLOAD_MIXED;

	if (!w->n_blocks) {
		w->n_blocks = 1;
		w->weight[0] = 1;
		if (!w->block[0])
			w->block[0] = w->pattern == PATTERN_SEQUENTIAL ? 65536 : 4096;
	}
	if (!json_is_boolean(json_object_get(o, "final_flush")))
		w->final_flush = writes;
	if (!json_is_string(json_object_get(o, "arrival")))
		w->arrival = w->rate > 0 ? ARRIVAL_CONSTANT : ARRIVAL_CLOSED;
}

/* A key that has no effect here hides a mistake. */
static void check_idle_keys(const struct workload *w, const json_t *o, const char *at,
			    struct problems *p)
{
	const struct {
		const char *key, *needs;
		bool used;
	} rules[] = {
		{ "read_percent", "op mixed", w->op == WORKLOAD_MIXED },
		{ "replacement", "pattern random", w->pattern == PATTERN_RANDOM },
		{ "stride", "pattern strided", w->pattern == PATTERN_STRIDED },
		{ "theta", "pattern zipf", w->pattern == PATTERN_ZIPF },
		{ "hot_share", "pattern hotcold", w->pattern == PATTERN_HOTCOLD },
		{ "hot_region", "pattern hotcold", w->pattern == PATTERN_HOTCOLD },
		{ "flush_every", "durability flush", w->durability == DURABILITY_FLUSH },
	};

	for (size_t i = 0; i < ARRAY_LEN(rules); i++)
		if (!rules[i].used && json_object_get(o, rules[i].key))
			problem_add_key(p, at, rules[i].key, "\"%s\" has no effect without %s",
					rules[i].key, rules[i].needs);
}

static void check_together(const struct workload *w, const char *at, struct problems *p)
{
	bool writes = w->op == WORKLOAD_WRITE || w->op == WORKLOAD_MIXED;

	if (w->batch > w->depth)
		problem_add(p, at, "batch", "\"batch\" %lld is more than \"depth\" %lld",
			    (long long)w->batch, (long long)w->depth);
	if (w->durability != DURABILITY_NONE && !writes)
		problem_add(p, at, "durability", "\"durability\" needs op write or mixed");
	if (w->final_flush && !writes)
		problem_add(p, at, "final_flush", "\"final_flush\" needs op write or mixed");
	if (w->pattern == PATTERN_STRIDED && w->stride < w->block[0])
		problem_add(p, at, "stride", "pattern strided needs \"stride\" of at least one block");
	if (w->rate > 0 && w->arrival == ARRIVAL_CLOSED)
		problem_add(p, at, "arrival", "a \"rate\" needs arrival constant or poisson");
	if (!(w->rate > 0) && w->arrival != ARRIVAL_CLOSED)
		problem_add(p, at, "arrival", "arrival %s needs a \"rate\"", arrivals[w->arrival]);
	if (w->n_blocks > 1 && w->pattern != PATTERN_SEQUENTIAL && !w->replacement &&
	    w->pattern == PATTERN_RANDOM)
		problem_add(p, at, "block",
			    "several block sizes at random need \"replacement\": true: "
			    "no order takes each block once");
	if (w->verify && w->op == WORKLOAD_TRIM)
		problem_add(p, at, "verify", "\"verify\" has nothing to check after op trim");
}

void workload_resolve(struct workload *w, const json_t *o, unsigned mode, const char *at,
		      struct problems *p)
{
	size_t before = p->n;
	const json_t *block = json_object_get(o, "block");
	json_t *rest = NULL, *resolved;
	struct buf path = BUF_INIT;

	memset(w, 0, sizeof *w);
	if (json_is_object(block)) {
		buf_printf(&path, "%s/block", at);
		parse_blocks(w, block, mode, buf_str(&path), p);
		rest = json_copy((json_t *)o);
		json_object_del(rest, "block");
	}
	resolved = keys_resolve(workload_keys, rest ? rest : o, mode, at, p);
	if (rest)
		json_object_set_new(resolved, "block", json_integer((json_int_t)w->block[0]));
	keys_store(workload_keys, resolved, w);
	derive(w, resolved);
	if (p->n == before && !(mode & KEYS_VALUES)) {
		if (mode == KEYS_PLAN)
			check_idle_keys(w, o, at, p);
		check_together(w, at, p);
	}
	json_decref(resolved);
	json_decref(rest);
	buf_release(&path);
}

int workload_from_json(struct workload *w, const json_t *o, struct iow_error *e)
{
	struct problems p;
	int rc;

	problems_init(&p);
	workload_resolve(w, o, KEYS_RESOLVED, "", &p);
	rc = problems_error(&p, e);
	problems_release(&p);
	return rc;
}

json_t *workload_to_json(const struct workload *w)
{
	json_t *o = keys_load(workload_keys, w);

	jsonx_set_new(o, "block", blocks_to_json(w));
	return o;
}
