/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "base/num.h"
#include "run/facts.h"
#include "run/guard.h"
#include "run/layout.h"
#include "run/stack.h"
#include "run/sysfs.h"

#include <errno.h>
#include <fcntl.h>
#include <libmount.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* ---- filesystem ---- */

static void fill_state(json_t *o, const char *path)
{
	struct statvfs fs;
	char size[40], share[40];
	mem_auto char *text = NULL;

	if (statvfs(path, &fs) || !fs.f_blocks) {
		fact_text(o, "fill_state", "", err_name(errno));
		return;
	}
	num_bytes((uint64_t)fs.f_blocks * fs.f_frsize, size);
	num_fixed(100.0 * (double)(fs.f_blocks - fs.f_bfree) / (double)fs.f_blocks, 1, share);
	text = mem_printf("%s%% of %s used", share, size);
	jsonx_set_str(o, "fill_state", text);
}

/* The mount that a path is seen through; one device can be mounted in several places. */
static struct libmnt_fs *mount_of(struct libmnt_table *t, const char *path, uint64_t dev)
{
	struct libmnt_iter *it = mnt_new_iter(MNT_ITER_BACKWARD);
	struct libmnt_fs *fs = NULL, *found = NULL;
	struct statx x;

	if (statx(AT_FDCWD, path, 0, STATX_MNT_ID, &x) == 0 && x.stx_mask & STATX_MNT_ID)
		while (!found && mnt_table_next_fs(t, it, &fs) == 0)
			if ((uint64_t)mnt_fs_get_id(fs) == x.stx_mnt_id)
				found = fs;
	mnt_free_iter(it);
	return found ? found : mnt_table_find_devno(t, dev, MNT_ITER_BACKWARD);
}

static void filesystem(json_t *o, const char *path, uint64_t dev)
{
	struct libmnt_table *t = mnt_new_table_from_file("/proc/self/mountinfo");
	struct libmnt_fs *fs = t ? mount_of(t, path, dev) : NULL;
	char name[32];

	layout_filesystem(path, name);
	jsonx_set_str(o, "filesystem", name);
	if (fs) {
		fact_text(o, "mount_point", mnt_fs_get_target(fs), "?");
		fact_text(o, "mount_options", mnt_fs_get_options(fs), "none");
		fact_text(o, "mount_source", mnt_fs_get_source(fs), "?");
	} else {
		fact_text(o, "mount_point", "", "its filesystem is not in the list of mounts");
	}
	if (t)
		mnt_unref_table(t);
	fill_state(o, path);
}

/* ---- disks ---- */

/* One attribute of all leaves: each value once, ", " between them. */
static void of_leaves(json_t *o, const char *name, const struct stack *s, const char *const *attributes)
{
	struct buf all = BUF_INIT;
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		char value[300] = "";

		if (!s->v[i].leaf)
			continue;
		for (const char *const *a = attributes; *a && !*value; a++)
			if (stack_attribute(s->v[i].name, *a, value, sizeof value))
				*value = 0;
		if (!*value || (n && strstr(buf_str(&all), value)))
			continue;
		buf_printf(&all, "%s%s", n++ ? ", " : "", value);
	}
	fact_text(o, name, buf_str(&all), "the disk says nothing of it");
	buf_release(&all);
}

static void leaves(json_t *o, const struct stack *s)
{
	struct buf names = BUF_INIT, ids = BUF_INIT;
	uint64_t bytes = 0;

	for (size_t i = 0; i < s->n; i++) {
		char id[320], size[64];

		if (!s->v[i].leaf)
			continue;
		buf_printf(&names, "%s%s", names.len ? ", " : "", s->v[i].name);
		device_id(s->v[i].rdev, id, sizeof id);
		if (*id)
			buf_printf(&ids, "%s%s", ids.len ? ", " : "", id);
		if (!stack_attribute(s->v[i].name, "size", size, sizeof size))
			bytes += strtoull(size, NULL, 10) * 512;
	}
	fact_text(o, "leaves", buf_str(&names), "nothing lies below");
	fact_text(o, "stable_id", buf_str(&ids), "no WWN, serial number or UUID");
	fact_bytes(o, "capacity", bytes);
	buf_release(&names);
	buf_release(&ids);
}

/* Name of the kernel's driver: /sys/class/block/NAME/device/driver is a link to it. */
static void interface(json_t *o, const char *name)
{
	static const struct { const char *prefix, *words; } known[] = {
		{ "nvme", "NVMe" }, { "vd", "virtio" }, { "xvd", "Xen" }, { "sd", "SCSI" }, { "zram", "memory (zram)" },
		{ "ram", "memory" }, { "mmcblk", "MMC" }, { "nbd", "NBD (network)" }, { "rbd", "Ceph RBD (network)" },
		{ "pmem", "persistent memory" }, { "dasd", "DASD" }, { "loop", "loop" }, { NULL, NULL },
	};
	mem_auto char *link = mem_printf("/sys/class/block/%s/device/driver", name), *text = NULL;
	char transport[64] = "", real[PATH_MAX] = "";
	int i = 0;

	while (known[i].prefix && strncmp(name, known[i].prefix, strlen(known[i].prefix)))
		i++;
	if (stack_attribute(name, "device/transport", transport, sizeof transport))
		*transport = 0;
	if (!realpath(link, real))
		*real = 0;
	text = mem_printf("%s%s%s%s%s", known[i].prefix ? known[i].words : "", *transport ? ", " : "", transport,
			  *real ? ", kernel driver " : "", *real ? strrchr(real, '/') + 1 : "");
	fact_text(o, "interface", text, "not known from its name");
}

