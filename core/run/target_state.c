/* SPDX-License-Identifier: Apache-2.0 */
/* Caches and content of a target before a run. */
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "run/fill.h"
#include "run/target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SAMPLES 16u
#define SAMPLE_BYTES ((uint64_t)4096)
#define WARM_BYTES ((uint64_t)1 << 20)

/* A queue for one read at a time outside of any run. */
struct reader {
	struct target *t;
	const struct iow_driver *d;
	void *queue;
	char *buf;
	size_t len;
	struct iow_io io;
};

static int reader_open(struct reader *r, struct target *t, size_t len, struct iow_error *e)
{
	struct iow_queue q = { .size = sizeof q, .depth = 1, .batch = 1, .buffers_len = len };

	memset(r, 0, sizeof *r);
	r->t = t;
	r->d = &t->driver.d;
	r->len = len;
	if (posix_memalign((void **)&r->buf, 4096, len) != 0)
		return err_set(e, ENOMEM, "%zu bytes", len);
	r->io.priv = mem_alloc(r->d->io_priv + 16);
	q.buffers = r->buf;
	r->queue = r->d->queue_open(t->handle, &q, e);
	if (r->queue)
		return 0;
	free(r->buf);
	free(r->io.priv);
	return -1;
}

static void reader_close(struct reader *r)
{
	r->d->queue_close(r->queue);
	free(r->buf);
	free(r->io.priv);
}

static int hand_over(struct reader *r, struct iow_error *e)
{
	struct iow_io *io = &r->io, *done = NULL;

	if (r->d->io) {
		r->d->io(r->queue, io);
		return 0;
	}
	if (r->d->submit(r->queue, &io, 1) != 1)
		return err_set(e, EAGAIN, "driver %s accepts no I/O", r->d->name);
	while (!done)
		if (r->d->reap(r->queue, &done, 1, 1, -1) < 0)
			return err_set(e, EIO, "driver %s: its queue is broken", r->d->name);
	return 0;
}

static int reader_read(struct reader *r, uint64_t offset, uint32_t len, struct iow_error *e)
{
	struct iow_io *io = &r->io;
	int rc;

	io->buf = r->buf;
	io->offset = offset;
	io->len = len;
	io->op = IOW_OP_READ;
	target_asks(r->t, "a read", offset);
	rc = hand_over(r, e);
	target_answered(r->t);
	if (rc != 0)
		return -1;
	if (io->res == (int64_t)len)
		return 0;
	if (io->res < 0)
		return err_sys(e, (int)-io->res, "read of %u bytes at offset %llu", len, (unsigned long long)offset);
	return err_set(e, EIO, "read of %u bytes at offset %llu moved %lld only", len, (unsigned long long)offset,
		       (long long)io->res);
}

static bool moves_data(const struct target *t)
{
	return !(t->driver.d.caps & (IOW_CAP_NO_DATA | IOW_CAP_VIRTUAL_TIME)) && t->info.ops & IOW_CAP_READ;
}

static uint64_t aligned(const struct target *t, uint64_t n)
{
	const uint64_t a = t->info.offset_align ? t->info.offset_align : 1;

	return (n + a - 1) / a * a;
}

int target_sample(struct target *t, uint64_t offset, uint64_t length, int64_t *sampled, int64_t *weak,
		  struct iow_error *e)
{
	const uint64_t each = aligned(t, SAMPLE_BYTES);
	const uint64_t n = length / each < SAMPLES ? length / each : SAMPLES;
	struct reader r;
	int rc = 0;

	*sampled = *weak = 0;
	if (!moves_data(t) || !n)
		return 0;
	if (reader_open(&r, t, each, e) != 0)
		return -1;
	for (uint64_t i = 0; i < n && rc == 0; i++) {
		uint64_t at = offset + length / each * i / n * each;

		rc = reader_read(&r, at, (uint32_t)each, e);
		if (rc == 0) {
			++*sampled;
			*weak += fill_is_weak(r.buf, each);
		}
	}
	reader_close(&r);
	return rc;
}

int target_warm(struct target *t, uint64_t offset, uint64_t length, struct iow_error *e)
{
	const uint64_t unit = t->info.offset_align ? t->info.offset_align : 1;
	const uint64_t most = t->info.max_io && t->info.max_io < WARM_BYTES ? t->info.max_io / unit * unit : WARM_BYTES;
	struct reader r;
	int rc = 0;

	if (!moves_data(t) || !most)
		return 0;
	if (reader_open(&r, t, most, e) != 0)
		return -1;
	for (uint64_t at = 0; at < length && rc == 0; at += most) {
		uint64_t n = length - at < most ? (length - at) / unit * unit : most;

		rc = n ? reader_read(&r, offset + at, (uint32_t)n, e) : 0;
	}
	reader_close(&r);
	return rc;
}

static void drop_kernel_caches(void)
{
	int fd = geteuid() == 0 ? open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC) : -1;

	if (fd < 0)
		return;
	if (write(fd, "3", 1) != 1) {
		/* Not allowed in this container: what stays is measured anyway. */
	}
	close(fd);
}

int target_settle(struct target *t, uint64_t offset, uint64_t length, bool drop, struct run *r, struct iow_error *e)
{
	const struct iow_settle s = {
		.size = sizeof s,
		.flags = IOW_SETTLE_FLUSH | (drop ? IOW_SETTLE_DROP : 0),
		.offset = offset,
		.length = length,
	};
	struct iow_residency res = { .size = sizeof res };
	int rc;
	static const uint32_t method[] = { COLD_NONE, COLD_CACHESTAT, COLD_MINCORE, COLD_DRIVER };

	if (!t->driver.d.settle)
		return 0;
	if (drop)
		drop_kernel_caches();
	target_asks(t, "write-back and dropping of caches", offset);
	rc = t->driver.d.settle(t->handle, &s, &res, e);
	target_answered(t);
	if (rc != 0)
		return -1;
	if (drop && res.method < sizeof method / sizeof *method) {
		r->cold_method = method[res.method];
		r->resident_pages = res.method ? (int64_t)res.resident : -1;
		r->checked_pages = res.method ? (int64_t)res.pages : -1;
	}
	return 0;
}
