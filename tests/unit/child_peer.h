/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_TEST_CHILD_PEER_H
#define IOW_TEST_CHILD_PEER_H

#include <sys/types.h>

#include "bundle/run.h"
#include "run/wire.h"

/* The agent's side of a child, for tests: the child is forked and served over a socketpair. */
struct peer {
	pid_t pid;
	int fd;
	struct wire wire;
};

/* Sends the PREPARE frame `ask` (JSON without its type). */
void start(struct peer *p, const char *ask);
/* The next frame that is neither PROGRESS nor FACT; it must be of that type. New. */
json_t *next(struct peer *p, const char *type);
void tell(struct peer *p, const char *type);
/* Waits for its end; most memory it had, KiB. */
long finish(struct peer *p);
/* A whole run; its line in r, its samples (new) returned. */
json_t *whole_run(const char *ask, struct run *r);
/* Drivers of the build tree are found first. */
void use_built_drivers(void);

#endif
