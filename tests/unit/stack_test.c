/* SPDX-License-Identifier: Apache-2.0 */
/* Device stacks out of a planted sysfs, so that no machine needs to have them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "run/stack.h"

static char root[64];

static void put(const char *path, const char *text)
{
	mem_auto char *full = mem_printf("%s/%s", root, path), *cmd = NULL;
	FILE *f;

	cmd = mem_printf("mkdir -p \"$(dirname %s)\"", full);
	assert_int_equal(system(cmd), 0);
	f = fopen(full, "w");
	assert_non_null(f);
	fprintf(f, "%s\n", text);
	fclose(f);
}

static void link_to(const char *to, const char *path)
{
	mem_auto char *full = mem_printf("%s/%s", root, path), *cmd = NULL;

	cmd = mem_printf("mkdir -p \"$(dirname %s)\"", full);
	assert_int_equal(system(cmd), 0);
	assert_int_equal(symlink(to, full), 0);
}

/* A device at `place` below devices/, `reads` sectors read. minor 0 in a hidden device: no number. */
static void device(const char *place, unsigned minor, unsigned reads)
{
	const char *slash = strrchr(place, '/'), *name = slash ? slash + 1 : place;
	mem_auto char *dev = mem_printf("devices/%s/dev", place), *number = mem_printf("8:%u", minor);
	mem_auto char *stat = mem_printf("devices/%s/stat", place), *counters = mem_printf("   7 0 %u 0 3 0 16 0 0 0 0", reads);
	mem_auto char *by_class = mem_printf("class/block/%s", name), *to = mem_printf("../../devices/%s", place);
	mem_auto char *by_dev = mem_printf("dev/block/8:%u", minor);

	put(stat, counters);
	link_to(to, by_class);
	if (!minor)
		return;
	put(dev, number);
	link_to(to, by_dev);
}

/* `upper` lies on `lower`. */
static void lies_on(const char *upper, const char *lower)
{
	mem_auto char *slave = mem_printf("class/block/%s/slaves/%s", upper, lower);
	mem_auto char *holder = mem_printf("class/block/%s/holders/%s", lower, upper);

	put(slave, "");
	put(holder, "");
}

static int plant(void **state)
{
	snprintf(root, sizeof root, "/tmp/iowitness-sysfs.XXXXXX");
	if (!mkdtemp(root))
		return -1;
	stack_set_sysfs(root);
	/* LVM on LUKS on a partition of a multipath device of two disks */
	device("sda", 1, 100);
	device("sdb", 2, 200);
	device("dm-0", 10, 1);
	device("dm-1", 11, 1);
	device("dm-2", 12, 1);
	device("dm-3", 13, 1);
	put("class/block/dm-0/dm/uuid", "mpath-360000001");
	put("class/block/dm-0/dm/name", "mpatha");
	put("class/block/dm-1/dm/uuid", "part1-mpath-360000001");
	put("class/block/dm-1/dm/name", "mpatha1");
	put("class/block/dm-2/dm/uuid", "CRYPT-LUKS2-aa-luks");
	put("class/block/dm-2/dm/name", "luks");
	put("class/block/dm-3/dm/uuid", "LVM-bb");
	put("class/block/dm-3/dm/name", "vg-lv");
	lies_on("dm-0", "sda");
	lies_on("dm-0", "sdb");
	lies_on("dm-1", "dm-0");
	lies_on("dm-2", "dm-1");
	lies_on("dm-3", "dm-2");
	/* RAID over a partition and a disk with the same disk in both */
	device("sdc", 3, 1000);
	device("sdc/sdc1", 4, 500);
	device("sdc/sdc2", 5, 500);
	put("class/block/sdc1/partition", "1");
	put("class/block/sdc2/partition", "2");
	device("md0", 14, 1);
	put("class/block/md0/md/level", "raid0");
	lies_on("md0", "sdc1");
	lies_on("md0", "sdc2");
	/* NVMe multipath */
	device("nvme0n1", 20, 0);
	device("nvme0c0n1", 0, 30);
	device("nvme0c1n1", 0, 40);
	device("nvme0n12", 21, 5);
	return 0;
}

static int uproot(void **state)
{
	mem_auto char *cmd = mem_printf("rm -rf %s", root);

	stack_set_sysfs("/sys");
	return system(cmd);
}

