/* SPDX-License-Identifier: Apache-2.0 */
/* The coordinator against agents that do what no agent should. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "base/rng.h"
#include "run/node.h"
#include "run/relay.h"

struct bench {
	struct nodes ns;
	struct node *n;
	int fd; /* the agent's end */
	uint64_t frames, logs, log_bytes;
	int lost;
};

static void on_frame(void *ctx, struct node *n, const json_t *f)
{
	((struct bench *)ctx)->frames++;
}

static void on_log(void *ctx, struct node *n, const char *line)
{
	((struct bench *)ctx)->logs++;
	((struct bench *)ctx)->log_bytes += strlen(line);
}

static void on_lost(void *ctx, struct node *n)
{
	((struct bench *)ctx)->lost++;
}

static void open_bench(struct bench *b)
{
	struct iow_error e = ERR_INIT;
	int fd[2];

	memset(b, 0, sizeof *b);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fd), 0);
	assert_int_equal(nodes_open(&b->ns, 1, &e), 0);
	b->n = &b->ns.v[0];
	b->n->name = mem_strdup("n1");
	b->n->state = NODE_UP;
	b->n->heard_at = b->n->pinged_at = clock_mono_ns();
	wire_init(&b->n->wire, fd[0]);
	b->fd = fd[1];
	b->ns.ctx = b;
	b->ns.on_frame = on_frame;
	b->ns.on_log = on_log;
	b->ns.on_lost = on_lost;
}

static void close_bench(struct bench *b)
{
	close(b->fd);
	nodes_close(&b->ns);
}

static void say(struct bench *b, const char *json)
{
	size_t n = strlen(json);
	unsigned char head[4] = { 0, 0, (unsigned char)(n >> 8), (unsigned char)n };

	assert_int_equal(write(b->fd, head, 4), 4);
	assert_int_equal(write(b->fd, json, n), n);
}

static void run_for(struct bench *b, int64_t ns)
{
	int64_t end = clock_mono_ns() + ns;

	while (b->n->state == NODE_UP && clock_mono_ns() < end)
		nodes_poll(&b->ns, end);
}

static void lost_by(const void *bytes, size_t n, const char *why)
{
	struct bench b;

	open_bench(&b);
	assert_int_equal(write(b.fd, bytes, n), n);
	run_for(&b, NS_PER_S);
	assert_int_equal(b.n->state, NODE_LOST);
	assert_int_equal(b.lost, 1);
	if (!strstr(b.n->why, why))
		fail_msg("\"%s\" is not in \"%s\"", why, b.n->why);
	close_bench(&b);
}

static void garbage_costs_the_node(void **state)
{
	static const char banner[] = "Welcome to this machine! Authorised users only.\n";

	lost_by(banner, sizeof banner - 1, "\"Welcome to this machine!");
	lost_by("\xff\xff\xff\xff", 4, "announced");
	lost_by("\0\0\0\2{}", 6, "no type");
	lost_by("\0\0\0\3{]}", 7, "not JSON");
}

static void another_protocol_is_told(void **state)
{
	struct bench b;

	open_bench(&b);
	say(&b, "{\"type\":\"HELLO\",\"protocol\":2,\"version\":\"9.0\"}");
	run_for(&b, NS_PER_S);
	assert_int_equal(b.n->state, NODE_LOST);
	assert_non_null(strstr(b.n->why, "protocol 2"));
	assert_non_null(strstr(b.n->why, "same version"));
	close_bench(&b);
}

static void flood(const char *json, int seconds)
{
	size_t n = strlen(json);
	char block[65536];
	size_t len = 0;

	while (len + n + 4 <= sizeof block) {
		const unsigned char head[4] = { 0, 0, (unsigned char)(n >> 8), (unsigned char)n };

		memcpy(block + len, head, 4);
		memcpy(block + len + 4, json, n);
		len += n + 4;
	}
	for (int64_t end = clock_mono_ns() + seconds * NS_PER_S; clock_mono_ns() < end;)
		if (write(STDOUT_FILENO, block, len) < 0 && errno != EAGAIN)
			break;
	_exit(0);
}

