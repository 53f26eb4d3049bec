/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cmd.h"
#include "run/child.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>

/* Internal: the agent starts one for each thing to describe, prepare or run. */
int cmd_child(int argc, char **argv)
{
	int fd = argc == 2 ? atoi(argv[1]) : -1, type;
	socklen_t n = sizeof type;

	if (fd < 3 || getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &n)) {
		fprintf(stderr, "iowitness child: only an agent starts it\n");
		return EXIT_USAGE;
	}
	/* Started as /proc/self/exe, it would be called "exe" in a list of processes. */
	prctl(PR_SET_NAME, "iowitness-child");
	return child_main(fd);
}
