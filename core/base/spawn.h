/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_BASE_SPAWN_H
#define IOW_BASE_SPAWN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <iowitness/driver.h>

/* The program itself, also when its file was replaced since it started. */
#define SPAWN_SELF "/proc/self/exe"

struct spawn {
	const char *file;         /* executed; NULL: argv[0], looked for in PATH */
	const char *const *argv;  /* NULL-terminated */
	int in, out, err;         /* become 0, 1, 2; -1: /dev/null */
	int keep;                 /* stays open under its own number; -1: none */
	bool session;             /* in a session of its own: no terminal's Ctrl-C reaches it */
	bool dies_with_parent;    /* SIGKILL when the calling thread ends */
};
#define SPAWN_INIT { .in = -1, .out = -1, .err = -1, .keep = -1 }

/* Starts a program with default signals and an empty mask. All other descriptors must be CLOEXEC.
 * A program that cannot be executed is an error here (errno kept in e->err), not an exit code; *pid
 * is -1 then: never to be given to kill(2). */
int spawn_start(const struct spawn *s, pid_t *pid, struct iow_error *e);

/* Directory of the running program's file; the caller's; NULL when it cannot be read. */
char *spawn_self_dir(void);

/* How a process ended, in words: "signal 11 (SIGSEGV)", "exit code 3"; `status` is wait(2)'s. */
void spawn_describe(int status, char *out, size_t size);
/* "SIGSEGV"; "signal 64" when it has no name. Static storage or `out`. */
const char *spawn_signal_name(int sig, char out[24]);

#endif
