/* SPDX-License-Identifier: Apache-2.0 */
/* Moves nothing: what is left is the cost of the harness itself, the ceiling of every run. */
#include <iowitness/driver.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct conf {
	uint64_t size;
};

struct target {
	uint64_t size;
};

struct queue {
	uint32_t depth, in_flight, first; /* a ring: first in, first out */
	struct iow_io *ios[];
};

static const struct iow_key keys[] = {
	{ .name = "size", .type = IOW_KEY_BYTES, .flags = IOW_KEY_AXIS, .offset = offsetof(struct conf, size),
	  .def = "1TiB", .min = 4096, .max = INT64_MAX, .help = "Bytes that may be addressed" },
	{ .name = NULL },
};

static void *null_open(const struct iow_host *h, const struct iow_open *o, struct iow_error *e)
{
	const struct conf *c = o->conf;
	struct target *t = calloc(1, sizeof *t);

	if (t)
		t->size = c->size;
	else if (e)
		e->err = ENOMEM;
	return t;
}

static int null_info(void *target, struct iow_info *i, struct iow_error *e)
{
	const struct target *t = target;

	i->bytes = t->size;
	i->offset_align = i->buffer_align = 1;
	i->max_depth = 4096;
	i->ops = IOW_CAP_READ | IOW_CAP_WRITE | IOW_CAP_TRIM | IOW_CAP_FLUSH;
	i->fd = -1;
	return 0;
}

static void null_close(void *target)
{
	free(target);
}

static int null_settle(void *target, const struct iow_settle *s, struct iow_residency *r, struct iow_error *e)
{
	r->method = 3;
	strcpy(r->how, "null has no cache");
	return 0;
}

static void *null_queue_open(void *target, const struct iow_queue *q, struct iow_error *e)
{
	struct queue *n = calloc(1, sizeof *n + q->depth * sizeof *n->ios);

	if (n)
		n->depth = q->depth;
	else if (e)
		e->err = ENOMEM;
	return n;
}

static void null_queue_close(void *queue)
{
	free(queue);
}

static void null_io(void *queue, struct iow_io *io)
{
	io->res = io->len;
}

static int null_submit(void *queue, struct iow_io *const *ios, uint32_t n)
{
	struct queue *q = queue;
	uint32_t done = 0, at = q->first + q->in_flight;

	if (at >= q->depth)
		at -= q->depth;
	for (; done < n && q->in_flight < q->depth; done++, q->in_flight++) {
		q->ios[at] = ios[done];
		if (++at == q->depth)
			at = 0;
	}
	return (int)done;
}

static int null_reap(void *queue, struct iow_io **done, uint32_t min, uint32_t max, int64_t timeout_ns)
{
	struct queue *q = queue;
	uint32_t n = 0;

	for (; n < max && q->in_flight; n++, q->in_flight--) {
		done[n] = q->ios[q->first];
		done[n]->res = done[n]->len;
		if (++q->first == q->depth)
			q->first = 0;
	}
	return (int)n;
}

static const struct iow_driver driver = {
	.abi = IOW_ABI,
	.size = sizeof(struct iow_driver),
	.key_size = sizeof(struct iow_key),
	.conf_size = sizeof(struct conf),
	.name = "null",
	.version = "1",
	.summary = "moves nothing and returns at once: the cost of the harness alone",
	.keys = keys,
	.caps = IOW_CAP_READ | IOW_CAP_WRITE | IOW_CAP_TRIM | IOW_CAP_FLUSH | IOW_CAP_DSYNC | IOW_CAP_SYNC |
		IOW_CAP_ASYNC | IOW_CAP_NO_DATA,
	.open = null_open,
	.info = null_info,
	.close = null_close,
	.settle = null_settle,
	.queue_open = null_queue_open,
	.queue_close = null_queue_close,
	.io = null_io,
	.submit = null_submit,
	.reap = null_reap,
};

const struct iow_driver *iow_driver_1(void)
{
	return &driver;
}
