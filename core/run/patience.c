/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "base/mem.h"
#include "run/child.h"
#include "run/lanes.h"
#include "run/layout.h"
#include "run/target.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct patience {
	struct target *t;
	int64_t deadline_ns;
	void (*hung)(void *ctx, const char *why);
	void (*moved)(void *ctx); /* NULL: nobody wants to know */
	void *ctx;
	uint64_t written;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool over;
};

/* A large file takes as long as it takes: who waits for it is told that it grows. */
static void look_at_file(struct patience *p)
{
	const uint64_t written = layout_written();

	if (p->moved && written != p->written)
		p->moved(p->ctx);
	p->written = written;
}

static void look(struct patience *p)
{
	const int64_t since = atomic_load(&p->t->asked_ns);
	const char *what = atomic_load(&p->t->asked_for);
	const bool reads = what && strcmp(what, "a read") == 0;
	const int64_t most = p->deadline_ns * (reads ? 1 : 10);
	struct buf b = BUF_INIT;

	look_at_file(p);
	if (!since || !most || clock_mono_ns() - since <= most)
		return;
	buf_printf(&b, "while preparing, %s", what);
	if (reads)
		buf_printf(&b, " at offset %llu", (unsigned long long)atomic_load(&p->t->asked_at));
	buf_printf(&b, " did not return within %lld ms", (long long)(most / NS_PER_MS));
	lanes_kernel_place(getpid(), &b);
	p->hung(p->ctx, buf_str(&b));
}

static void *watch(void *arg)
{
	struct patience *p = arg;
	struct timespec until;

	pthread_mutex_lock(&p->lock);
	while (!p->over) {
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += 200 * NS_PER_MS;
		until.tv_sec += until.tv_nsec / NS_PER_S;
		until.tv_nsec %= NS_PER_S;
		pthread_cond_timedwait(&p->wake, &p->lock, &until);
		if (!p->over)
			look(p);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

struct patience *patience_new(struct target *t, int64_t deadline_ns, void (*hung)(void *ctx, const char *why),
			      void (*moved)(void *ctx), void *ctx)
{
	struct patience *p = mem_alloc(sizeof *p);

	p->t = t;
	p->deadline_ns = deadline_ns;
	p->hung = hung;
	p->moved = moved;
	p->ctx = ctx;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->wake, NULL);
	if (pthread_create(&p->thread, NULL, watch, p) == 0)
		return p;
	free(p);
	return NULL;
}

void patience_free(struct patience *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->over = true;
	pthread_cond_signal(&p->wake);
	pthread_mutex_unlock(&p->lock);
	pthread_join(p->thread, NULL);
	pthread_cond_destroy(&p->wake);
	pthread_mutex_destroy(&p->lock);
	free(p);
}
