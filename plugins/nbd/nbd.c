/* SPDX-License-Identifier: Apache-2.0 */
/* Reads from a network block device by its URI, through libnbd; each queue has a connection of its own.
 * Reading only: no guard can say what lies on an export of another machine. */
#include "lib/fail.h"

#include <errno.h>
#include <libnbd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct conf {
	const char *uri;
	uint64_t size;
};

struct target {
	struct nbd_handle *h;
	const char *uri;
	uint64_t bytes;
};

struct queue {
	struct nbd_handle *h;
	uint32_t depth, in_flight, n_done;
	struct iow_io *done[];
};

static const struct iow_key keys[] = {
	{ .name = "uri", .type = IOW_KEY_STRING, .flags = IOW_KEY_REQUIRED, .offset = offsetof(struct conf, uri),
	  .help = "NBD URI: nbd://HOST/EXPORT, nbd+unix:///EXPORT?socket=PATH" },
	{ .name = "size", .type = IOW_KEY_BYTES, .flags = IOW_KEY_AXIS, .offset = offsetof(struct conf, size),
	  .def = "0", .min = 0, .max = INT64_MAX, .help = "Bytes to use of it; 0: all" },
	{ .name = NULL },
};

static int nbd_fail(struct iow_error *e, const char *uri)
{
	const char *words = nbd_get_error();

	fail(e, 0, "%s: %s", uri, words ? words : "unknown error");
	if (e)
		e->err = nbd_get_errno();
	return -1;
}

static struct nbd_handle *join(const char *uri, struct iow_error *e)
{
	struct nbd_handle *h = nbd_create();

	/* Without strict checks of each command: the harness keeps to size and alignment. */
	if (h && nbd_set_pread_initialize(h, false) == 0 && nbd_connect_uri(h, uri) == 0 &&
	    nbd_set_strict_mode(h, 0) == 0)
		return h;
	nbd_fail(e, uri);
	if (h)
		nbd_close(h);
	return NULL;
}

static void *nbd_driver_open(const struct iow_host *host, const struct iow_open *o, struct iow_error *e)
{
	const struct conf *c = o->conf;
	struct target *t = calloc(1, sizeof *t);
	int64_t bytes;

	if (!t) {
		fail(e, ENOMEM, "%s", c->uri);
		return NULL;
	}
	t->uri = c->uri;
	t->h = join(c->uri, e);
	if (!t->h)
		goto out;
	bytes = nbd_get_size(t->h);
	if (bytes < 0) {
		nbd_fail(e, c->uri);
		goto out_close;
	}
	t->bytes = c->size ? c->size : (uint64_t)bytes;
	if (t->bytes <= (uint64_t)bytes) {
		host->fact(host->ctx, "NBD protocol", nbd_get_protocol(t->h) ? nbd_get_protocol(t->h) : "unknown");
		return t;
	}
	fail(e, EFBIG, "%s has %lld bytes and \"size\" says %llu", c->uri, (long long)bytes,
	     (unsigned long long)c->size);
out_close:
	nbd_close(t->h);
out:
	free(t);
	return NULL;
}

static uint32_t block_size(const struct target *t, int which, uint32_t unknown)
{
	int64_t n = nbd_get_block_size(t->h, which);

	return n > 0 && n <= 1 << 30 ? (uint32_t)n : unknown;
}

static int nbd_driver_info(void *target, struct iow_info *i, struct iow_error *e)
{
	const struct target *t = target;

	i->bytes = t->bytes;
	i->offset_align = block_size(t, LIBNBD_SIZE_MINIMUM, 512);
	i->buffer_align = 1;
	i->max_io = block_size(t, LIBNBD_SIZE_MAXIMUM, 32 << 20);
	i->max_depth = 1024;
	i->ops = IOW_CAP_READ;
	snprintf(i->path, sizeof i->path, "%s", t->uri);
	return 0;
}

static void nbd_driver_close(void *target)
{
	struct target *t = target;

	nbd_shutdown(t->h, 0);
	nbd_close(t->h);
	free(t);
}

static int nbd_driver_settle(void *target, const struct iow_settle *s, struct iow_residency *r, struct iow_error *e)
{
	snprintf(r->how, sizeof r->how, "the server's cache is out of reach");
	return 0;
}

static void *nbd_driver_queue_open(void *target, const struct iow_queue *q, struct iow_error *e)
{
	const struct target *t = target;
	struct queue *n = calloc(1, sizeof *n + q->depth * sizeof *n->done);

	if (!n) {
		fail(e, ENOMEM, "a queue of %u", q->depth);
		return NULL;
	}
	n->depth = q->depth;
	n->h = join(t->uri, e);
	if (n->h)
		return n;
	free(n);
	return NULL;
}

static void nbd_driver_queue_close(void *queue)
{
	struct queue *n = queue;

	nbd_shutdown(n->h, 0);
	nbd_close(n->h);
	free(n);
}

struct waiting {
	struct queue *q;
	struct iow_io *io;
};

static int on_done(void *user, int *error)
{
	struct waiting *w = user;

	w->io->res = *error ? -*error : (int64_t)w->io->len;
	w->q->done[w->q->n_done++] = w->io;
	return 1; /* forget the command */
}

static int nbd_driver_submit(void *queue, struct iow_io *const *ios, uint32_t n)
{
	struct queue *q = queue;
	uint32_t k = 0;

	for (; k < n && q->in_flight < q->depth; k++, q->in_flight++) {
		struct waiting *w = ios[k]->priv;
		const nbd_completion_callback cb = { .callback = on_done, .user_data = w };

		*w = (struct waiting){ q, ios[k] };
		if (nbd_aio_pread(q->h, ios[k]->buf, ios[k]->len, ios[k]->offset, cb, 0) >= 0)
			continue;
		ios[k]->res = nbd_get_errno() ? -nbd_get_errno() : -EIO;
		q->done[q->n_done++] = ios[k];
	}
	return (int)k;
}

static int nbd_driver_reap(void *queue, struct iow_io **done, uint32_t min, uint32_t max, int64_t timeout_ns)
{
	struct queue *q = queue;
	const int ms = timeout_ns < 0 ? -1 : (int)((timeout_ns + 999999) / 1000000);
	uint32_t n = 0;

	do {
		int got = nbd_poll(q->h, q->n_done < min ? ms : 0);

		if (got < 0 && !q->n_done)
			return nbd_get_errno() ? -nbd_get_errno() : -EIO;
		if (got <= 0)
			break;
	} while (q->n_done < min);
	while (n < max && q->n_done)
		done[n++] = q->done[--q->n_done];
	q->in_flight -= n;
	return (int)n;
}

static const struct iow_driver driver = {
	.abi = IOW_ABI,
	.size = sizeof(struct iow_driver),
	.key_size = sizeof(struct iow_key),
	.conf_size = sizeof(struct conf),
	.io_priv = sizeof(struct waiting),
	.name = "nbd",
	.version = "1",
	.summary = "reads from a network block device by its URI, through libnbd",
	.keys = keys,
	.caps = IOW_CAP_READ | IOW_CAP_ASYNC | IOW_CAP_FOREIGN_HOT,
	.open = nbd_driver_open,
	.info = nbd_driver_info,
	.close = nbd_driver_close,
	.settle = nbd_driver_settle,
	.queue_open = nbd_driver_queue_open,
	.queue_close = nbd_driver_queue_close,
	.submit = nbd_driver_submit,
	.reap = nbd_driver_reap,
};

const struct iow_driver *iow_driver_1(void)
{
	return &driver;
}
