/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_BASE_FILE_H
#define IOW_BASE_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"

#include <iowitness/driver.h>

/* Appends the whole file to `out`; refuses more than `max` bytes (0: no limit). */
int file_read(const char *path, struct buf *out, size_t max, struct iow_error *e);
int file_read_at(int dirfd, const char *name, struct buf *out, size_t max, struct iow_error *e);
/* First line of a small file (sysfs, procfs) without its newline; -1 if it cannot be read. */
int file_line(const char *path, char *out, size_t size);
/* Writes all of it, through short writes and EINTR. */
int file_write_all(int fd, const void *data, size_t n, struct iow_error *e);
/* A new file with this content and mode (less the umask), on its disk when this returns; one that is there
 * already is left alone, and one that cannot be written whole is removed again. The error does not name the path. */
int file_create(const char *path, mode_t mode, const void *data, size_t n, struct iow_error *e);
/* Replaces name in dirfd: temporary file, fsync, rename, fsync of the directory. */
int file_replace_at(int dirfd, const char *name, const void *data, size_t n, struct iow_error *e);
/* "dir/name"; the caller owns it. */
char *file_join(const char *dir, const char *name);

#endif
