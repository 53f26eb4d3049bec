/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_RUN_TARGET_H
#define IOW_RUN_TARGET_H

#include <jansson.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "bundle/run.h"
#include "plan/keys.h"
#include "plan/workload.h"
#include "run/driver.h"

/* A driver's target, opened in a child, and what must be true of it before a run. */
struct target {
	struct driver driver;
	struct conf conf;
	void *handle;
	struct iow_info info;
	uint32_t flags; /* IOW_OPEN_* it was opened with */
	char file[512]; /* value of its FILE or DEVICE key; "" without one */
	/* What the driver was asked for outside of a run and has not answered, for a watcher in another
	 * thread: since when (CLOCK_MONOTONIC; 0: nothing), what, and where. */
	_Atomic int64_t asked_ns;
	const char *_Atomic asked_for;
	_Atomic uint64_t asked_at;
};

/* Around a call of the driver: `what` is a string that stays, "open". */
void target_asks(struct target *t, const char *what, uint64_t offset);
void target_answered(struct target *t);

/* Loads the driver and fills its configuration; opens nothing. */
int target_load(struct target *t, const char *driver, const json_t *keys, struct iow_error *e);
int target_open(struct target *t, const struct iow_host *host, uint32_t flags, uint32_t jobs, uint64_t seed,
		struct iow_error *e);
void target_release(struct target *t);
/* The regular file that an open target does its I/O to: true with its state, false when it is none. */
bool target_file(const struct target *t, struct stat *st);

/* IOW_OPEN_* for a workload on this driver; -1 with the error when the driver cannot do what it asks. */
int target_flags(const struct target *t, const struct workload *w, uint32_t *flags, struct iow_error *e);
/* Whether blocks, region and alignment fit the target; *length 0 becomes "all the rest". */
int target_fits(const struct target *t, const struct workload *w, uint64_t offset, uint64_t *length,
		struct iow_error *e);
/* run's `direct`: 1 in force by F_GETFL and not denied by statx or a memory filesystem, 0 not, -1 not asked. */
int64_t target_direct(const struct target *t);
/* Bytes of the region that are written (not holes, not unwritten extents); -1: not a file. */
int64_t target_allocated(const struct target *t, uint64_t offset, uint64_t length);
/* Reads some blocks of the region: how many, and how many are zero or compress. -1 with the error when a
 * read fails; a driver that moves no data gives 0 of 0. */
int target_sample(struct target *t, uint64_t offset, uint64_t length, int64_t *sampled, int64_t *weak,
		  struct iow_error *e);
/* Reads the region once, so that caches hold what they will. */
int target_warm(struct target *t, uint64_t offset, uint64_t length, struct iow_error *e);
/* Writes back and, when `drop`, drops the region from caches (as root the kernel's other caches too, so
 * that names and extents are cold as well); fills the members cold_method, resident_pages and
 * checked_pages of r. */
int target_settle(struct target *t, uint64_t offset, uint64_t length, bool drop, struct run *r, struct iow_error *e);

#endif
