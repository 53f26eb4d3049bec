/* SPDX-License-Identifier: Apache-2.0 */
/* @NAME@: a driver for iowitness, to be changed into yours. Here it reads and writes a file.
 *
 * iowitness-driver(3) says what each call must do. Build it with make, then
 *
 *     iowitness driver check @NAME@.so --set path=FILE
 */
#include <iowitness/driver.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct conf { const char *path; };
struct target { int fd; };

static const struct iow_key keys[] = {
	{ .name = "path", .type = IOW_KEY_STRING, .flags = IOW_KEY_REQUIRED | IOW_KEY_FILE,
	  .offset = offsetof(struct conf, path), .help = "The file" },
	{ .name = NULL },
};

static int fail(struct iow_error *e, const char *place)
{
	e->err = errno;
	snprintf(e->text, sizeof e->text, "%s: %s", place, strerror(errno));
	return -1;
}

static void *file_open(const struct iow_host *h, const struct iow_open *o, struct iow_error *e)
{
	const struct conf *c = o->conf;
	struct target *t = malloc(sizeof *t);

	if (t && (t->fd = open(c->path, o->flags & IOW_OPEN_WRITE ? O_RDWR : O_RDONLY)) >= 0)
		return t;
	fail(e, c->path);
	free(t);
	return NULL;
}

static int file_info(void *target, struct iow_info *i, struct iow_error *e)
{
	const struct target *t = target;
	struct stat st;

	if (fstat(t->fd, &st) != 0)
		return fail(e, "looking at the file");
	if (!S_ISREG(st.st_mode))
		return errno = EINVAL, fail(e, "no regular file; a device needs IOW_KEY_DEVICE");
	i->rdev = st.st_dev;
	i->bytes = (uint64_t)st.st_size;
	i->ops = IOW_CAP_READ | IOW_CAP_WRITE | IOW_CAP_FLUSH;
	i->fd = t->fd;
	return 0;
}

static void file_close(void *target)
{
	close(((struct target *)target)->fd);
	free(target);
}

/* A queue of this driver has no state of its own. */
static void *file_queue_open(void *target, const struct iow_queue *q, struct iow_error *e)
{
	return target;
}

static void file_queue_close(void *queue)
{
}

static void file_io(void *queue, struct iow_io *io)
{
	const struct target *t = queue;
	ssize_t got;

	if (io->op == IOW_OP_READ)
		got = pread(t->fd, io->buf, io->len, (off_t)io->offset);
	else if (io->op == IOW_OP_WRITE)
		got = pwrite(t->fd, io->buf, io->len, (off_t)io->offset);
	else
		got = fdatasync(t->fd);
	io->res = got >= 0 ? got : -errno;
}

const struct iow_driver *iow_driver_1(void)
{
	static const struct iow_driver d = {
		.abi = IOW_ABI, .size = sizeof d, .key_size = sizeof keys[0],
		.conf_size = sizeof(struct conf), .name = "@NAME@", .version = "1",
		.summary = "a file, with pread and pwrite", .keys = keys,
		.caps = IOW_CAP_READ | IOW_CAP_WRITE | IOW_CAP_FLUSH | IOW_CAP_BUFFERED,
		.open = file_open, .info = file_info, .close = file_close,
		.queue_open = file_queue_open, .queue_close = file_queue_close, .io = file_io,
	};

	return &d;
}
