/* SPDX-License-Identifier: Apache-2.0 */
/* What lanes measure, against drivers whose truth is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "child_peer.h"
#include "plan/workload.h"

#define MS INT64_C(1000000)

static json_t *measure(const char *driver, const char *keys, const char *workload, struct run *r)
{
	char *ask = mem_printf("{\"id\":1,\"what\":\"run\",\"run\":1,\"target\":\"t\",\"driver\":\"%s\",\"keys\":%s,"
			       "\"workload\":%s,\"cache\":\"as-is\",\"pass\":1,\"write\":true,"
			       "\"seed\":\"00000000deadbeef\"}", driver, keys, workload);
	json_t *s = whole_run(ask, r);

	free(ask);
	return s;
}

static void known_service_times_come_out(void **state)
{
	struct run r;

	json_decref(measure("synth", "{\"service\":\"200us\",\"ratio\":2}",
			    "{\"op\":\"read\",\"block\":4096,\"duration\":10000000000}", &r));
	assert_int_equal(r.status, RUN_OK);
	assert_int_equal(r.ios, 100000);
	assert_int_equal(r.lat[LAT_READ].min, 100000);
	assert_int_equal(r.lat[LAT_READ].p99, 100000);
	assert_int_equal(r.lat[LAT_READ].mean, 100000);
	assert_int_equal(r.wall_ns, 10000 * MS);
	assert_int_equal(r.skew_ns, 0);
}

/* Half load, and a stall of 200 ms in each second that the device is busy. Service times hardly see it;
 * response times from the intended start do. */
static void response_time_shows_a_stall_and_service_time_does_not(void **state)
{
	struct run r;

	json_decref(measure("synth", "{\"service\":\"100us\",\"stall\":\"200ms\",\"stall_every\":\"1s\"}",
			    "{\"op\":\"read\",\"block\":4096,\"duration\":30000000000,\"rate\":5000}", &r));
	assert_in_range(r.ios, 149000, 150100);
	assert_int_equal(r.lat[LAT_READ].p99, 100000);
	assert_int_equal(r.lat[LAT_READ].p999, 100000);
	assert_true(r.lat[LAT_READ].max > 200 * MS);
	assert_true(r.lat[LAT_RESPONSE].p999 > 190 * MS);
	assert_true(r.lat[LAT_RESPONSE].p95 > 100 * MS);
	assert_int_equal(r.lat[LAT_RESPONSE].p50, 100000);
	assert_in_range(r.backlog, 950, 1050);
}

/* The last of ten I/Os is done after 0.9 s, and ten in a second is what was asked for. */
static void a_rate_takes_the_whole_time(void **state)
{
	struct run r;

	json_decref(measure("synth", "{\"service\":\"100us\"}",
			    "{\"op\":\"read\",\"block\":4096,\"duration\":1000000000,\"rate\":10}", &r));
	assert_int_equal(r.ios, 10);
	assert_int_equal(r.wall_ns, 1000 * MS);
}

static void poisson_arrivals_queue(void **state)
{
	struct run r;

	/* M/D/1 at half load: mean wait rho / (2 (1 - rho)) = half a service time. */
	json_decref(measure("synth", "{\"service\":\"100us\"}",
			    "{\"op\":\"read\",\"block\":4096,\"duration\":100000000000,\"rate\":5000,\"arrival\":\"poisson\"}",
			    &r));
	assert_in_range(r.ios, 497000, 503000);
	assert_in_range(r.lat[LAT_RESPONSE].mean, 147000, 153000);
	assert_int_equal(r.lat[LAT_READ].mean, 100000);
}

