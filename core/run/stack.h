/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_RUN_STACK_H
#define IOW_RUN_STACK_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <iowitness/driver.h>

/* The device stack below a path, as sysfs tells it: from the device that I/O is sent to down to the
 * devices that nothing is known to lie under. */

enum layer_kind {
	LAYER_DISK, LAYER_PARTITION, LAYER_LVM, LAYER_LUKS, LAYER_MULTIPATH, LAYER_DM, LAYER_MD,
	LAYER_LOOP, LAYER_NVME_MULTIPATH, LAYER_NVME_PATH, LAYER_ZRAM
};
const char *layer_kind_name(enum layer_kind k); /* "LVM logical volume", "disk", … */

struct layer {
	char name[64];     /* of the kernel: "dm-0", "sda1" */
	uint64_t rdev;     /* 0: a hidden device (path of an NVMe multipath) */
	enum layer_kind kind;
	int above;         /* index of a layer that lies on it, -1: the top */
	bool leaf;         /* nothing is known under it */
	char *detail;      /* dm name and uuid, RAID level, backing file; NULL: none */
};

struct stack {
	struct layer *v;
	size_t n;          /* top first; a device that several lie on is there once */
	char *missing;     /* why nothing, or not all, is known; NULL: complete */
};

/* The device number below a path: of the device itself, or of the device that the file's filesystem
 * lies on (also where st_dev is a number of the filesystem's own, as btrfs has). 0: none is known
 * (network, tmpfs, ZFS), `why` (NULL or at least 128 bytes) says what it is instead. */
uint64_t stack_device_of(const char *path, char *why);
/* For a device number as stat gives it (st_dev or st_rdev). */
uint64_t stack_device_of_dev(uint64_t dev, char *why);

/* What lies below a device; never fails, see `missing`. */
void stack_load(struct stack *s, uint64_t rdev);
void stack_release(struct stack *s);
/* ["dm-0: LVM logical volume (vg-lv)", …], top first, indented by what it lies under. New. */
json_t *stack_to_json(const struct stack *s);

/* Sums of the leaves, or of the first loop device on the way to them, since boot, of `stat` in sysfs; sectors are 512 bytes there. */
struct stack_counters {
	uint64_t reads, writes, read_bytes, write_bytes;
};
/* -1: none can be read. */
int stack_counters(const struct stack *s, struct stack_counters *out);

/* Device numbers of what lies on a device at once: holders (dm, md, bcache), and loop devices whose
 * backing file it is. The caller frees; *n their number. */
uint64_t *stack_holders(uint64_t rdev, size_t *n);
/* Partitions of a disk; the same rules. */
uint64_t *stack_partitions(uint64_t rdev, size_t *n);
/* Disk of a partition, 0 when it is none. */
uint64_t stack_disk_of(uint64_t rdev);

/* Name of the kernel for a device number; -1: no such device. */
int stack_name(uint64_t rdev, char out[64]);
/* First line of /sys/class/block/NAME/`attribute`, trimmed; -1: none. */
int stack_attribute(const char *name, const char *attribute, char *out, size_t size);
enum layer_kind stack_kind(const char *name);

/* Another place than /sys; for tests. */
void stack_set_sysfs(const char *root);

#endif
