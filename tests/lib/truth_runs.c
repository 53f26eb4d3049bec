/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/truth.h"

#include "base/jsonx.h"
#include "base/rng.h"
#include "base/vec.h"
#include "stats/results.h"

#include <math.h>
#include <string.h>

#define FIRST_RUN INT64_C(1772438400000000000) /* 2026-03-02T08:00:00Z */
#define INTERVALS 120
#define WIDTH INT64_C(41666667) /* of a run of 5 s */

void make_runs(struct maker *m);

/* Where the campaign is. */
struct place {
	uint32_t block, position, step, replaces;
	int64_t now;
	double effect; /* of the block, on ln rate */
	struct rng rng;
};

static void fill_latency(struct latency *l, uint64_t count, double mean)
{
	if (!count)
		return;
	*l = (struct latency){ .count = count,
		.min = (int64_t)(0.55 * mean), .mean = (int64_t)mean, .p50 = (int64_t)(0.93 * mean),
		.p90 = (int64_t)(1.35 * mean), .p95 = (int64_t)(1.6 * mean), .p99 = (int64_t)(2.4 * mean),
		.p999 = (int64_t)(5.5 * mean), .p9999 = (int64_t)(8 * mean), .max = (int64_t)(11 * mean) };
}

static void fill_volume(struct run *r, const struct cell *c, double rate)
{
	double wall = c->spec.duration_ns > 0 ? (double)c->spec.duration_ns
					      : (double)c->spec.amount / rate * 1e9;
	uint64_t block = c->spec.block[0] ? c->spec.block[0] : 4096;

	r->ios = (uint64_t)(rate * wall / 1e9) / block;
	r->bytes = r->ios * block;
	/* The wall time takes up what whole blocks leave, so that bytes / wall is the rate. */
	r->wall_ns = (int64_t)llround((double)r->bytes / rate * 1e9);
	if (c->spec.op == WORKLOAD_WRITE)
		r->write_bytes = r->bytes;
	else
		r->read_bytes = r->bytes;
	fill_latency(&r->lat[c->spec.op == WORKLOAD_WRITE ? LAT_WRITE : LAT_READ], r->ios,
		     (double)r->wall_ns * (double)(c->spec.depth * c->spec.jobs) / (double)(r->ios + !r->ios));
}

static void fill_readings(struct run *r, const struct cell *c, const struct plan_test *t, const struct arm *a)
{
	bool writes = c->spec.op == WORKLOAD_WRITE;

	r->length = c->spec.amount ? c->spec.amount : (uint64_t)512 << 20;
	r->offset = (uint64_t)r->block * r->length % ((uint64_t)1 << 30);
	r->user_ns = (int64_t)(a->busy * 0.3 * (double)r->wall_ns);
	r->sys_ns = (int64_t)(a->busy * 0.7 * (double)r->wall_ns);
	r->wait_ns = r->busy_wait_ns = r->wall_ns / 500;
	r->busy_cpu_ns = (int64_t)(a->busy * (double)r->wall_ns);
	r->machine_cpu_ns = r->busy_cpu_ns + r->wall_ns / 50;
	r->ctx_voluntary = r->ios;
	r->dev_known = true;
	*(writes ? &r->dev_write_bytes : &r->dev_read_bytes) = (uint64_t)(a->device * (double)r->bytes);
	*(writes ? &r->dev_writes : &r->dev_reads) = (uint64_t)((double)r->ios * (a->ops > 0 ? a->ops : 1));
	r->foreign_bytes = 0;
	r->direct = a->direct ? 1 : -1;
	if (t->cache == CACHE_COLD && c->pass == 1 && !writes) {
		r->cold_method = COLD_CACHESTAT;
		r->checked_pages = (int64_t)(r->length / 4096);
		r->resident_pages = 0;
	}
	if (!writes) {
		r->allocated = a->buffered || a->direct ? (int64_t)r->length : -1;
		r->sampled_blocks = 64;
		r->weak_blocks = 0;
	}
	r->workers = r->workers_moved = c->spec.jobs;
	r->clock_step_ns = 1200;
	r->clock_source = 1;
	r->ceiling_permille = 40;
	if (c->company == COMPANY_TOGETHER) {
		r->shortest_ns = r->wall_ns;
		r->window_ns = r->wall_ns - r->wall_ns / 100;
		r->offset_bound_ns = 60000;
		r->skew_ns = 250000;
	}
}

