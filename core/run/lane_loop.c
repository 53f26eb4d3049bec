/* SPDX-License-Identifier: Apache-2.0 */
/* The hot path. Each loop exists once for each kind of pattern that is cheap and common, with one
 * operation and one block size ("plain"), and once for everything else: what is constant in a run is
 * constant for the compiler too. */
#include "base/err.h"
#include "run/lane.h"

#include <errno.h>

#define INLINE static inline __attribute__((always_inline))
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

#define REAP_MAX 64u /* completions taken at once */

enum { ANY_KIND = -1 };

INLINE void prepare(struct lane *l, struct slot *s, const int kind, const bool plain)
{
	if (!plain) {
		lane_prepare_mixed(l, s);
		return;
	}
	if (kind == PK_SEQUENTIAL)
		s->io.offset = pattern_sequential(&l->pattern, s->io.len);
	else if (kind == PK_PERMUTED)
		s->io.offset = pattern_permuted(&l->pattern);
	else
		s->io.offset = pattern_next(&l->pattern, s->io.len);
	l->left -= s->io.len;
}

/* Books one completion at tick t. */
INLINE void account(struct lane *l, struct slot *s, uint64_t t, const bool plain)
{
	const uint64_t issue = slot_issue(s);
	uint64_t ns = tick_ns(l->mult, t - issue);

	if (!plain && l->self_timed)
		ns = (uint64_t)s->io.self_ns;
	if (UNLIKELY(t >= l->event))
		lane_event(l, t);
	if (UNLIKELY(s->io.res != (int64_t)s->io.len)) {
		lane_fail(l, s);
		slot_stamp(s, 0);
		return;
	}
	l->last = t;
	lathist_add(l->lat[s->io.op], ns);
	l->now.bytes += s->io.len;
	l->now.ios++;
	if (ns < l->now.min)
		l->now.min = ns;
	if (ns > l->now.max)
		l->now.max = ns;
	if (UNLIKELY(ns > l->slow.floor))
		lane_slow(l, s, ns);
	if (!plain)
		lane_after(l, s, t);
	slot_stamp(s, 0);
}

/* ---- one I/O at a time ---- */

INLINE void loop_sync(struct lane *l, const int kind, const bool plain)
{
	struct slot *const s = l->slots;
	void (*const io)(void *, struct iow_io *) = l->io;
	void *const queue = l->queue;
	const bool tsc = l->tsc;
	uint64_t t;

	while (l->left > 0 && !l->stop) {
		prepare(l, s, kind, plain);
		if (!plain && l->arrival.open && !lane_wait(l, s->intended))
			return;
		slot_stamp(s, plain ? tick_now(tsc) : lane_now(l));
		io(queue, &s->io);
		if (!plain && l->virtual_time)
			l->vnow += (uint64_t)s->io.self_ns;
		t = plain ? tick_now(tsc) : lane_now(l);
		account(l, s, t, plain);
		if (!plain)
			l->since_flush += s->io.op == IOW_OP_WRITE;
		if (!plain && l->flushes && !l->stop && l->since_flush >= (uint64_t)l->c->w->flush_every)
			lane_flush(l);
	}
}

/* ---- many in flight ---- */

/* Prepares a slot and puts it at the end of the ring. */
INLINE void make_ready(struct lane *l, struct slot *s, const int kind, const bool plain)
{
	uint32_t at = l->head + l->n_ready;

	if (l->left <= 0 || l->stop)
		return;
	prepare(l, s, kind, plain);
	if (at >= l->n_slots)
		at -= l->n_slots;
	l->ready[at] = &s->io;
	l->n_ready++;
}

/* How many of the ready ones may go now; they lie next to each other in the ring. */
INLINE uint32_t may_submit(const struct lane *l, uint64_t t, const bool plain)
{
	uint32_t n = l->depth - l->in_flight;

	if (n > l->n_ready)
		n = l->n_ready;
	if (n > l->batch)
		n = l->batch;
	if (n > l->n_slots - l->head)
		n = l->n_slots - l->head;
	if (plain)
		return n;
	if (l->arrival.open) {
		uint32_t due = 0;

		while (due < n && ((const struct slot *)l->ready[l->head + due])->intended <= t)
			due++;
		n = due;
	}
	if (l->flushes) {
		const uint64_t every = (uint64_t)l->c->w->flush_every;
		uint32_t writes = 0, i = 0;

		for (; i < n && l->since_flush + writes < every; i++)
			writes += l->ready[l->head + i]->op == IOW_OP_WRITE;
		n = i;
	}
	return n;
}

/* Hands over what may go, at most a batch at once, each batch with its own issue time. The first is
 * stamped t. Returns the tick after the last hand-over. */
INLINE uint64_t submit_ready(struct lane *l, uint64_t t, const bool plain)
{
	const uint64_t begin = t;
	uint32_t n;

	while (!l->stop && (n = may_submit(l, t, plain))) {
		struct iow_io **const ios = &l->ready[l->head];
		int took;

		for (uint32_t i = 0; i < n; i++)
			slot_stamp((struct slot *)ios[i], t);
		took = l->submit(l->queue, ios, n);
		for (uint32_t i = took > 0 ? (uint32_t)took : 0; i < n; i++)
			slot_stamp((struct slot *)ios[i], 0);
		t = plain ? tick_now(l->tsc) : lane_now(l);
		if (UNLIKELY(took <= 0))
			break;
		if (!plain && l->flushes)
			for (int i = 0; i < took; i++)
				l->since_flush += ios[i]->op == IOW_OP_WRITE;
		l->in_flight += (uint32_t)took;
		l->n_ready -= (uint32_t)took;
		l->head += (uint32_t)took;
		if (l->head == l->n_slots)
			l->head = 0;
		if ((uint32_t)took < n)
			break;
	}
	l->submit_ticks += t - begin;
	return t;
}