static void expect(unsigned minor, const char *const *lines, uint64_t read_sectors)
{
	struct stack_counters c;
	struct stack s;
	json_t *o;
	size_t n = 0;

	stack_load(&s, makedev(8, minor));
	assert_null(s.missing);
	o = stack_to_json(&s);
	for (; lines[n]; n++)
		assert_string_equal(json_string_value(json_array_get(o, n)), lines[n]);
	assert_int_equal(json_array_size(o), n);
	assert_int_equal(stack_counters(&s, &c), 0);
	assert_int_equal(c.read_bytes, read_sectors * 512);
	json_decref(o);
	stack_release(&s);
}

static void a_loop_device_is_counted_in_place_of_the_disk_below(void **state)
{
	struct layer v[] = {
		{ .name = "dm-3", .kind = LAYER_LVM, .above = -1 },
		{ .name = "loop7", .kind = LAYER_LOOP, .above = 0 },
		{ .name = "dm-0", .kind = LAYER_DM, .above = 1 },
		{ .name = "sdb", .kind = LAYER_DISK, .above = 2, .leaf = true },
		{ .name = "sda", .kind = LAYER_DISK, .above = 0, .leaf = true },
	};
	struct stack s = { .v = v, .n = 5 };
	struct stack_counters c;

	device("loop7", 30, 77);
	assert_int_equal(stack_counters(&s, &c), 0);
	assert_int_equal(c.read_bytes, (77 + 100) * 512);
}

static void a_volume_is_followed_down_to_its_disks(void **state)
{
	static const char *const lines[] = {
		"dm-3: LVM logical volume (vg-lv, uuid LVM-bb)",
		"  dm-2: LUKS (luks, uuid CRYPT-LUKS2-aa-luks)",
		"    dm-1: partition (mpatha1, uuid part1-mpath-360000001)",
		"      dm-0: multipath (mpatha, uuid mpath-360000001)",
		"        sda: disk",
		"        sdb: disk",
		NULL
	};

	expect(13, lines, 300);
}

static void a_disk_under_two_partitions_counts_once(void **state)
{
	static const char *const lines[] = { "md0: RAID (md) (raid0)", "  sdc1: partition", "    sdc: disk",
					     "  sdc2: partition", NULL };

	expect(14, lines, 1000);
}

static void nvme_paths_are_the_leaves(void **state)
{
	static const char *const lines[] = { "nvme0n1: NVMe multipath", "  nvme0c0n1: NVMe path", "  nvme0c1n1: NVMe path", NULL };
	static const char *const plain[] = { "nvme0n12: disk", NULL };

	expect(20, lines, 70);
	expect(21, plain, 5);
}

static void what_lies_on_a_device_is_found(void **state)
{
	size_t n;
	uint64_t *v = stack_holders(makedev(8, 1), &n);

	assert_int_equal(n, 1);
	assert_true(v[0] == makedev(8, 10));
	free(v);
	v = stack_partitions(makedev(8, 3), &n);
	assert_int_equal(n, 2);
	assert_true(v[1] == makedev(8, 5));
	free(v);
	assert_true(stack_disk_of(makedev(8, 4)) == makedev(8, 3));
	assert_true(stack_disk_of(makedev(8, 3)) == 0);
}

static void what_is_not_there_is_said(void **state)
{
	struct stack_counters c;
	struct stack s;
	char why[128];

	stack_load(&s, makedev(8, 99));
	assert_int_equal(s.n, 0);
	assert_string_equal(s.missing, "no block device 8:99 in sysfs");
	assert_int_equal(stack_counters(&s, &c), -1);
	stack_release(&s);
	assert_true(stack_device_of("/proc/self/maps", why) == 0);
	assert_non_null(strstr(why, "proc filesystem"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_loop_device_is_counted_in_place_of_the_disk_below),
		cmocka_unit_test(a_volume_is_followed_down_to_its_disks),
		cmocka_unit_test(a_disk_under_two_partitions_counts_once),
		cmocka_unit_test(nvme_paths_are_the_leaves),
		cmocka_unit_test(what_lies_on_a_device_is_found),
		cmocka_unit_test(what_is_not_there_is_said),
	};

	return cmocka_run_group_tests(tests, plant, uproot);
}
