/* SPDX-License-Identifier: Apache-2.0 */
#include "run/stack.h"

#include "base/file.h"
#include "base/jsonx.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "run/sysfs.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/loop.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define LAYERS_MAX 256 /* of one stack: a loop of devices would end here */

static const char *const kind_names[] = {
	"disk", "partition", "LVM logical volume", "LUKS", "multipath", "device mapper", "RAID (md)",
	"loop", "NVMe multipath", "NVMe path", "zram",
};

const char *layer_kind_name(enum layer_kind k)
{
	return kind_names[k];
}

static bool starts(const char *s, const char *head)
{
	return strncmp(s, head, strlen(head)) == 0;
}

static enum layer_kind dm_kind(const char *name)
{
	char uuid[256];
	const char *u = uuid;

	if (stack_attribute(name, "dm/uuid", uuid, sizeof uuid))
		return LAYER_DM;
	if (starts(u, "part") && strchr(u, '-')) /* kpartx: a partition of what follows */
		return LAYER_PARTITION;
	return starts(u, "LVM-") ? LAYER_LVM : starts(u, "CRYPT-") ? LAYER_LUKS : starts(u, "mpath-") ? LAYER_MULTIPATH : LAYER_DM;
}

/* "nvme0c1n1": controller 1 of subsystem 0. */
static bool is_nvme_path(const char *name)
{
	unsigned a, b, c;

	return sscanf(name, "nvme%uc%un%u", &a, &b, &c) == 3;
}

/* The hidden paths "nvme0c*n1" of the head "nvme0n1". */
static char **nvme_paths(const char *name, size_t *n)
{
	unsigned subsystem, ns;
	char **all, **out = NULL;
	size_t n_all;
	int end = 0;

	*n = 0;
	if (sscanf(name, "nvme%un%u%n", &subsystem, &ns, &end) != 2 || name[end])
		return NULL;
	all = sysfs_list("class/block", &n_all);
	for (size_t i = 0; i < n_all; i++) {
		unsigned s, c, k;
		int stop = 0;

		if (sscanf(all[i], "nvme%uc%un%u%n", &s, &c, &k, &stop) == 3 && !all[i][stop] && s == subsystem && k == ns)
			*VEC_ADD(out, *n) = mem_strdup(all[i]);
	}
	sysfs_list_free(all, n_all);
	return out;
}

enum layer_kind stack_kind(const char *name)
{
	size_t n;
	char **paths;

	if (sysfs_exists(name, "partition"))
		return LAYER_PARTITION;
	if (sysfs_exists(name, "dm"))
		return dm_kind(name);
	if (sysfs_exists(name, "md"))
		return LAYER_MD;
	if (starts(name, "loop"))
		return LAYER_LOOP;
	if (starts(name, "zram"))
		return LAYER_ZRAM;
	if (is_nvme_path(name))
		return LAYER_NVME_PATH;
	paths = nvme_paths(name, &n);
	sysfs_list_free(paths, n);
	return n ? LAYER_NVME_MULTIPATH : LAYER_DISK;
}

/* ---- details in words ---- */

static char *detail(const char *name, enum layer_kind kind)
{
	char a[256] = "", b[256] = "";
	char *text = NULL, *clean;

	if (kind == LAYER_MD && !stack_attribute(name, "md/level", a, sizeof a))
		text = mem_strdup(a);
	else if (kind == LAYER_LOOP && !stack_attribute(name, "loop/backing_file", a, sizeof a))
		text = mem_strdup(a);
	else if (!stack_attribute(name, "dm/name", a, sizeof a))
		text = stack_attribute(name, "dm/uuid", b, sizeof b) || !*b ? mem_strdup(a) : mem_printf("%s, uuid %s", a, b);
	if (!text)
		return NULL;
	clean = utf8_clean(text, 512);
	free(text);
	return clean;
}

/* ---- downward ---- */

static int layer_find(const struct stack *s, const char *name)
{
	for (size_t i = 0; i < s->n; i++)
		if (strcmp(s->v[i].name, name) == 0)
			return (int)i;
	return -1;
}

static void missing(struct stack *s, const char *fmt, const char *a, const char *b)
{
	if (!s->missing)
		s->missing = mem_printf(fmt, a, b);
}

static void add_layer(struct stack *s, const char *name, int above)
{
	char dev[64];
	unsigned major, minor;
	struct layer *l;

	if (layer_find(s, name) >= 0 || s->n >= LAYERS_MAX)
		return;
	l = VEC_ADD(s->v, s->n);
	snprintf(l->name, sizeof l->name, "%s", name);
	l->above = above;
	l->kind = stack_kind(name);
	l->detail = detail(name, l->kind);
	if (!stack_attribute(name, "dev", dev, sizeof dev) && sscanf(dev, "%u:%u", &major, &minor) == 2)
		l->rdev = makedev(major, minor);
}

/* Takes the names; their number is returned. */
static size_t add_names(struct stack *s, char **names, size_t n, int above)
{
	for (size_t i = 0; i < n; i++)
		add_layer(s, names[i], above);
	sysfs_list_free(names, n);
	return n;
}

