/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/judge.h"

#include "base/buf.h"
#include "base/jsonx.h"
#include "base/num.h"
#include "base/vec.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* One cell of a comparison, seen from all that describes it. */
struct side {
	const struct judge *j;
	const struct cell *cell;
	const struct plan_target *target;
	const struct plan_test *test;
	const json_t *host; /* of host.json: what is known of the target; NULL: nothing */
};

typedef void text_fn(const struct side *s, struct buf *out);

static void put_count(struct buf *out, int64_t n)
{
	buf_printf(out, "%" PRId64, n);
}

static void put_bytes(struct buf *out, uint64_t n)
{
	char text[40];

	num_bytes(n, text);
	buf_puts(out, text);
}

static void put_time(struct buf *out, int64_t ns)
{
	char text[40];

	num_time(ns, text);
	buf_puts(out, text);
}

static void put_real(struct buf *out, double x)
{
	char text[32];

	num_real12(x, text);
	buf_puts(out, text);
}

static void put_json(struct buf *out, const json_t *v)
{
	if (json_is_string(v))
		buf_puts(out, json_string_value(v));
	else if (v && !json_is_null(v))
		jsonx_write(out, v, 0);
}

/* A fact of the target; one that could not be read is none. */
static void put_fact(const struct side *s, const char *name, struct buf *out)
{
	const json_t *v = json_object_get(s->host, name);

	if (!json_is_string(v) || bundle_fact(s->host, name))
		put_json(out, v);
}

static void t_target(const struct side *s, struct buf *out)
{
	buf_puts(out, s->target->name);
}

static void t_workload(const struct side *s, struct buf *out)
{
	if (s->cell->workload < s->j->b->cells.n_workloads)
		buf_puts(out, s->j->b->cells.workloads[s->cell->workload].name);
}

static void t_driver(const struct side *s, struct buf *out)
{
	buf_puts(out, s->target->driver ? s->target->driver : "");
}

static void t_node(const struct side *s, struct buf *out)
{
	if (s->target->node < s->j->b->cells.n_nodes)
		buf_puts(out, s->j->b->cells.nodes[s->target->node].name);
}

/* By the runs themselves; a driver's name only where no run says it. */
static void t_direct(const struct side *s, struct buf *out)
{
	const struct cell_result *c = &s->j->r->cells[s->cell->id];
	const char *driver = s->target->driver ? s->target->driver : "";
	int64_t d = -1;
	size_t i;

	for (i = 0; i < c->n_runs; i++)
		if (s->j->b->runs[c->runs[i]].direct >= 0)
			d = s->j->b->runs[c->runs[i]].direct;
	if (d < 0)
		d = strcmp(driver, "direct") == 0 || strcmp(driver, "raw") == 0;
	buf_puts(out, d ? "yes" : "no, through the page cache");
}

static void t_op(const struct side *s, struct buf *out)
{
	static const char *const names[] = { "read", "write", "mixed", "trim" };

	buf_puts(out, s->cell->spec.op < 4 ? names[s->cell->spec.op] : "");
	if (s->cell->spec.op == WORKLOAD_MIXED)
		buf_printf(out, ", %" PRId64 "%% reads", s->cell->spec.read_percent);
}

static void t_pattern(const struct side *s, struct buf *out)
{
	static const char *const names[] = { "sequential", "random", "strided", "zipf", "hot and cold" };
	const struct workload *w = &s->cell->spec;

	buf_puts(out, w->pattern < 5 ? names[w->pattern] : "");
	if (w->pattern == PATTERN_STRIDED) {
		buf_puts(out, ", every ");
		put_bytes(out, w->stride);
	} else if (w->pattern == PATTERN_ZIPF) {
		buf_puts(out, ", exponent ");
		put_real(out, w->theta);
	} else if (w->pattern == PATTERN_RANDOM && w->replacement) {
		buf_puts(out, " with replacement");
	}
}

static void t_block(const struct side *s, struct buf *out)
{
	const struct workload *w = &s->cell->spec;
	uint32_t i;

	for (i = 0; i < w->n_blocks && i < WORKLOAD_BLOCKS; i++) {
		buf_puts(out, i ? ", " : "");
		put_bytes(out, w->block[i]);
		if (w->n_blocks > 1)
			buf_printf(out, " (%" PRIu32 ")", w->weight[i]);
	}
}

