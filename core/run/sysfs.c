/* SPDX-License-Identifier: Apache-2.0 */
#include "run/sysfs.h"

#include "base/err.h"
#include "base/file.h"
#include "base/vec.h"
#include "run/stack.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libmount.h>
#include <limits.h>
#include <linux/loop.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static char sysfs[PATH_MAX] = "/sys";

void stack_set_sysfs(const char *root)
{
	snprintf(sysfs, sizeof sysfs, "%s", root);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char **sysfs_list(const char *dir, size_t *n)
{
	mem_auto char *path = file_join(sysfs, dir);
	DIR *d = opendir(path);
	struct dirent *de;
	char **names = NULL;

	*n = 0;
	if (!d)
		return NULL;
	while ((de = readdir(d)))
		if (de->d_name[0] != '.')
			*VEC_ADD(names, *n) = mem_strdup(de->d_name);
	closedir(d);
	if (*n)
		qsort(names, *n, sizeof *names, by_name);
	return names;
}

void sysfs_list_free(char **names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(names[i]);
	free(names);
}

bool sysfs_exists(const char *name, const char *attribute)
{
	mem_auto char *path = mem_printf("%s/class/block/%s/%s", sysfs, name, attribute);

	return access(path, F_OK) == 0;
}

int stack_attribute(const char *name, const char *attribute, char *out, size_t size)
{
	mem_auto char *path = mem_printf("%s/class/block/%s/%s", sysfs, name, attribute);
	size_t n, skip;

	if (file_line(path, out, size))
		return -1;
	for (n = strlen(out); n && out[n - 1] == ' '; n--)
		out[n - 1] = 0;
	skip = strspn(out, " ");
	memmove(out, out + skip, strlen(out + skip) + 1);
	return 0;
}

int stack_name(uint64_t rdev, char out[64])
{
	mem_auto char *path = mem_printf("%s/dev/block/%u:%u", sysfs, major(rdev), minor(rdev));
	char to[PATH_MAX];
	ssize_t n = readlink(path, to, sizeof to - 1);
	const char *slash;

	if (n < 0)
		return -1;
	to[n] = 0;
	slash = strrchr(to, '/');
	snprintf(out, 64, "%.63s", slash ? slash + 1 : to);
	return 0;
}

static uint64_t dev_of(const char *name)
{
	char dev[64];
	unsigned major, minor;

	if (stack_attribute(name, "dev", dev, sizeof dev) || sscanf(dev, "%u:%u", &major, &minor) != 2)
		return 0;
	return makedev(major, minor);
}

int sysfs_disk(const char *name, char out[64])
{
	mem_auto char *path = mem_printf("%s/class/block/%s", sysfs, name);
	char real[PATH_MAX];
	char *slash;

	if (!sysfs_exists(name, "partition") || !realpath(path, real))
		return -1;
	slash = strrchr(real, '/');
	*slash = 0;
	slash = strrchr(real, '/');
	snprintf(out, 64, "%.63s", slash + 1);
	return 0;
}

uint64_t stack_disk_of(uint64_t rdev)
{
	char name[64], disk[64];

	return stack_name(rdev, name) || sysfs_disk(name, disk) ? 0 : dev_of(disk);
}

uint64_t *stack_partitions(uint64_t rdev, size_t *n)
{
	char name[64], dir[96];
	uint64_t *out = NULL;
	size_t n_all;
	char **all;

	*n = 0;
	if (stack_name(rdev, name))
		return NULL;
	snprintf(dir, sizeof dir, "class/block/%s", name);
	all = sysfs_list(dir, &n_all);
	for (size_t i = 0; i < n_all; i++) {
		uint64_t dev = sysfs_exists(all[i], "partition") ? dev_of(all[i]) : 0;

		if (dev)
			*VEC_ADD(out, *n) = dev;
	}
	sysfs_list_free(all, n_all);
	return out;
}

uint64_t *stack_holders(uint64_t rdev, size_t *n)
{
	char name[64], dir[96];
	uint64_t *out = NULL;
	size_t n_all;
	char **all;

	*n = 0;
	if (stack_name(rdev, name))
		return NULL;
	snprintf(dir, sizeof dir, "class/block/%s/holders", name);
	all = sysfs_list(dir, &n_all);
	for (size_t i = 0; i < n_all; i++)
		if (dev_of(all[i]))
			*VEC_ADD(out, *n) = dev_of(all[i]);
	sysfs_list_free(all, n_all);
	all = sysfs_list("class/block", &n_all); /* loop devices do not count as holders there */
	for (size_t i = 0; i < n_all; i++) {
		struct loop_backing b;

		if (loop_backing(all[i], &b) == 0 && b.rdev == rdev)
			*VEC_ADD(out, *n) = dev_of(all[i]);
	}
	sysfs_list_free(all, n_all);
	return out;
}

/* ---- from files to devices ---- */

/* Filesystems with a device number of their own: the mount's source tells the device. */
static uint64_t device_of_mount(uint64_t dev, char *why)
{
	struct libmnt_table *t = mnt_new_table_from_file("/proc/self/mountinfo");
	struct libmnt_fs *fs = t ? mnt_table_find_devno(t, dev, MNT_ITER_BACKWARD) : NULL;
	const char *source = fs ? mnt_fs_get_source(fs) : NULL;
	struct stat st;
	uint64_t rdev = 0;

	if (source && *source == '/' && stat(source, &st) == 0 && S_ISBLK(st.st_mode))
		rdev = st.st_rdev;
	else if (why && fs)
		snprintf(why, 128, "a %s filesystem, which lies on no block device of this machine that is known",
			 mnt_fs_get_fstype(fs) ? mnt_fs_get_fstype(fs) : "unnamed");
	else if (why)
		snprintf(why, 128, "its filesystem is not in the list of mounts");
	if (t)
		mnt_unref_table(t);
	return rdev;
}

uint64_t stack_device_of_dev(uint64_t dev, char *why)
{
	char name[64];

	return major(dev) && stack_name(dev, name) == 0 ? dev : device_of_mount(dev, why);
}

uint64_t stack_device_of(const char *path, char *why)
{
	struct stat st;

	if (stat(path, &st)) {
		if (why)
			snprintf(why, 128, "%s", err_name(errno));
		return 0;
	}
	if (S_ISBLK(st.st_mode))
		return st.st_rdev;
	return stack_device_of_dev(st.st_dev, why);
}

static int ask_loop_driver(const char *name, struct loop_backing *b)
{
	mem_auto char *node = mem_printf("/dev/%s", name);
	struct loop_info64 info;
	int fd = open(node, O_RDONLY | O_CLOEXEC | O_NONBLOCK), rc;

	if (fd < 0)
		return -1;
	rc = ioctl(fd, LOOP_GET_STATUS64, &info);
	close(fd);
	if (rc)
		return -1;
	b->dev = info.lo_device;
	b->ino = info.lo_inode;
	/* Old kernels give the file's device once more where it is no device. */
	b->rdev = info.lo_rdevice == info.lo_device ? 0 : info.lo_rdevice;
	return 0;
}

int loop_backing(const char *name, struct loop_backing *b)
{
	char backing[PATH_MAX];
	struct stat st;

	memset(b, 0, sizeof *b);
	if (stack_attribute(name, "loop/backing_file", backing, sizeof backing))
		return -1;
	if (ask_loop_driver(name, b) == 0)
		return 0;
	if (stat(backing, &st))
		return -1;
	b->dev = st.st_dev;
	b->ino = st.st_ino;
	b->rdev = S_ISBLK(st.st_mode) ? st.st_rdev : 0;
	return 0;
}

uint64_t loop_backing_device(const char *name, char why[128])
{
	struct loop_backing b;

	if (loop_backing(name, &b))
		return snprintf(why, 128, "it has no backing file, or one without a name and the driver may not be asked"), 0;
	return b.rdev ? b.rdev : stack_device_of_dev(b.dev, why);
}
