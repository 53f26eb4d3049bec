/* SPDX-License-Identifier: Apache-2.0 */
#include "base/vec.h"
#include "run/guard.h"
#include "run/stack.h"
#include "run/sysfs.h"

#include <libmount.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

static bool devices_has(const struct devices *d, uint64_t rdev)
{
	for (size_t i = 0; i < d->n; i++)
		if (d->v[i] == rdev)
			return true;
	return false;
}

/* Once. */
static void devices_add(struct devices *d, uint64_t rdev)
{
	if (rdev && !devices_has(d, rdev))
		*VEC_ADD(d->v, d->n) = rdev;
}

/* ---- scope ---- */

static void add_partitions(struct devices *d, uint64_t rdev)
{
	size_t n;
	uint64_t *v = stack_partitions(rdev, &n);

	for (size_t i = 0; i < n; i++)
		devices_add(d, v[i]);
	free(v);
}

static int wwid_of(const char *name, char *out, size_t size)
{
	if (stack_attribute(name, "device/wwid", out, size) && stack_attribute(name, "wwid", out, size))
		return -1;
	return *out ? 0 : -1;
}

/* The same disk can be there under a second name, its partitions too, before multipath knows. */
static void add_other_paths(struct devices *d, uint64_t disk)
{
	char name[64], wwid[256], other[256];
	size_t n;
	char **all;

	if (stack_name(disk, name) || wwid_of(name, wwid, sizeof wwid))
		return;
	all = sysfs_list("class/block", &n);
	for (size_t i = 0; i < n; i++) {
		char dev[64];
		unsigned major, minor;

		if (strcmp(all[i], name) == 0 || wwid_of(all[i], other, sizeof other) || strcmp(wwid, other) != 0)
			continue;
		if (stack_attribute(all[i], "dev", dev, sizeof dev) || sscanf(dev, "%u:%u", &major, &minor) != 2)
			continue;
		devices_add(d, makedev(major, minor));
		add_partitions(d, makedev(major, minor));
	}
	sysfs_list_free(all, n);
}

static void add_below_loop(struct guard_scope *s, uint64_t rdev)
{
	struct loop_backing b;
	char name[64];

	if (stack_name(rdev, name) || loop_backing(name, &b))
		return;
	if (b.rdev) {
		devices_add(&s->same, b.rdev);
		add_partitions(&s->same, b.rdev);
		devices_add(&s->same, stack_disk_of(b.rdev));
	} else {
		s->backing_dev = b.dev;
		s->backing_ino = b.ino;
	}
}

void guard_scope_find(struct guard_scope *s, uint64_t rdev)
{
	uint64_t disk = stack_disk_of(rdev);

	memset(s, 0, sizeof *s);
	devices_add(&s->same, rdev);
	add_partitions(&s->same, rdev);
	devices_add(&s->same, disk);
	add_other_paths(&s->same, disk ? disk : rdev);
	for (size_t i = 0; i < s->same.n; i++) /* a loop over a loop over a file: it grows meanwhile */
		add_below_loop(s, s->same.v[i]);
	for (size_t i = 0; i < s->same.n + s->upon.n; i++) {
		size_t n;
		uint64_t dev = i < s->same.n ? s->same.v[i] : s->upon.v[i - s->same.n];
		uint64_t *v = stack_holders(dev, &n);

		for (size_t k = 0; k < n; k++)
			if (!devices_has(&s->same, v[k]))
				devices_add(&s->upon, v[k]);
		free(v);
		if (i >= s->same.n)
			add_partitions(&s->upon, dev);
	}
}

void guard_scope_release(struct guard_scope *s)
{
	free(s->same.v);
	free(s->upon.v);
}

/* ---- who uses it ---- */

/* "it", "its partition sdb1", "dm-3 (LVM logical volume), which lies on it" */
static void who(uint64_t dev, uint64_t rdev, const struct guard_scope *s, char *out, size_t size)
{
	char name[64] = "?";

	stack_name(dev, name);
	if (dev == rdev)
		snprintf(out, size, "it");
	else if (devices_has(&s->upon, dev))
		snprintf(out, size, "%s (%s), which lies on it,", name, layer_kind_name(stack_kind(name)));
	else if (stack_disk_of(dev) == rdev)
		snprintf(out, size, "its partition %s", name);
	else if (stack_disk_of(rdev) == dev)
		snprintf(out, size, "%s, the disk it is part of,", name);
	else
		snprintf(out, size, "%s, which has the same blocks,", name);
}

static int in_scope(const struct guard_scope *s, uint64_t dev)
{
	return devices_has(&s->same, dev) || devices_has(&s->upon, dev);
}

static uint64_t device_of_fs(struct libmnt_fs *fs)
{
	const char *source = mnt_fs_get_source(fs);
	struct stat st;

	/* btrfs and others have a device number of their own: their source tells. */
	if (source && *source == '/' && stat(source, &st) == 0 && S_ISBLK(st.st_mode))
		return st.st_rdev;
	return mnt_fs_get_devno(fs);
}

