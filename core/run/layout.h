/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_RUN_LAYOUT_H
#define IOW_RUN_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include <iowitness/driver.h>

/* Test files. A file that has a name has its whole content, on disk: it is made without a name, and
 * named when that is so. An existing one is never written over. */

/* Called when device and inode of a new file are known, before it has its name. */
typedef void layout_note_fn(void *ctx, const char *path, uint64_t dev, uint64_t ino);

/* Makes `path` new, `bytes` long. layout: "written" (every byte, incompressible, from the seed), "new"
 * (its length only), "fallocated" (blocks without content). fsync'd, dropped from the page cache. */
int layout_make(const char *path, uint64_t bytes, const char *layout, uint64_t seed, layout_note_fn *note,
		void *ctx, struct iow_error *e);
/* Makes a file that was made so longer; its beginning stays. */
int layout_extend(const char *path, uint64_t bytes, const char *layout, uint64_t seed, struct iow_error *e);
/* The same in `dir` without any name: a descriptor; the file is gone with its last user. */
int layout_make_unnamed(const char *dir, uint64_t bytes, const char *layout, uint64_t seed, struct iow_error *e);

/* Bytes that this process has written into test files so far; any thread. */
uint64_t layout_written(void);

/* Is there room for so much more in the filesystem of `path`'s directory? The last 2% (at most 1 GiB)
 * are left to others. */
int layout_room(const char *path, uint64_t bytes, struct iow_error *e);

/* Type of the filesystem of an existing path: "ext4", "tmpfs"; "type 0x…" for one that is not known here. */
void layout_filesystem(const char *path, char out[32]);
/* tmpfs and ramfs have no device; overlay hides which one it uses. What was to be shown of a device
 * cannot be shown there. */
bool layout_hides_device(const char *filesystem);

#endif
