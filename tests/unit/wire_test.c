/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/jsonx.h"
#include "base/rng.h"
#include "run/wire.h"

struct pair {
	int a, b;
	struct wire w; /* reads b */
};

static struct pair pair_open(void)
{
	struct pair p;
	int fd[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fd), 0);
	p.a = fd[0];
	p.b = fd[1];
	wire_init(&p.w, fd[1]);
	return p;
}

static void pair_close(struct pair *p)
{
	if (p->a >= 0)
		close(p->a);
	close(p->b);
	wire_release(&p->w);
}

static void put(struct pair *p, uint32_t n, const char *text, size_t len)
{
	unsigned char head[4] = { n >> 24, n >> 16, n >> 8, n };

	assert_int_equal(write(p->a, head, 4), 4);
	if (len)
		assert_int_equal(write(p->a, text, len), len);
}

static void frames_come_whole_and_in_order(void **state)
{
	struct pair p = pair_open();
	struct iow_error e = ERR_INIT;
	json_t *o = wire_frame("GO"), *in;

	for (int i = 0; i < 3; i++) {
		jsonx_set_int(o, "run", i);
		assert_int_equal(wire_send(p.a, o, &e), 0);
	}
	json_decref(o);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(wire_recv(&p.w, &in, NS_PER_S, &e), 0);
		assert_string_equal(wire_type(in), "GO");
		assert_int_equal(jsonx_int(in, "run", -1), i);
		json_decref(in);
	}
	assert_int_equal(wire_recv(&p.w, &in, NS_PER_MS, &e), -1);
	assert_int_equal(e.err, ETIMEDOUT);
	pair_close(&p);
}

static void parts_are_kept_until_the_rest_comes(void **state)
{
	static const char bytes[] = "\0\0\0\x12{\"type\":\"RESULT\"} ";
	struct pair p = pair_open();
	struct iow_error e = ERR_INIT;
	json_t *in = NULL;

	for (size_t i = 0; i < 22; i++) {
		assert_int_equal(write(p.a, bytes + i, 1), 1);
		assert_int_equal(wire_next(&p.w, true, &in, &e), i == 21);
	}
	assert_string_equal(wire_type(in), "RESULT");
	json_decref(in);
	assert_int_equal(write(p.a, bytes, 9), 9);
	close(p.a);
	p.a = -1;
	assert_int_equal(wire_recv(&p.w, &in, NS_PER_S, &e), -1);
	assert_non_null(strstr(e.text, "middle"));
	pair_close(&p);
}

static void refused(uint32_t n, const char *text, const char *word)
{
	struct pair p = pair_open();
	struct iow_error e = ERR_INIT;
	json_t *in;

	put(&p, n, text, strlen(text));
	assert_int_equal(wire_recv(&p.w, &in, NS_PER_S, &e), -1);
	assert_int_equal(e.err, EPROTO);
	assert_non_null(strstr(e.text, word));
	assert_null(in);
	pair_close(&p);
}

static void what_is_no_frame_is_refused(void **state)
{
	refused(0xffffffff, "", "announced");
	refused((16 << 20) + 1, "", "announced");
	refused(4, "{\"a\"", "JSON");
	refused(0, "", "JSON");
	refused(2, "{}", "no type");
	refused(10, "{\"type\":1}", "no type");
	refused(11, "[\"type\",1] ", "no type");
	refused(25, "{\"type\":\"A\",\"type\":\"B\"}  ", "JSON");
	refused(15, "{\"type\":\"\xff\xfe\"}  ", "JSON");
}

static void a_small_frame_cannot_take_much_memory(void **state)
{
	struct buf b = BUF_INIT;
	struct iow_error e = ERR_INIT;
	struct pair p = pair_open();
	json_t *in = NULL;
	size_t at = 0;
	int rc = 0;

	buf_puts(&b, "{\"type\":\"X\",\"a\":[");
	for (int i = 0; i < WIRE_VALUES + 2; i++)
		buf_puts(&b, "1,");
	buf_puts(&b, "1]}");
	put(&p, (uint32_t)b.len, "", 0);
	while (rc == 0) {
		ssize_t n = write(p.a, b.data + at, b.len - at);

		if (n > 0)
			at += (size_t)n;
		rc = wire_next(&p.w, true, &in, &e);
	}
	assert_int_equal(rc, -1);
	assert_non_null(strstr(e.text, "too many"));
	pair_close(&p);
	buf_clear(&b);
	buf_puts(&b, "{\"type\":\"X\",\"a\":");
	for (int i = 0; i < 100; i++)
		buf_putc(&b, '[');
	refused((uint32_t)b.len, buf_str(&b), "levels");
	buf_release(&b);
}

/* Any bytes give frames or an error: never a crash, never a frame that has no type. */
static void random_bytes_do_no_harm(void **state)
{
	static const char alphabet[] = "{}[]\",:\\0123456789truefalsnyp \xc3\xa9";
	struct rng r;

	rng_seed(&r, 7);
	for (int round = 0; round < 3000; round++) {
		struct pair p = pair_open();
		struct iow_error e = ERR_INIT;
		char text[96];
		uint32_t n = (uint32_t)rng_below(&r, sizeof text);
		json_t *in;

		for (uint32_t i = 0; i < n; i++)
			text[i] = alphabet[rng_below(&r, sizeof alphabet - 1)];
		put(&p, rng_below(&r, 4) ? n : (uint32_t)rng_next(&r), text, n);
		close(p.a);
		p.a = -1;
		while (wire_recv(&p.w, &in, NS_PER_S, &e) == 0) {
			assert_string_not_equal(wire_type(in), "");
			json_decref(in);
		}
		pair_close(&p);
	}
}

static void a_peer_that_does_not_read_blocks_nobody(void **state)
{
	struct pair p = pair_open();
	struct iow_error e = ERR_INIT;
	struct wire w;
	json_t *o = wire_frame("FACT"), *in;
	char big[4096] = { 0 };
	int sent = 0, got = 0;

	memset(big, 'x', sizeof big - 1);
	jsonx_set_str(o, "log", big);
	wire_init(&w, p.a);
	while (wire_queue(&w, o, &e) == 0) {
		assert_int_equal(wire_flush(&w, &e), 0);
		sent++;
	}
	assert_int_equal(e.err, ENOBUFS);
	assert_true(wire_pending(&w));
	while (got < sent) {
		assert_int_equal(wire_flush(&w, &e), 0);
		assert_int_equal(wire_recv(&p.w, &in, NS_PER_S, &e), 0);
		json_decref(in);
		got++;
	}
	assert_false(wire_pending(&w));
	json_decref(o);
	wire_release(&w);
	pair_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_come_whole_and_in_order),
		cmocka_unit_test(parts_are_kept_until_the_rest_comes),
		cmocka_unit_test(what_is_no_frame_is_refused),
		cmocka_unit_test(a_small_frame_cannot_take_much_memory),
		cmocka_unit_test(random_bytes_do_no_harm),
		cmocka_unit_test(a_peer_that_does_not_read_blocks_nobody),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
