/* SPDX-License-Identifier: Apache-2.0 */
#include "run/lane.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/vec.h"
#include "run/fill.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define WRITE_POOL ((size_t)4 << 20) /* writes pass through at least this much before bytes come again */
#define SPARE_SLOTS 16u /* I/Os prepared ahead, so that the next go before the last are booked */
#define SPARE_BYTES ((size_t)256 << 10) /* more buffers would only push each other out of the caches */

/* ---- memory ---- */

static bool writes(const struct workload *w)
{
	return w->op == WORKLOAD_WRITE || w->op == WORKLOAD_MIXED;
}

static bool reads(const struct workload *w)
{
	return w->op == WORKLOAD_READ || w->op == WORKLOAD_MIXED;
}

static size_t largest_block(const struct workload *w)
{
	uint64_t most = 0;

	for (uint32_t i = 0; i < w->n_blocks; i++)
		if (w->block[i] > most)
			most = w->block[i];
	return (size_t)most;
}

static bool fits_memory(uint64_t bytes, uint64_t jobs)
{
	const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);

	return pages <= 0 || page <= 0 || bytes / 2 <= (uint64_t)pages / 4 * (uint64_t)page / jobs;
}

static int map_buffers(struct lane *l, struct iow_error *e)
{
	const struct workload *w = l->c->w;
	const bool data = !(l->c->drv->caps & IOW_CAP_NO_DATA);
	const size_t n_slots = l->n_slots;
	size_t n;

	l->buffer_len = (largest_block(w) + 4095) / 4096 * 4096;
	n = data ? n_slots : 1;
	if (l->fills && n * l->buffer_len < WRITE_POOL)
		n = WRITE_POOL / l->buffer_len;
	l->buffers_len = n * l->buffer_len;
	if (data && !fits_memory(l->buffers_len, (uint64_t)w->jobs))
		return err_set(e, ENOMEM, "depth, block and jobs together need buffers of %zu MiB: more than half of the memory",
			       l->buffers_len / 1048576 * (size_t)w->jobs);
	l->buffers = mmap(NULL, l->buffers_len, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | (data ? MAP_POPULATE : 0), -1, 0);
	if (l->buffers == MAP_FAILED) {
		l->buffers = NULL;
		return err_sys(e, errno, "%zu bytes of buffers for job %u", l->buffers_len, l->job);
	}
	for (size_t i = 0; i <= n_slots; i++)
		l->slots[i].io.buf = l->buffers + (i < n && i < n_slots ? i * l->buffer_len : 0);
	l->n_spare = n > n_slots ? (uint32_t)(n - n_slots) : 0;
	l->spare = mem_array(l->n_spare + 1, sizeof *l->spare);
	for (uint32_t i = 0; i < l->n_spare; i++)
		l->spare[i] = l->buffers + (n_slots + i) * l->buffer_len;
	for (size_t i = 0; l->fills && !l->verify && i < n; i++)
		fill_block(l->buffers + i * l->buffer_len, l->buffer_len, w->compressible,
			   fill_key(l->c->seed, i, l->job));
	return 0;
}

static void make_slots(struct lane *l)
{
	const struct workload *w = l->c->w;
	const size_t each = (l->c->drv->io_priv + 15) / 16 * 16;
	uint32_t spare = l->depth < SPARE_SLOTS ? l->depth : SPARE_SLOTS;
	const uint32_t most = (uint32_t)(SPARE_BYTES / largest_block(w));
	char *priv;

	if (spare > most)
		spare = most ? most : 1;
	if (spare < l->batch)
		spare = l->batch;
	l->n_slots = l->one_by_one ? 1 : l->depth + spare;
	l->slots = mem_alloc((l->n_slots + 1) * (sizeof *l->slots + each) + 64);
	l->ready = mem_array(l->n_slots, sizeof *l->ready);
	priv = (char *)(((uintptr_t)(l->slots + l->n_slots + 1) + 15) & ~(uintptr_t)15);
	for (uint32_t i = 0; i <= l->n_slots; i++) {
		struct iow_io *io = &l->slots[i].io;

		io->priv = each ? priv + i * each : NULL;
		io->len = (uint32_t)w->block[0];
		io->op = l->op;
		io->tag = i;
	}
	l->flush = &l->slots[l->n_slots];
	l->flush->io.op = IOW_OP_FLUSH;
	l->flush->io.len = 0;
}

