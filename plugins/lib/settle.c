/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/fail.h"
#include "lib/node.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define UNIT 4096u           /* what iow_residency counts in, whatever the page of this machine */
#define WINDOW (64ull << 20) /* mincore looks through this much at a time: whole pages of any size */

#ifndef __NR_cachestat
#define __NR_cachestat 451 /* Linux 6.5; the same number on every architecture */
#endif

struct range {
	uint64_t offset, length;
};
struct pages {
	uint64_t cached, dirty, writeback, evicted, recently_evicted;
};

static uint64_t page_size(void)
{
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

/* `resident` in pages of this machine. */
static int by_cachestat(int fd, struct range r, uint64_t *resident)
{
	struct pages p = { 0 };

	if (syscall(__NR_cachestat, fd, &r, &p, 0u) != 0)
		return -1;
	*resident = p.cached;
	return 0;
}

/* mincore says "resident" of everything when the caller may not know: only an owner's answer counts. */
static int by_mincore(int fd, struct range r, uint64_t *resident)
{
	static __thread unsigned char seen[WINDOW / UNIT];
	const uint64_t page = page_size(), first = r.offset / page * page, end = r.offset + r.length;

	*resident = 0;
	for (uint64_t at = first; at < end; at += WINDOW) {
		const size_t n = end - at < WINDOW ? (size_t)(end - at) : WINDOW;
		void *map = mmap(NULL, n, PROT_READ, MAP_SHARED, fd, (off_t)at);
		int got;

		if (map == MAP_FAILED)
			return -1;
		got = mincore(map, n, seen);
		munmap(map, n);
		if (got != 0)
			return -1;
		for (size_t i = 0; i < (n + page - 1) / page; i++)
			*resident += seen[i] & 1;
	}
	return 0;
}

static bool owner(int fd)
{
	return geteuid() == 0 || (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY;
}

static void look(const struct node *n, struct range r, struct iow_residency *out)
{
	const uint64_t page = page_size();
	uint64_t resident = 0;

	out->pages = ((r.offset + r.length + page - 1) / page - r.offset / page) * page / UNIT;
	if (by_cachestat(n->fd, r, &resident) == 0) {
		out->method = 1;
	} else if (n->regular && owner(n->fd) && by_mincore(n->fd, r, &resident) == 0) {
		out->method = 2;
	} else {
		out->method = 0;
		snprintf(out->how, sizeof out->how, "neither cachestat nor mincore answers for this file");
	}
	out->resident = resident * page / UNIT;
}

int node_settle(const struct node *n, const struct iow_settle *s, struct iow_residency *r, struct iow_error *e)
{
	const struct range range = { s->offset, s->length ? s->length : n->bytes - s->offset };
	int err;

	if (s->flags & IOW_SETTLE_FLUSH && fsync(n->fd) != 0 && errno != EROFS && errno != EINVAL)
		return fail(e, errno, "%s: write-back", n->path);
	if (s->flags & IOW_SETTLE_DROP) {
		err = posix_fadvise(n->fd, (off_t)range.offset, (off_t)range.length, POSIX_FADV_DONTNEED);
		if (err)
			return fail(e, err, "%s: dropping its cache", n->path);
	}
	look(n, range, r);
	return 0;
}