static void mixed_work_has_its_shares(void **state)
{
	struct run r;

	json_decref(measure("null", "{}",
			    "{\"op\":\"mixed\",\"read_percent\":30,\"pattern\":\"random\",\"replacement\":true,"
			    "\"block\":{\"4096\":3,\"16384\":1},\"depth\":16,\"batch\":4,\"amount\":716800000}", &r));
	assert_int_equal(r.status, RUN_OK);
	assert_in_range(r.bytes, 716800000, 716820000);
	assert_in_range(r.ios, 99000, 101000);
	assert_in_range(r.lat[LAT_READ].count * 100 / r.ios, 29, 30);
	assert_int_equal(r.lat[LAT_READ].count + r.lat[LAT_WRITE].count, r.ios);
	assert_int_equal(r.read_bytes + r.write_bytes, r.bytes);
}

static void amounts_are_exact_at_any_depth(void **state)
{
	static const char *const shapes[] = { "\"depth\":1", "\"depth\":7", "\"depth\":64,\"batch\":16", "\"depth\":256",
		"\"depth\":1,\"poll\":true", "\"depth\":3,\"poll\":true", "\"depth\":8,\"jobs\":3" };
	struct run r;

	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		char *w = mem_printf("{\"pattern\":\"random\",\"block\":4096,\"amount\":49152000,%s}", shapes[i]);
		json_t *s = measure("null", "{}", w, &r);

		assert_int_equal(r.status, RUN_OK);
		assert_int_equal(r.ios, 12000);
		assert_int_equal(r.lat[LAT_READ].count, 12000);
		assert_int_equal(json_object_get(s, "reap") != NULL, i > 0);
		json_decref(s);
		free(w);
	}
}

static void flushes_at_depth_come_after_every_n_writes(void **state)
{
	struct run r;

	json_decref(measure("null", "{}",
			    "{\"op\":\"write\",\"block\":4096,\"amount\":4096000,\"depth\":16,"
			    "\"durability\":\"flush\",\"flush_every\":10}", &r));
	assert_int_equal(r.status, RUN_OK);
	assert_int_equal(r.lat[LAT_WRITE].count, 1000);
	assert_int_equal(r.lat[LAT_FLUSH].count, 100);
	assert_int_equal(r.lat[LAT_COMMIT].count, 1000);
	assert_true(r.final_flush_ns >= 0);
}

/* Each write has its commit latency, however seldom a flush comes; a plan that asks for fewer is refused. */
static void each_write_commits_with_the_rarest_flush(void **state)
{
	struct iow_error e = ERR_INIT;
	struct workload w;
	struct run r;
	json_t *o;

	json_decref(measure("null", "{}", "{\"op\":\"write\",\"block\":4096,\"amount\":81920000,"
			    "\"durability\":\"flush\",\"flush_every\":16384}", &r));
	assert_int_equal(r.lat[LAT_WRITE].count, 20000);
	assert_int_equal(r.lat[LAT_COMMIT].count, 20000);
	o = json_pack("{s:s, s:s, s:i}", "op", "write", "durability", "flush", "flush_every", WORKLOAD_FLUSH_MOST + 1);
	assert_int_equal(workload_from_json(&w, o, &e), -1);
	json_decref(o);
}

static void a_warm_up_is_cut_off(void **state)
{
	struct run r;
	json_t *s = measure("synth", "{\"service\":\"1ms\"}",
			    "{\"op\":\"read\",\"block\":4096,\"duration\":2000000000,\"warmup\":500000000}", &r);

	assert_int_equal(r.ios, 2000);
	assert_int_equal(r.wall_ns, 2000 * MS);
	assert_int_equal(jsonx_int(json_object_get(s, "intervals"), "start_ns", 0), 500 * MS);
	json_decref(s);
}

static void an_error_names_place_and_reason(void **state)
{
	struct run r;

	json_decref(measure("synth", "{\"fail_at\":5}", "{\"op\":\"read\",\"block\":4096,\"duration\":1000000000}", &r));
	assert_int_equal(r.status, RUN_FAILED);
	assert_int_equal(r.errors, 1);
	assert_int_equal(r.ios, 4);
	assert_string_equal(r.why, "read of 4096 bytes at offset 16384 of synth (driver synth): Input/output error");
	json_decref(measure("synth", "{\"short_at\":2}", "{\"op\":\"read\",\"block\":4096,\"duration\":1000000000}", &r));
	assert_int_equal(r.status, RUN_FAILED);
	assert_non_null(strstr(r.why, "moved 2048 only"));
}

