/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_RUN_AGENT_H
#define IOW_RUN_AGENT_H

/* The agent of one node: speaks the protocol of run/wire.h with the coordinator on `in` and `out`,
 * starts a child for each driver to describe, target to prepare and run to make, and ends, with
 * everything undone, at the end of `in`. */
struct agent_options {
	int in, out;             /* the same for a socket */
};

/* Returns when the coordinator is gone or said STOP: the exit code of the process. Takes over the
 * signal mask of the process; single-threaded (the children's death signal depends on it). */
int agent_main(const struct agent_options *o);

#endif
