/* SPDX-License-Identifier: Apache-2.0 */
#include "run/usage.h"
#include "base/clock.h"
#include "base/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

static int64_t of(struct timeval tv)
{
	return tv.tv_sec * NS_PER_S + tv.tv_usec * NS_PER_US;
}

static int64_t run_queue_wait(void)
{
	char line[128];
	int64_t ran, waited;

	if (file_line("/proc/thread-self/schedstat", line, sizeof line) != 0 ||
	    sscanf(line, "%" SCNd64 " %" SCNd64, &ran, &waited) != 2)
		return -1;
	return waited;
}

void usage_again(struct usage *u)
{
	struct rusage r;

	getrusage(RUSAGE_THREAD, &r);
	u->user_ns = of(r.ru_utime);
	u->sys_ns = of(r.ru_stime);
	u->ctx_voluntary = (uint64_t)r.ru_nvcsw;
	u->ctx_involuntary = (uint64_t)r.ru_nivcsw;
	u->major_faults = (uint64_t)r.ru_majflt;
}

void usage_thread(struct usage *u)
{
	usage_again(u);
	u->wait_ns = run_queue_wait();
}

void usage_diff(struct usage *to, const struct usage *from)
{
	to->user_ns -= from->user_ns;
	to->sys_ns -= from->sys_ns;
	to->ctx_voluntary -= from->ctx_voluntary;
	to->ctx_involuntary -= from->ctx_involuntary;
	to->major_faults -= from->major_faults;
	to->wait_ns = to->wait_ns < 0 || from->wait_ns < 0 ? -1 : to->wait_ns - from->wait_ns;
}

void usage_add(struct usage *into, const struct usage *u)
{
	into->user_ns += u->user_ns;
	into->sys_ns += u->sys_ns;
	into->ctx_voluntary += u->ctx_voluntary;
	into->ctx_involuntary += u->ctx_involuntary;
	into->major_faults += u->major_faults;
	into->wait_ns = into->wait_ns < 0 || u->wait_ns < 0 ? -1 : into->wait_ns + u->wait_ns;
}
