/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_RUN_GUARD_H
#define IOW_RUN_GUARD_H

#include <stddef.h>
#include <stdint.h>

#include <iowitness/driver.h>

/* May a device be written? In use (mounted, swap, held, member of a volume, exclusively open): never,
 * and nothing overrides that. With a signature, a partition table or other data on it: only when the
 * plan names it by its stable id and the command line repeats that id. */

enum guard_state {
	GUARD_FREE,    /* nothing is on it and nobody uses it */
	GUARD_DESTROY, /* not in use, but there is something on it */
	GUARD_NEVER
};

struct guard_answer {
	enum guard_state state;
	uint64_t rdev;
	char id[320];      /* stable id; empty: it has none */
	char reason[600];  /* one sentence; empty when free */
	char needed[900];  /* what would have to be done; empty when free */
};

/* Looks at the device of `path`, reading only. It is claimed (O_EXCL) while it is looked at, so that
 * the answer holds for one instant. Anything but a block device is GUARD_NEVER. */
void guard_look(const char *path, struct guard_answer *a);

/* Looks and keeps the claim: returns a descriptor, opened read-only with O_EXCL, which the caller keeps
 * open for as long as the device is written. `plan_id`: what the plan names for destruction, or NULL;
 * `ids`: those of --destroy. -1 with err EPERM when it is refused: the text has reason and remedy. */
int guard_hold(const char *path, const char *plan_id, const char *const *ids, size_t n_ids,
	       struct guard_answer *a, struct iow_error *e);

/* Stable id of a device: "wwn-…", "serial-MODEL-SERIAL", "eui-…", "dm-uuid-…", "loop-FILE:INODE",
 * "partuuid-…"; of a partition on a disk that has one: the disk's with "-partN" behind it. Empty: none. */
void device_id(uint64_t rdev, char *out, size_t size);

/* ---- between the files of the guard ---- */

struct devices {
	uint64_t *v;
	size_t n;
};

/* What a device's blocks are part of, and all that lies on these. */
struct guard_scope {
	struct devices same; /* the device, its partitions, its disk, the device under a loop, other paths to it */
	struct devices upon; /* holders of these, and what is on them in turn */
	uint64_t backing_dev, backing_ino; /* of the file behind a loop device; 0: none */
};
void guard_scope_find(struct guard_scope *s, uint64_t rdev);
void guard_scope_release(struct guard_scope *s);

/* Who uses it: 1 with reason and needed filled in, 0 nobody. */
int guard_in_use(const struct guard_scope *s, uint64_t rdev, struct guard_answer *a);

/* What is on it, read through fd. */
enum guard_content { CONTENT_BLANK, CONTENT_DATA, CONTENT_MEMBER, CONTENT_UNKNOWN };
/* `says`: "an ext4 filesystem (label \"x\")"; for UNKNOWN why it cannot be told. */
enum guard_content guard_probe(int fd, char *says, size_t size);

#endif
