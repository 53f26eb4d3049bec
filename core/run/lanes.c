/* SPDX-License-Identifier: Apache-2.0 */
#include "run/lanes.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct start {
	struct lanes *all;
	struct lane *lane;
};

static void *lane_thread(void *arg)
{
	struct start s = *(struct start *)arg;
	struct iow_error e = ERR_INIT;

	free(arg);
	if (lane_open(s.lane, &e) != 0) {
		if (atomic_fetch_add(&s.all->gone, 1) == 0)
			s.all->error = e;
		atomic_fetch_add(&s.all->ready, 1);
		return NULL;
	}
	atomic_fetch_add(&s.all->ready, 1);
	while (sem_wait(&s.all->gate) || !atomic_load(&s.all->go))
		;
	if (atomic_load(&s.all->gone)) {
		s.lane->c->drv->queue_close(s.lane->queue);
		return NULL;
	}
	lane_run(s.lane);
	return NULL;
}

/* Lanes sleep until then: a node with many waiting runs must not burn its processors. */
static void open_gate(struct lanes *l)
{
	atomic_store(&l->go, true);
	for (uint32_t i = 0; i < l->started; i++)
		sem_post(&l->gate);
}

static void join(struct lanes *l)
{
	for (uint32_t i = 0; i < l->started; i++)
		pthread_join(l->threads[i], NULL);
	l->started = 0;
}

static int start_threads(struct lanes *l, struct iow_error *e)
{
	for (uint32_t i = 0; i < l->n; i++) {
		struct start *s = mem_alloc(sizeof *s);
		int err;

		*s = (struct start){ l, &l->lane[i] };
		err = pthread_create(&l->threads[i], NULL, lane_thread, s);
		if (err) {
			free(s);
			atomic_fetch_add(&l->gone, 1);
			return err_sys(e, err, "thread of job %u", i);
		}
		l->started++;
	}
	while (atomic_load(&l->ready) < l->n)
		usleep(200);
	if (atomic_load(&l->gone))
		return err_set(e, l->error.err, "%s", l->error.text);
	return 0;
}

int lanes_start(struct lanes *l, struct iow_error *e)
{
	uint32_t made = 0;

	l->n = (uint32_t)l->c.w->jobs;
	l->started = 0;
	atomic_store(&l->c.stop, false);
	l->lane = mem_array(l->n, sizeof *l->lane);
	l->threads = mem_array(l->n, sizeof *l->threads);
	l->changed_ns = mem_array(l->n, sizeof *l->changed_ns);
	l->seen = mem_array(l->n, sizeof *l->seen);
	sem_init(&l->gate, 0, 0);
	tick_init(&l->c.tick);
	for (; made < l->n; made++)
		if (lane_init(&l->lane[made], &l->c, made, e) != 0)
			goto fail;
	if (start_threads(l, e) == 0) {
		tick_calibrate(&l->c.tick);
		return 0;
	}
fail:
	if (made < l->n)
		lane_release(&l->lane[made]);
	open_gate(l);
	join(l);
	l->n = made;
	lanes_release(l);
	return -1;
}

void lanes_go(struct lanes *l, int64_t at_ns)
{
	const int64_t now = clock_mono_ns();

	l->c.go_ns = at_ns > now ? at_ns : now + NS_PER_MS;
	l->wall_step_ns = clock_utc_ns() - clock_mono_ns();
	for (uint32_t i = 0; i < l->n; i++)
		l->changed_ns[i] = l->c.go_ns;
	open_gate(l);
}

void lanes_stop(struct lanes *l)
{
	atomic_store(&l->c.stop, true);
}

bool lanes_done(const struct lanes *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (!atomic_load(&l->lane[i].done))
			return false;
	return true;
}

void lanes_progress(const struct lanes *l, uint64_t *bytes, uint64_t *ios)
{
	*bytes = *ios = 0;
	for (uint32_t i = 0; i < l->n; i++) {
		*bytes += atomic_load_explicit(&l->lane[i].seen_bytes, memory_order_relaxed);
		*ios += atomic_load_explicit(&l->lane[i].seen_ios, memory_order_relaxed);
	}
}

/* "wchan folio_wait_bit_common; stack: a < b < c" as far as it can be read. */
static void kernel_place(int tid, struct buf *b)
{
	char path[64], line[160];
	struct buf stack = BUF_INIT;

	snprintf(path, sizeof path, "/proc/self/task/%d/wchan", tid);
	if (file_line(path, line, sizeof line) == 0 && *line && strcmp(line, "0") != 0)
		buf_printf(b, "; waits in %s", line);
	snprintf(path, sizeof path, "/proc/self/task/%d/stack", tid);
	if (file_read(path, &stack, 1 << 16, NULL) == 0 && stack.len) {
		const char *p = buf_str(&stack);

		for (int i = 0; i < 5 && (p = strstr(p, "] ")); i++) {
			p += 2;
			buf_printf(b, "%s%.*s", i ? " < " : "; stack ", (int)strcspn(p, "+\n"), p);
		}
	}
	buf_release(&stack);
}

bool lanes_hung(struct lanes *l, char *why, size_t size)
{
	const int64_t now = clock_mono_ns(), most = l->c.w->deadline_ns;

	for (uint32_t i = 0; i < l->n; i++) {
		struct lane *lane = &l->lane[i];
		uint64_t seen = atomic_load_explicit(&lane->seen_tick, memory_order_relaxed);
		struct buf b = BUF_INIT;
		struct slot s;

		if (atomic_load(&lane->done) || seen != l->seen[i] || !most) {
			l->seen[i] = seen;
			l->changed_ns[i] = now;
			continue;
		}
		if (now - l->changed_ns[i] <= most || !lane_oldest(lane, &s))
			continue;
		buf_printf(&b, "job %u: %s of %u bytes at offset %llu did not return within %lld ms", i,
			   latency_class_name(s.io.op), s.io.len, (unsigned long long)s.io.offset,
			   (long long)(most / NS_PER_MS));
		kernel_place(lane->tid, &b);
		snprintf(why, size, "%s", buf_str(&b));
		buf_release(&b);
		return true;
	}
	return false;
}

void lanes_release(struct lanes *l)
{
	join(l);
	for (uint32_t i = 0; i < l->n; i++)
		lane_release(&l->lane[i]);
	free(l->lane);
	free(l->threads);
	free(l->changed_ns);
	free(l->seen);
	l->lane = NULL;
	l->threads = NULL;
	l->changed_ns = NULL;
	l->seen = NULL;
	l->n = 0;
}
