/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_RUN_JOBIO_H
#define IOW_RUN_JOBIO_H

#include <stdint.h>

#include "bundle/run.h"

/* What the machine and the device did around one run, read by the agent: device counters, busy
 * processor time and pressure stall from the instant of GO to the result, and device bytes in the idle window between
 * the order to go and that instant. */

struct job_io;

struct job_io *job_io_open(uint64_t rdev, int64_t now); /* at the order to go; the idle window opens */
/* Shortly before the instant of GO. Too late for that (the agent did not get a processor in time): there
 * is no idle window, and the device is counted from the order on. */
void job_io_start(struct job_io *io, int64_t now, bool late);
/* Sets machine_cpu_ns, pressure_*, dev_* and foreign_bytes, the last scaled from the window to r->wall_ns. */
void job_io_finish(struct job_io *io, struct run *r);
void job_io_free(struct job_io *io);

#endif