static void make_histograms(struct lane *l)
{
	const struct workload *w = l->c->w;
	const bool want[LAT_CLASSES] = {
		[LAT_READ] = reads(w),
		[LAT_WRITE] = writes(w),
		[LAT_TRIM] = w->op == WORKLOAD_TRIM,
		[LAT_FLUSH] = w->durability == DURABILITY_FLUSH,
		[LAT_COMMIT] = w->durability == DURABILITY_FLUSH,
		[LAT_RESPONSE] = w->rate > 0,
	};

	for (int i = 0; i < LAT_CLASSES; i++)
		l->lat[i] = want[i] ? lathist_new() : NULL;
}

static int check_driver(const struct lane *l, struct iow_error *e)
{
	const struct workload *w = l->c->w;
	const struct iow_driver *d = l->c->drv;
	const bool async = d->submit && d->reap;

	if (w->depth > 1 && !async)
		return err_set(e, 0, "driver %s does one I/O at a time, depth is %lld", d->name, (long long)w->depth);
	if (l->c->info.max_depth && w->depth > l->c->info.max_depth)
		return err_set(e, 0, "driver %s takes at most %u in flight, depth is %lld", d->name,
			       l->c->info.max_depth, (long long)w->depth);
	if (d->threads && w->jobs > d->threads)
		return err_set(e, 0, "driver %s takes at most %u jobs, the workload has %lld", d->name, d->threads,
			       (long long)w->jobs);
	if (w->verify && d->caps & IOW_CAP_NO_DATA)
		return err_set(e, 0, "driver %s moves no data: there is nothing to verify", d->name);
	return 0;
}

/* A draw of 64 bits lies below it with that probability. */
static uint64_t below(double share)
{
	return share >= 1 ? UINT64_MAX : (uint64_t)(share * 0x1p64);
}

static void set_ops(struct lane *l)
{
	static const uint32_t op_of[] = { IOW_OP_READ, IOW_OP_WRITE, IOW_OP_READ, IOW_OP_TRIM };
	const struct workload *w = l->c->w;

	l->op = op_of[w->op];
	l->mixed = w->op == WORKLOAD_MIXED;
	l->sizes = w->n_blocks > 1;
	l->flushes = w->durability == DURABILITY_FLUSH;
	l->fills = writes(w) && !(l->c->drv->caps & IOW_CAP_NO_DATA);
	l->read_below = below((double)w->read_percent / 100);
	l->duplicate_below = below(w->duplicate);
	for (uint32_t i = 0; i < w->n_blocks; i++)
		l->weight_total += w->weight[i];
	if (l->flushes)
		l->commits = mem_array(WORKLOAD_FLUSH_MOST, sizeof *l->commits);
	if (w->verify) {
		l->verify = mem_alloc(sizeof *l->verify);
		verify_init(l->verify, verify_unit(w->block, w->n_blocks), l->c->seed);
	}
}

