/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"
#include "base/err.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int file_read_at(int dirfd, const char *name, struct buf *out, size_t max, struct iow_error *e)
{
	int fd = openat(dirfd, name, O_RDONLY | O_CLOEXEC), rc = 0;
	char chunk[65536];
	size_t total = 0;

	if (fd < 0)
		return err_sys(e, errno, "%s", name);
	for (;;) {
		ssize_t n = read(fd, chunk, sizeof chunk);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			rc = err_sys(e, errno, "%s", name);
		if (n <= 0)
			break;
		total += (size_t)n;
		if (max && total > max) {
			rc = err_set(e, EFBIG, "%s: larger than %zu bytes", name, max);
			break;
		}
		buf_add(out, chunk, (size_t)n);
	}
	close(fd);
	return rc;
}

int file_read(const char *path, struct buf *out, size_t max, struct iow_error *e)
{
	return file_read_at(AT_FDCWD, path, out, max, e);
}

int file_line(const char *path, char *out, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = read(fd, out, size - 1);
	close(fd);
	if (n < 0)
		return -1;
	out[n] = 0;
	out[strcspn(out, "\n")] = 0;
	return 0;
}

int file_write_all(int fd, const void *data, size_t n, struct iow_error *e)
{
	const char *p = data;

	while (n) {
		ssize_t w = write(fd, p, n);

		if (w < 0 && errno == EINTR)
			continue;
		if (w < 0)
			return err_sys(e, errno, "write");
		p += w;
		n -= (size_t)w;
	}
	return 0;
}

int file_create(const char *path, mode_t mode, const void *data, size_t n, struct iow_error *e)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode), rc;

	if (fd < 0)
		return err_set(e, errno, "%s", err_name(errno));
	rc = file_write_all(fd, data, n, e);
	if (!rc && fsync(fd))
		rc = err_sys(e, errno, "fsync");
	if (close(fd) && !rc)
		rc = err_sys(e, errno, "close");
	if (rc)
		unlink(path);
	return rc;
}

int file_replace_at(int dirfd, const char *name, const void *data, size_t n, struct iow_error *e)
{
	mem_auto char *tmp = mem_printf("%s.tmp", name);
	int fd = openat(dirfd, tmp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644), rc;

	if (fd < 0)
		return err_sys(e, errno, "%s", tmp);
	rc = file_write_all(fd, data, n, e);
	if (!rc && fsync(fd))
		rc = err_sys(e, errno, "fsync");
	if (close(fd) && !rc)
		rc = err_sys(e, errno, "close");
	if (!rc && renameat(dirfd, tmp, dirfd, name))
		rc = err_sys(e, errno, "rename");
	if (rc) {
		unlinkat(dirfd, tmp, 0);
		return err_in(e, "%s", name);
	}
	fd = openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
	return 0;
}

char *file_join(const char *dir, const char *name)
{
	size_t n = strlen(dir);

	return mem_printf("%s%s%s", dir, n && dir[n - 1] == '/' ? "" : "/", name);
}