#define QUARTER_SECOND INT64_C(250000000)

/* How long a reap may wait: until the next arrival, else as long as it takes. Arming a timer for each wait
 * would cost more than it brings: who watches the lanes sees an I/O that never returns. */
static int64_t reap_timeout(const struct lane *l, uint64_t t)
{
	uint64_t at;

	if (!l->arrival.open || !l->n_ready || l->in_flight == l->depth)
		return -1;
	at = ((const struct slot *)l->ready[l->head])->intended;
	if (at <= t)
		return 0;
	at = tick_ns(l->mult, at - t);
	return at < (uint64_t)QUARTER_SECOND ? (int64_t)at : QUARTER_SECOND;
}

/* With nothing in flight and nothing taken: a flush is due, an arrival is ahead, or the driver is stuck.
 * Returns false when the loop is over. */
static bool idle(struct lane *l, uint32_t *refused)
{
	if (l->flushes && l->since_flush >= (uint64_t)l->c->w->flush_every)
		return lane_flush(l) >= 0;
	if (!l->n_ready || l->stop)
		return false;
	if (l->arrival.open && ((const struct slot *)l->ready[l->head])->intended > lane_now(l))
		return lane_wait(l, ((const struct slot *)l->ready[l->head])->intended);
	if (++*refused < 1000)
		return lane_wait(l, lane_now(l) + l->step / 100);
	lane_fail_text(l, LANE_FAILED, "driver %s accepts no I/O although none is in flight", l->c->drv->name);
	return false;
}

static void not_in_flight(struct lane *l)
{
	lane_fail_text(l, LANE_BROKEN, "driver %s gave back an I/O that was not in flight", l->c->drv->name);
}

INLINE void loop_async(struct lane *l, const int kind, const bool plain)
{
	struct iow_io *done[REAP_MAX];
	const bool poll = l->c->w->poll;
	uint32_t refused = 0;
	uint64_t t, window;
	int n;

	for (uint32_t i = 0; i < l->n_slots; i++)
		make_ready(l, &l->slots[i], kind, plain);
	window = submit_ready(l, lane_now(l), plain);
	for (;;) {
		if (UNLIKELY(!l->in_flight)) {
			if (!idle(l, &refused))
				return;
			window = submit_ready(l, lane_now(l), plain);
			continue;
		}
		n = l->reap(l->queue, done, poll ? 0 : 1, REAP_MAX,
			    plain ? -1 : reap_timeout(l, window));
		if (!plain && l->virtual_time && n > 0)
			l->vnow = slot_issue((struct slot *)done[n - 1]) + (uint64_t)done[n - 1]->self_ns;
		t = plain ? tick_now(l->tsc) : lane_now(l);
		if (UNLIKELY(n <= 0)) {
			if (n < 0)
				lane_fail_text(l, LANE_BROKEN, "driver %s: its queue is broken: %s", l->c->drv->name,
					       err_name(-n));
			if (n < 0 || (t >= l->event && lane_event(l, t) && l->ended >= LANE_BROKEN))
				return;
			if (!plain)
				window = submit_ready(l, t, plain);
			continue;
		}
		refused = 0;
		l->in_flight -= (uint32_t)n;
		l->reaps++;
		l->reap_ticks += t - window;
		if (t - window > l->reap_max)
			l->reap_max = t - window;
		window = submit_ready(l, t, plain);
		for (int i = 0; i < n; i++) {
			struct slot *s = (struct slot *)done[i];
			const uint64_t at = !plain && l->virtual_time ? slot_issue(s) + (uint64_t)s->io.self_ns : t;

			if (UNLIKELY(!slot_issue(s))) {
				not_in_flight(l);
				return;
			}
			account(l, s, at, plain);
			make_ready(l, s, kind, plain);
		}
		if (UNLIKELY(l->in_flight < l->depth && l->n_ready))
			window = submit_ready(l, lane_now(l), plain);
		if (UNLIKELY(l->ended >= LANE_BROKEN))
			return;
	}
}

/* ---- one copy of each loop for what is common ---- */

static void sync_sequential(struct lane *l)
{
	loop_sync(l, PK_SEQUENTIAL, true);
}

static void sync_permuted(struct lane *l)
{
	loop_sync(l, PK_PERMUTED, true);
}

static void sync_other(struct lane *l)
{
	loop_sync(l, ANY_KIND, true);
}

static void sync_mixed(struct lane *l)
{
	loop_sync(l, ANY_KIND, false);
}

static void async_sequential(struct lane *l)
{
	loop_async(l, PK_SEQUENTIAL, true);
}

static void async_permuted(struct lane *l)
{
	loop_async(l, PK_PERMUTED, true);
}

static void async_other(struct lane *l)
{
	loop_async(l, ANY_KIND, true);
}

static void async_mixed(struct lane *l)
{
	loop_async(l, ANY_KIND, false);
}

void lane_loop(struct lane *l)
{
	static void (*const loops[2][4])(struct lane *) = {
		{ sync_sequential, sync_permuted, sync_other, sync_mixed },
		{ async_sequential, async_permuted, async_other, async_mixed },
	};
	const bool plain = !l->mixed && !l->sizes && !l->flushes && !l->fills && !l->verify && !l->arrival.open &&
			   !l->self_timed;
	int which = 3;

	if (plain)
		which = l->pattern.kind == PK_SEQUENTIAL ? 0 : l->pattern.kind == PK_PERMUTED ? 1 : 2;
	loops[!l->one_by_one][which](l);
}
