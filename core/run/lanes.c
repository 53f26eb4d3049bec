/* SPDX-License-Identifier: Apache-2.0 */
#include "run/lanes.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct start {
	struct lanes *all;
	struct lane *lane;
};

/* Says that this lane is ready, or why not, and sleeps until it may go; false: it may not. */
static bool wait_for_go(struct lanes *l, const struct iow_error *error)
{
	bool go;

	pthread_mutex_lock(&l->lock);
	l->ready++;
	if (error && l->gone++ == 0)
		l->error = *error;
	pthread_cond_broadcast(&l->changed);
	while (!l->go && !error)
		pthread_cond_wait(&l->changed, &l->lock);
	go = !l->gone;
	pthread_mutex_unlock(&l->lock);
	return go;
}

static void *lane_thread(void *arg)
{
	const struct start s = *(struct start *)arg;
	struct iow_error e = ERR_INIT;
	const uint64_t one = 1;

	free(arg);
	if (lane_open(s.lane, &e) != 0) {
		wait_for_go(s.all, &e);
		return NULL;
	}
	if (!wait_for_go(s.all, NULL)) {
		s.lane->c->drv->queue_close(s.lane->queue);
		return NULL;
	}
	lane_run(s.lane);
	if (write(s.all->done_fd, &one, sizeof one) < 0) {
		/* It only wakes who looks at the lanes anyway. */
	}
	return NULL;
}

static void let_go(struct lanes *l)
{
	pthread_mutex_lock(&l->lock);
	l->go = true;
	pthread_cond_broadcast(&l->changed);
	pthread_mutex_unlock(&l->lock);
}

static void join(struct lanes *l)
{
	for (uint32_t i = 0; i < l->started; i++)
		pthread_join(l->threads[i], NULL);
	l->started = 0;
}

static int start_threads(struct lanes *l, struct iow_error *e)
{
	int err = 0;

	for (uint32_t i = 0; i < l->n && !err; i++) {
		struct start *s = mem_alloc(sizeof *s);

		*s = (struct start){ l, &l->lane[i] };
		err = pthread_create(&l->threads[i], NULL, lane_thread, s);
		if (err)
			free(s);
		else
			l->started++;
	}
	pthread_mutex_lock(&l->lock);
	while (l->ready < l->started)
		pthread_cond_wait(&l->changed, &l->lock);
	if (err)
		l->gone++;
	pthread_mutex_unlock(&l->lock);
	if (err)
		return err_sys(e, err, "thread of job %u", l->started);
	return l->gone ? err_set(e, l->error.err, "%s", l->error.text) : 0;
}

int lanes_start(struct lanes *l, struct iow_error *e)
{
	uint32_t made = 0;

	l->n = (uint32_t)l->c.w->jobs;
	l->started = 0;
	atomic_store(&l->c.stop, false);
	pthread_mutex_init(&l->lock, NULL);
	pthread_cond_init(&l->changed, NULL);
	l->done_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	l->lane = mem_array(l->n, sizeof *l->lane);
	l->threads = mem_array(l->n, sizeof *l->threads);
	l->changed_ns = mem_array(l->n, sizeof *l->changed_ns);
	l->seen = mem_array(l->n, sizeof *l->seen);
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
	let_go(l);
	join(l);
	l->n = made;
	lanes_release(l);
	return -1;
}

void lanes_go(struct lanes *l, int64_t at_ns)
{
	const int64_t now = clock_mono_ns();

	l->c.go_ns = at_ns > now ? at_ns : now + NS_PER_MS;
	l->asked_ns = at_ns > 0 ? at_ns : l->c.go_ns;
	l->wall_offset_ns = clock_offset_ns(&l->wall_error_ns);
	for (uint32_t i = 0; i < l->n; i++)
		l->changed_ns[i] = l->c.go_ns;
	let_go(l);
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

void lanes_kernel_place(int tid, struct buf *b)
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
		struct oldest s;

		if (atomic_load(&lane->done) || seen != l->seen[i] || !most) {
			l->seen[i] = seen;
			l->changed_ns[i] = now;
			continue;
		}
		if (now - l->changed_ns[i] <= most || !lane_oldest(lane, &s))
			continue;
		buf_printf(&b, "job %u: %s of %u bytes at offset %llu did not return within %lld ms", i,
			   latency_class_name(s.op), s.len, (unsigned long long)s.offset,
			   (long long)(most / NS_PER_MS));
		lanes_kernel_place(lane->tid, &b);
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
	if (l->done_fd >= 0)
		close(l->done_fd);
	pthread_cond_destroy(&l->changed);
	pthread_mutex_destroy(&l->lock);
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
