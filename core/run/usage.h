/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_RUN_USAGE_H
#define IOW_RUN_USAGE_H

#include <stdint.h>

/* What a thread used. */
struct usage {
	int64_t user_ns, sys_ns;
	int64_t wait_ns; /* time on a run queue (schedstat); -1: the kernel does not say */
	uint64_t ctx_voluntary, ctx_involuntary, major_faults;
};

/* Of the calling thread since it began. */
void usage_thread(struct usage *u);
/* Takes all but wait_ns again: cheap enough for the instant before the first I/O. */
void usage_again(struct usage *u);
/* to - from, member by member. */
void usage_diff(struct usage *to, const struct usage *from);
void usage_add(struct usage *into, const struct usage *u);

#endif
