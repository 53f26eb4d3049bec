/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/truth.h"

#include "base/err.h"
#include "base/jsonx.h"
#include "base/rng.h"
#include "base/vec.h"
#include "plan/question.h"

#include <math.h>
#include <string.h>

uint32_t make_node(struct maker *m, const char *name, const char *driver)
{
	struct plan_node *n = VEC_ADD(m->b->cells.nodes, m->b->cells.n_nodes);

	n->name = mem_strdup(name);
	n->driver = mem_strdup(driver);
	n->keys = driver ? json_pack("{s:s}", "host", name) : json_object();
	return (uint32_t)m->b->cells.n_nodes - 1;
}

uint32_t make_target(struct maker *m, const char *name, const char *driver, const char *path, uint32_t node)
{
	struct plan_target *t = VEC_ADD(m->b->cells.targets, m->b->cells.n_targets);

	t->name = mem_strdup(name);
	t->driver = mem_strdup(driver);
	t->node = node;
	t->keys = strcmp(driver, "raw") == 0
		? json_pack("{s:s}", "path", path)
		: json_pack("{s:s, s:I}", "path", path, "size", (json_int_t)1 << 30);
	return (uint32_t)m->b->cells.n_targets - 1;
}

uint32_t make_workload(struct maker *m, const char *name, json_t *keys_take)
{
	struct plan_workload *w = VEC_ADD(m->b->cells.workloads, m->b->cells.n_workloads);

	w->name = mem_strdup(name);
	w->keys = keys_take;
	return (uint32_t)m->b->cells.n_workloads - 1;
}

uint32_t make_test(struct maker *m, const char *name, uint32_t cache, uint32_t passes)
{
	struct plan_test *t = VEC_ADD(m->b->cells.tests, m->b->cells.n_tests);

	t->name = mem_strdup(name);
	t->cache = cache;
	t->passes = passes;
	t->blocks = m->t->blocks;
	t->pause_ns = 500000000;
	t->waive = json_array();
	return (uint32_t)m->b->cells.n_tests - 1;
}

uint32_t make_cell(struct maker *m, uint32_t test, uint32_t target, uint32_t workload, struct arm arm)
{
	struct cell *c = VEC_ADD(m->b->cells.cells, m->b->cells.n_cells);

	c->id = (uint32_t)m->b->cells.n_cells - 1;
	c->test = test;
	c->target = target;
	c->workload = workload;
	c->pass = 1;
	c->variant = -1;
	c->target_keys = json_deep_copy(m->b->cells.targets[target].keys);
	if (workload_from_json(&c->spec, m->b->cells.workloads[workload].keys, m->e) < 0)
		m->bad = -1;
	*VEC_ADD(m->arms, m->n_arms) = arm;
	return c->id;
}

void make_sweep(struct maker *m, uint32_t cell, const char *dim, const char *text, int64_t value)
{
	struct cell *c = &m->b->cells.cells[cell];
	struct sweep_value *v = VEC_ADD(c->sweep, c->n_sweep);
	json_t *keys = json_deep_copy(m->b->cells.workloads[c->workload].keys);
	size_t i;

	v->dim = mem_strdup(dim);
	v->text = mem_strdup(text);
	v->value = json_integer(value);
	for (i = 0; i < c->n_sweep; i++)
		jsonx_set_int(keys, strchr(c->sweep[i].dim, '.') + 1, json_integer_value(c->sweep[i].value));
	if (workload_from_json(&c->spec, keys, m->e) < 0)
		m->bad = -1;
	json_decref(keys);
}

void make_step(struct maker *m, uint32_t test, const uint32_t *cells, size_t n)
{
	struct step *s = VEC_ADD(m->b->cells.steps, m->b->cells.n_steps);
	size_t i;

	s->id = (uint32_t)m->b->cells.n_steps - 1;
	s->test = test;
	for (i = 0; i < n; i++)
		*VEC_ADD(s->cells, s->n_cells) = cells[i];
}

