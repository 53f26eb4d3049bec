/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a target ready for a campaign: a test file that is not there is made new and written. */
#include "base/err.h"
#include "base/file.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "run/child.h"
#include "run/fill.h"
#include "run/target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE ((uint64_t)1 << 20)

/* Every byte, so that no read meets a hole or an unwritten extent; fsync'd with its directory. */
static int write_layout(int fd, uint64_t size, uint64_t seed, struct iow_error *e)
{
	mem_auto char *buf = mem_alloc(PIECE);

	for (uint64_t at = 0; at < size; at += PIECE) {
		uint64_t n = size - at < PIECE ? size - at : PIECE;

		fill_block(buf, PIECE, 0, fill_key(seed, at, 0));
		if (file_write_all(fd, buf, n, e) != 0)
			return -1;
	}
	return 0;
}

static int make_file(const char *path, uint64_t size, const char *layout, uint64_t seed, struct iow_error *e)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600), rc = 0;

	if (fd < 0)
		return err_sys(e, errno, "%s", path);
	if (strcmp(layout, "fallocated") == 0) {
		rc = posix_fallocate(fd, 0, (off_t)size);
		rc = rc ? err_sys(e, rc, "%s: %llu bytes", path, (unsigned long long)size) : 0;
	} else if (strcmp(layout, "written") == 0) {
		rc = write_layout(fd, size, seed, e);
	} else if (ftruncate(fd, (off_t)size) != 0) {
		rc = err_sys(e, errno, "%s: %llu bytes", path, (unsigned long long)size);
	}
	if (rc == 0 && fsync(fd) != 0)
		rc = err_sys(e, errno, "%s: fsync", path);
	close(fd);
	if (rc != 0)
		unlink(path);
	return rc;
}

/* 1 when a file was made, 0 when it was there or nothing needs one. */
static int make_if_missing(struct child *c, const struct target *t, struct iow_error *e)
{
	const json_t *size = json_object_get(json_object_get(c->ask, "keys"), "size");
	const uint64_t bytes = (uint64_t)json_integer_value(size);
	struct stat st;

	if (!*t->file || lstat(t->file, &st) == 0)
		return 0;
	if (errno != ENOENT)
		return err_sys(e, errno, "%s", t->file);
	if (!bytes || !jsonx_bool(c->ask, "create", true))
		return err_sys(e, ENOENT, "%s (with a \"size\" it would be made)", t->file);
	if (make_file(t->file, bytes, jsonx_str(c->ask, "layout", "written"),
		      strtoull(jsonx_str(c->ask, "seed", "0"), NULL, 16), e) != 0)
		return -1;
	return 1;
}

static json_t *ready(const struct child *c, const struct target *t, bool made)
{
	json_t *f = wire_frame("READY"), *facts = json_object();

	json_object_set(f, "id", json_object_get(c->ask, "id"));
	jsonx_set_int(f, "bytes", (int64_t)t->info.bytes);
	jsonx_set_int(f, "rdev", (int64_t)t->info.rdev);
	jsonx_set_int(f, "align", t->info.offset_align ? t->info.offset_align : 1);
	jsonx_set_str(f, "path", t->info.path);
	jsonx_set_bool(f, "made", made);
	jsonx_set_new(f, "facts", facts);
	return f;
}

int child_target(struct child *c)
{
	struct iow_error e = ERR_INIT;
	struct target t;
	uint32_t flags = IOW_OPEN_READ;
	int made;

	if (target_load(&t, jsonx_str(c->ask, "driver", ""), json_object_get(c->ask, "keys"), &e) != 0)
		return child_error(c, "plan", &e);
	if (t.driver.d.caps & IOW_CAP_DIRECT)
		flags |= IOW_OPEN_DIRECT;
	made = make_if_missing(c, &t, &e);
	if (made < 0 || target_open(&t, &c->host, flags, 1, 0, &e) != 0) {
		if (made > 0)
			unlink(t.file);
		target_release(&t);
		return child_error(c, "failed", &e);
	}
	child_send(c, ready(c, &t, made > 0));
	target_release(&t);
	return 0;
}
