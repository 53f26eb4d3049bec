/* SPDX-License-Identifier: Apache-2.0 */
#include "run/loop.h"

#include "base/err.h"
#include "run/stack.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/loop.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define ATTEMPTS 20 /* somebody else may take the free one first */

#ifndef LOOP_CONFIGURE
#define LOOP_CONFIGURE 0x4C0A
struct loop_config {
	__u32 fd, block_size;
	struct loop_info64 info;
	__u64 reserved[8];
};
#endif

static int open_node(int number, char path[64])
{
	int fd;

	snprintf(path, 64, "/dev/loop%d", number);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT && mknod(path, S_IFBLK | 0600, makedev(7, (unsigned)number)) == 0)
		fd = open(path, O_RDWR | O_CLOEXEC); /* a /dev without udev */
	return fd;
}

static int configure(int fd, int file, bool direct_io)
{
	struct loop_config c;

	memset(&c, 0, sizeof c);
	c.fd = (__u32)file;
	c.info.lo_flags = LO_FLAGS_AUTOCLEAR | (direct_io ? LO_FLAGS_DIRECT_IO : 0);
	return ioctl(fd, LOOP_CONFIGURE, &c);
}

static int check_direct(int fd, bool direct_io, const char *path, struct iow_error *e)
{
	struct loop_info64 info;

	if (ioctl(fd, LOOP_GET_STATUS64, &info))
		return err_sys(e, errno, "%s", path);
	if (direct_io && !(info.lo_flags & LO_FLAGS_DIRECT_IO))
		return err_set(e, EINVAL, "%s: the filesystem of its file does not allow direct I/O", path);
	return 0;
}

int loop_attach(int file, bool direct_io, char path[64], struct iow_error *e)
{
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC), fd = -1, err = 0;

	if (control < 0)
		return err_sys(e, errno, "loop devices cannot be made: /dev/loop-control");
	for (int i = 0; i < ATTEMPTS && fd < 0; i++) {
		int number = ioctl(control, LOOP_CTL_GET_FREE);

		if (number < 0) {
			err = errno;
			break;
		}
		fd = open_node(number, path);
		if (fd < 0) {
			err = errno;
			break;
		}
		if (configure(fd, file, direct_io)) {
			err = errno;
			close(fd);
			fd = -1;
			if (err != EBUSY)
				break;
		}
	}
	close(control);
	if (fd < 0)
		return err_sys(e, err ? err : EBUSY, "no loop device can be made");
	if (check_direct(fd, direct_io, path, e) == 0)
		return fd;
	close(fd);
	return -1;
}
