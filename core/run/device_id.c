/* SPDX-License-Identifier: Apache-2.0 */
#include "base/mem.h"
#include "run/guard.h"
#include "run/stack.h"
#include "run/sysfs.h"

#include <blkid/blkid.h>
#include <ctype.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* An id is typed on a command line: blanks and the like become '_'. */
static void put(char *out, size_t size, const char *prefix, const char *text)
{
	int n = snprintf(out, size, "%s%s", prefix, text);

	for (char *p = out; n > 0 && *p; p++)
		if (isspace((unsigned char)*p) || *p == '"' || *p == '\'' || (unsigned char)*p < 0x20)
			*p = '_';
}

static int read_some(const char *name, const char *attribute, char *out, size_t size)
{
	return stack_attribute(name, attribute, out, size) || !*out ? -1 : 0;
}

static int by_wwn(const char *name, char *out, size_t size)
{
	char s[256];

	if (read_some(name, "device/wwid", s, sizeof s) && read_some(name, "wwid", s, sizeof s))
		return -1;
	if (strncmp(s, "eui.", 4) == 0)
		return -1; /* has its own place in the order */
	put(out, size, "wwn-", strncmp(s, "naa.", 4) == 0 ? s + 4 : s);
	return 0;
}

static int by_serial(const char *name, char *out, size_t size)
{
	char serial[128], model[128];
	mem_auto char *both = NULL;

	if (read_some(name, "device/serial", serial, sizeof serial) && read_some(name, "serial", serial, sizeof serial))
		return -1;
	if (read_some(name, "device/model", model, sizeof model))
		return -1;
	/* A controller's serial is the same for all its namespaces. */
	both = strncmp(name, "nvme", 4) == 0 ? mem_printf("%s-%s-%s", model, serial, name + strcspn(name + 4, "n") + 4)
					      : mem_printf("%s-%s", model, serial);
	put(out, size, "serial-", both);
	return 0;
}

static int by_eui(const char *name, char *out, size_t size)
{
	char s[256];

	if (read_some(name, "wwid", s, sizeof s) || strncmp(s, "eui.", 4) != 0)
		return -1;
	put(out, size, "eui-", s + 4);
	return 0;
}

static int by_dm(const char *name, char *out, size_t size)
{
	char s[256];

	if (read_some(name, "dm/uuid", s, sizeof s))
		return -1;
	put(out, size, "dm-uuid-", s);
	return 0;
}

static int by_loop(const char *name, char *out, size_t size)
{
	char file[PATH_MAX], text[PATH_MAX + 32];
	struct loop_backing b;
	struct stat st;

	if (read_some(name, "loop/backing_file", file, sizeof file) || loop_backing(name, &b) || b.rdev || stat(file, &st))
		return -1;
	if (st.st_dev != b.dev || st.st_ino != b.ino)
		return -1; /* the name is another file's by now */
	snprintf(text, sizeof text, "%s:%llu", file, (unsigned long long)st.st_ino);
	if (strlen(text) + 6 >= size)
		return -1; /* a cut id could be another's */
	put(out, size, "loop-", text);
	return 0;
}

static int by_partuuid(const char *name, char *out, size_t size)
{
	mem_auto char *node = mem_printf("/dev/%s", name);
	int fd = open(node, O_RDONLY | O_CLOEXEC), rc = -1;
	blkid_probe pr = fd < 0 ? NULL : blkid_new_probe();
	const char *uuid;

	if (pr && blkid_probe_set_device(pr, fd, 0, 0) == 0) {
		blkid_probe_enable_superblocks(pr, 0);
		blkid_probe_enable_partitions(pr, 1);
		blkid_probe_set_partitions_flags(pr, BLKID_PARTS_ENTRY_DETAILS);
		if (blkid_do_fullprobe(pr) == 0 && blkid_probe_lookup_value(pr, "PART_ENTRY_UUID", &uuid, NULL) == 0) {
			put(out, size, "partuuid-", uuid);
			rc = 0;
		}
	}
	if (pr)
		blkid_free_probe(pr);
	if (fd >= 0)
		close(fd);
	return rc;
}

static int of_disk(const char *name, char *out, size_t size)
{
	return by_wwn(name, out, size) && by_serial(name, out, size) && by_eui(name, out, size) &&
	       by_dm(name, out, size) && by_loop(name, out, size) ? -1 : 0;
}

void device_id(uint64_t rdev, char *out, size_t size)
{
	char name[64], disk[64], number[16];

	*out = 0;
	if (stack_name(rdev, name))
		return;
	if (!stack_attribute(name, "partition", number, sizeof number) && !sysfs_disk(name, disk) &&
	    !of_disk(disk, out, size)) {
		size_t n = strlen(out);

		if (n + strlen(number) + 6 < size)
			snprintf(out + n, size - n, "-part%s", number);
		else
			*out = 0;
		return;
	}
	if (of_disk(name, out, size) && by_partuuid(name, out, size))
		*out = 0;
}
