/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/aio.h"
#include "lib/fail.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Head of the ring at the address that io_setup gives; stable since Linux 2.6. */
struct ring {
	unsigned id, size;
	unsigned head;
	_Atomic unsigned tail;
	unsigned magic, compat, incompat, header;
	struct io_event events[];
};
#define RING_MAGIC 0xa10a10a1u

struct queue {
	const struct node *n;
	aio_context_t ctx;
	struct ring *ring; /* NULL: of a form not known, ask the kernel */
	uint32_t depth, in_flight;
	uint32_t n_own;    /* completions that the kernel never saw */
	struct iow_io **own;
	struct io_event *events;
	struct iocb *cbs[];
};

void *aio_queue_open(void *target, const struct iow_queue *q, struct iow_error *e)
{
	struct queue *a = calloc(1, sizeof *a + q->depth * sizeof *a->cbs);
	struct ring *ring;

	if (!a)
		goto no_memory;
	a->own = calloc(q->depth, sizeof *a->own);
	a->events = calloc(q->depth, sizeof *a->events);
	if (!a->own || !a->events)
		goto no_memory;
	a->n = target;
	a->depth = q->depth;
	if (syscall(SYS_io_setup, q->depth, &a->ctx) != 0) {
		fail(e, errno, "io_setup for %u I/Os (see /proc/sys/fs/aio-max-nr)", q->depth);
		goto out;
	}
	ring = (struct ring *)a->ctx;
	if (ring->magic == RING_MAGIC && ring->incompat == 0 && ring->header == sizeof *ring)
		a->ring = ring;
	return a;
no_memory:
	fail(e, ENOMEM, "a queue of %u", q->depth);
out:
	if (a) {
		free(a->own);
		free(a->events);
	}
	free(a);
	return NULL;
}

void aio_queue_close(void *queue)
{
	struct queue *a = queue;

	syscall(SYS_io_destroy, a->ctx);
	free(a->own);
	free(a->events);
	free(a);
}

static const uint16_t commands[] = {
	[IOW_OP_READ] = IOCB_CMD_PREAD,
	[IOW_OP_WRITE] = IOCB_CMD_PWRITE,
	[IOW_OP_FLUSH] = IOCB_CMD_FDSYNC,
};

static void prepare(const struct queue *a, struct iocb *cb, const struct iow_io *io)
{
	cb->aio_data = (uint64_t)(uintptr_t)io;
	cb->aio_lio_opcode = commands[io->op];
	cb->aio_fildes = (uint32_t)a->n->fd;
	if (io->op == IOW_OP_FLUSH)
		return;
	cb->aio_buf = (uint64_t)(uintptr_t)io->buf;
	cb->aio_nbytes = io->len;
	cb->aio_offset = (int64_t)io->offset;
}

/* Done here and now; it comes back from the next reap. */
static void complete_own(struct queue *a, struct iow_io *io, int64_t res)
{
	io->res = res;
	a->own[a->n_own++] = io;
	a->in_flight++;
}

int aio_submit(void *queue, struct iow_io *const *ios, uint32_t n)
{
	struct queue *a = queue;
	uint32_t k = 0;
	long took;

	if (n > a->depth - a->in_flight)
		n = a->depth - a->in_flight;
	for (; k < n && ios[k]->op != IOW_OP_TRIM; k++) {
		a->cbs[k] = ios[k]->priv;
		prepare(a, a->cbs[k], ios[k]);
	}
	if (k == 0 && n) {
		int res = node_trim(a->n, ios[0]->offset, ios[0]->len);

		complete_own(a, ios[0], res == 0 ? (int64_t)ios[0]->len : res);
		return 1;
	}
	if (k == 0)
		return 0;
	took = syscall(SYS_io_submit, a->ctx, (long)k, a->cbs);
	if (took >= 0) {
		a->in_flight += (uint32_t)took;
		return (int)took;
	}
	if (errno == EAGAIN || errno == EINTR)
		return 0;
	complete_own(a, ios[0], -errno);
	return 1;
}

static uint32_t take_own(struct queue *a, struct iow_io **done, uint32_t max)
{
	uint32_t n = 0;

	while (n < max && a->n_own)
		done[n++] = a->own[--a->n_own];
	return n;
}

static inline struct iow_io *finish(const struct io_event *ev)
{
	struct iow_io *io = (struct iow_io *)(uintptr_t)ev->data;

	io->res = ev->res;
	return io;
}

static uint32_t take_ring(struct ring *r, struct iow_io **done, uint32_t max)
{
	unsigned head = r->head;
	const unsigned tail = atomic_load_explicit(&r->tail, memory_order_acquire);
	uint32_t n = 0;

	while (n < max && head != tail) {
		done[n++] = finish(&r->events[head]);
		if (++head >= r->size)
			head = 0;
	}
	if (n) {
		atomic_thread_fence(memory_order_release);
		*(volatile unsigned *)&r->head = head;
	}
	return n;
}

static int wait_kernel(struct queue *a, struct iow_io **done, uint32_t min, uint32_t max, int64_t timeout_ns)
{
	struct timespec ts = { .tv_sec = timeout_ns / 1000000000, .tv_nsec = timeout_ns % 1000000000 };
	long got;

	if (max > a->depth)
		max = a->depth;
	got = syscall(SYS_io_getevents, a->ctx, (long)min, (long)max, a->events, timeout_ns < 0 ? NULL : &ts);
	if (got < 0)
		return errno == EINTR ? 0 : -errno;
	for (long i = 0; i < got; i++)
		done[i] = finish(&a->events[i]);
	return (int)got;
}

int aio_reap(void *queue, struct iow_io **done, uint32_t min, uint32_t max, int64_t timeout_ns)
{
	struct queue *a = queue;
	uint32_t n = a->n_own ? take_own(a, done, max) : 0;
	int got;

	if (a->ring && n < max)
		n += take_ring(a->ring, done + n, max - n);
	if (n < min || (!a->ring && n < max)) {
		got = wait_kernel(a, done + n, n < min ? min - n : 0, max - n, timeout_ns);
		if (got < 0 && !n)
			return got;
		n += got > 0 ? (uint32_t)got : 0;
	}
	a->in_flight -= n;
	return (int)n;
}
