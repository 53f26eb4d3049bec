/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_RUN_LANES_H
#define IOW_RUN_LANES_H

#include <jansson.h>
#include <pthread.h>
#include <stdbool.h>

#include "base/buf.h"
#include "bundle/run.h"
#include "run/lane.h"

/* The lanes of one run: one thread each, started together, watched, added up. */
struct lanes {
	struct lane_common c;
	struct lane *lane; /* w->jobs of them */
	pthread_t *threads;
	uint32_t n, started;
	pthread_mutex_t lock;      /* of the four below */
	pthread_cond_t changed;
	uint32_t ready, gone;      /* queues open or not to be had; of them, not to be had */
	bool go;
	int done_fd;               /* readable once a lane is done: eventfd(2) */
	int64_t asked_ns;          /* when they were to start: c.go_ns is later where the order came late */
	int64_t wall_offset_ns, wall_error_ns; /* clock_offset_ns at the start */
	int64_t *changed_ns;       /* watch: when each lane's counters were last seen to move */
	uint64_t *seen;
	struct iow_error error;    /* of the first queue that did not open */
};

/* `l->c` is filled in by the caller (w, drv, target, info, offset, length, seed). Makes the lanes and
 * their threads, which open their queues. On failure nothing is left. */
int lanes_start(struct lanes *l, struct iow_error *e);
/* All issue their first I/O at `at_ns` of CLOCK_MONOTONIC; 0: soon. */
void lanes_go(struct lanes *l, int64_t at_ns);
void lanes_stop(struct lanes *l);
bool lanes_done(const struct lanes *l);
void lanes_progress(const struct lanes *l, uint64_t *bytes, uint64_t *ios);
/* A lane whose I/O has passed its deadline without any sign of life: true, and `why` names I/O, place in
 * the kernel and its stack where readable. Ask a few times a second. */
bool lanes_hung(struct lanes *l, char *why, size_t size);
/* Appends "; waits in WCHAN; stack A < B" of a thread of this process, as far as it can be read. */
void lanes_kernel_place(int tid, struct buf *b);
/* After lanes_done (or lanes_hung, for what there is): fills counters, latencies, use of processors, clock and
 * status of `r`; samples are new. `hung`: text of lanes_hung or NULL. */
void lanes_result(struct lanes *l, const char *hung, struct run *r, json_t **samples);
/* Joins the threads; not after lanes_hung. */
void lanes_release(struct lanes *l);

#endif
