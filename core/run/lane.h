/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_RUN_LANE_H
#define IOW_RUN_LANE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "plan/workload.h"
#include "run/arrival.h"
#include "run/driver.h"
#include "run/lathist.h"
#include "run/pattern.h"
#include "run/series.h"
#include "run/slow.h"
#include "run/tick.h"
#include "run/usage.h"
#include "run/verify.h"

/* One job: a thread with one queue of the driver. The loops that issue and time I/O are in
 * lane_loop.c; this is what they work on, and all that is not hot. */

/* What all lanes of a run share; constant while they run, but for `stop`. */
struct lane_common {
	const struct workload *w;
	const struct iow_driver *drv;
	void *target;
	struct iow_info info;
	struct tick tick;
	uint64_t offset, length; /* region of the target */
	uint64_t seed;
	int64_t go_ns;           /* CLOCK_MONOTONIC instant of the first issue */
	atomic_bool stop;        /* finish early */
};

/* One I/O that a lane owns. `io` comes first: a driver gives back a pointer to it. */
struct slot {
	struct iow_io io;
	_Atomic uint64_t issue; /* tick; 0: not in flight; slot_issue and slot_stamp, since the watcher reads it too */
	uint64_t intended;      /* tick, open loop only */
};

/* Relaxed: plain moves on the processors that matter. */
static inline uint64_t slot_issue(const struct slot *s)
{
	return atomic_load_explicit(&s->issue, memory_order_relaxed);
}

static inline void slot_stamp(struct slot *s, uint64_t tick)
{
	atomic_store_explicit(&s->issue, tick, memory_order_relaxed);
}

/* FAILED: an I/O failed, the queue is sound. BROKEN: the driver breaks its contract; HUNG: an I/O does not
 * come back. After those two nothing may touch the queue any more. */
enum lane_end { LANE_OK, LANE_FAILED, LANE_BROKEN, LANE_HUNG };

struct lane {
	/* hot */
	void (*io)(void *, struct iow_io *);
	int (*submit)(void *, struct iow_io *const *, uint32_t);
	int (*reap)(void *, struct iow_io **, uint32_t, uint32_t, int64_t);
	void *queue;
	bool tsc, virtual_time, self_timed, stop;
	bool one_by_one;     /* through `io`; else through `submit` and `reap` */
	uint32_t depth, batch, in_flight;
	int64_t left;        /* bytes that may still be issued */
	uint64_t mult;       /* tick to ns */
	uint64_t event;      /* tick of the next thing to do that is not an I/O */
	uint64_t last;       /* tick of the last completion */
	uint64_t vnow;       /* virtual time */
	struct interval now; /* the open interval */
	struct lathist *lat[LAT_CLASSES]; /* NULL: not in this workload */
	struct pattern pattern;
	struct slow slow;

	/* ring of slots that are ready to go, and the slots */
	struct slot *slots;
	struct iow_io **ready;
	uint32_t n_slots, head, n_ready;

	/* work that is not plain */
	struct arrival arrival;
	struct rng rng;
	struct verify *verify;
	bool fills, sizes, mixed, flushes;
	uint32_t op;
	uint64_t read_below;     /* an op draw below it reads */
	uint64_t weight_total;
	uint64_t writes, since_flush; /* writes issued; since the last flush */
	uint64_t *commits;       /* issue ticks of writes since the last flush, at most WORKLOAD_FLUSH_MOST */
	uint32_t n_commits;
	uint64_t duplicate_below;
	uint64_t backlog_max;
	uint64_t stamp;          /* of the last written block, unique in the campaign by its seed */
	char *buffers;
	size_t buffers_len, buffer_len;
	void **spare;            /* ring of buffers that no slot holds: writes go through all of them */
	uint32_t n_spare, spare_at;

	/* time */
	uint64_t start, first, end; /* origin of the intervals, first issue, end of issuing (0: none) */
	uint64_t series_end, step;  /* tick where the open interval ends; most ticks between two events */
	uint64_t submit_ticks, reap_ticks, reap_max, reaps; /* time in submit; reap windows */
	struct series series;

	/* cold */
	struct lane_common *c;
	struct tick tick;        /* of this lane: virtual time counts nanoseconds */
	struct slot *flush;      /* for FLUSH alone */
	uint32_t job;
	int tid;
	enum lane_end ended;
	char why[200];
	int64_t final_flush_ns;
	uint64_t total_bytes, total_ios, op_bytes[IOW_OPS];
	uint64_t errors;
	struct usage usage;

	/* read by the thread that watches, written at events */
	_Atomic uint64_t seen_bytes, seen_ios, seen_tick;
	atomic_bool done;
};

/* Buffers, slots and memory of statistics, in the calling thread, which then must run it. */
int lane_init(struct lane *l, struct lane_common *c, uint32_t job, struct iow_error *e);
void lane_release(struct lane *l);
/* Opens the queue; in the thread that runs the lane. */
int lane_open(struct lane *l, struct iow_error *e);
/* Waits for c->go_ns, then issues I/O until amount, duration, stop or a failure ends it. Closes the queue
 * unless an I/O never came back. */
void lane_run(struct lane *l);
/* The oldest I/O in flight, for a report about a lane that hangs; false: none. Any thread: what it tells is right
 * of an I/O that stays in flight meanwhile. */
struct oldest {
	uint64_t issue, offset;
	uint32_t op, len;
};
bool lane_oldest(const struct lane *l, struct oldest *out);

/* ---- between lane.c and lane_loop.c ---- */

/* Time to look up: closes intervals, publishes, checks end, stop and deadlines. Returns l->stop. */
bool lane_event(struct lane *l, uint64_t t);
/* An I/O did not move what it should: sets `ended` and stops the lane. */
void lane_fail(struct lane *l, const struct slot *s);
void lane_fail_text(struct lane *l, enum lane_end how, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void lane_slow(struct lane *l, const struct slot *s, uint64_t ns);
/* Op, size, buffer and content of an I/O that is not plain. */
void lane_prepare_mixed(struct lane *l, struct slot *s);
/* After an I/O that is not plain: commit times, checking, its buffer. */
void lane_after(struct lane *l, struct slot *s, uint64_t t);
/* One FLUSH with nothing else in flight; its latency in ns, -1 when it failed. */
int64_t lane_flush(struct lane *l);
/* Sleeps (or spins when the plan says poll) until `tick`; false when the lane was stopped meanwhile. */
bool lane_wait(struct lane *l, uint64_t tick);
void lane_loop(struct lane *l);

static inline uint64_t lane_now(const struct lane *l)
{
	return __builtin_expect(l->virtual_time, 0) ? l->vnow : tick_now(l->tsc);
}

#endif
