/* SPDX-License-Identifier: Apache-2.0 */
/* libFuzzer: what a hostile agent sends, as the coordinator reads it. See fuzz.am for how to run it. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "bundle/run.h"
#include "run/node.h"

/* What the coordinator does with the frames that reach a run. */
static void on_frame(void *ctx, struct node *n, const json_t *f)
{
	struct iow_error e = ERR_INIT;
	struct run r;

	run_init(&r);
	if (run_from_json(&r, json_object_get(f, "line"), &e) == 0)
		json_decref(run_to_json(&r));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct iow_error e = ERR_INIT;
	struct nodes ns;
	struct ask ask;
	int fd[2];

	if (size < 1 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fd) || nodes_open(&ns, 1, &e))
		return 0;
	ns.v[0].name = mem_strdup("n");
	ns.v[0].state = NODE_UP;
	ns.v[0].heard_at = ns.v[0].pinged_at = clock_mono_ns();
	ns.v[0].greeted = data[0] & 1;
	ns.on_frame = on_frame;
	wire_init(&ns.v[0].wire, fd[0]);
	ask_post(&ns, &ask, &ns.v[0], wire_frame("PREPARE"));
	for (size_t at = 1; at < size && ns.v[0].state == NODE_UP;) {
		ssize_t n = write(fd[1], data + at, size - at);

		if (n <= 0)
			break;
		at += (size_t)n;
		nodes_poll(&ns, 0);
	}
	ask_drop(&ns, &ask);
	close(fd[1]);
	nodes_close(&ns);
	return 0;
}