int lane_init(struct lane *l, struct lane_common *c, uint32_t job, struct iow_error *e)
{
	const struct workload *w = c->w;
	const struct iow_driver *d = c->drv;

	memset(l, 0, sizeof *l);
	l->c = c;
	l->job = job;
	l->io = d->io;
	l->submit = d->submit;
	l->reap = d->reap;
	l->depth = (uint32_t)w->depth;
	l->one_by_one = w->depth == 1 && d->io && !(w->poll && d->submit && d->reap); /* `io` may sleep */
	l->batch = (uint32_t)(w->batch < w->depth ? w->batch : w->depth);
	l->virtual_time = d->caps & IOW_CAP_VIRTUAL_TIME;
	l->self_timed = l->virtual_time || d->caps & IOW_CAP_SELF_TIMED;
	l->final_flush_ns = -1;
	if (check_driver(l, e) != 0)
		return -1;
	if (pattern_init(&l->pattern, w, job, c->offset, c->length, c->seed, e) != 0)
		return -1;
	set_ops(l);
	make_slots(l);
	make_histograms(l);
	rng_stream(&l->rng, c->seed ^ UINT64_C(0x6f70732d73697a65), job);
	l->stamp = rng_next(&l->rng);
	return map_buffers(l, e);
}

void lane_release(struct lane *l)
{
	for (int i = 0; i < LAT_CLASSES; i++)
		free(l->lat[i]);
	if (l->buffers)
		munmap(l->buffers, l->buffers_len);
	free(l->slots);
	free(l->ready);
	free(l->spare);
	free(l->commits);
	free(l->verify);
	memset(l->lat, 0, sizeof l->lat);
	l->buffers = NULL;
	l->slots = NULL;
}

int lane_open(struct lane *l, struct iow_error *e)
{
	const struct iow_queue q = {
		.size = sizeof q,
		.depth = l->depth,
		.job = l->job,
		.buffers = l->buffers,
		.buffers_len = l->buffers_len,
		.batch = l->batch,
	};

	l->tid = (int)syscall(SYS_gettid);
	l->queue = l->c->drv->queue_open(l->c->target, &q, e);
	if (!l->queue)
		return err_in(e, "driver %s, queue of job %u", l->c->drv->name, l->job);
	if (l->c->w->rate > 0)
		prctl(PR_SET_TIMERSLACK, 1UL); /* else a sleep until an arrival ends 50 us late */
	return 0;
}

/* ---- one run ---- */

/* Starts an empty record at `start`; `ns` 0: no end. */
static void phase_begin(struct lane *l, uint64_t start, int64_t ns)
{
	const struct workload *w = l->c->w;
	const uint64_t jobs = (uint64_t)w->jobs, amount = w->amount / jobs + (l->job < w->amount % jobs);

	for (int i = 0; i < LAT_CLASSES; i++)
		if (l->lat[i])
			lathist_clear(l->lat[i]);
	series_init(&l->series, series_width(w->duration_ns));
	interval_clear(&l->now);
	memset(&l->slow, 0, sizeof l->slow);
	l->left = w->amount ? (int64_t)amount : ns ? INT64_MAX : (int64_t)pattern_pass(&l->pattern);
	l->total_bytes = l->total_ios = l->reaps = l->submit_ticks = l->reap_ticks = l->reap_max = 0;
	memset(l->op_bytes, 0, sizeof l->op_bytes);
	l->n_ready = l->n_commits = l->head = 0;
	l->backlog_max = 0;
	l->start = l->first = l->last = start;
	l->end = ns ? start + tick_of_ns(&l->tick, ns) : UINT64_MAX;
	l->series_end = start + tick_of_ns(&l->tick, l->series.width_ns);
	l->event = l->series_end < l->end ? l->series_end : l->end;
	l->stop = atomic_load(&l->c->stop);
	arrival_init(&l->arrival, w, l->job, l->c->seed, (double)tick_of_ns(&l->tick, NS_PER_S));
}

static void warm_up(struct lane *l)
{
	const int64_t ns = l->c->w->warmup_ns;
	const uint64_t start = tick_at(&l->tick, l->c->go_ns);

	if (!ns)
		return;
	phase_begin(l, start, ns);
	l->left = INT64_MAX;
	lane_loop(l);
}