struct question *make_question(struct maker *m, uint32_t kind, const char *label, const char *metric,
			       const char *named)
{
	struct question *q = VEC_ADD(m->b->cells.questions, m->b->cells.n_questions);

	q->id = (uint32_t)m->b->cells.n_questions - 1;
	q->kind = kind;
	q->declared = true;
	q->label = mem_strdup(label);
	q->metric = mem_strdup(metric);
	q->margin = m->t->margin;
	q->named = mem_strdup(named);
	q->at_least = q->at_most = NAN;
	q->where = mem_printf("/questions/%u", q->id);
	return q;
}

void make_pair(struct question *q, uint32_t subject, uint32_t against)
{
	*VEC_ADD(q->pairs, q->n_pairs) = (struct pair){ subject, against };
}

void make_about(struct question *q, uint32_t cell)
{
	*VEC_ADD(q->cells, q->n_cells) = cell;
}

/* ---- labels, steps, schedule ---- */

static void name_cell(struct cells *all, struct cell *c)
{
	struct buf key = BUF_INIT, label = BUF_INIT;
	size_t i;

	buf_printf(&key, "%s/%s/%s", all->tests[c->test].name, all->targets[c->target].name,
		   all->workloads[c->workload].name);
	buf_puts(&label, all->targets[c->target].name);
	for (i = 0; i < c->n_sweep; i++) {
		buf_printf(&key, "/%s=%lld", c->sweep[i].dim, (long long)json_integer_value(c->sweep[i].value));
		buf_printf(&label, ", %s", c->sweep[i].text);
	}
	if (c->pass > 1) {
		buf_printf(&key, "/pass=%u", c->pass);
		buf_puts(&label, ", repeat read");
	}
	if (c->variant >= 0) {
		const char *name = jsonx_str(json_array_get(all->tests[c->test].variants, (size_t)c->variant), "name", "");

		buf_printf(&key, "/variant=%s", name);
		buf_printf(&label, ", %s", name);
	}
	if (c->company == COMPANY_TOGETHER) {
		buf_puts(&key, "/together");
		buf_puts(&label, ", together");
	}
	if (c->control) {
		buf_puts(&key, "/control");
		buf_puts(&label, ", control");
	}
	c->key = buf_take(&key);
	c->label = buf_take(&label);
}

static void add_steps(struct maker *m)
{
	struct cells *all = &m->b->cells;
	mem_auto bool *has = mem_array(all->n_cells + 1, sizeof *has);
	size_t i, k;

	for (i = 0; i < all->n_steps; i++)
		for (k = 0; k < all->steps[i].n_cells; k++)
			has[all->steps[i].cells[k]] = true;
	for (i = 0; i < all->n_cells; i++)
		if (!has[i])
			make_step(m, all->cells[i].test, &all->cells[i].id, 1);
}

/* Random order, and in each second block the reverse of the one before: balanced. */
static void add_blocks(struct maker *m, uint32_t test)
{
	struct cells *all = &m->b->cells;
	mem_auto uint32_t *steps = NULL;
	size_t n = 0, i;
	struct rng rng;
	uint32_t k;

	for (i = 0; i < all->n_steps; i++)
		if (all->steps[i].test == test)
			*VEC_ADD(steps, n) = (uint32_t)i;
	rng_stream(&rng, m->t->seed, 1000 + test);
	for (k = 1; k <= all->tests[test].blocks; k++) {
		struct block *b = VEC_ADD(all->blocks, all->n_blocks);

		b->test = test;
		b->number = k;
		if (k % 2)
			rng_shuffle(&rng, steps, n);
		for (i = 0; i < n; i++)
			*VEC_ADD(b->steps, b->n_steps) = steps[k % 2 ? i : n - 1 - i];
	}
}

/* ---- host.json ---- */

