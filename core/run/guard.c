/* SPDX-License-Identifier: Apache-2.0 */
#include "run/guard.h"

#include "base/err.h"
#include "base/mem.h"
#include "run/stack.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

static void never(struct guard_answer *a, const char *needed, const char *fmt, const char *what)
{
	a->state = GUARD_NEVER;
	snprintf(a->reason, sizeof a->reason, fmt, what);
	snprintf(a->needed, sizeof a->needed, "%s", needed);
}

/* Opened for reading: a device that was opened for writing makes udev look at it again when closed. */
static int claim(const char *path, bool exclusive)
{
	return open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | (exclusive ? O_EXCL : 0));
}

static void look_at_content(int fd, struct guard_answer *a)
{
	char says[300] = "";
	enum guard_content c = guard_probe(fd, says, sizeof says);

	a->state = c == CONTENT_BLANK ? GUARD_FREE : GUARD_DESTROY;
	if (c == CONTENT_MEMBER)
		never(a, "take it out of its volume and wipe its signature by hand; nothing overrides this",
		      "it is a member of a volume: %s", says);
	else if (c == CONTENT_UNKNOWN)
		never(a, "find out what it is; wipe its signatures by hand (wipefs) when nothing of it is needed",
		      "it holds %s", says);
	else if (c == CONTENT_DATA)
		snprintf(a->reason, sizeof a->reason, "it holds %s", says);
}

static void needed_to_destroy(struct guard_answer *a)
{
	if (!*a->id) {
		a->state = GUARD_NEVER;
		snprintf(a->needed, sizeof a->needed, "a device without a stable id (WWN, serial number, UUID) cannot be "
			 "named for destruction: wipe it by hand, or use another");
		return;
	}
	snprintf(a->needed, sizeof a->needed, "if all data on it may be lost: \"destroy\": \"%s\" on the target in the plan, "
		 "and --destroy %s on the command line", a->id, a->id);
}

/* Returns the claim, or -1. */
static int look(const char *path, struct guard_answer *a)
{
	struct guard_scope scope;
	struct stat st;
	int fd, plain, ro = 0, err;

	memset(a, 0, sizeof *a);
	if (stat(path, &st))
		return never(a, "name a device that is there", "it cannot be looked at: %s", err_name(errno)), -1;
	if (!S_ISBLK(st.st_mode))
		return never(a, "name a block device: only of those it is known who uses them",
			     "it is %s", S_ISCHR(st.st_mode) ? "a character device" : "no block device"), -1;
	a->rdev = st.st_rdev;
	device_id(st.st_rdev, a->id, sizeof a->id);
	fd = claim(path, true);
	err = errno;
	guard_scope_find(&scope, st.st_rdev);
	if (guard_in_use(&scope, st.st_rdev, a)) {
		a->state = GUARD_NEVER;
	} else if (fd < 0 && err == EBUSY) {
		plain = claim(path, false);
		if (plain >= 0)
			look_at_content(plain, a);
		if (a->state != GUARD_NEVER)
			never(a, "end what uses it (lsof, fuser); nothing overrides this", "it is open exclusively%s", "");
		if (plain >= 0)
			close(plain);
	} else if (fd < 0) {
		never(a, err == EACCES || err == EPERM ? "run as a user who may use the device" : "mend the device",
		      "it cannot be opened: %s", err_name(err));
	} else if (ioctl(fd, BLKROGET, &ro) == 0 && ro) {
		never(a, "make it writable (blockdev --setrw), or use another", "it is read-only%s", "");
	} else {
		look_at_content(fd, a);
		if (a->state == GUARD_DESTROY)
			needed_to_destroy(a);
	}
	guard_scope_release(&scope);
	return fd;
}

void guard_look(const char *path, struct guard_answer *a)
{
	int fd = look(path, a);

	if (fd >= 0)
		close(fd);
}

static bool listed(const char *id, const char *const *ids, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(ids[i], id) == 0)
			return true;
	return false;
}

/* May what is on it be destroyed? A plan that names another device is wrong even if this one is free. */
static void judge(const char *plan_id, const char *const *ids, size_t n_ids, struct guard_answer *a)
{
	if (a->state == GUARD_NEVER)
		return;
	if (plan_id && strcmp(plan_id, a->id) != 0) {
		a->state = GUARD_NEVER;
		snprintf(a->reason, sizeof a->reason, "the plan names %s for destruction, and this device is %s", plan_id,
			 *a->id ? a->id : "one without a stable id");
		snprintf(a->needed, sizeof a->needed, "find out which of the two is meant, then correct \"destroy\" or the path");
		return;
	}
	if (a->state == GUARD_FREE || !plan_id)
		return;
	if (listed(plan_id, ids, n_ids))
		a->state = GUARD_FREE;
	else
		snprintf(a->needed, sizeof a->needed, "if all data on it may be lost: --destroy %s on the command line", plan_id);
}

int guard_hold(const char *path, const char *plan_id, const char *const *ids, size_t n_ids,
	       struct guard_answer *a, struct iow_error *e)
{
	int fd = look(path, a);

	judge(plan_id, ids, n_ids, a);
	if (fd >= 0 && a->state == GUARD_FREE)
		return fd;
	if (fd >= 0)
		close(fd);
	return err_set(e, EPERM, "%s is not written: %s. Needed: %s", path, a->reason, a->needed);
}
