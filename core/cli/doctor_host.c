/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/file.h"
#include "base/num.h"

/* Newer than the C library's headers may be. */
enum { NR_CACHESTAT = 451, NR_IO_URING_SETUP = 425 };

static void ask_kernel(struct doctor_answer *a, const char *dir)
{
	struct utsname u;

	if (uname(&u) < 0)
		doctor_bad(a, NULL, "uname: %s", strerror(errno));
	else
		doctor_good(a, "%s %s on %s", u.sysname, u.release, u.machine);
}

static void ask_processors(struct doctor_answer *a, const char *dir)
{
	cpu_set_t set;
	char governor[64];
	long all = sysconf(_SC_NPROCESSORS_ONLN);
	int usable = sched_getaffinity(0, sizeof set, &set) < 0 ? (int)all : CPU_COUNT(&set);

	if (file_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", governor,
		      sizeof governor) < 0)
		snprintf(governor, sizeof governor, "none told");
	if (strcmp(governor, "powersave") == 0)
		doctor_limited(a, "cpupower frequency-set -g performance",
			       "%d of %ld usable, frequency governor %s: the clock rate follows the load",
			       usable, all, governor);
	else
		doctor_good(a, "%d of %ld usable, frequency governor %s", usable, all, governor);
}

/* The quota of this process's control group in thousandths of a processor; 0 when there is none. */
static int64_t cpu_quota(void)
{
	char path[4200], line[4096], *group;
	int64_t quota, period;

	if (file_line("/proc/self/cgroup", line, sizeof line) == 0 && (group = strstr(line, "0::/"))) {
		snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", group + 3);
		if (file_line(path, line, sizeof line) == 0 &&
		    sscanf(line, "%" SCNd64 " %" SCNd64, &quota, &period) == 2 && period > 0)
			return quota * 1000 / period;
	}
	if (file_line("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", line, sizeof line) == 0 &&
	    num_parse_int(line, &quota, NULL) == 0 && quota > 0 &&
	    file_line("/sys/fs/cgroup/cpu/cpu.cfs_period_us", line, sizeof line) == 0 &&
	    num_parse_int(line, &period, NULL) == 0 && period > 0)
		return quota * 1000 / period;
	return 0;
}

static void ask_quota(struct doctor_answer *a, const char *dir)
{
	int64_t quota = cpu_quota();

	if (quota > 0)
		doctor_limited(a, "measure outside the container, or raise its limit",
			       "a control group allows %d.%03d processors; runs may be throttled",
			       (int)(quota / 1000), (int)(quota % 1000));
	else
		doctor_good(a, "no processor quota");
}

static void ask_clock(struct doctor_answer *a, const char *dir)
{
	static const char path[] = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
	char source[64];

	if (file_line(path, source, sizeof source) < 0)
		doctor_limited(a, NULL, "the kernel does not tell its clock source");
	else if (strcmp(source, "jiffies") == 0 || strcmp(source, "refined-jiffies") == 0)
		doctor_bad(a, "boot without clocksource=jiffies", "clock source %s is too coarse", source);
	else if (strcmp(source, "hpet") == 0 || strcmp(source, "acpi_pm") == 0)
		doctor_limited(a, "find out in the kernel log why it left tsc",
			       "clock source %s: reading it takes about a microsecond", source);
	else
		doctor_good(a, "clock source %s", source);
}

static void ask_cpu_time(struct doctor_answer *a, const char *dir)
{
	char line[256];
	uint64_t run, wait, turns = 0; /* turns is 0 in a kernel that does not count */

	if (file_line("/proc/self/schedstat", line, sizeof line) == 0 &&
	    sscanf(line, "%" SCNu64 " %" SCNu64 " %" SCNu64, &run, &wait, &turns) == 3 && turns > 0)
		doctor_good(a, "run and wait time of each thread can be read");
	else
		doctor_limited(a, NULL, "no schedstat: whether a run was bound by the processor, and by "
					"whose doing, can't be told");
}

static void ask_device_bytes(struct doctor_answer *a, const char *dir)
{
	char line[256];

	if (file_line("/proc/diskstats", line, sizeof line) == 0)
		doctor_good(a, "the kernel counts what each device moved");
	else
		doctor_limited(a, "measure outside the container",
			       "no /proc/diskstats: what a device really moved can't be compared with what "
			       "was asked");
}

