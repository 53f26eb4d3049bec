/* SPDX-License-Identifier: Apache-2.0 */
#include "run/guard.h"

#include <blkid/blkid.h>
#include <linux/fs.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const char *value(blkid_probe pr, const char *name)
{
	const char *v;

	return blkid_probe_lookup_value(pr, name, &v, NULL) == 0 ? v : NULL;
}

/* A part of something larger: what is lost by writing it can't be seen from here. */
static bool is_member(const char *type, const char *usage)
{
	static const char *const types[] = { "zfs_member", "btrfs", "bcache", "ceph_bluestore", "DM_snapshot_cow",
					     "stratis", "drbd", "mpath_member", NULL };
	size_t n = strlen(type);

	if (usage && (strcmp(usage, "raid") == 0 || strcmp(usage, "crypto") == 0))
		return true;
	for (int i = 0; types[i]; i++)
		if (strcmp(types[i], type) == 0)
			return true;
	return n > 7 && strcmp(type + n - 7, "_member") == 0;
}

static blkid_probe new_probe(int fd, uint64_t offset, uint64_t length)
{
	blkid_probe pr = blkid_new_probe();

	if (!pr)
		return NULL;
	if (blkid_probe_set_device(pr, fd, (blkid_loff_t)offset, (blkid_loff_t)length)) {
		blkid_free_probe(pr);
		return NULL;
	}
	blkid_probe_enable_superblocks(pr, 1);
	blkid_probe_set_superblocks_flags(pr, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_USAGE | BLKID_SUBLKS_LABEL);
	blkid_probe_enable_partitions(pr, 1);
	return pr;
}

static enum guard_content describe(blkid_probe pr, const char *where, char *says, size_t size)
{
	const char *type = value(pr, "TYPE"), *usage = value(pr, "USAGE"), *label = value(pr, "LABEL");
	const char *table = value(pr, "PTTYPE");

	if (type && is_member(type, usage)) {
		snprintf(says, size, "%s%s", type, where);
		return CONTENT_MEMBER;
	}
	if (type)
		snprintf(says, size, "a signature of %s%s%s%s%s", type, label ? " (label " : "", label ? label : "",
			 label ? ")" : "", where);
	else if (table)
		snprintf(says, size, "a partition table (%s)%s", table, where);
	return type || table ? CONTENT_DATA : CONTENT_BLANK;
}

static enum guard_content probe_range(int fd, uint64_t offset, uint64_t length, const char *where, char *says,
				      size_t size);

/* Partitions are looked into where they lie, whether the kernel has devices for them or not. */
static enum guard_content probe_partitions(blkid_probe pr, int fd, uint64_t base, char *says, size_t size)
{
	blkid_partlist list = blkid_probe_get_partitions(pr);
	int n = list ? blkid_partlist_numof_partitions(list) : 0;

	for (int i = 0; i < n; i++) {
		blkid_partition p = blkid_partlist_get_partition(list, i);
		uint64_t start = (uint64_t)blkid_partition_get_start(p) * 512, length = (uint64_t)blkid_partition_get_size(p) * 512;
		enum guard_content c;
		char where[48], inner[200];

		if (start <= base || !length || blkid_partition_is_extended(p))
			continue;
		snprintf(where, sizeof where, " in partition %d", blkid_partition_get_partno(p));
		c = probe_range(fd, start, length, where, inner, sizeof inner);
		if (c == CONTENT_MEMBER || c == CONTENT_UNKNOWN) {
			snprintf(says, size, "%s", inner);
			return c;
		}
	}
	return CONTENT_DATA;
}

static enum guard_content probe_range(int fd, uint64_t offset, uint64_t length, const char *where, char *says, size_t size)
{
	blkid_probe pr = new_probe(fd, offset, length);
	enum guard_content c = CONTENT_UNKNOWN;
	int rc = pr ? blkid_do_safeprobe(pr) : -1;

	if (rc == -2)
		snprintf(says, size, "signatures that contradict each other%s", where);
	else if (rc < 0)
		snprintf(says, size, "what cannot be read%s", where);
	else if (rc == 1)
		c = CONTENT_BLANK;
	else
		c = describe(pr, where, says, size);
	if (c == CONTENT_DATA && !*where && value(pr, "PTTYPE")) {
		char inner[200] = "";
		enum guard_content in = probe_partitions(pr, fd, offset, inner, sizeof inner);

		if (in != CONTENT_DATA) {
			snprintf(says, size, "%s", inner);
			c = in;
		}
	}
	if (pr)
		blkid_free_probe(pr);
	return c;
}

/* ---- data without a signature: databases and the like ---- */

#define PIECE 65536
#define PIECES 64

static enum guard_content sample(int fd, char *says, size_t size)
{
	char *data = malloc(PIECE);
	enum guard_content c = CONTENT_BLANK;
	uint64_t bytes = 0;

	if (!data || ioctl(fd, BLKGETSIZE64, &bytes) || !bytes) {
		snprintf(says, size, "no blocks that can be read");
		free(data);
		return CONTENT_UNKNOWN;
	}
	for (uint64_t i = 0; i < PIECES && c == CONTENT_BLANK; i++) {
		uint64_t at = bytes > PIECE ? (bytes - PIECE) / (PIECES - 1) * i : 0;
		ssize_t n;

		if (i == PIECES - 1 && bytes > PIECE)
			at = bytes - PIECE;
		n = pread(fd, data, PIECE, (off_t)at);
		if (n <= 0) {
			snprintf(says, size, "blocks that cannot be read");
			c = CONTENT_UNKNOWN;
		} else if (data[0] || memcmp(data, data + 1, (size_t)n - 1)) {
			snprintf(says, size, "data that has no known signature");
			c = CONTENT_DATA;
		}
	}
	free(data);
	return c;
}

enum guard_content guard_probe(int fd, char *says, size_t size)
{
	enum guard_content c = probe_range(fd, 0, 0, "", says, size);

	return c == CONTENT_BLANK ? sample(fd, says, size) : c;
}
