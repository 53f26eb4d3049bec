/* SPDX-License-Identifier: Apache-2.0 */
#include "run/target.h"
#include "base/clock.h"
#include "base/err.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

static int remember_file(struct target *t, const json_t *keys, struct iow_error *e)
{
	for (const struct iow_key *k = t->driver.keys; k->name; k++) {
		const char *s = json_string_value(json_object_get(keys, k->name));

		if (!(k->flags & (IOW_KEY_FILE | IOW_KEY_DEVICE)) || !s)
			continue;
		if (strlen(s) >= sizeof t->file) /* the beginning of a path is another file */
			return err_set(e, ENAMETOOLONG, "\"%s\" has %zu bytes, and a path may have %zu here: %.40s...", k->name,
				       strlen(s), sizeof t->file - 1, s);
		strcpy(t->file, s);
	}
	return 0;
}

void target_asks(struct target *t, const char *what, uint64_t offset)
{
	atomic_store(&t->asked_for, what);
	atomic_store(&t->asked_at, offset);
	atomic_store(&t->asked_ns, clock_mono_ns());
}

void target_answered(struct target *t)
{
	atomic_store(&t->asked_ns, 0);
}

int target_load(struct target *t, const char *driver, const json_t *keys, struct iow_error *e)
{
	char *file = driver_find(driver, e);
	int rc;

	memset(t, 0, sizeof *t);
	t->info.fd = -1;
	if (!file)
		return -1;
	rc = driver_load(&t->driver, file, e);
	free(file);
	if (rc != 0)
		return -1;
	if (remember_file(t, keys, e))
		goto fail;
	if (t->driver.d.caps & IOW_CAP_CONNECT) {
		err_set(e, 0, "driver %s leads to a node and does no I/O", driver);
		goto fail;
	}
	if (conf_fill(&t->conf, t->driver.d.conf_size, t->driver.keys, keys, e) == 0)
		return 0;
	err_in(e, "driver %s", driver);
fail:
	driver_release(&t->driver);
	return -1;
}

int target_open(struct target *t, const struct iow_host *host, uint32_t flags, uint32_t jobs, uint64_t seed,
		struct iow_error *e)
{
	const struct iow_open o = {
		.size = sizeof o, .conf = t->conf.data, .flags = flags, .jobs = jobs, .seed = seed,
	};
	int rc;

	t->flags = flags;
	target_asks(t, "open", 0);
	t->handle = t->driver.d.open(host, &o, e);
	target_answered(t);
	if (!t->handle)
		return err_in(e, "driver %s", t->driver.d.name);
	memset(&t->info, 0, sizeof t->info);
	t->info.size = sizeof t->info;
	t->info.fd = -1;
	target_asks(t, "info", 0);
	rc = t->driver.d.info(t->handle, &t->info, e);
	target_answered(t);
	if (rc == 0) {
		if (!*t->info.path)
			snprintf(t->info.path, sizeof t->info.path, "%s", *t->file ? t->file : t->driver.d.name);
		return 0;
	}
	t->driver.d.close(t->handle);
	t->handle = NULL;
	return err_in(e, "driver %s", t->driver.d.name);
}

void target_release(struct target *t)
{
	if (t->handle)
		t->driver.d.close(t->handle);
	conf_release(&t->conf);
	driver_release(&t->driver);
	memset(t, 0, sizeof *t);
}

bool target_file(const struct target *t, struct stat *st)
{
	if (t->info.fd >= 0 ? fstat(t->info.fd, st) : !*t->file || stat(t->file, st))
		return false;
	return S_ISREG(st->st_mode);
}

int target_flags(const struct target *t, const struct workload *w, uint32_t *flags, struct iow_error *e)
{
	const bool write = w->op == WORKLOAD_WRITE || w->op == WORKLOAD_MIXED, trim = w->op == WORKLOAD_TRIM;
	const struct {
		bool wanted;
		uint64_t cap;
		const char *what;
	} needs[] = {
		{ w->op == WORKLOAD_READ || w->op == WORKLOAD_MIXED, IOW_CAP_READ, "read" },
		{ write, IOW_CAP_WRITE, "write" },
		{ trim, IOW_CAP_TRIM, "trim" },
		{ w->durability == DURABILITY_FLUSH, IOW_CAP_FLUSH, "flush" },
		{ w->durability == DURABILITY_DSYNC, IOW_CAP_DSYNC, "make each write durable (dsync)" },
		{ w->durability == DURABILITY_SYNC, IOW_CAP_SYNC, "make each write durable with metadata (sync)" },
	};
	const uint64_t caps = t->driver.d.caps;

	for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
		if (needs[i].wanted && !(caps & needs[i].cap))
			return err_set(e, 0, "driver %s cannot %s", t->driver.d.name, needs[i].what);
	if (caps & IOW_CAP_NEEDS_DURABILITY && write && w->durability == DURABILITY_NONE)
		return err_set(e, 0, "driver %s writes only with a \"durability\" of dsync, sync or flush", t->driver.d.name);
	*flags = (needs[0].wanted || (w->verify && caps & IOW_CAP_READ) ? IOW_OPEN_READ : 0) |
		 (write || trim ? IOW_OPEN_WRITE : 0) | (caps & IOW_CAP_DIRECT ? IOW_OPEN_DIRECT : 0) |
		 (w->durability == DURABILITY_DSYNC ? IOW_OPEN_DSYNC : 0) |
		 (w->durability == DURABILITY_SYNC ? IOW_OPEN_SYNC : 0);
	return 0;
}

