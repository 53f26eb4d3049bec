/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/node.h"
#include "lib/fail.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_flags(uint32_t flags)
{
	int f = O_CLOEXEC | O_NOCTTY;

	if (flags & IOW_OPEN_WRITE)
		f |= flags & IOW_OPEN_READ ? O_RDWR : O_WRONLY;
	if (flags & IOW_OPEN_CREATE)
		f |= O_CREAT | O_EXCL;
	if (flags & IOW_OPEN_DIRECT)
		f |= O_DIRECT;
	if (flags & IOW_OPEN_SYNC)
		f |= O_SYNC;
	else if (flags & IOW_OPEN_DSYNC)
		f |= O_DSYNC;
	return f;
}

uint64_t node_flags(const struct node *n)
{
	int f = fcntl(n->fd, F_GETFL);
	uint64_t out = 0;

	if (f < 0)
		return 0;
	out |= (f & O_ACCMODE) != O_WRONLY ? IOW_OPEN_READ : 0;
	out |= (f & O_ACCMODE) != O_RDONLY ? IOW_OPEN_WRITE : 0;
	out |= f & O_DIRECT ? IOW_OPEN_DIRECT : 0;
	if ((f & O_SYNC) == O_SYNC)
		out |= IOW_OPEN_SYNC;
	else if (f & O_DSYNC)
		out |= IOW_OPEN_DSYNC;
	return out;
}

static void learn_alignment(struct node *n)
{
	int sector = 0;
#ifdef STATX_DIOALIGN
	struct statx x;

	if (statx(n->fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &x) == 0 && x.stx_mask & STATX_DIOALIGN) {
		n->mem_align = x.stx_dio_mem_align;
		n->offset_align = x.stx_dio_offset_align;
	}
#endif
	if (!n->offset_align && n->block && ioctl(n->fd, BLKSSZGET, &sector) == 0 && sector > 0)
		n->mem_align = n->offset_align = (uint32_t)sector;
}

static int learn_size(struct node *n, uint64_t size, struct iow_error *e)
{
	struct stat st;

	if (fstat(n->fd, &st) != 0)
		return fail(e, errno, "%s", n->path);
	n->block = S_ISBLK(st.st_mode);
	n->regular = S_ISREG(st.st_mode);
	if (S_ISDIR(st.st_mode))
		return fail(e, EISDIR, "%s", n->path);
	if (n->flags & IOW_OPEN_CREATE && size && ftruncate(n->fd, (off_t)size) != 0)
		return fail(e, errno, "%s: cannot be made %llu bytes long", n->path, (unsigned long long)size);
	if (n->block && ioctl(n->fd, BLKGETSIZE64, &n->bytes) != 0)
		return fail(e, errno, "%s: its size", n->path);
	if (n->regular)
		n->bytes = n->flags & IOW_OPEN_CREATE ? size : (uint64_t)st.st_size;
	if (!n->block && !n->regular)
		n->bytes = size;
	if (size > n->bytes)
		return fail(e, EFBIG, "%s has %llu bytes and \"size\" says %llu", n->path,
			    (unsigned long long)n->bytes, (unsigned long long)size);
	if (size)
		n->bytes = size;
	return 0;
}

/* A system that takes the flag and then ignores it would make all that follows untrue. */
static int check_flags(const struct node *n, struct iow_error *e)
{
	uint64_t want = n->flags & (IOW_OPEN_READ | IOW_OPEN_WRITE | IOW_OPEN_DIRECT | IOW_OPEN_SYNC), have;

	if (n->flags & IOW_OPEN_DSYNC && !(n->flags & IOW_OPEN_SYNC))
		want |= IOW_OPEN_DSYNC;
	have = node_flags(n);
	if ((have & want) == want)
		return 0;
	return fail(e, EINVAL, "%s: open flags %#llx are not in force", n->path, (unsigned long long)(want & ~have));
}

int node_open(struct node *n, const char *path, uint64_t size, uint32_t flags, struct iow_error *e)
{
	memset(n, 0, sizeof *n);
	n->fd = -1;
	n->flags = flags;
	if (!path || strlen(path) >= sizeof n->path)
		return fail(e, ENAMETOOLONG, "path");
	strcpy(n->path, path);
	n->fd = open(path, open_flags(flags), 0600);
	if (n->fd < 0 && errno == EINVAL && flags & IOW_OPEN_DIRECT)
		return fail(e, EINVAL, "%s: this filesystem refuses O_DIRECT", path);
	if (n->fd < 0)
		return fail(e, errno, "%s", path);
	if (learn_size(n, size, e) == 0 && check_flags(n, e) == 0) {
		learn_alignment(n);
		return 0;
	}
	node_close(n);
	if (flags & IOW_OPEN_CREATE)
		unlink(path);
	return -1;
}

void node_close(struct node *n)
{
	if (n->fd >= 0)
		close(n->fd);
	n->fd = -1;
}

void node_info(const struct node *n, struct iow_info *i)
{
	const bool direct = n->flags & IOW_OPEN_DIRECT;
	struct stat st;

	if (fstat(n->fd, &st) == 0)
		i->rdev = n->block ? st.st_rdev : n->regular ? st.st_dev : 0;
	i->bytes = n->bytes;
	i->offset_align = direct ? n->offset_align ? n->offset_align : 4096 : 1;
	i->buffer_align = direct ? n->mem_align ? n->mem_align : 4096 : 1;
	i->max_io = 0x7ffff000; /* Linux moves at most this in one call */
	i->ops = (n->flags & IOW_OPEN_READ ? IOW_CAP_READ : 0) |
		 (n->flags & IOW_OPEN_WRITE ? IOW_CAP_WRITE | IOW_CAP_TRIM : 0) | IOW_CAP_FLUSH;
	i->open_flags = node_flags(n);
	i->fd = n->fd;
	snprintf(i->path, sizeof i->path, "%s", n->path);
}

int node_trim(const struct node *n, uint64_t offset, uint64_t length)
{
	uint64_t range[2] = { offset, length };

	if (n->block)
		return ioctl(n->fd, BLKDISCARD, range) == 0 ? 0 : -errno;
	if (fallocate(n->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)length) == 0)
		return 0;
	return -errno;
}