/* PCI Express link of an NVMe device; other links are not told by sysfs in one place. */
static void link_speed(json_t *o, const char *name)
{
	char speed[64], width[64];
	double gt;
	mem_auto char *text = NULL, *number = NULL;

	if (stack_attribute(name, "device/device/current_link_speed", speed, sizeof speed) ||
	    stack_attribute(name, "device/device/current_link_width", width, sizeof width))
		return;
	text = mem_printf("PCI Express, %s, %s lanes", speed, width);
	fact_text(o, "link", text, "?");
	number = mem_strndup(speed, strcspn(speed, " "));
	if (num_parse_real(number, &gt, NULL) == 0 && gt > 0) /* 8b/10b up to 5 GT/s, then 128b/130b */
		jsonx_set_int(o, "link_bytes_per_s", (int64_t)(gt * 1e9 * (gt > 5 ? 128.0 / 130 : 0.8) / 8 * atoi(width)));
}

/* ---- queue of the device that I/O is sent to ---- */

static void bytes_of(json_t *o, const char *name, const char *dev, const char *attribute, uint64_t unit)
{
	char value[64], text[40];

	if (stack_attribute(dev, attribute, value, sizeof value)) {
		fact_text(o, name, "", "sysfs does not have it");
		return;
	}
	num_bytes(strtoull(value, NULL, 10) * unit, text);
	jsonx_set_str(o, name, text);
}

static void chosen(char *value) /* "mq-deadline [none]" → "none" */
{
	char *a = strchr(value, '['), *b = a ? strchr(a, ']') : NULL;

	if (!b)
		return;
	*b = 0;
	memmove(value, a + 1, strlen(a + 1) + 1);
}

static void queue(json_t *o, const char *name)
{
	char value[256], depth[64], text[400];

	bytes_of(o, "logical_block", name, "queue/logical_block_size", 1);
	bytes_of(o, "physical_block", name, "queue/physical_block_size", 1);
	bytes_of(o, "read_ahead", name, "queue/read_ahead_kb", 1024);
	bytes_of(o, "largest_request", name, "queue/max_sectors_kb", 1024);
	if (stack_attribute(name, "queue/scheduler", value, sizeof value))
		*value = 0;
	chosen(value);
	fact_text(o, "scheduler", value, "it has none");
	if (stack_attribute(name, "queue/nr_requests", value, sizeof value))
		*value = 0;
	snprintf(text, sizeof text, "%s", value);
	if (!stack_attribute(name, "device/queue_depth", depth, sizeof depth))
		snprintf(text, sizeof text, "%s, of the device %s", value, depth);
	fact_text(o, "queue_depth", text, "sysfs does not have it");
	if (!stack_attribute(name, "queue/rotational", value, sizeof value))
		jsonx_set_str(o, "rotational", *value == '1' ? "yes" : "no");
}

static void caches(json_t *o, const struct stack *s)
{
	static const char *const write_cache[] = { "queue/write_cache", NULL }, *const fua[] = { "queue/fua", NULL };
	const char *said;

	of_leaves(o, "write_cache", s, write_cache);
	of_leaves(o, "fua", s, fua);
	said = jsonx_str(o, "fua", "");
	if (strcmp(said, "1") == 0 || strcmp(said, "0") == 0)
		jsonx_set_str(o, "fua", *said == '1' ? "supported" : "not supported");
}

/* A partition has no queue of its own: the disk's counts. */
static void queue_name(const struct stack *s, char out[64])
{
	snprintf(out, 64, "%s", s->v[0].name);
	if (s->v[0].kind == LAYER_PARTITION && !sysfs_exists(out, "queue") && sysfs_disk(s->v[0].name, out))
		snprintf(out, 64, "%s", s->v[0].name);
}

static void layers(json_t *o, const struct stack *s)
{
	json_t *lines = stack_to_json(s), *out = json_array(), *v;
	size_t i;

	json_array_foreach(lines, i, v) {
		const char *line = json_string_value(v);

		json_array_append_new(out, json_string(line + strspn(line, " ")));
	}
	json_decref(lines);
	jsonx_set_new(o, "layers", out);
	if (s->missing)
		fact_text(o, "layers_below", "", s->missing);
}

static void devices(json_t *o, const struct stack *s)
{
	static const char *const maker[] = { "device/vendor", "device/manufacturer", NULL };
	static const char *const model[] = { "device/model", "device/name", NULL };
	static const char *const serial[] = { "device/serial", "serial", "device/vpd_pg80", NULL };
	static const char *const firmware[] = { "device/firmware_rev", "device/rev", "device/fwrev", NULL };
	char name[64];
	size_t leaf = 0;

	while (leaf + 1 < s->n && !s->v[leaf].leaf)
		leaf++;
	fact_text(o, "device", s->v[0].name, "?");
	layers(o, s);
	leaves(o, s);
	of_leaves(o, "maker", s, maker);
	of_leaves(o, "model", s, model);
	of_leaves(o, "serial", s, serial);
	of_leaves(o, "firmware", s, firmware);
	interface(o, s->v[leaf].name);
	link_speed(o, s->v[leaf].name);
	queue_name(s, name);
	queue(o, name);
	caches(o, s);
}

void facts_target(json_t *o, const char *path, uint64_t rdev)
{
	char why[128] = "the driver names no device";
	uint64_t device = 0;
	struct stack s;
	struct stat st;

	if (path && *path && stat(path, &st) == 0) {
		device = stack_device_of(path, why);
		if (!S_ISBLK(st.st_mode) && !S_ISCHR(st.st_mode))
			filesystem(o, path, st.st_dev);
	}
	if (!device && rdev)
		device = stack_device_of_dev(rdev, why);
	if (!device) {
		fact_text(o, "device", "", why);
		return;
	}
	stack_load(&s, device);
	if (s.n)
		devices(o, &s);
	else
		fact_text(o, "device", "", s.missing);
	stack_release(&s);
}