static void endless_progress_ends(void **state)
{
	struct bench b;
	pid_t pid;

	open_bench(&b);
	pid = fork();
	if (!pid) {
		fcntl(b.fd, F_SETFL, 0);
		dup2(b.fd, STDOUT_FILENO);
		flood("{\"type\":\"PROGRESS\",\"run\":1,\"bytes\":1}", 5);
	}
	run_for(&b, 5 * NS_PER_S);
	assert_int_equal(b.n->state, NODE_LOST);
	assert_non_null(strstr(b.n->why, "flood"));
	assert_true(b.frames < 60000);
	close_bench(&b);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void the_log_of_a_node_is_bounded(void **state)
{
	struct bench b;
	char line[40000], json[41000];

	open_bench(&b);
	memset(line, 'x', sizeof line - 1);
	line[sizeof line - 1] = 0;
	snprintf(json, sizeof json, "{\"type\":\"FACT\",\"log\":\"%s\"}", line);
	for (int i = 0; i < 300; i++) {
		say(&b, json);
		nodes_poll(&b.ns, clock_mono_ns() + NS_PER_MS);
	}
	assert_int_equal(b.n->state, NODE_UP);
	assert_true(b.log_bytes < (5 << 20));
	close_bench(&b);
}

static void a_lost_node_answers_what_was_asked(void **state)
{
	struct bench b;
	struct iow_error e = ERR_INIT;
	char class[16];
	json_t *f = wire_frame("PREPARE");

	open_bench(&b);
	assert_int_equal(write(b.fd, "\xff\xff\xff\xff", 4), 4);
	assert_null(node_ask(&b.ns, b.n, f, NS_PER_S, class, &e));
	assert_string_equal(class, "lost");
	assert_non_null(strstr(e.text, "announced"));
	close_bench(&b);
}

static void an_answer_finds_its_question(void **state)
{
	struct bench b;
	struct iow_error e = ERR_INIT;
	struct ask a[2];

	open_bench(&b);
	ask_post(&b.ns, &a[0], b.n, wire_frame("PREPARE"));
	ask_post(&b.ns, &a[1], b.n, wire_frame("PREPARE"));
	say(&b, "{\"type\":\"READY\",\"id\":77}");
	say(&b, "{\"type\":\"READY\",\"id\":2,\"x\":2}");
	say(&b, "{\"type\":\"ERROR\",\"id\":1,\"class\":\"refused\",\"text\":\"no\"}");
	b.n->greeted = true;
	assert_int_equal(ask_wait(&b.ns, a, 2, NS_PER_S, &e), 0);
	assert_string_equal(wire_type(a[0].answer), "ERROR");
	assert_int_equal(jsonx_int(a[1].answer, "x", 0), 2);
	json_decref(a[0].answer);
	json_decref(a[1].answer);
	ask_post(&b.ns, &a[0], b.n, wire_frame("PREPARE"));
	assert_int_equal(ask_wait(&b.ns, a, 1, 5 * NS_PER_MS, &e), -1);
	assert_int_equal(e.err, ETIMEDOUT);
	assert_int_equal(b.ns.n_asks, 0);
	close_bench(&b);
}

/* Any frames that parse: the coordinator must stay whole. */
static void random_frames_do_no_harm(void **state)
{
	static const char *const types[] = { "HELLO", "READY", "ERROR", "RESULT", "PROGRESS", "FACT", "GO", "x" };
	static const char *const keys[] = { "id", "run", "line", "samples", "ping", "mono", "protocol", "log", "class" };
	static const char *const values[] = { "1", "-1", "1e300", "\"t\"", "{}", "[]", "null", "9223372036854775807" };
	struct rng r;

	rng_seed(&r, 11);
	for (int i = 0; i < 400; i++) {
		struct bench b;
		struct ask a;

		open_bench(&b);
		b.n->greeted = rng_below(&r, 2);
		ask_post(&b.ns, &a, b.n, wire_frame("PREPARE"));
		for (int k = 0; k < 20 && b.n->state == NODE_UP; k++) {
			struct buf t = BUF_INIT;
			uint64_t used = 0;

			buf_printf(&t, "{\"type\":\"%s\"", types[rng_below(&r, 8)]);
			for (uint64_t m = rng_below(&r, 5); m; m--) {
				uint64_t key = rng_below(&r, 9);

				if (used & 1u << key)
					continue;
				used |= 1u << key;
				buf_printf(&t, ",\"%s\":%s", keys[key], values[rng_below(&r, 8)]);
			}
			buf_putc(&t, '}');
			say(&b, buf_str(&t));
			buf_release(&t);
			nodes_poll(&b.ns, clock_mono_ns());
		}
		ask_drop(&b.ns, &a);
		close_bench(&b);
	}
}

static void a_launchers_end_is_explained(void **state)
{
	char out[400];

	relay_explain(255 << 8, "root@n2: Permission denied (publickey).", "n2", out, sizeof out);
	assert_non_null(strstr(out, "login was refused"));
	relay_explain(255 << 8, "ssh: Could not resolve hostname nx: Name or service not known", "nx", out, sizeof out);
	assert_non_null(strstr(out, "name is unknown"));
	relay_explain(127 << 8, "bash: line 1: iowitness: command not found", "n2", out, sizeof out);
	assert_non_null(strstr(out, "not installed"));
	relay_explain(255 << 8, "ssh: connect to host n2 port 22: Connection timed out", "n2", out, sizeof out);
	assert_non_null(strstr(out, "in time"));
	relay_explain(9, "", "n2", out, sizeof out);
	assert_non_null(strstr(out, "SIGKILL"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(garbage_costs_the_node),
		cmocka_unit_test(another_protocol_is_told),
		cmocka_unit_test(endless_progress_ends),
		cmocka_unit_test(the_log_of_a_node_is_bounded),
		cmocka_unit_test(a_lost_node_answers_what_was_asked),
		cmocka_unit_test(an_answer_finds_its_question),
		cmocka_unit_test(random_frames_do_no_harm),
		cmocka_unit_test(a_launchers_end_is_explained),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
