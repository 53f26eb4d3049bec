/* SPDX-License-Identifier: Apache-2.0 */
/* What a lane does beside plain I/O: events, failures, flushes, mixed work. Called from the loops. */
#include "base/clock.h"
#include "base/err.h"
#include "run/fill.h"
#include "run/lane.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static void check_deadlines(struct lane *l, uint64_t t)
{
	const int64_t deadline = l->c->w->deadline_ns;
	const uint64_t most = tick_of_ns(&l->tick, deadline);
	struct oldest s;

	if (!deadline || !lane_oldest(l, &s) || t < s.issue || t - s.issue <= most)
		return;
	lane_fail_text(l, LANE_HUNG, "%s of %u bytes at offset %llu did not return within %lld ms",
		       latency_class_name(s.op), s.len, (unsigned long long)s.offset,
		       (long long)(deadline / NS_PER_MS));
}

bool lane_event(struct lane *l, uint64_t t)
{
	while (t >= l->series_end) {
		const struct interval i = l->now;

		if (series_add(&l->series, &i)) {
			l->total_bytes += i.bytes;
			l->total_ios += i.ios;
			interval_clear(&l->now);
		}
		l->series_end = l->start + tick_of_ns(&l->tick, (int64_t)(l->series.n + 1) * l->series.width_ns);
	}
	atomic_store_explicit(&l->seen_bytes, l->total_bytes + l->now.bytes, memory_order_relaxed);
	atomic_store_explicit(&l->seen_ios, l->total_ios + l->now.ios, memory_order_relaxed);
	atomic_store_explicit(&l->seen_tick, t, memory_order_relaxed);
	if (t >= l->end || atomic_load_explicit(&l->c->stop, memory_order_relaxed))
		l->stop = true;
	if (l->in_flight)
		check_deadlines(l, t);
	l->event = t + l->step;
	if (l->series_end < l->event)
		l->event = l->series_end;
	if (t < l->end && l->end < l->event)
		l->event = l->end;
	return l->stop;
}

void lane_fail_text(struct lane *l, enum lane_end how, const char *fmt, ...)
{
	va_list ap;

	l->stop = true;
	atomic_store(&l->c->stop, true);
	if (l->ended != LANE_OK)
		return;
	l->ended = how;
	va_start(ap, fmt);
	vsnprintf(l->why, sizeof l->why, fmt, ap);
	va_end(ap);
}

void lane_fail(struct lane *l, const struct slot *s)
{
	const struct iow_driver *d = l->c->drv;
	struct iow_error e = { .size = sizeof e };

	l->errors++;
	l->now.errors++;
	if (s->io.res >= 0) {
		lane_fail_text(l, LANE_FAILED, "%s of %u bytes at offset %llu of %s (driver %s) moved %lld%s",
			       latency_class_name(s->io.op), s->io.len, (unsigned long long)s->io.offset,
			       l->c->info.path, d->name, (long long)s->io.res,
			       s->io.res < (int64_t)s->io.len ? " only" : ", which is more");
		return;
	}
	if (d->explain)
		d->explain(l->queue, &s->io, &e);
	lane_fail_text(l, LANE_FAILED, "%s of %u bytes at offset %llu of %s (driver %s): %s",
		       latency_class_name(s->io.op), s->io.len, (unsigned long long)s->io.offset, l->c->info.path,
		       d->name, *e.text ? e.text : err_name((int)-s->io.res));
}

void lane_slow(struct lane *l, const struct slot *s, uint64_t ns)
{
	const uint64_t issue = slot_issue(s);
	const struct slow_io io = {
		.ns = ns,
		.offset = s->io.offset,
		.at_ns = issue > l->start ? (int64_t)tick_ns(l->mult, issue - l->start) : 0,
		.len = s->io.len,
		.op = s->io.op,
	};

	slow_add(&l->slow, &io);
}

/* ---- I/O that is not plain ---- */

static uint32_t draw_size(struct lane *l)
{
	const struct workload *w = l->c->w;
	uint64_t at = rng_below(&l->rng, l->weight_total);
	uint32_t i = 0;

	while (at >= w->weight[i])
		at -= w->weight[i++];
	return (uint32_t)w->block[i];
}

/* The slot's buffer goes to the end of the ring of spare ones and the slot takes the first, so that what
 * is written comes from the whole pool in turn. */
