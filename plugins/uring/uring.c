/* SPDX-License-Identifier: Apache-2.0 */
/* Files and devices with O_DIRECT through io_uring. */
#include "lib/dpath.h"
#include "lib/fail.h"
#include "lib/node.h"

#include <dirent.h>
#include <errno.h>
#include <liburing.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct conf {
	struct dpath_conf d; /* first: dpath_open reads it */
	uint8_t fixed;
};

struct target {
	struct node *n; /* first: dpath_info and dpath_settle are given n */
	const struct iow_host *host;
	uint8_t fixed;
};

struct queue {
	struct io_uring ring;
	const struct target *t;
	uint32_t depth, in_flight;
	uint8_t fixed;
};

static const struct iow_key keys[] = {
	{ .name = "path", .type = IOW_KEY_STRING, .flags = IOW_KEY_REQUIRED | IOW_KEY_FILE | IOW_KEY_DEVICE,
	  .offset = offsetof(struct dpath_conf, path), .help = "The file or device" },
	DPATH_SIZE_KEY,
	{ .name = "fixed", .type = IOW_KEY_BOOL, .flags = IOW_KEY_AXIS, .offset = offsetof(struct conf, fixed),
	  .def = "true", .help = "Register the buffers with the kernel; needs room under the limit of locked memory" },
	{ .name = NULL },
};

static void *uring_open(const struct iow_host *h, const struct iow_open *o, struct iow_error *e)
{
	const struct conf *c = o->conf;
	struct target *t = calloc(1, sizeof *t);

	if (!t) {
		fail(e, ENOMEM, "%s", c->d.path);
		return NULL;
	}
	t->host = h;
	t->fixed = c->fixed;
	t->n = dpath_open(o, DPATH_BOTH, e);
	if (t->n)
		return t;
	free(t);
	return NULL;
}

static int uring_info(void *target, struct iow_info *i, struct iow_error *e)
{
	struct target *t = target;

	if (dpath_info(t->n, i, e) != 0)
		return -1;
	i->ops &= ~(uint64_t)IOW_CAP_TRIM;
	return 0;
}

static void uring_close(void *target)
{
	struct target *t = target;

	dpath_close(t->n);
	free(t);
}

static int uring_settle(void *target, const struct iow_settle *s, struct iow_residency *r, struct iow_error *e)
{
	return dpath_settle(((struct target *)target)->n, s, r, e);
}

static int set_up(struct queue *u, const struct iow_queue *q, struct iow_error *e)
{
	/* Completions are finished in this thread's own calls, not by interrupting it: Linux 6.1. */
	struct io_uring_params p = {
		.flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_COOP_TASKRUN | IORING_SETUP_DEFER_TASKRUN,
	};
	struct iovec buffers = { q->buffers, q->buffers_len };
	int err = io_uring_queue_init_params(q->depth, &u->ring, &p);

	if (err == -EINVAL) { /* an older one does without */
		memset(&p, 0, sizeof p);
		err = io_uring_queue_init_params(q->depth, &u->ring, &p);
	}
	if (err < 0)
		return fail(e, -err, "io_uring with %u entries", q->depth);
	err = io_uring_register_files(&u->ring, &u->t->n->fd, 1);
	if (err < 0) {
		io_uring_queue_exit(&u->ring);
		return fail(e, -err, "registering the file with io_uring");
	}
	err = u->fixed ? io_uring_register_buffers(&u->ring, &buffers, 1) : 0;
	if (err < 0) {
		io_uring_queue_exit(&u->ring);
		return fail(e, -err, "registering %llu bytes of buffers (\"fixed\": false does without)",
			    (unsigned long long)q->buffers_len);
	}
	return 0;
}

static void *uring_queue_open(void *target, const struct iow_queue *q, struct iow_error *e)
{
	struct queue *u = calloc(1, sizeof *u);

	if (!u) {
		fail(e, ENOMEM, "a queue of %u", q->depth);
		return NULL;
	}
	u->t = target;
	u->depth = q->depth;
	u->fixed = u->t->fixed;
	if (set_up(u, q, e) == 0)
		return u;
	free(u);
	return NULL;
}

/* Threads of the kernel that do what could not be done without waiting. */
static void tell_workers(const struct iow_host *h)
{
	DIR *d = opendir("/proc/self/task");
	struct dirent *de;
	char path[300], comm[32], text[32];
	unsigned n = 0;

	while (d && (de = readdir(d))) {
		FILE *f;

		snprintf(path, sizeof path, "/proc/self/task/%s/comm", de->d_name);
		f = fopen(path, "re");
		if (f && fgets(comm, sizeof comm, f))
			n += strncmp(comm, "iou-wrk", 7) == 0;
		if (f)
			fclose(f);
	}
	if (d)
		closedir(d);
	snprintf(text, sizeof text, "%u", n);
	if (h && h->fact)
		h->fact(h->ctx, "io_uring worker threads at the end of a run", text);
}