static void ask_cold(struct doctor_answer *a, const char *dir)
{
	bool all = access("/proc/sys/vm/drop_caches", W_OK) == 0;
	bool stat = syscall(NR_CACHESTAT, -1, NULL, NULL, 0) < 0 && errno != ENOSYS;

	if (all)
		doctor_good(a, "caches can be dropped, and what stayed is counted by %s",
			    stat ? "cachestat" : "mincore");
	else if (geteuid() == 0)
		doctor_limited(a, "measure outside the container",
			       "/proc/sys/vm/drop_caches can't be written here: only the pages of own files "
			       "are dropped");
	else
		doctor_limited(a, "run as root for devices and for files of others",
			       "the pages of own files can be dropped, those of devices not");
}

static void ask_aio(struct doctor_answer *a, const char *dir)
{
	unsigned long context = 0;
	char used[32], most[32];

	if (syscall(SYS_io_setup, 1, &context) == 0) {
		syscall(SYS_io_destroy, context);
		doctor_good(a, "libaio works (drivers direct and raw)");
	} else if (errno == EAGAIN && file_line("/proc/sys/fs/aio-nr", used, sizeof used) == 0 &&
		   file_line("/proc/sys/fs/aio-max-nr", most, sizeof most) == 0) {
		doctor_limited(a, "sysctl fs.aio-max-nr=1048576",
			       "%s of %s asynchronous requests are taken: no room for direct and raw", used,
			       most);
	} else {
		doctor_limited(a, "use posix, or measure outside the sandbox",
			       "no libaio here (%s): drivers direct and raw will not open", strerror(errno));
	}
}

static void ask_uring(struct doctor_answer *a, const char *dir)
{
	/* A null parameter block: EFAULT says that the call is there and allowed. */
	bool works = syscall(NR_IO_URING_SETUP, 1, NULL) < 0 && errno == EFAULT;

	if (works)
		doctor_good(a, "io_uring is there (driver uring)");
	else
		doctor_limited(a, "sysctl kernel.io_uring_disabled=0, or use direct",
			       "no io_uring here (%s): driver uring will not open", strerror(errno));
}

static void ask_memory(struct doctor_answer *a, const char *dir)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_MEMLOCK, &r) < 0 || r.rlim_cur == RLIM_INFINITY || geteuid() == 0)
		doctor_good(a, "memory for I/O may be locked without limit");
	else if (r.rlim_cur >= (8u << 20))
		doctor_good(a, "%" PRIu64 " KiB of memory may be locked for I/O", (uint64_t)r.rlim_cur >> 10);
	else
		doctor_limited(a, "ulimit -l unlimited",
			       "only %" PRIu64 " KiB of memory may be locked: registered buffers stay small",
			       (uint64_t)r.rlim_cur >> 10);
}

static void ask_loop(struct doctor_answer *a, const char *dir)
{
	int fd = open("/dev/loop-control", O_RDWR | O_CLOEXEC);

	if (fd >= 0) {
		close(fd);
		doctor_good(a, "loop devices can be made (raw reads without a disk to spare)");
	} else {
		doctor_limited(a, errno == ENOENT ? "modprobe loop" : "run as root",
			       "/dev/loop-control: %s; a plan's \"make\": {\"loop\": …} will be refused",
			       strerror(errno));
	}
}

static bool on_path(const char *program)
{
	char path[4096];
	const char *p = getenv("PATH");

	for (; p && *p; p += strcspn(p, ":"), p += *p == ':') {
		snprintf(path, sizeof path, "%.*s/%s", (int)strcspn(p, ":"), p, program);
		if (access(path, X_OK) == 0)
			return true;
	}
	return false;
}

static void ask_signing(struct doctor_answer *a, const char *dir)
{
	if (on_path("ssh-keygen"))
		doctor_good(a, "ssh-keygen can sign a bundle and verify a signature");
	else
		doctor_limited(a, "apt-get install openssh-client",
			       "no ssh-keygen: bundles can't be signed here");
}

const struct doctor_probe doctor_host[] = {
	{ "kernel", ask_kernel },
	{ "processors", ask_processors },
	{ "quota", ask_quota },
	{ "clock", ask_clock },
	{ "processor time", ask_cpu_time },
	{ "device bytes", ask_device_bytes },
	{ "cold reads", ask_cold },
	{ "libaio", ask_aio },
	{ "io_uring", ask_uring },
	{ "locked memory", ask_memory },
	{ "loop devices", ask_loop },
	{ "signing", ask_signing },
	{ NULL, NULL },
};
