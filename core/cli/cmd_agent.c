/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cmd.h"
#include "cli/opt.h"
#include "run/agent.h"
#include "run/driver.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Started as /proc/self/exe, it would be called "exe" in a list of processes. */
int cmd_agent(int argc, char **argv)
{
	static uint32_t fd;
	static const char *plugins;
	static const struct opt opts[] = {
		{ "fd", 0, OPT_COUNT, "N", &fd, "speak on this inherited socket, not on standard input and output" },
		{ "plugin-path", 0, OPT_STRING, "DIRS", &plugins, "look for drivers in these directories first" },
		{ NULL, 0, OPT_FLAG, NULL, NULL, NULL },
	};
	static const struct opt_usage u = {
		"agent [OPTION…]",
		"Serves one campaign on this node: describes drivers, prepares targets, makes runs. The coordinator "
		"starts it; it ends, and undoes what it made, when its input ends.",
		opts, NULL, 0, 0
	};
	struct agent_options o = { 0, 1 };
	int status;

	if (opt_parse(&u, argc, argv, &status) < 0)
		return status;
	if (fd)
		o.in = o.out = (int)fd;
	if (isatty(o.in)) {
		fprintf(stderr, "iowitness agent: it speaks with a coordinator, not with a terminal\n");
		return EXIT_USAGE;
	}
	if (plugins)
		driver_path_prepend(plugins);
	prctl(PR_SET_NAME, "iowitness-agent");
	return agent_main(&o);
}