static void uring_queue_close(void *queue)
{
	struct queue *u = queue;

	tell_workers(u->t->host);
	io_uring_queue_exit(&u->ring);
	free(u);
}

static void prepare(const struct queue *u, struct io_uring_sqe *sqe, struct iow_io *io)
{
	if (io->op == IOW_OP_FLUSH)
		io_uring_prep_fsync(sqe, 0, IORING_FSYNC_DATASYNC);
	else if (io->op == IOW_OP_READ && u->fixed)
		io_uring_prep_read_fixed(sqe, 0, io->buf, io->len, io->offset, 0);
	else if (io->op == IOW_OP_READ)
		io_uring_prep_read(sqe, 0, io->buf, io->len, io->offset);
	else if (u->fixed)
		io_uring_prep_write_fixed(sqe, 0, io->buf, io->len, io->offset, 0);
	else
		io_uring_prep_write(sqe, 0, io->buf, io->len, io->offset);
	sqe->flags |= IOSQE_FIXED_FILE;
	io_uring_sqe_set_data(sqe, io);
}

static int uring_submit(void *queue, struct iow_io *const *ios, uint32_t n)
{
	struct queue *u = queue;
	uint32_t k = 0;

	if (n > u->depth - u->in_flight)
		n = u->depth - u->in_flight;
	for (; k < n; k++) {
		struct io_uring_sqe *sqe = io_uring_get_sqe(&u->ring);

		if (!sqe)
			break;
		prepare(u, sqe, ios[k]);
	}
	/* What the kernel does not take now stays in the ring and goes with the next call. The same call finishes
	 * what is done already: the next reap then finds it without one of its own. */
	if (k)
		io_uring_submit_and_get_events(&u->ring);
	u->in_flight += k;
	return (int)k;
}

static uint32_t take(struct queue *u, struct iow_io **done, uint32_t max)
{
	struct io_uring_cqe *cqe;
	unsigned head;
	uint32_t n = 0;

	io_uring_for_each_cqe(&u->ring, head, cqe) {
		if (n == max)
			break;
		done[n] = io_uring_cqe_get_data(cqe);
		done[n++]->res = cqe->res;
	}
	io_uring_cq_advance(&u->ring, n);
	return n;
}

static int uring_reap(void *queue, struct iow_io **done, uint32_t min, uint32_t max, int64_t timeout_ns)
{
	struct queue *u = queue;
	struct __kernel_timespec ts = { .tv_sec = timeout_ns / 1000000000, .tv_nsec = timeout_ns % 1000000000 };
	struct io_uring_cqe *cqe;
	uint32_t n = take(u, done, max);
	int err;

	if (n < min) {
		err = timeout_ns < 0 ? io_uring_submit_and_wait(&u->ring, min - n)
				     : io_uring_submit_and_wait_timeout(&u->ring, &cqe, min - n, &ts, NULL);
		if (err < 0 && err != -ETIME && err != -EINTR && err != -EAGAIN && !n)
			return err;
		n += take(u, done + n, max - n);
	} else if (min == 0 && n == 0) {
		io_uring_submit_and_get_events(&u->ring);
		n = take(u, done, max);
	}
	u->in_flight -= n;
	return (int)n;
}

/* Hands over and waits in one system call. */
static void uring_io(void *queue, struct iow_io *io)
{
	struct queue *u = queue;
	struct io_uring_sqe *sqe = io_uring_get_sqe(&u->ring);
	struct iow_io *done;
	int err;

	if (!sqe) { /* one that the kernel never took lies in it */
		io->res = -EBUSY;
		return;
	}
	prepare(u, sqe, io);
	do {
		err = io_uring_submit_and_wait(&u->ring, 1);
		if (take(u, &done, 1))
			return;
	} while (err >= 0 || err == -EINTR || err == -EAGAIN);
	io->res = err;
}

static const struct iow_driver driver = {
	.abi = IOW_ABI,
	.size = sizeof(struct iow_driver),
	.key_size = sizeof(struct iow_key),
	.conf_size = sizeof(struct conf),
	.name = "uring",
	.version = "1",
	.summary = "files and devices past the page cache (O_DIRECT) through io_uring",
	.keys = keys,
	.caps = IOW_CAP_READ | IOW_CAP_WRITE | IOW_CAP_FLUSH | IOW_CAP_DSYNC | IOW_CAP_SYNC | IOW_CAP_DIRECT |
		IOW_CAP_ASYNC,
	.open = uring_open,
	.info = uring_info,
	.close = uring_close,
	.settle = uring_settle,
	.queue_open = uring_queue_open,
	.queue_close = uring_queue_close,
	.io = uring_io,
	.submit = uring_submit,
	.reap = uring_reap,
};

const struct iow_driver *iow_driver_1(void)
{
	return &driver;
}
