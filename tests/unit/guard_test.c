/* SPDX-License-Identifier: Apache-2.0 */
/* The guard before each write, on loop devices; what needs device mapper or RAID has its traces planted:
 * signatures on the device, holders in a sysfs of its own. Without root all but the first is skipped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cmocka.h>

#include "guard_signatures.h"

#include "base/err.h"
#include "base/mem.h"
#include "run/guard.h"
#include "run/loop.h"
#include "run/stack.h"

#define BYTES (64 << 20) /* the least that ZFS is looked for on; sparse */

static char base[64];
static char dev[64];   /* a loop device of BYTES */
static int dev_fd = -1, file_fd = -1;

static int shell(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static int shell(const char *fmt, ...)
{
	char cmd[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(cmd, sizeof cmd, fmt, ap);
	va_end(ap);
	return system(cmd);
}

static int have(const char *program)
{
	return shell("command -v %s >/dev/null 2>&1", program) == 0;
}

static int make_file(const char *name)
{
	mem_auto char *path = mem_printf("%s/%s", base, name);
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	return fd < 0 || ftruncate(fd, BYTES) ? -1 : fd;
}

static int setup(void **state)
{
	struct iow_error e = ERR_INIT;

	snprintf(base, sizeof base, "/tmp/iowitness-guard.XXXXXX");
	if (!mkdtemp(base))
		return -1;
	dev_fd = file_fd = -1;
	if (geteuid() != 0)
		return 0;
	file_fd = make_file("a.img");
	dev_fd = loop_attach(file_fd, false, dev, &e);
	if (dev_fd < 0)
		print_message("no loop devices: %s\n", e.text);
	return 0;
}

static int teardown(void **state)
{
	stack_set_sysfs("/sys");
	if (dev_fd >= 0)
		close(dev_fd);
	if (file_fd >= 0)
		close(file_fd);
	return shell("rm -rf %s", base);
}

#define NEEDS_LOOP() do { if (dev_fd < 0) { print_message("SKIP: needs root and loop devices\n"); skip(); } } while (0)
#define NEEDS(program) do { if (!have(program)) { print_message("SKIP: no %s here\n", program); skip(); } } while (0)

void write_at(off_t at, const void *data, size_t n)
{
	assert_int_equal(pwrite(file_fd, data, n, at), n);
	fsync(file_fd);
	/* the device has a page cache of its own */
	assert_int_equal(pwrite(dev_fd, data, n, at), n);
	fsync(dev_fd);
}

static uint64_t device_of(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return st.st_rdev;
}

/* Refused whatever the plan and the command line say. */
static void never(const char *path, const char *reason)
{
	struct iow_error e = ERR_INIT;
	struct guard_answer a;
	const char *ids[1];

	guard_look(path, &a);
	if (a.state != GUARD_NEVER || !strstr(a.reason, reason))
		fail_msg("state %d: %s", a.state, a.reason);
	assert_true(a.needed[0]);
	ids[0] = a.id;
	assert_int_equal(guard_hold(path, a.id, ids, 1, &a, &e), -1);
	assert_int_equal(e.err, EPERM);
	assert_non_null(strstr(e.text, "Needed: "));
}

static void what_is_no_block_device_is_refused(void **state)
{
	mem_auto char *file = mem_printf("%s/a.img", base);

	never("/dev/null", "it is a character device");
	never("/nowhere", "it cannot be looked at: ");
	close(make_file("a.img"));
	never(file, "it is no block device");
}

static void a_blank_device_is_free_and_held(void **state)
{
	struct iow_error e = ERR_INIT;
	struct guard_answer a;
	int fd, again;

	NEEDS_LOOP();
	fd = guard_hold(dev, NULL, NULL, 0, &a, &e);
	if (fd < 0)
		fail_msg("%s", e.text);
	assert_int_equal(guard_hold(dev, NULL, NULL, 0, &a, &e), -1);
	assert_non_null(strstr(e.text, "open exclusively"));
	again = open(dev, O_RDWR | O_CLOEXEC); /* a child opens plainly */
	assert_true(again >= 0);
	close(again);
	close(fd);
}

static void one_that_is_mounted_is_refused(void **state)
{
	mem_auto char *at = mem_printf("%s/m", base);

	NEEDS_LOOP();
	NEEDS("mkfs.ext4");
	assert_int_equal(shell("mkfs.ext4 -q %s && mkdir %s", dev, at), 0);
	assert_int_equal(mount(dev, at, "ext4", MS_RDONLY, NULL), 0);
	never(dev, "it is mounted at ");
	umount(at);
}

static void swap_is_refused(void **state)
{
	NEEDS_LOOP();
	NEEDS("mkswap");
	assert_int_equal(shell("mkswap %s >/dev/null 2>&1", dev), 0);
	if (swapon(dev, 0)) {
		print_message("SKIP: no swap here: %s\n", err_name(errno));
		skip();
	}
	never(dev, "it is used as swap");
	assert_int_equal(swapoff(dev), 0);
}

static void an_exclusively_open_one_is_refused(void **state)
{
	int fd;

	NEEDS_LOOP();
	fd = open(dev, O_RDONLY | O_EXCL | O_CLOEXEC);
	assert_true(fd >= 0);
	never(dev, "it is open exclusively");
	close(fd);
}

static void a_read_only_one_is_refused(void **state)
{
	NEEDS_LOOP();
	NEEDS("blockdev");
	assert_int_equal(shell("blockdev --setro %s", dev), 0);
	never(dev, "it is read-only");
	assert_int_equal(shell("blockdev --setrw %s", dev), 0);
}

static void one_under_another_loop_is_refused(void **state)
{
	struct iow_error e = ERR_INIT;
	char upper[64];
	int fd;

	NEEDS_LOOP();
	fd = loop_attach(dev_fd, false, upper, &e);
	if (fd < 0)
		fail_msg("%s", e.text);
	never(dev, "it is held by loop");
	close(fd);
}

static void one_over_a_mounted_device_is_refused(void **state)
{
	mem_auto char *at = mem_printf("%s/m", base);
	struct iow_error e = ERR_INIT;
	char upper[64];
	int fd;

	NEEDS_LOOP();
	NEEDS("mkfs.ext4");
	assert_int_equal(shell("mkfs.ext4 -q %s && mkdir %s", dev, at), 0);
	assert_int_equal(mount(dev, at, "ext4", MS_RDONLY, NULL), 0);
	fd = loop_attach(dev_fd, false, upper, &e);
	if (fd >= 0) { /* some kernels refuse that themselves */
		never(upper, "which has the same blocks, is mounted at ");
		close(fd);
	}
	umount(at);
}

static void one_over_a_loop_over_a_mounted_device_is_refused(void **state)
{
	mem_auto char *at = mem_printf("%s/m", base);
	struct iow_error e = ERR_INIT;
	char middle[64], upper[64];
	int fd, fd2;

	NEEDS_LOOP();
	NEEDS("mkfs.ext4");
	assert_int_equal(shell("mkfs.ext4 -q %s && mkdir %s", dev, at), 0);
	assert_int_equal(mount(dev, at, "ext4", MS_RDONLY, NULL), 0);
	fd = loop_attach(dev_fd, false, middle, &e);
	fd2 = fd < 0 ? -1 : loop_attach(fd, false, upper, &e);
	if (fd2 >= 0) {
		char id[320];

		never(upper, "which has the same blocks, is mounted at ");
		device_id(device_of(upper), id, sizeof id);
		assert_string_equal(id, ""); /* what is behind the device in the middle changes */
	}
	if (fd >= 0)
		close(fd);
	if (fd2 >= 0)
		close(fd2);
	umount(at);
}

static void two_loops_on_a_file_without_a_name_are_refused(void **state)
{
	struct iow_error e = ERR_INIT;
	char other[64];
	int fd;

	NEEDS_LOOP();
	assert_int_equal(shell("rm %s/a.img", base), 0);
	fd = loop_attach(file_fd, false, other, &e);
	assert_true(fd >= 0);
	never(dev, "the file behind it is also behind loop");
	close(fd);
}

static void two_loops_on_one_file_are_refused(void **state)
{
	struct iow_error e = ERR_INIT;
	char other[64];
	int fd;

	NEEDS_LOOP();
	fd = loop_attach(file_fd, false, other, &e);
	assert_true(fd >= 0);
	never(dev, "the file behind it is also behind loop");
	close(fd);
}

/* ---- planted holders ---- */

static void plant(const char *path, const char *text)
{
	assert_int_equal(shell("mkdir -p \"$(dirname %s/sys/%s)\" && printf '%%s\\n' '%s' >%s/sys/%s", base, path, text, base, path), 0);
}

/* A sysfs that has the loop device and, on it, dm-0. */
static void plant_holder(const char *uuid)
{
	mem_auto char *root = mem_printf("%s/sys", base);
	const char *name = strrchr(dev, '/') + 1;
	struct stat st;

	assert_int_equal(stat(dev, &st), 0);
	plant("class/block/dm-0/dev", "252:77");
	plant("class/block/dm-0/dm/uuid", uuid);
	plant("class/block/dm-0/dm/name", "upper");
	assert_int_equal(shell("mkdir -p %s/class/block/%s/holders/dm-0 %s/dev/block && ln -sfn ../../class/block/%s "
			       "%s/dev/block/%u:%u && ln -sfn ../../class/block/dm-0 %s/dev/block/252:77", root, name, root, name,
			       root, major(st.st_rdev), minor(st.st_rdev), root), 0);
	stack_set_sysfs(root);
}

static void one_that_device_mapper_holds_is_refused(void **state)
{
	NEEDS_LOOP();
	plant_holder("LVM-abc");
	never(dev, "it is held by dm-0 (LVM logical volume upper)");
	stack_set_sysfs("/sys");
	plant_holder("mpath-abc");
	never(dev, "it is held by dm-0 (multipath upper)");
	stack_set_sysfs("/sys");
	plant_holder("CRYPT-LUKS2-abc");
	never(dev, "it is held by dm-0 (LUKS upper)");
}

/* ---- planted signatures ---- */

static void members_of_volumes_are_refused(void **state)
{
	static const struct { void (*put)(void); const char *reason; } members[] = {
		{ put_raid, "member of a volume: linux_raid_member" },
		{ put_luks, "member of a volume: crypto_LUKS" },
		{ put_zfs, "member of a volume: zfs_member" },
		{ put_btrfs, "member of a volume: btrfs" },
	};
	static const char zero[1 << 20];

	NEEDS_LOOP();
	put_lvm(0);
	never(dev, "member of a volume: LVM2_member");
	for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
		write_at(0, zero, sizeof zero);
		members[i].put();
		never(dev, members[i].reason);
	}
}

static void put_table(void)
{
	unsigned char s[512] = { 0 };

	s[446 + 4] = 0x83;
	s[446 + 8 + 1] = 8;     /* start: sector 2048 */
	s[446 + 12 + 1] = 0x40; /* 16384 sectors */
	s[510] = 0x55, s[511] = 0xaa;
	write_at(0, s, sizeof s);
}

static void a_member_inside_a_partition_is_refused(void **state)
{
	NEEDS_LOOP();
	put_table();
	put_lvm(2048 * 512);
	never(dev, "LVM2_member in partition 1");
}

static void contradicting_signatures_are_refused(void **state)
{
	static const unsigned char squashfs[32] = { 'h', 's', 'q', 's', [28] = 4 };

	NEEDS_LOOP();
	NEEDS("mkfs.ext4");
	assert_int_equal(shell("mkfs.ext4 -q %s", dev), 0);
	write_at(0, squashfs, sizeof squashfs); /* ext4 leaves this place alone */
	never(dev, "it holds signatures that contradict each other");
}

/* ---- only with both the plan and the command line ---- */

static void needs_destroy(const char *reason)
{
	struct iow_error e = ERR_INIT;
	struct guard_answer a;
	const char *ids[2] = { "wwn-other", NULL };
	int fd;

	guard_look(dev, &a);
	if (a.state != GUARD_DESTROY || !strstr(a.reason, reason))
		fail_msg("state %d: %s", a.state, a.reason);
	assert_non_null(strstr(a.needed, a.id));
	assert_true(strncmp(a.id, "loop-", 5) == 0);
	ids[1] = a.id;
	assert_int_equal(guard_hold(dev, NULL, ids, 2, &a, &e), -1);
	assert_non_null(strstr(e.text, "\"destroy\": \""));
	assert_int_equal(guard_hold(dev, ids[1], ids, 1, &a, &e), -1);
	assert_non_null(strstr(e.text, "--destroy loop-"));
	assert_int_equal(guard_hold(dev, "wwn-other", ids, 2, &a, &e), -1);
	assert_non_null(strstr(e.text, "the plan names wwn-other"));
	guard_look(dev, &a);
	ids[1] = a.id;
	fd = guard_hold(dev, a.id, (const char *[]){ a.id }, 1, &a, &e);
	assert_true(fd >= 0);
	close(fd);
}

static void a_filesystem_needs_its_id_twice(void **state)
{
	NEEDS_LOOP();
	NEEDS("mkfs.ext4");
	assert_int_equal(shell("mkfs.ext4 -q -L x %s", dev), 0);
	needs_destroy("a signature of ext4 (label x)");
}

static void a_partition_table_needs_its_id_twice(void **state)
{
	NEEDS_LOOP();
	put_table();
	needs_destroy("a partition table (dos)");
}

static void data_without_a_signature_needs_its_id_twice(void **state)
{
	NEEDS_LOOP();
	write_at(BYTES - 4096, "a database", 10);
	needs_destroy("data that has no known signature");
}

static void a_device_without_an_id_is_refused(void **state)
{
	struct iow_error e = ERR_INIT;
	struct guard_answer a;
	mem_auto char *file = mem_printf("%s/a.img", base);

	NEEDS_LOOP();
	write_at(BYTES - 4096, "a database", 10);
	assert_int_equal(unlink(file), 0); /* its id was that file */
	guard_look(dev, &a);
	assert_int_equal(a.state, GUARD_NEVER);
	assert_string_equal(a.id, "");
	assert_int_equal(guard_hold(dev, "loop-x", (const char *[]){ "loop-x" }, 1, &a, &e), -1);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_is_no_block_device_is_refused),
		TEST(a_blank_device_is_free_and_held),
		TEST(one_that_is_mounted_is_refused),
		TEST(swap_is_refused),
		TEST(an_exclusively_open_one_is_refused),
		TEST(a_read_only_one_is_refused),
		TEST(one_under_another_loop_is_refused),
		TEST(one_over_a_mounted_device_is_refused),
		TEST(one_over_a_loop_over_a_mounted_device_is_refused),
		TEST(two_loops_on_one_file_are_refused),
		TEST(two_loops_on_a_file_without_a_name_are_refused),
		TEST(one_that_device_mapper_holds_is_refused),
		TEST(members_of_volumes_are_refused),
		TEST(a_member_inside_a_partition_is_refused),
		TEST(contradicting_signatures_are_refused),
		TEST(a_filesystem_needs_its_id_twice),
		TEST(a_partition_table_needs_its_id_twice),
		TEST(data_without_a_signature_needs_its_id_twice),
		TEST(a_device_without_an_id_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