static json_t *driver_facts(const char *name)
{
	bool direct = strcmp(name, "direct") == 0 || strcmp(name, "raw") == 0;
	json_t *caps = json_pack("[s, s, s, s]", "READ", "WRITE", "FLUSH", direct ? "DIRECT" : "BUFFERED");
	char hash[65];

	memset(hash, 'a' + name[0] % 6, 64);
	hash[64] = 0;
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:o}", "name", name, "version", "0.1.0", "summary",
			 "specimen", "file", name, "sha256", hash, "threads", 0, "caps", caps);
}

static json_t *target_facts(const struct plan_target *t)
{
	bool raw = strcmp(t->driver, "raw") == 0;
	json_t *o = json_object();

	if (!raw) {
		jsonx_set_str(o, "filesystem", "xfs");
		jsonx_set_str(o, "mount_point", "/u01");
		jsonx_set_str(o, "mount_options", "rw,noatime");
		jsonx_set_str(o, "fill_state", "31% of 1.8 TiB used");
	}
	jsonx_set_str(o, "device", raw ? "dm-3" : "nvme0n1p1");
	jsonx_set_str(o, "layers", raw ? "dm-3 (multipath), sdc, sdd" : "nvme0n1p1, nvme0n1");
	jsonx_set_str(o, "leaves", raw ? "sdc, sdd" : "nvme0n1");
	jsonx_set_str(o, "stable_id", raw ? "wwn-0x600000000specimen" : "eui-0025380000specimen");
	jsonx_set_str(o, "capacity", raw ? "1 TiB" : "1.8 TiB");
	jsonx_set_str(o, "maker", raw ? "Specimen" : "Sample");
	jsonx_set_str(o, "model", raw ? "Array 9" : "NVMe 5");
	jsonx_set_str(o, "serial", raw ? "SP0001" : "SA0042");
	jsonx_set_str(o, "firmware", raw ? "4.2" : "1.07");
	jsonx_set_str(o, "interface", raw ? "Fibre Channel" : "NVMe over PCIe");
	jsonx_set_str(o, "link", raw ? "16 Gbit/s" : "4 lanes of 8 GT/s");
	jsonx_set_int(o, "link_bytes_per_s", raw ? 1600000000 : 3900000000);
	jsonx_set_str(o, "read_ahead", "4 MiB");
	jsonx_set_str(o, "scheduler", "none");
	jsonx_set_str(o, "write_cache", "write through");
	jsonx_set_str(o, "fua", "yes");
	return json_pack("{s:I, s:s, s:o}", "bytes", (json_int_t)1 << 30, "path", jsonx_str(t->keys, "path", ""),
			 "facts", o);
}

static void add_host(struct maker *m)
{
	const struct cells *all = &m->b->cells;
	json_t *nodes = json_object(), *drivers = json_array(), *targets = json_object();
	size_t i, k;

	for (i = 0; i < all->n_nodes; i++)
		jsonx_set_new(nodes, all->nodes[i].name,
			      json_pack("{s:s, s:s, s:s, s:s, s:s, s:I}", "host_name", all->nodes[i].name, "kernel",
					m->t->kernel ? m->t->kernel : "6.1.0-specimen", "cpu", "Specimen processor", "cores", "16", "memory", "64 GiB",
					"memory_bytes_per_s", INT64_C(80000000000)));
	for (i = 0; i < all->n_targets; i++) {
		for (k = 0; k < i; k++)
			if (strcmp(all->targets[k].driver, all->targets[i].driver) == 0)
				break;
		if (k == i)
			json_array_append_new(drivers, driver_facts(all->targets[i].driver));
		jsonx_set_new(targets, all->targets[i].name,
			      target_facts(&all->targets[i]));
	}
	m->b->host = json_pack("{s:o, s:o, s:o}", "nodes", nodes, "drivers", drivers, "targets", targets);
}

void make_runs(struct maker *m); /* runs.c of this folder */