static void break_gate(struct run *r, const char *gate)
{
	switch (gate ? gate_find(gate) : -1) {
	case GATE_COLD:
		r->cold_method = COLD_CACHESTAT;
		r->checked_pages = 4096;
		r->resident_pages = 1638;
		break;
	case GATE_DIRECT: r->direct = 0; break;
	case GATE_WRITTEN: r->weak_blocks = 40; break;
	case GATE_WORKERS: r->workers_moved = r->workers - 1; break;
	case GATE_CLOCK: r->clock_step_ns = 83000000; break;
	case GATE_VERIFY: r->wrong_blocks = 3; break;
	case GATE_FOREIGN: r->foreign_bytes = (int64_t)(r->bytes / 10); break;
	case GATE_CEILING: r->ceiling_permille = 830; break;
	case GATE_WINDOW: r->window_ns = r->shortest_ns / 2; break;
	case GATE_DEVICE: r->dev_read_bytes = r->bytes * 3 / 2; break;
	default: break;
	}
}

static void fill_run(struct maker *m, struct run *r, struct place *p, double noise)
{
	const struct cell *c = &m->b->cells.cells[r->cell];
	const struct arm *a = &m->arms[r->cell];

	fill_volume(r, c, a->rate * (a->is_subject ? 1 : m->t->against) * exp(p->effect + noise) * (r->block % 2 ? 1 : 1 - a->slow_mode));
	fill_readings(r, c, &m->b->cells.tests[c->test], a);
	if (c->spec.verify)
		r->wrong_blocks = 0;
	if (a->is_subject)
		break_gate(r, m->t->gate);
	if (a->response > 0)
		fill_latency(&r->lat[LAT_FLUSH], r->ios, a->response);
	p->now += r->wall_ns;
}

static void end_badly(struct run *r, uint32_t status)
{
	r->status = status;
	strcpy(r->why, status == RUN_KILLED ? "ended by a signal from outside"
					    : "read of 32 KiB at 4 GiB: Input/output error");
	r->wall_ns = 1300000000;
}

static uint32_t status_of(const struct maker *m, const struct run *r)
{
	const struct arm *a = &m->arms[r->cell];

	if (a->fails)
		return RUN_FAILED;
	if (!a->is_subject || r->replaces)
		return RUN_OK;
	if (r->block > 1 && r->block <= 1 + m->t->fail)
		return RUN_FAILED;
	if (r->block > 1 + m->t->fail && r->block <= 1 + m->t->fail + m->t->kill)
		return RUN_KILLED;
	return RUN_OK;
}

static void run_step(struct maker *m, const struct step *s, struct place *p)
{
	int64_t start = p->now, latest = start;
	size_t i;

	for (i = 0; i < s->n_cells; i++) {
		const struct cell *c = &m->b->cells.cells[s->cells[i]];
		/* Drawn for failed runs too: a failure changes no other run. */
		double noise = rng_normal(&p->rng) * m->t->sd / sqrt(2);
		struct run whole, *r = &whole;

		run_init(r);
		r->run = (uint32_t)m->b->n_runs + 1;
		r->cell = c->id;
		r->block = p->block;
		r->step = s->id;
		r->pass = c->pass;
		r->position = p->position;
		r->replaces = p->replaces;
		if (c->company == COMPANY_TOGETHER)
			p->now = start;
		r->start_utc_ns = p->now;
		r->status = status_of(m, r);
		if (r->status == RUN_OK)
			fill_run(m, r, p, noise);
		else
			end_badly(r, r->status);
		bundle_keep(m->b, r);
		latest = p->now > latest ? p->now : latest;
	}
	p->now = latest + 600000000;
}