static void t_depth(const struct side *s, struct buf *out) { put_count(out, s->cell->spec.depth); }
static void t_jobs(const struct side *s, struct buf *out) { put_count(out, s->cell->spec.jobs); }
static void t_batch(const struct side *s, struct buf *out) { put_count(out, s->cell->spec.batch); }

static void t_durability(const struct side *s, struct buf *out)
{
	static const char *const names[] = { "none", "O_DSYNC", "O_SYNC", "flush" };
	const struct workload *w = &s->cell->spec;

	if (w->op != WORKLOAD_WRITE && w->op != WORKLOAD_MIXED)
		return;
	buf_puts(out, w->durability < 4 ? names[w->durability] : "");
	if (w->durability == DURABILITY_FLUSH)
		buf_printf(out, " every %" PRId64, w->flush_every);
	if (w->final_flush)
		buf_puts(out, ", flush at the end");
}

static void t_rate(const struct side *s, struct buf *out)
{
	if (s->cell->spec.rate > 0) {
		put_real(out, s->cell->spec.rate);
		buf_puts(out, s->cell->spec.arrival == ARRIVAL_POISSON ? " a second, Poisson" : " a second");
	} else {
		buf_puts(out, "as fast as it goes");
	}
}

static void t_amount(const struct side *s, struct buf *out)
{
	if (s->cell->spec.amount)
		put_bytes(out, s->cell->spec.amount);
	else
		buf_puts(out, "no limit");
}

static void t_duration(const struct side *s, struct buf *out)
{
	if (s->cell->spec.duration_ns)
		put_time(out, s->cell->spec.duration_ns);
	else
		buf_puts(out, "no limit");
}

static void t_content(const struct side *s, struct buf *out)
{
	const struct workload *w = &s->cell->spec;

	if (w->op != WORKLOAD_WRITE && w->op != WORKLOAD_MIXED)
		return;
	buf_puts(out, "compressible ");
	put_real(out, w->compressible);
	buf_puts(out, ", duplicate ");
	put_real(out, w->duplicate);
}

static void t_verify(const struct side *s, struct buf *out)
{
	buf_puts(out, s->cell->spec.verify ? "yes" : "no");
}

static void t_shared(const struct side *s, struct buf *out)
{
	if (s->cell->spec.jobs > 1)
		buf_puts(out, s->cell->spec.shared ? "shared by the jobs" : "a slice each");
}

static void t_poll(const struct side *s, struct buf *out)
{
	buf_puts(out, s->cell->spec.poll ? "spins" : "sleeps");
}

static void t_pass(const struct side *s, struct buf *out)
{
	if (s->cell->pass <= 1)
		buf_puts(out, "first read");
	else if (s->cell->pass == 2)
		buf_puts(out, "repeat read");
	else
		buf_printf(out, "repeat read %" PRIu32, s->cell->pass - 1);
}

static void t_company(const struct side *s, struct buf *out)
{
	buf_puts(out, company_names[s->cell->company]);
}

static void t_variant(const struct side *s, struct buf *out)
{
	if (s->cell->variant < 0)
		buf_puts(out, "as is");
	else
		buf_puts(out, jsonx_str(json_array_get(s->test->variants, (size_t)s->cell->variant), "name", "?"));
}

static void t_test(const struct side *s, struct buf *out) { buf_puts(out, s->test->name); }

static void t_cache(const struct side *s, struct buf *out)
{
	static const char *const names[] = { "cold", "as is", "warm" };

	buf_puts(out, names[s->test->cache]);
}

static void t_region(const struct side *s, struct buf *out)
{
	buf_puts(out, region_names[s->test->region]);
}

static void t_layout(const struct side *s, struct buf *out)
{
	buf_puts(out, layout_names[s->test->layout]);
}

static void t_device(const struct side *s, struct buf *out)
{
	put_fact(s, "leaves", out);
	if (!out->len)
		put_fact(s, "device", out);
}

static void t_filesystem(const struct side *s, struct buf *out) { put_fact(s, "filesystem", out); }
static void t_mount(const struct side *s, struct buf *out) { put_fact(s, "mount_options", out); }
static void t_readahead(const struct side *s, struct buf *out) { put_fact(s, "read_ahead", out); }
static void t_scheduler(const struct side *s, struct buf *out) { put_fact(s, "scheduler", out); }