static int mounted_in(const char *table, const struct guard_scope *s, uint64_t rdev, struct guard_answer *a)
{
	struct libmnt_table *t = mnt_new_table_from_file(table);
	struct libmnt_iter *it = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs;
	int found = 0;

	while (t && !found && mnt_table_next_fs(t, it, &fs) == 0) {
		uint64_t dev = device_of_fs(fs);
		char name[160];

		if (!in_scope(s, dev) && !in_scope(s, mnt_fs_get_devno(fs)))
			continue;
		who(in_scope(s, dev) ? dev : mnt_fs_get_devno(fs), rdev, s, name, sizeof name);
		snprintf(a->reason, sizeof a->reason, "%s is mounted at %s", name, mnt_fs_get_target(fs));
		snprintf(a->needed, sizeof a->needed, "unmount %s; nothing overrides this", mnt_fs_get_target(fs));
		found = 1;
	}
	mnt_free_iter(it);
	if (t)
		mnt_unref_table(t);
	return found;
}

/* A btrfs over several devices has one of them as the source of its mount. */
static int in_btrfs(const struct guard_scope *s, uint64_t rdev, struct guard_answer *a)
{
	size_t n_fs, n;
	char **fs = sysfs_list("fs/btrfs", &n_fs);
	int found = 0;

	for (size_t i = 0; i < n_fs && !found; i++) {
		char dir[160];
		char **devs;

		snprintf(dir, sizeof dir, "fs/btrfs/%.100s/devices", fs[i]);
		devs = sysfs_list(dir, &n);
		for (size_t k = 0; k < n && !found; k++) {
			char dev[64], name[160];
			unsigned major, minor;

			if (stack_attribute(devs[k], "dev", dev, sizeof dev) || sscanf(dev, "%u:%u", &major, &minor) != 2 ||
			    !in_scope(s, makedev(major, minor)))
				continue;
			who(makedev(major, minor), rdev, s, name, sizeof name);
			snprintf(a->reason, sizeof a->reason, "%s belongs to the mounted btrfs %s", name, fs[i]);
			snprintf(a->needed, sizeof a->needed, "unmount that filesystem; nothing overrides this");
			found = 1;
		}
		sysfs_list_free(devs, n);
	}
	sysfs_list_free(fs, n_fs);
	return found;
}

static int is_swap(const struct guard_scope *s, uint64_t rdev, struct guard_answer *a)
{
	struct libmnt_table *t = mnt_new_table();
	struct libmnt_iter *it = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs;
	int found = 0;

	if (t && mnt_table_parse_swaps(t, NULL) == 0) {
		while (!found && mnt_table_next_fs(t, it, &fs) == 0) {
			const char *source = mnt_fs_get_source(fs);
			char name[160];
			struct stat st;

			if (!source || stat(source, &st))
				continue;
			if (S_ISBLK(st.st_mode) && in_scope(s, st.st_rdev))
				who(st.st_rdev, rdev, s, name, sizeof name);
			else if (s->backing_ino && st.st_ino == s->backing_ino && st.st_dev == s->backing_dev)
				snprintf(name, sizeof name, "the file behind it");
			else
				continue;
			snprintf(a->reason, sizeof a->reason, "%s is used as swap", name);
			snprintf(a->needed, sizeof a->needed, "swapoff %s; nothing overrides this", source);
			found = 1;
		}
	}
	mnt_free_iter(it);
	if (t)
		mnt_unref_table(t);
	return found;
}

static int is_held(const struct guard_scope *s, struct guard_answer *a)
{
	char name[64] = "?", detail[256];
	enum layer_kind kind;

	if (!s->upon.n)
		return 0;
	stack_name(s->upon.v[0], name);
	kind = stack_kind(name);
	if (stack_attribute(name, "dm/name", detail, sizeof detail))
		snprintf(detail, sizeof detail, "%s", name);
	snprintf(a->reason, sizeof a->reason, "it is held by %s (%s %s)", name, layer_kind_name(kind), detail);
	snprintf(a->needed, sizeof a->needed, kind == LAYER_MULTIPATH ? "use the multipath device; nothing overrides this"
		 : "take %s down, or use it instead; nothing overrides this", name);
	return 1;
}

/* Two loop devices on one file: each would write under the other. */
static int shares_file(const struct guard_scope *s, struct guard_answer *a)
{
	size_t n;
	char **all = s->backing_ino ? sysfs_list("class/block", &n) : NULL;
	int found = 0;

	for (size_t i = 0; all && i < n && !found; i++) {
		struct loop_backing b;
		char dev[64];
		unsigned major, minor;

		if (loop_backing(all[i], &b) || b.rdev || b.ino != s->backing_ino || b.dev != s->backing_dev)
			continue;
		if (stack_attribute(all[i], "dev", dev, sizeof dev) || sscanf(dev, "%u:%u", &major, &minor) != 2 ||
		    devices_has(&s->same, makedev(major, minor)))
			continue;
		snprintf(a->reason, sizeof a->reason, "the file behind it is also behind %s", all[i]);
		snprintf(a->needed, sizeof a->needed, "losetup -d /dev/%s; nothing overrides this", all[i]);
		found = 1;
	}
	if (all)
		sysfs_list_free(all, n);
	return found;
}

int guard_in_use(const struct guard_scope *s, uint64_t rdev, struct guard_answer *a)
{
	return mounted_in("/proc/self/mountinfo", s, rdev, a) || mounted_in("/proc/1/mountinfo", s, rdev, a) ||
	       in_btrfs(s, rdev, a) || is_swap(s, rdev, a) || is_held(s, a) || shares_file(s, a);
}
