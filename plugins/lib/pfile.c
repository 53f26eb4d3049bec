/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/pfile.h"
#include "lib/fail.h"
#include "lib/node.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

struct pfile {
	struct node n;
	uint32_t flush;
};

static const char *const advice[] = { "normal", "sequential", "random", NULL };
static const char *const flush[] = { "fdatasync", "fsync", NULL };

const struct iow_key pfile_keys[] = {
	{ .name = "path", .type = IOW_KEY_STRING, .flags = IOW_KEY_REQUIRED | IOW_KEY_FILE,
	  .offset = offsetof(struct pfile_conf, path), .help = "The file; made when it is not there and size is given" },
	{ .name = "size", .type = IOW_KEY_BYTES, .flags = IOW_KEY_AXIS, .offset = offsetof(struct pfile_conf, size),
	  .def = "0", .min = 0, .max = INT64_MAX, .help = "Bytes to use of it or to make; 0: all of an existing file" },
	{ .name = "advice", .type = IOW_KEY_CHOICE, .flags = IOW_KEY_AXIS, .offset = offsetof(struct pfile_conf, advice),
	  .def = "normal", .choices = advice, .help = "posix_fadvise of the whole file: steers the kernel's read-ahead" },
	{ .name = "flush", .type = IOW_KEY_CHOICE, .flags = IOW_KEY_AXIS, .offset = offsetof(struct pfile_conf, flush),
	  .def = "fdatasync", .choices = flush, .help = "What a flush calls: fdatasync, or fsync with all metadata" },
	{ .name = NULL },
};

void *pfile_open(const struct iow_host *h, const struct iow_open *o, struct iow_error *e)
{
	static const int advices[] = { POSIX_FADV_NORMAL, POSIX_FADV_SEQUENTIAL, POSIX_FADV_RANDOM };
	const struct pfile_conf *c = o->conf;
	struct pfile *p;
	int err;

	if (o->flags & IOW_OPEN_DIRECT) {
		fail(e, EINVAL, "this driver goes through the page cache; use direct or raw");
		return NULL;
	}
	p = calloc(1, sizeof *p);
	if (!p) {
		fail(e, ENOMEM, "%s", c->path);
		return NULL;
	}
	p->flush = c->flush;
	if (node_open(&p->n, c->path, c->size, o->flags, e) != 0)
		goto out;
	if (o->flags & IOW_OPEN_WRITE && !p->n.regular) {
		fail(e, ENOTSUP, "%s is no regular file: devices are written by the driver raw only", c->path);
		goto out_close;
	}
	err = c->advice ? posix_fadvise(p->n.fd, 0, 0, advices[c->advice]) : 0;
	if (!err)
		return p;
	fail(e, err, "%s: advice %s", c->path, advice[c->advice]);
out_close:
	node_close(&p->n);
out:
	free(p);
	return NULL;
}

int pfile_info(void *target, struct iow_info *i, struct iow_error *e)
{
	const struct pfile *p = target;

	node_info(&p->n, i);
	i->max_depth = 1;
	return 0;
}

void pfile_close(void *target)
{
	struct pfile *p = target;

	node_close(&p->n);
	free(p);
}

int pfile_settle(void *target, const struct iow_settle *s, struct iow_residency *r, struct iow_error *e)
{
	const struct pfile *p = target;

	return node_settle(&p->n, s, r, e);
}

/* A queue has no state of its own: pread and pwrite take the offset with them. */
void *pfile_queue_open(void *target, const struct iow_queue *q, struct iow_error *e)
{
	return target;
}

void pfile_queue_close(void *queue)
{
}

void pfile_io(void *queue, struct iow_io *io)
{
	const struct pfile *p = queue;
	ssize_t got;

	switch (io->op) {
	case IOW_OP_READ:
		got = pread(p->n.fd, io->buf, io->len, (off_t)io->offset);
		break;
	case IOW_OP_WRITE:
		got = pwrite(p->n.fd, io->buf, io->len, (off_t)io->offset);
		break;
	case IOW_OP_FLUSH:
		got = p->flush ? fsync(p->n.fd) : fdatasync(p->n.fd);
		break;
	default:
		io->res = node_trim(&p->n, io->offset, io->len);
		io->res = io->res == 0 ? (int64_t)io->len : io->res;
		return;
	}
	io->res = got >= 0 ? got : -errno;
}
