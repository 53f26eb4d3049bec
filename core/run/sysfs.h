/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_RUN_SYSFS_H
#define IOW_RUN_SYSFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What stack.c reads; beside the functions here see stack_name and stack_attribute of stack.h. */

/* Sorted names in a directory of sysfs (relative to its root), "." and ".." left out. */
char **sysfs_list(const char *dir, size_t *n);
void sysfs_list_free(char **names, size_t n);
/* Does /sys/class/block/NAME/`attribute` exist? */
bool sysfs_exists(const char *name, const char *attribute);
/* Disk of a partition, by where its directory lies. */
int sysfs_disk(const char *name, char out[64]);

/* What is behind a loop device: a block device (rdev), else the file with this dev and ino. The driver is
 * asked, which knows it without a name and from any mount namespace; only where it may not be asked, the
 * name tells. -1: nothing, or it cannot be told. */
struct loop_backing {
	uint64_t rdev, dev, ino;
};
int loop_backing(const char *name, struct loop_backing *b);
/* The device that a loop device's backing file lies on (or is), 0 with the reason. */
uint64_t loop_backing_device(const char *name, char why[128]);

#endif
