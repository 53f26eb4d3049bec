/* SPDX-License-Identifier: Apache-2.0 */
#include "run/jobio.h"

#include "base/file.h"
#include "base/jsonx.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct job_io {
	uint64_t rdev;
	int64_t opened, started;
	int64_t cpu;  /* busy ns of the machine at the start; -1: unknown */
};

/* user, nice, system, irq, softirq, steal of the first line of /proc/stat: all but idle and iowait;
 * guest time is in user time already. */
static int64_t machine_busy_ns(void)
{
	uint64_t v[8] = { 0 };
	char line[256];
	long hz = sysconf(_SC_CLK_TCK);

	if (hz <= 0 || file_line("/proc/stat", line, sizeof line))
		return -1;
	if (sscanf(line, "cpu %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
		   " %" SCNu64 " %" SCNu64, &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7]) < 7)
		return -1;
	return (int64_t)(v[0] + v[1] + v[2] + v[5] + v[6] + v[7]) * (1000000000 / hz);
}

struct job_io *job_io_open(uint64_t rdev, int64_t now)
{
	struct job_io *io = mem_alloc(sizeof *io);

	io->rdev = rdev;
	io->opened = now;
	io->cpu = -1;
	return io;
}

void job_io_start(struct job_io *io, int64_t now)
{
	io->started = now;
	io->cpu = machine_busy_ns();
}

void job_io_finish(struct job_io *io, json_t *line)
{
	int64_t cpu = machine_busy_ns();

	if (cpu >= 0 && io->cpu >= 0)
		jsonx_set_int(line, "machine_cpu_ns", cpu - io->cpu);
}

void job_io_free(struct job_io *io)
{
	free(io);
}
