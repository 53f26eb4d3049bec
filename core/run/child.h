/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_RUN_CHILD_H
#define IOW_RUN_CHILD_H

#include "run/wire.h"

#include <iowitness/driver.h>

/* The process that meets a driver: `iowitness child FD`. Serves one PREPARE on the socket `fd` and
 * returns the exit code; ends at once at the end of file there. */
int child_main(int fd);

/* ---- between the files of the child ---- */

struct child {
	int fd;
	struct wire wire;
	json_t *ask;           /* the PREPARE frame */
	struct iow_host host;  /* what drivers get */
};

/* Sends a frame, from any thread; takes it over. A peer that is gone ends the process. */
void child_send(struct child *c, json_t *frame_take);
/* Sends ERROR of class "plan", "refused" or "failed" and returns 1. */
int child_error(struct child *c, const char *class, const struct iow_error *e);
void child_log(struct child *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Watches what a target is asked before READY: when a read is not answered within `deadline_ns`, or another
 * call not within ten times that, `hung` is called in the watching thread with the text and must not return.
 * `moved` (or NULL) is called there now and then while a test file is being written. */
struct patience;
struct target;
struct patience *patience_new(struct target *t, int64_t deadline_ns, void (*hung)(void *ctx, const char *why),
			      void (*moved)(void *ctx), void *ctx);
void patience_free(struct patience *p);

int child_run(struct child *c);    /* child_run.c */
int child_target(struct child *c); /* child_target.c */

#endif
