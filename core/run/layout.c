/* SPDX-License-Identifier: Apache-2.0 */
#include "run/layout.h"

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "run/fill.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/magic.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#define PIECE ((uint64_t)1 << 20)
#define LEFT_MAX ((uint64_t)1 << 30)

#define XFS_MAGIC 0x58465342
#define ZFS_MAGIC 0x2fc12fc1
#define CEPH_MAGIC 0x00c36400
#define LUSTRE_MAGIC 0x0bd00bd0
#define GPFS_MAGIC 0x47504653
#define OCFS2_MAGIC 0x7461636f

static const struct { uint64_t magic; const char *name; } filesystems[] = {
	{ EXT4_SUPER_MAGIC, "ext4" }, { XFS_MAGIC, "xfs" }, { BTRFS_SUPER_MAGIC, "btrfs" }, { TMPFS_MAGIC, "tmpfs" },
	{ RAMFS_MAGIC, "ramfs" }, { OVERLAYFS_SUPER_MAGIC, "overlay" }, { NFS_SUPER_MAGIC, "nfs" },
	{ FUSE_SUPER_MAGIC, "fuse" }, { F2FS_SUPER_MAGIC, "f2fs" }, { MSDOS_SUPER_MAGIC, "vfat" }, { ZFS_MAGIC, "zfs" },
	{ CEPH_MAGIC, "ceph" }, { LUSTRE_MAGIC, "lustre" }, { GPFS_MAGIC, "gpfs" }, { OCFS2_MAGIC, "ocfs2" },
	{ CIFS_SUPER_MAGIC, "cifs" }, { SMB2_SUPER_MAGIC, "smb" }, { V9FS_MAGIC, "9p" }, { SQUASHFS_MAGIC, "squashfs" },
	{ ISOFS_SUPER_MAGIC, "iso9660" }, { PROC_SUPER_MAGIC, "proc" }, { SYSFS_MAGIC, "sysfs" },
};

void layout_filesystem(const char *path, char out[32])
{
	struct statfs fs;

	if (statfs(path, &fs)) {
		snprintf(out, 32, "unknown");
		return;
	}
	for (size_t i = 0; i < sizeof filesystems / sizeof *filesystems; i++) {
		if (filesystems[i].magic == ((uint64_t)fs.f_type & 0xffffffff)) {
			snprintf(out, 32, "%s", filesystems[i].name);
			return;
		}
	}
	snprintf(out, 32, "type %#llx", (unsigned long long)fs.f_type & 0xffffffff);
}

bool layout_hides_device(const char *filesystem)
{
	return !strcmp(filesystem, "tmpfs") || !strcmp(filesystem, "ramfs") || !strcmp(filesystem, "overlay");
}

/* Directory of a path; the caller frees. */
static char *directory_of(const char *path)
{
	mem_auto char *copy = mem_strdup(path);

	return mem_strdup(dirname(copy));
}

int layout_room(const char *path, uint64_t bytes, struct iow_error *e)
{
	mem_auto char *dir = directory_of(path);
	uint64_t have, left;
	struct statvfs fs;
	char a[40], b[40];

	if (statvfs(dir, &fs))
		return err_sys(e, errno, "%s", dir);
	have = (uint64_t)fs.f_bavail * fs.f_frsize;
	left = (uint64_t)fs.f_blocks * fs.f_frsize / 50;
	left = left < LEFT_MAX ? left : LEFT_MAX;
	if (bytes + left <= have)
		return 0;
	num_bytes(bytes, a);
	num_bytes(have > left ? have - left : 0, b);
	return err_set(e, ENOSPC, "%s: %s are needed in %s, and %s may be used there", path, a, dir, b);
}

/* ---- content ---- */

static _Atomic uint64_t written;

uint64_t layout_written(void)
{
	return atomic_load_explicit(&written, memory_order_relaxed);
}

static int write_content(int fd, uint64_t from, uint64_t to, uint64_t seed, struct iow_error *e)
{
	mem_auto char *buf = mem_alloc(PIECE);

	if (lseek(fd, (off_t)from, SEEK_SET) < 0)
		return err_sys(e, errno, "lseek");
	for (uint64_t at = from; at < to;) {
		uint64_t begin = at / PIECE * PIECE, n = begin + PIECE < to ? begin + PIECE - at : to - at;

		fill_block(buf, PIECE, 0, fill_key(seed, begin, 0));
		if (file_write_all(fd, buf + (at - begin), n, e))
			return -1;
		atomic_fetch_add_explicit(&written, n, memory_order_relaxed);
		at += n;
	}
	return 0;
}

