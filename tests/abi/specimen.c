/* SPDX-License-Identifier: Apache-2.0 */
/* A driver that can be built wrong in many ways: each -D below makes one specimen for tests/abi/abi.t.
 * Built right it behaves like null. */
#include <iowitness/driver.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct conf {
	const char *count; /* a file: one byte more at each open */
	uint64_t size;
};

#ifdef WIDE_KEYS /* a newer key: more fields behind those of version 1 */
struct wide_key {
	struct iow_key k;
	uint64_t more;
};
static const struct wide_key keys[] = {
	{ { .name = "count", .type = IOW_KEY_STRING, .offset = offsetof(struct conf, count), .help = "Counts" }, 0 },
	{ { .name = "size", .type = IOW_KEY_BYTES, .offset = offsetof(struct conf, size), .def = "1GiB",
	    .max = INT64_MAX, .help = "Bytes" }, WIDE_KEYS },
	{ { .name = NULL }, 0 },
};
#else
static const struct iow_key keys[] = {
	{ .name = "count", .type = IOW_KEY_STRING, .offset = offsetof(struct conf, count), .help = "Counts" },
	{ .name = "size", .type = IOW_KEY_BYTES, .offset = offsetof(struct conf, size), .def = "1GiB",
	  .max = INT64_MAX, .help = "Bytes" },
	{ .name = NULL },
};
#endif

struct target {
	uint64_t size;
	long run;
};

/* The driver's own memory of each I/O: aligned for any type. */
struct mine {
	_Alignas(16) char bytes[16];
	char more[8];
};

static int64_t outcome(const struct iow_io *io)
{
	return (uintptr_t)io->priv % _Alignof(struct mine) ? -EFAULT : (int64_t)io->len;
}

struct queue {
	struct target *t;
	struct iow_io *waiting[4096];
	uint32_t n;
	uint64_t asked;
};

#ifdef ABORTS
__attribute__((constructor)) static void constructor(void)
{
	abort();
}
#endif

static void *specimen_open(const struct iow_host *h, const struct iow_open *o, struct iow_error *e)
{
	const struct conf *c = o->conf;
	struct target *t = calloc(1, sizeof *t);
	int fd = c->count ? open(c->count, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
	struct stat st;

#ifdef PRINTS
	printf("hello from a driver that prints\n");
	fflush(stdout);
#endif
	t->size = c->size;
	if (fd >= 0 && write(fd, "x", 1) == 1 && fstat(fd, &st) == 0)
		t->run = (long)st.st_size;
	if (fd >= 0)
		close(fd);
	return t;
}

static int specimen_info(void *target, struct iow_info *i, struct iow_error *e)
{
	i->bytes = ((struct target *)target)->size;
	i->offset_align = i->buffer_align = 1;
	i->max_depth = 4096;
	i->ops = IOW_CAP_READ;
	i->fd = -1;
	strcpy(i->path, "specimen");
	return 0;
}

static void specimen_close(void *target)
{
	free(target);
}

static void *specimen_queue_open(void *target, const struct iow_queue *q, struct iow_error *e)
{
	struct queue *s = calloc(1, sizeof *s);

	s->t = target;
	return s;
}

static void specimen_queue_close(void *queue)
{
	free(queue);
}

#if !defined(SHY) && !defined(STUCK) && !defined(TWICE)
static void specimen_io(void *queue, struct iow_io *io)
{
	struct queue *q = queue;

	io->res = outcome(io);
	if (++q->asked == 1000 && q->t->run == CRASH_AT)
		raise(SIGSEGV);
}
#endif

static int specimen_submit(void *queue, struct iow_io *const *ios, uint32_t n)
{
	struct queue *q = queue;

#ifdef STUCK
	return 0;
#endif
#ifdef SHY /* takes one, every third time it is asked, and every tenth I/O is refused */
	n = q->asked++ % 3 == 0 ? 1 : 0;
#endif
	for (uint32_t i = 0; i < n; i++) {
		ios[i]->res = outcome(ios[i]);
		q->waiting[q->n++] = ios[i];
	}
	return (int)n;
}

static int specimen_reap(void *queue, struct iow_io **done, uint32_t min, uint32_t max, int64_t timeout_ns)
{
	struct queue *q = queue;
	uint32_t n = 0;

	while (n < max && q->n)
		done[n++] = q->waiting[--q->n];
#ifdef TWICE
	if (n && n < max && ++q->asked == 5) {
		done[n] = done[n - 1];
		n++;
	}
#endif
	return (int)n;
}

static const struct grown {
	struct iow_driver d;
	uint64_t more[4];
} grown = {
	.d = {
		.abi = SPECIMEN_ABI,
#if defined(OLD) /* a version that had no explain and no connect */
		.size = offsetof(struct iow_driver, explain),
#elif defined(TINY)
		.size = 64,
#elif defined(MORE)
		.size = sizeof(struct grown),
#else
		.size = sizeof(struct iow_driver),
#endif
		.key_size = sizeof keys[0],
		.conf_size = sizeof(struct conf),
		.io_priv = sizeof(struct mine),
		.name = "specimen",
		.version = "1",
		.summary = "a driver for tests",
#ifdef WIDE_KEYS
		.keys = &keys[0].k,
#else
		.keys = keys,
#endif
#ifdef CAPS
		.caps = CAPS,
#else
		.caps = IOW_CAP_READ | IOW_CAP_ASYNC | IOW_CAP_NO_DATA,
#endif
		.open = specimen_open,
		.info = specimen_info,
		.close = specimen_close,
		.queue_open = specimen_queue_open,
		.queue_close = specimen_queue_close,
#if !defined(SHY) && !defined(STUCK) && !defined(TWICE)
		.io = specimen_io,
#endif
		.submit = specimen_submit,
#ifndef NO_REAP
		.reap = specimen_reap,
#endif
	},
#ifdef MORE
	.more = { 0, MORE, 0, 0 },
#endif
};

#ifdef NO_SYMBOL
IOW_EXPORT const struct iow_driver *another_name(void);
const struct iow_driver *another_name(void)
#else
const struct iow_driver *iow_driver_1(void)
#endif
{
	return &grown.d;
}
