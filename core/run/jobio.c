/* SPDX-License-Identifier: Apache-2.0 */
#include "run/jobio.h"

#include "base/file.h"
#include "base/mem.h"
#include "run/stack.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct job_io {
	struct stack stack;
	bool known;   /* the counters can be read */
	struct stack_counters open, start;
	int64_t opened, started;
	int64_t cpu;  /* busy ns of the machine at the start; -1: unknown */
	int64_t pressure[3]; /* stalled ns at the start, as members of a run; -1: unknown */
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

/* Pressure stall since boot for one resource: "some avg10=0.00 avg60=0.00 avg300=0.00 total=12345", in us. */
static int64_t stalled_ns(const char *resource)
{
	char path[64], line[256];
	const char *total;

	snprintf(path, sizeof path, "/proc/pressure/%s", resource);
	if (file_line(path, line, sizeof line) || strncmp(line, "some ", 5) || !(total = strstr(line, "total=")))
		return -1;
	return strtoll(total + 6, NULL, 10) * 1000;
}

static void read_pressure(int64_t ns[3])
{
	ns[0] = stalled_ns("cpu");
	ns[1] = stalled_ns("io");
	ns[2] = stalled_ns("memory");
}

struct job_io *job_io_open(uint64_t rdev, int64_t now)
{
	struct job_io *io = mem_alloc(sizeof *io);
	uint64_t device = rdev ? stack_device_of_dev(rdev, NULL) : 0;

	if (device)
		stack_load(&io->stack, device);
	io->known = device && stack_counters(&io->stack, &io->open) == 0;
	io->opened = now;
	io->cpu = -1;
	return io;
}

void job_io_start(struct job_io *io, int64_t now, bool late)
{
	io->started = late ? io->opened : now;
	if (late)
		io->start = io->open;
	else
		io->known = io->known && stack_counters(&io->stack, &io->start) == 0;
	io->cpu = machine_busy_ns();
	read_pressure(io->pressure);
}

void job_io_finish(struct job_io *io, struct run *r)
{
	int64_t cpu = machine_busy_ns(), window = io->started - io->opened, pressure[3];
	int64_t *const stalled[3] = { &r->pressure_cpu_ns, &r->pressure_io_ns, &r->pressure_memory_ns };
	struct stack_counters end;

	if (!io->started)
		return;
	read_pressure(pressure);
	for (int i = 0; i < 3; i++)
		if (pressure[i] >= 0 && io->pressure[i] >= 0)
			*stalled[i] = pressure[i] - io->pressure[i];
	if (cpu >= 0 && io->cpu >= 0)
		r->machine_cpu_ns = cpu - io->cpu;
	if (!io->known || stack_counters(&io->stack, &end))
		return;
	r->dev_known = true;
	r->dev_reads = end.reads - io->start.reads;
	r->dev_writes = end.writes - io->start.writes;
	r->dev_read_bytes = end.read_bytes - io->start.read_bytes;
	r->dev_write_bytes = end.write_bytes - io->start.write_bytes;
	if (window > 0 && r->wall_ns >= 0)
		r->foreign_bytes = (int64_t)((double)(io->start.read_bytes - io->open.read_bytes +
						      io->start.write_bytes - io->open.write_bytes) *
					     (double)r->wall_ns / (double)window);
}

void job_io_free(struct job_io *io)
{
	if (!io)
		return;
	stack_release(&io->stack);
	free(io);
}