static void run_block(struct maker *m, const struct block *b, struct place *p)
{
	double along = m->t->blocks > 1 ? (double)(p->block - 1) / (double)(m->t->blocks - 1) : 0;
	size_t i;

	p->effect = rng_normal(&p->rng) * m->t->block_sd + log1p(m->t->drift) * along;
	for (i = 0; i < b->n_steps; i++) {
		p->position = (uint32_t)i + 1;
		run_step(m, &m->b->cells.steps[b->steps[i]], p);
	}
}

void make_runs(struct maker *m)
{
	struct place p = { .now = FIRST_RUN + m->t->week * (int64_t)604800 * 1000000000 };
	const struct cells *all = &m->b->cells;
	size_t i;
	uint32_t k;

	rng_stream(&p.rng, m->t->seed, 1);
	m->b->start_utc_ns = p.now;
	for (i = 0; i < all->n_blocks; i++) {
		p.block = all->blocks[i].number;
		run_block(m, &all->blocks[i], &p);
	}
	for (k = 0; k < m->t->kill && all->n_blocks; k++) {
		p.block = m->t->blocks + 1 + k;
		p.replaces = 2 + m->t->fail + k;
		run_block(m, &all->blocks[0], &p);
	}
	m->b->end_utc_ns = p.now;
}

/* Weight of interval i of n: noise, a slow first tenth, and the last one only as far as the run went. */
static double weight_of(const struct truth *t, struct rng *rng, size_t i, size_t n, double last)
{
	double w = exp(0.02 * rng_normal(rng)) * (i < n / 10 ? 1 - t->warm : 1);

	return i + 1 == n ? w * last : w;
}

/* As the run engine has it: doubled until there is room. */
static int64_t width_of(const struct kept_run *r)
{
	int64_t width = r->wall_ns > INTERVALS * WIDTH / 2 ? WIDTH : r->wall_ns / INTERVALS + 1;

	while (r->wall_ns / width >= 1024)
		width *= 2;
	return width;
}

json_t *truth_samples(const struct truth *t, const struct kept_run *r)
{
	json_t *part[5];
	const struct latency *l = metric_main_latency(r);
	int64_t width = width_of(r);
	size_t n = (size_t)((r->wall_ns - 1) / width + 1), i, k;
	mem_auto double *weight = mem_array(n, sizeof *weight);
	double sum = 0, done = 0, last = (double)(r->wall_ns - (int64_t)(n - 1) * width) / (double)width;
	uint64_t ended = 0;
	struct rng rng;

	rng_stream(&rng, t->seed, 5000 + r->run);
	for (i = 0; i < n; i++)
		weight[i] = weight_of(t, &rng, i, n, last);
	pattern_weights(t, r, weight, n);
	for (i = 0; i < n; i++)
		sum += weight[i];
	for (k = 0; k < 5; k++)
		part[k] = json_array();
	for (i = 0; i < n; i++) {
		uint64_t ios, bytes;

		done += weight[i];
		ios = i + 1 == n ? r->ios - ended : (uint64_t)((double)r->ios * done / sum) - ended;
		bytes = r->ios ? ios * (r->bytes / r->ios) : 0;
		ended += ios;
		const int64_t v[5] = { (int64_t)bytes, (int64_t)ios, 0, l->min, i == 3 ? l->max : l->p999 };

		for (k = 0; k < 5; k++)
			json_array_append_new(part[k], json_integer(v[k]));
	}
	return json_pack("{s:{s:i, s:I, s:o, s:o, s:o, s:o, s:o}, s:o*}", "intervals", "start_ns", 0, "width_ns",
			 (json_int_t)width, "bytes", part[0], "ios", part[1], "errors", part[2], "min_ns", part[3],
			 "max_ns", part[4], "hist", pattern_hist(t, r));
}