static void measure(struct lane *l, struct usage *before)
{
	const struct workload *w = l->c->w;

	usage_again(before);
	phase_begin(l, tick_at(&l->tick, l->c->go_ns + w->warmup_ns), w->duration_ns);
	l->first = lane_now(l);
	if (l->first < l->start || l->arrival.open)
		l->first = l->start; /* arrivals began then, whether or not somebody was there to see them */
	lane_loop(l);
	/* What arrives at a rate takes the whole time, and not only until the last of it was done. */
	if (l->arrival.open && l->end != UINT64_MAX && l->last < l->end && lane_now(l) >= l->end)
		l->last = l->end;
	usage_thread(&l->usage);
	usage_diff(&l->usage, before);
	while (l->last >= l->series_end)
		lane_event(l, l->last);
	l->total_bytes += l->now.bytes;
	l->total_ios += l->now.ios;
	if (l->now.ios)
		while (!series_add(&l->series, &l->now))
			;
	if (!l->op_bytes[IOW_OP_READ] && !l->op_bytes[IOW_OP_WRITE] && !l->mixed)
		l->op_bytes[l->op] = l->total_bytes;
}

/* Its time is a figure of its own: neither the run's end nor its flush latencies know it. */
static void final_flush(struct lane *l)
{
	struct lathist *flushes = l->lat[LAT_FLUSH];
	const uint64_t last = l->last;

	if (l->ended != LANE_OK || !l->c->w->final_flush || !(l->c->drv->caps & IOW_CAP_FLUSH))
		return;
	l->lat[LAT_FLUSH] = NULL;
	l->event = UINT64_MAX;
	l->final_flush_ns = lane_flush(l);
	l->lat[LAT_FLUSH] = flushes;
	l->last = last;
}

/* A sleep ends late by the time a wake-up takes: the last of it is spent awake, unless there are more
 * lanes than processors. */
static void wait_for_start(const struct lane *l)
{
	const bool crowded = l->c->w->jobs > sysconf(_SC_NPROCESSORS_ONLN);

	clock_sleep_until(l->c->go_ns - (crowded ? 0 : 100 * NS_PER_US));
	while (clock_mono_ns() < l->c->go_ns)
		;
}

void lane_run(struct lane *l)
{
	struct usage before;

	usage_thread(&before);
	l->tick = l->c->tick;
	l->tsc = l->tick.tsc;
	if (l->virtual_time) {
		l->tick = (struct tick){ .mult = UINT64_C(1) << 32, .tick0 = (uint64_t)l->c->go_ns, .mono0 = l->c->go_ns };
		l->vnow = (uint64_t)l->c->go_ns;
	} else {
		wait_for_start(l);
	}
	l->mult = l->tick.mult;
	l->step = tick_of_ns(&l->tick, 100 * NS_PER_MS);
	warm_up(l);
	if (l->ended == LANE_OK)
		measure(l, &before);
	final_flush(l);
	atomic_store(&l->seen_bytes, l->total_bytes);
	atomic_store(&l->seen_ios, l->total_ios);
	if (l->ended < LANE_BROKEN)
		l->c->drv->queue_close(l->queue);
	atomic_store(&l->done, true);
}

bool lane_oldest(const struct lane *l, struct oldest *out)
{
	const struct slot *oldest = NULL;

	for (uint32_t i = 0; l->slots && i <= l->n_slots; i++) {
		const struct slot *s = &l->slots[i];
		const uint64_t issue = slot_issue(s);

		if (issue && (!oldest || issue < out->issue)) {
			oldest = s;
			out->issue = issue;
		}
	}
	if (!oldest)
		return false;
	out->offset = __atomic_load_n(&oldest->io.offset, __ATOMIC_RELAXED);
	out->op = __atomic_load_n(&oldest->io.op, __ATOMIC_RELAXED);
	out->len = __atomic_load_n(&oldest->io.len, __ATOMIC_RELAXED);
	return slot_issue(oldest) == out->issue; /* else it came back, and this slot is the next one's */
}
