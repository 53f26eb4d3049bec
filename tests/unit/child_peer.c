/* SPDX-License-Identifier: Apache-2.0 */
#include "child_peer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "run/child.h"
#include "run/driver.h"

void start(struct peer *p, const char *ask)
{
	struct iow_error e = ERR_INIT;
	json_error_t je;
	json_t *f = json_loads(ask, 0, &je);
	int s[2];

	if (!f)
		fail_msg("%s in %s", je.text, ask);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, s), 0);
	p->pid = fork();
	if (p->pid == 0) {
		close(s[0]);
		_exit(child_main(s[1]));
	}
	close(s[1]);
	p->fd = s[0];
	wire_init(&p->wire, p->fd);
	jsonx_set_str(f, "type", "PREPARE");
	assert_int_equal(wire_send(p->fd, f, &e), 0);
	json_decref(f);
}

json_t *next(struct peer *p, const char *type)
{
	struct iow_error e = ERR_INIT;
	json_t *f;

	for (;;) {
		if (wire_recv(&p->wire, &f, 20000000000, &e) != 0)
			fail_msg("%s", e.text);
		if (strcmp(wire_type(f), "PROGRESS") && strcmp(wire_type(f), "FACT"))
			break;
		json_decref(f);
	}
	if (strcmp(wire_type(f), type) != 0)
		fail_msg("%s instead of %s: %s", wire_type(f), type, jsonx_str(f, "text", ""));
	return f;
}

void tell(struct peer *p, const char *type)
{
	struct iow_error e = ERR_INIT;
	json_t *f = wire_frame(type);

	jsonx_set_int(f, "run", 1);
	assert_int_equal(wire_send(p->fd, f, &e), 0);
	json_decref(f);
}

long finish(struct peer *p)
{
	struct rusage u = { 0 };

	close(p->fd);
	wire_release(&p->wire);
	wait4(p->pid, NULL, 0, &u);
	return u.ru_maxrss;
}

json_t *whole_run(const char *ask, struct run *r)
{
	struct iow_error e = ERR_INIT;
	struct peer p;
	json_t *f, *samples;

	start(&p, ask);
	f = next(&p, "READY");
	json_decref(f);
	tell(&p, "GO");
	f = next(&p, "RESULT");
	run_init(r);
	assert_int_equal(run_from_json(r, json_object_get(f, "line"), &e), 0);
	samples = json_incref(json_object_get(f, "samples"));
	json_decref(f);
	finish(&p);
	return samples;
}

void use_built_drivers(void)
{
	const char *build = getenv("IOW_BUILD");
	char *path = mem_printf("%s/plugins", build ? build : ".");

	driver_path_prepend(path);
	free(path);
}