static void next_buffer(struct lane *l, struct slot *s)
{
	void *mine = s->io.buf;

	if (!l->n_spare)
		return;
	s->io.buf = l->spare[l->spare_at];
	l->spare[l->spare_at] = mine;
	if (++l->spare_at == l->n_spare)
		l->spare_at = 0;
}

static void fill_write(struct lane *l, struct slot *s)
{
	const struct workload *w = l->c->w;

	if (w->verify) {
		verify_write(s->io.buf, s->io.len, l->verify->unit, s->io.offset, l->c->seed,
			     1 + l->writes / l->pattern.n);
		return;
	}
	next_buffer(l, s);
	if (l->duplicate_below && rng_next(&l->rng) < l->duplicate_below)
		fill_stamp(s->io.buf, s->io.len, w->compressible, l->c->seed);
	else
		fill_stamp(s->io.buf, s->io.len, w->compressible, l->stamp += UINT64_C(0xd1342543de82ef95));
}

void lane_prepare_mixed(struct lane *l, struct slot *s)
{
	if (l->mixed)
		s->io.op = rng_next(&l->rng) < l->read_below ? IOW_OP_READ : IOW_OP_WRITE;
	if (l->sizes)
		s->io.len = draw_size(l);
	s->io.offset = pattern_next(&l->pattern, s->io.len);
	if (s->io.op == IOW_OP_WRITE) {
		if (l->fills)
			fill_write(l, s);
		l->writes++;
	}
	if (l->arrival.open)
		s->intended = l->start + (uint64_t)arrival_take(&l->arrival);
	l->left -= s->io.len;
}

void lane_after(struct lane *l, struct slot *s, uint64_t t)
{
	l->op_bytes[s->io.op] += s->io.len;
	if (l->arrival.open) {
		uint64_t behind = arrival_backlog(&l->arrival, (double)(t - l->start));

		lathist_add(l->lat[LAT_RESPONSE], t > s->intended ? tick_ns(l->mult, t - s->intended) : 0);
		if (behind)
			behind += l->n_ready;
		if (behind > l->backlog_max)
			l->backlog_max = behind;
	}
	if (l->flushes && s->io.op == IOW_OP_WRITE)
		l->commits[l->n_commits++] = slot_issue(s);
	if (l->verify && s->io.op == IOW_OP_READ)
		verify_check(l->verify, s->io.buf, s->io.len, s->io.offset);
}

/* One I/O through the synchronous call, or alone through submit and reap. */
static void alone(struct lane *l, struct slot *s)
{
	struct iow_io *io = &s->io, *done = NULL;

	if (l->io) {
		l->io(l->queue, io);
		return;
	}
	if (l->submit(l->queue, &io, 1) != 1) {
		io->res = -EAGAIN;
		return;
	}
	while (!done) {
		int n = l->reap(l->queue, &done, 1, 1, NS_PER_S);

		if (n < 0) {
			io->res = n;
			return;
		}
	}
}

int64_t lane_flush(struct lane *l)
{
	struct slot *s = l->flush;
	uint64_t t;
	int64_t ns;

	slot_stamp(s, lane_now(l));
	alone(l, s);
	if (l->virtual_time)
		l->vnow += (uint64_t)s->io.self_ns;
	t = lane_now(l);
	ns = (int64_t)(l->self_timed ? (uint64_t)s->io.self_ns : tick_ns(l->mult, t - slot_issue(s)));
	if (s->io.res < 0) {
		lane_fail(l, s);
		slot_stamp(s, 0);
		return -1;
	}
	if (l->lat[LAT_FLUSH])
		lathist_add(l->lat[LAT_FLUSH], (uint64_t)ns);
	for (uint32_t i = 0; i < l->n_commits; i++)
		lathist_add(l->lat[LAT_COMMIT], tick_ns(l->mult, t - l->commits[i]));
	l->n_commits = 0;
	l->since_flush = 0;
	l->last = t;
	slot_stamp(s, 0);
	if (t >= l->event)
		lane_event(l, t);
	return ns;
}

bool lane_wait(struct lane *l, uint64_t tick)
{
	for (;;) {
		uint64_t now = lane_now(l);

		if (now >= l->event && lane_event(l, now))
			return false;
		if (now >= tick)
			return true;
		if (l->virtual_time) {
			l->vnow = tick < l->event ? tick : l->event;
		} else if (!l->c->w->poll) {
			uint64_t until = tick < l->event ? tick : l->event;

			clock_sleep_until(tick_mono(&l->tick, until));
		}
	}
}