static size_t add_below_loop(struct stack *s, size_t at)
{
	char why[128] = "", name[64];
	uint64_t dev = loop_backing_device(s->v[at].name, why);

	if (!dev)
		missing(s, "below %s: %s", s->v[at].name, why);
	else if (stack_name(dev, name))
		missing(s, "below %s: its backing file's device is not in sysfs%s", s->v[at].name, "");
	else
		return add_layer(s, name, (int)at), 1;
	return 0;
}

/* Adds what lies directly under layer `at`; it is a leaf when that is nothing. */
static void add_below(struct stack *s, size_t at)
{
	char slaves[96], disk[64], name[64];
	size_t n = 0, below;
	char **names;

	snprintf(name, sizeof name, "%s", s->v[at].name);
	snprintf(slaves, sizeof slaves, "class/block/%s/slaves", name);
	names = sysfs_list(slaves, &n);
	below = add_names(s, names, n, (int)at);
	if (s->v[at].kind == LAYER_PARTITION && !below && sysfs_disk(name, disk) == 0) {
		add_layer(s, disk, (int)at);
		below++;
	}
	if (s->v[at].kind == LAYER_LOOP)
		below += add_below_loop(s, at);
	if (s->v[at].kind == LAYER_NVME_MULTIPATH) {
		names = nvme_paths(name, &n);
		below += add_names(s, names, n, (int)at);
	}
	s->v[at].leaf = !below;
}

/* A filesystem over several devices (btrfs) has them all under it. */
static void add_btrfs_peers(struct stack *s, const char *name)
{
	size_t n_fs, n;
	char **fs = sysfs_list("fs/btrfs", &n_fs);

	for (size_t i = 0; i < n_fs; i++) {
		char dir[160];
		char **devs;
		bool mine = false;

		snprintf(dir, sizeof dir, "fs/btrfs/%.100s/devices", fs[i]);
		devs = sysfs_list(dir, &n);
		for (size_t k = 0; k < n; k++)
			mine |= strcmp(devs[k], name) == 0;
		if (mine)
			add_names(s, devs, n, -1);
		else
			sysfs_list_free(devs, n);
	}
	sysfs_list_free(fs, n_fs);
}

void stack_load(struct stack *s, uint64_t rdev)
{
	char name[64];

	memset(s, 0, sizeof *s);
	if (!rdev || stack_name(rdev, name)) {
		s->missing = mem_printf("no block device %u:%u in sysfs", major(rdev), minor(rdev));
		return;
	}
	add_layer(s, name, -1);
	add_btrfs_peers(s, name);
	for (size_t i = 0; i < s->n; i++)
		add_below(s, i);
}

void stack_release(struct stack *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n; i++)
		free(s->v[i].detail);
	free(s->v);
	free(s->missing);
	memset(s, 0, sizeof *s);
}

/* ---- out ---- */

static int depth_of(const struct stack *s, const struct layer *l)
{
	int d = 0;

	for (; l->above >= 0 && d < LAYERS_MAX; d++)
		l = &s->v[l->above];
	return d;
}

static void add_lines(const struct stack *s, int above, json_t *out)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct layer *l = &s->v[i];
		mem_auto char *line = NULL;

		if (l->above != above)
			continue;
		line = mem_printf("%*s%s: %s%s%s%s", 2 * depth_of(s, l), "", l->name, layer_kind_name(l->kind),
				  l->detail ? " (" : "", l->detail ? l->detail : "", l->detail ? ")" : "");
		json_array_append_new(out, json_string(line));
		add_lines(s, (int)i, out);
	}
}

json_t *stack_to_json(const struct stack *s)
{
	json_t *out = json_array();

	add_lines(s, -1, out);
	return out;
}

/* A loop device is counted itself and nothing under it: what lies there is a file in a filesystem that
 * others use too, so the disk's counters are not the device's. */
static bool counted(const struct stack *s, size_t i)
{
	for (int above = s->v[i].above; above >= 0; above = s->v[above].above)
		if (s->v[above].kind == LAYER_LOOP)
			return false;
	return s->v[i].leaf || s->v[i].kind == LAYER_LOOP;
}

int stack_counters(const struct stack *s, struct stack_counters *out)
{
	int leaves = 0;

	memset(out, 0, sizeof *out);
	for (size_t i = 0; i < s->n; i++) {
		uint64_t reads, read_sectors, writes, write_sectors;
		char stat[512];

		if (!counted(s, i) || stack_attribute(s->v[i].name, "stat", stat, sizeof stat))
			continue;
		if (sscanf(stat, "%" SCNu64 " %*u %" SCNu64 " %*u %" SCNu64 " %*u %" SCNu64, &reads, &read_sectors,
			   &writes, &write_sectors) != 4)
			continue;
		out->reads += reads;
		out->writes += writes;
		out->read_bytes += read_sectors * 512;
		out->write_bytes += write_sectors * 512;
		leaves++;
	}
	return leaves ? 0 : -1;
}