/* In the order in which a sentence names them: what an expert asks first stands first. */
static const struct {
	const char *name;
	const char *dim; /* as a question names it, besides `name` */
	text_fn *text;
} attributes[] = {
	{ "target", "target", t_target },
	{ "variant", "variant", t_variant },
	{ "pass", "pass", t_pass },
	{ "company", "company", t_company },
	{ "op", "workload.op", t_op },
	{ "direct I/O", "target.driver", t_direct },
	{ "durability", "workload.durability", t_durability },
	{ "block", "workload.block", t_block },
	{ "pattern", "workload.pattern", t_pattern },
	{ "depth", "workload.depth", t_depth },
	{ "jobs", "workload.jobs", t_jobs },
	{ "batch", "workload.batch", t_batch },
	{ "rate", "workload.rate", t_rate },
	{ "amount", "workload.amount", t_amount },
	{ "duration", "workload.duration", t_duration },
	{ "content", "workload.compressible", t_content },
	{ "verify", "workload.verify", t_verify },
	{ "region of jobs", "workload.shared", t_shared },
	{ "waiting", "workload.poll", t_poll },
	{ "cache", "cache", t_cache },
	{ "region", "region", t_region },
	{ "layout", "layout", t_layout },
	{ "read-ahead", "read_ahead", t_readahead },
	{ "filesystem", "filesystem", t_filesystem },
	{ "mount options", "mount_options", t_mount },
	{ "device", "device", t_device },
	{ "scheduler", "scheduler", t_scheduler },
	{ "node", "node", t_node },
	{ "driver", "driver", t_driver },
	{ "workload", "workload", t_workload },
	{ "test", "test", t_test },
};

static void side_init(struct side *s, const struct judge *j, uint32_t cell)
{
	s->j = j;
	s->cell = &j->b->cells.cells[cell];
	s->target = &j->b->cells.targets[s->cell->target];
	s->test = &j->b->cells.tests[s->cell->test];
	s->host = bundle_target_facts(j->b, s->target->name);
}

static void add(struct comparison *c, const char *attribute, const char *subject, const char *against,
		bool named)
{
	struct difference *d = VEC_ADD(c->diff, c->n_diff);

	d->attribute = mem_strdup(attribute);
	d->subject = mem_strdup(*subject ? subject : "none or not known");
	d->against = mem_strdup(*against ? against : "none or not known");
	d->named = named;
}

/* Keys of the two drivers that differ and that no attribute above tells (path and name are the
 * target itself). */
static void key_differences(struct comparison *c, const struct side *a, const struct side *b,
			    const char *named)
{
	static const char *const told[] = { "path", "name", "node", "driver", "make", NULL };
	const char *key;
	const json_t *v;

	json_object_foreach((json_t *)(uintptr_t)a->cell->target_keys, key, v) {
		const json_t *w = json_object_get(b->cell->target_keys, key);
		struct buf x = BUF_INIT, y = BUF_INIT, dim = BUF_INIT;
		size_t i;

		for (i = 0; told[i] && strcmp(told[i], key) != 0; i++)
			;
		if (!told[i] && w && !json_equal(v, w)) {
			put_json(&x, v);
			put_json(&y, w);
			buf_printf(&dim, "target.%s", key);
			add(c, key, buf_str(&x), buf_str(&y), strcmp(named, buf_str(&dim)) == 0);
		}
		buf_release(&x);
		buf_release(&y);
		buf_release(&dim);
	}
}

void judge_differences(const struct judge *j, struct comparison *c)
{
	const char *named = j->b->cells.questions[c->question].named;
	struct buf x = BUF_INIT, y = BUF_INIT;
	struct side a, b;
	size_t i;

	named = named ? named : "target";
	side_init(&a, j, c->subject);
	side_init(&b, j, c->against);
	for (i = 0; i < ARRAY_LEN(attributes); i++) {
		buf_clear(&x);
		buf_clear(&y);
		attributes[i].text(&a, &x);
		attributes[i].text(&b, &y);
		if (strcmp(buf_str(&x), buf_str(&y)) == 0)
			continue;
		add(c, attributes[i].name, buf_str(&x), buf_str(&y),
		    strcmp(named, attributes[i].name) == 0 || strcmp(named, attributes[i].dim) == 0);
	}
	key_differences(c, &a, &b, named);
	buf_release(&x);
	buf_release(&y);
}
