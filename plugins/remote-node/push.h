/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLUGIN_REMOTE_NODE_PUSH_H
#define PLUGIN_REMOTE_NODE_PUSH_H

#include <iowitness/driver.h>

/* What is carried to a node where nothing is installed: a tar archive in memory, and the shell script
 * that receives it there, checks its hash, starts the agent from a private directory and removes that
 * directory when the agent ends. */
struct push {
	char *data;
	size_t n, room;
	char *script;
};

/* `files`: the program first, then drivers. 0, or -1 with the error set and nothing to release. */
int push_make(struct push *p, const char *const *files, struct iow_error *e);
void push_release(struct push *p);
/* Writes the archive to fd within the time. A receiver that goes away is no error here: its last words
 * say more. */
int push_send(const struct push *p, int fd, int64_t timeout_ns, struct iow_error *e);

#endif