static int fill_file(int fd, uint64_t from, uint64_t to, const char *layout, uint64_t seed, struct iow_error *e)
{
	int err = 0;

	if (!strcmp(layout, "written")) {
		if (write_content(fd, from, to, seed, e))
			return -1;
	} else if (!strcmp(layout, "fallocated")) {
		err = fallocate(fd, 0, (off_t)from, (off_t)(to - from)) ? errno : 0;
	} else {
		err = ftruncate(fd, (off_t)to) ? errno : 0;
	}
	if (!err && fsync(fd))
		err = errno;
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	return err ? err_sys(e, err, "%s", layout) : 0;
}

/* ---- names ---- */

/* Some filesystems have no files without a name: then one with a name of its own, which *named gets. */
static int open_new(const char *path, const char *dir, char **named, struct iow_error *e)
{
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	*named = NULL;
	if (fd >= 0)
		return fd;
	if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)
		return err_sys(e, errno, "%s", path);
	*named = mem_printf("%s.partial", path);
	fd = open(*named, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
	err_sys(e, errno, "%s", *named);
	free(*named);
	*named = NULL;
	return -1;
}

/* Where no rename refuses an existing name (NFS, some FUSE), the name is taken first, by a file of our own. */
static int take_name(const char *named, const char *path)
{
	int fd, err;

	if (renameat2(AT_FDCWD, named, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	close(fd);
	if (rename(named, path) == 0)
		return 0;
	err = errno;
	unlink(path);
	errno = err;
	return -1;
}

static int give_name(int fd, const char *named, const char *path)
{
	char self[64];

	if (named)
		return take_name(named, path);
	snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
	return linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

static int sync_directory(const char *dir, struct iow_error *e)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), rc = 0;

	if (fd < 0 || (fsync(fd) && errno != EINVAL))
		rc = err_sys(e, errno, "%s", dir);
	if (fd >= 0)
		close(fd);
	return rc;
}

int layout_make(const char *path, uint64_t bytes, const char *layout, uint64_t seed, layout_note_fn *note, void *ctx,
		struct iow_error *e)
{
	mem_auto char *dir = directory_of(path), *named = NULL;
	struct stat st;
	int fd, rc;

	if (layout_room(path, bytes, e))
		return -1;
	fd = open_new(path, dir, &named, e);
	if (fd < 0)
		return -1;
	rc = fstat(fd, &st) ? err_sys(e, errno, "fstat") : 0;
	if (!rc && named) /* it can be left behind from here on */
		note(ctx, named, st.st_dev, st.st_ino);
	if (!rc)
		rc = fill_file(fd, 0, bytes, layout, seed, e);
	if (!rc) {
		note(ctx, path, st.st_dev, st.st_ino);
		rc = give_name(fd, named, path) ? err_sys(e, errno, "its name") : 0;
	}
	close(fd);
	if (!rc)
		return sync_directory(dir, e);
	if (named)
		unlink(named);
	return err_in(e, "%s", path);
}

int layout_extend(const char *path, uint64_t bytes, const char *layout, uint64_t seed, struct iow_error *e)
{
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW), rc;
	struct stat st;

	if (fd < 0)
		return err_sys(e, errno, "%s", path);
	rc = fstat(fd, &st) ? err_sys(e, errno, "%s", path) : 0;
	if (!rc && bytes > (uint64_t)st.st_size) {
		rc = layout_room(path, bytes - (uint64_t)st.st_size, e);
		if (!rc && fill_file(fd, (uint64_t)st.st_size, bytes, layout, seed, e))
			rc = err_in(e, "%s", path);
	}
	close(fd);
	return rc;
}

int layout_make_unnamed(const char *dir, uint64_t bytes, const char *layout, uint64_t seed, struct iow_error *e)
{
	mem_auto char *path = file_join(dir, "iowitness-loop"), *named = NULL;
	int fd;

	if (layout_room(path, bytes, e))
		return -1;
	fd = open_new(path, dir, &named, e);
	if (fd < 0)
		return -1;
	if (named)
		unlink(named);
	if (fill_file(fd, 0, bytes, layout, seed, e) == 0)
		return fd;
	close(fd);
	return err_in(e, "%s", dir);
}