void make_finish(struct maker *m)
{
	struct cells *all = &m->b->cells;
	size_t i;

	for (i = 0; i < all->n_cells; i++)
		name_cell(all, &all->cells[i]);
	add_steps(m);
	for (i = 0; i < all->n_tests; i++)
		add_blocks(m, (uint32_t)i);
	add_host(m);
	questions_count(all);
	make_runs(m);
}

/* ---- plan text: enough to read what was asked ---- */

static json_t *plan_json(const struct bundle *b)
{
	json_t *targets = json_object(), *workloads = json_object(), *tests = json_array();
	size_t i;

	for (i = 0; i < b->cells.n_targets; i++) {
		json_t *o = json_pack("{s:s}", "driver", b->cells.targets[i].driver);

		json_object_update(o, b->cells.targets[i].keys);
		jsonx_set_new(targets, b->cells.targets[i].name, o);
	}
	for (i = 0; i < b->cells.n_workloads; i++)
		json_object_set(workloads, b->cells.workloads[i].name, b->cells.workloads[i].keys);
	for (i = 0; i < b->cells.n_tests; i++)
		json_array_append_new(tests, json_pack("{s:s, s:i}", "name", b->cells.tests[i].name, "blocks",
						       (int)b->cells.tests[i].blocks));
	return json_pack("{s:i, s:s, s:o, s:o, s:o}", "iowitness", 1, "title", b->cells.title, "targets", targets,
			 "workloads", workloads, "tests", tests);
}

static void add_plan_text(struct bundle *b)
{
	struct buf text = BUF_INIT;
	json_t *o = plan_json(b);
	unsigned char sum[32];

	jsonx_write(&text, o, 2);
	buf_putc(&text, '\n');
	json_decref(o);
	digest_data(text.data, text.len, sum);
	digest_hex(sum, b->cells.plan_sha256);
	b->plan_len = text.len;
	b->plan_text = buf_take(&text);
}

int truth_fill(struct bundle *b, const struct truth *t, struct iow_error *e)
{
	struct maker m = { .t = t, .b = b, .e = e };

	memset(b, 0, sizeof *b);
	cells_init(&b->cells);
	b->cells.seed = t->seed;
	if (!b->cells.params)
		b->cells.params = json_object();
	json_decref(b->cells.report);
	b->cells.report = json_pack("{s:s, s:s, s:s}", "issuer", "Specimen Laboratory", "for", "Specimen Vendor",
				    "case", "SPECIMEN-1");
	m.bad |= truth_kind_make(&m, t->kind);
	if (!m.bad) {
		if (t->title) {
			free(b->cells.title);
			b->cells.title = mem_strdup(t->title);
		}
		make_finish(&m);
		pattern_facts(&m);
		add_plan_text(b);
		b->tool_version = mem_strdup("0.1.0");
		b->end_state = mem_strdup("complete");
	}
	free(m.arms);
	if (m.bad)
		bundle_release(b);
	return m.bad;
}

int64_t truth_now;

int truth_write(const struct truth *t, const char *dir, struct iow_error *e)
{
	struct bundle_writer *w;
	struct bundle b;
	struct run whole;
	size_t i;
	int rc;

	if (truth_fill(&b, t, e) < 0)
		return -1;
	b.cells.seed = digest_seed(b.plan_text, b.plan_len);
	truth_now = b.start_utc_ns;
	w = bundle_create(dir, b.plan_text, b.plan_len, &b.cells, e);
	rc = w ? bundle_put_host(w, b.host, e) : -1;
	for (i = 0; rc == 0 && i < b.n_runs; i++) {
		json_t *samples = t->samples && b.runs[i].status == RUN_OK ? truth_samples(t, &b.runs[i]) : NULL;

		run_whole(&whole, &b.runs[i]);
		rc = bundle_put_run(w, &whole, samples, e);
		json_decref(samples);
	}
	truth_now = b.end_utc_ns;
	if (rc == 0)
		rc = bundle_seal(w, b.end_state, e);
	bundle_writer_free(w);
	bundle_release(&b);
	return rc;
}