static int block_fits(const struct target *t, uint64_t block, struct iow_error *e)
{
	const struct iow_info *i = &t->info;

	if (i->offset_align > 1 && block % i->offset_align)
		return err_set(e, 0, "%s takes multiples of %u bytes, the block is %llu", i->path, i->offset_align,
			       (unsigned long long)block);
	if (i->max_io && block > i->max_io)
		return err_set(e, 0, "%s takes at most %u bytes at once, the block is %llu", i->path, i->max_io,
			       (unsigned long long)block);
	if (block > 1u << 30)
		return err_set(e, 0, "a block of %llu bytes is more than 1 GiB", (unsigned long long)block);
	return 0;
}

int target_fits(const struct target *t, const struct workload *w, uint64_t offset, uint64_t *length,
		struct iow_error *e)
{
	const struct iow_info *i = &t->info;

	if (!*length) {
		if (!i->bytes || offset >= i->bytes)
			return err_set(e, 0, "%s: the size is unknown and no region is given", i->path);
		*length = i->bytes - offset;
	}
	if (i->bytes && (offset > i->bytes || *length > i->bytes - offset))
		return err_set(e, EFBIG, "%s has %llu bytes, the region ends at %llu", i->path,
			       (unsigned long long)i->bytes, (unsigned long long)(offset + *length));
	if (i->offset_align > 1 && offset % i->offset_align)
		return err_set(e, 0, "the region begins at %llu, no multiple of %u", (unsigned long long)offset,
			       i->offset_align);
	if (i->offset_align > 1 && w->pattern == PATTERN_STRIDED && w->stride % i->offset_align)
		return err_set(e, 0, "\"stride\" is no multiple of %u", i->offset_align);
	for (uint32_t k = 0; k < w->n_blocks; k++)
		if (block_fits(t, w->block[k], e) != 0)
			return -1;
	return 0;
}

int64_t target_direct(const struct target *t)
{
	struct statfs fs;
	struct stat st;
	int f;

	if (!(t->flags & IOW_OPEN_DIRECT))
		return -1;
	if (t->info.fd < 0)
		return t->info.open_flags & IOW_OPEN_DIRECT ? 1 : t->driver.d.caps & IOW_CAP_NO_DATA ? -1 : 0;
	f = fcntl(t->info.fd, F_GETFL);
	if (f < 0 || !(f & O_DIRECT))
		return 0;
	/* tmpfs takes the flag and caches all the same; a device's node may lie on it. */
	if (fstat(t->info.fd, &st) == 0 && S_ISREG(st.st_mode) && fstatfs(t->info.fd, &fs) == 0 &&
	    (fs.f_type == TMPFS_MAGIC || fs.f_type == (__typeof__(fs.f_type))RAMFS_MAGIC))
		return 0;
#ifdef STATX_DIOALIGN
	struct statx x;

	if (statx(t->info.fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &x) == 0 && x.stx_mask & STATX_DIOALIGN)
		return x.stx_dio_offset_align != 0;
#endif
	return 1;
}

int64_t target_allocated(const struct target *t, uint64_t offset, uint64_t length)
{
	const off_t end = (off_t)(offset + length);
	struct stat st;
	int64_t sum = 0;

	if (t->info.fd < 0 || fstat(t->info.fd, &st) != 0 || !S_ISREG(st.st_mode))
		return -1;
	for (off_t at = (off_t)offset; at < end;) {
		off_t data = lseek(t->info.fd, at, SEEK_DATA), hole;

		if (data < 0 || data >= end)
			break;
		hole = lseek(t->info.fd, data, SEEK_HOLE);
		if (hole < 0 || hole > end)
			hole = end;
		sum += hole - data;
		at = hole;
	}
	return sum;
}