static void an_io_that_never_returns_is_hung(void **state)
{
	struct run r;

	json_decref(measure("synth", "{\"hang_at\":5}",
			    "{\"op\":\"read\",\"block\":4096,\"duration\":1000000000,\"deadline\":300000000}", &r));
	assert_int_equal(r.status, RUN_HUNG);
	assert_non_null(strstr(r.why, "read of 4096 bytes at offset 16384 did not return within 300 ms"));
}

static long memory_of(const char *amount)
{
	char *ask = mem_printf("{\"id\":1,\"what\":\"run\",\"run\":1,\"target\":\"t\",\"driver\":\"null\",\"keys\":{},"
			       "\"workload\":{\"pattern\":\"random\",\"block\":4096,\"amount\":%s},"
			       "\"seed\":\"1\",\"pass\":1}", amount);
	struct peer p;

	start(&p, ask);
	free(ask);
	json_decref(next(&p, "READY"));
	tell(&p, "GO");
	json_decref(next(&p, "RESULT"));
	return finish(&p);
}

/* 10^5 and 10^7 I/Os; nothing that is kept grows with their number. */
static void memory_does_not_grow_with_the_number(void **state)
{
	const long few = memory_of("409600000"), many = memory_of("40960000000");

	assert_true(many < few + 1024);
}

static void a_crash_ends_the_child_alone(void **state)
{
	struct iow_error e = ERR_INIT;
	struct peer p;
	json_t *f;
	int status;

	start(&p, "{\"id\":1,\"what\":\"run\",\"run\":1,\"target\":\"t\",\"driver\":\"synth\",\"keys\":{\"crash_at\":3},"
		  "\"workload\":{\"duration\":1000000000},\"seed\":\"1\",\"pass\":1}");
	json_decref(next(&p, "READY"));
	tell(&p, "GO");
	assert_int_equal(wire_recv(&p.wire, &f, 5000000000, &e), -1);
	close(p.fd);
	wire_release(&p.wire);
	assert_int_equal(waitpid(p.pid, &status, 0), p.pid);
	assert_false(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* The socket is all that holds a child: without it, nothing goes on. */
static void the_end_of_the_socket_ends_the_child(void **state)
{
	struct peer p;
	int status;

	start(&p, "{\"id\":1,\"what\":\"run\",\"run\":1,\"target\":\"t\",\"driver\":\"null\",\"keys\":{},"
		  "\"workload\":{\"duration\":60000000000},\"seed\":\"1\",\"pass\":1}");
	json_decref(next(&p, "READY"));
	tell(&p, "GO");
	usleep(20000);
	close(p.fd);
	wire_release(&p.wire);
	assert_int_equal(waitpid(p.pid, &status, 0), p.pid);
}

static int set_up(void **state)
{
	use_built_drivers();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_service_times_come_out),
		cmocka_unit_test(response_time_shows_a_stall_and_service_time_does_not),
		cmocka_unit_test(a_rate_takes_the_whole_time),
		cmocka_unit_test(poisson_arrivals_queue),
		cmocka_unit_test(mixed_work_has_its_shares),
		cmocka_unit_test(amounts_are_exact_at_any_depth),
		cmocka_unit_test(flushes_at_depth_come_after_every_n_writes),
		cmocka_unit_test(each_write_commits_with_the_rarest_flush),
		cmocka_unit_test(a_warm_up_is_cut_off),
		cmocka_unit_test(an_error_names_place_and_reason),
		cmocka_unit_test(an_io_that_never_returns_is_hung),
		cmocka_unit_test(memory_does_not_grow_with_the_number),
		cmocka_unit_test(a_crash_ends_the_child_alone),
		cmocka_unit_test(the_end_of_the_socket_ends_the_child),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
