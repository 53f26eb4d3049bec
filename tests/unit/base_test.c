/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/jsonx.h"
#include "base/num.h"
#include "base/rng.h"
#include "base/spawn.h"

static void bytes_and_times_need_their_units(void **state)
{
	struct iow_error e = ERR_INIT;
	uint64_t b = 0;
	int64_t ns = 0;

	assert_int_equal(num_parse_bytes("32KiB", &b, &e), 0);
	assert_int_equal(b, 32768);
	assert_int_equal(num_parse_bytes("1.5GiB", &b, &e), 0);
	assert_int_equal(b, 1610612736);
	assert_int_equal(num_parse_bytes("10MB", &b, &e), 0);
	assert_int_equal(b, 10000000);
	assert_int_equal(num_parse_bytes("4K", &b, &e), -1);
	assert_int_equal(num_parse_bytes("-1", &b, &e), -1);
	assert_int_equal(num_parse_bytes("1.5B", &b, &e), -1);
	assert_int_equal(num_parse_time("250ms", &ns, &e), 0);
	assert_int_equal(ns, 250000000);
	assert_int_equal(num_parse_time("5", &ns, &e), -1);
	assert_non_null(strstr(e.text, "\"5s\""));
}

static void digits_are_significant(void **state)
{
	char s[40];

	num_sig(2.3349, 3, s);
	assert_string_equal(s, "2.33");
	num_sig(14.26, 3, s);
	assert_string_equal(s, "14.3");
	num_sig(0.43, 3, s);
	assert_string_equal(s, "0.430");
	num_sig(9.996, 3, s);
	assert_string_equal(s, "10.0");
	num_sig(1234.5, 3, s);
	assert_string_equal(s, "1234");
	num_fixed(-0.001, 2, s);
	assert_string_equal(s, "0.00");
}

static void a_pointer_is_found_in_the_text(void **state)
{
	static const char text[] = "{\n  \"a\": [1, {\"b/c\": \"ü\", \"d\": 2}],\n  \"e\": {}\n}";
	struct iow_error e = ERR_INIT;
	struct jsonx_doc d;
	int line, column;

	assert_int_equal(jsonx_parse(&d, "x", text, strlen(text), &e), 0);
	assert_true(jsonx_where(&d, "/a/1/d", true, &line, &column));
	assert_int_equal(line, 2);
	assert_int_equal(column, 25);
	assert_true(jsonx_where(&d, "/a/1/b~1c", false, &line, &column));
	assert_int_equal(column, 20);
	assert_false(jsonx_where(&d, "/zz", false, &line, &column));
	assert_int_equal(json_integer_value(jsonx_at(d.root, "/a/1/d")), 2);
	jsonx_release(&d);
}

static void the_generator_gives_its_test_values(void **state)
{
	struct rng r;

	/* Recomputed independently (Python integers) from the published recurrence, seed 42. */
	rng_seed(&r, 42);
	assert_int_equal(rng_next(&r), UINT64_C(0x15780b2e0c2ec716));
	assert_int_equal(rng_next(&r), UINT64_C(0x6104d9866d113a7e));
	assert_int_equal(rng_next(&r), UINT64_C(0xae17533239e499a1));
}

static void written_json_is_the_same_everywhere(void **state)
{
	json_t *o = json_pack("{s:f, s:f, s:[i,i], s:s}", "z", 1.0 / 3, "a", 2.0, "n", 1, 2, "t", "a\x01\"");
	struct buf b = BUF_INIT;

	jsonx_write(&b, o, 0);
	assert_string_equal(buf_str(&b), "{\"z\":0.333333333333,\"a\":2.0,\"n\":[1,2],\"t\":\"a\\u0001\\\"\"}");
	buf_release(&b);
	json_decref(o);
}

static void text_that_is_no_utf8_is_kept_readable(void **state)
{
	json_t *o = json_object();

	jsonx_set_str(o, "cut", "gr\xc3");
	jsonx_set_str(o, "whole", "gr\xc3\xbc\xc3\x9f");
	jsonx_set_str(o, "none", NULL);
	assert_string_equal(jsonx_str(o, "cut", ""), "gr\xef\xbf\xbd");
	assert_string_equal(jsonx_str(o, "whole", ""), "gr\xc3\xbc\xc3\x9f");
	assert_true(json_is_null(json_object_get(o, "none")));
	json_decref(o);
}

/* What a program started by spawn says of its own descriptors. */
static void a_program_gets_the_three_descriptors_only(void **state)
{
	static const char *const argv[] = { "ls", "/proc/self/fd", NULL };
	struct spawn s = SPAWN_INIT;
	struct iow_error e = ERR_INIT;
	char said[64] = "";
	int out[2], status = -1;
	pid_t pid;

	for (int fd = 3; fd < 256; fd++) /* what make hands down is not ours */
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	s.argv = argv;
	s.out = out[1];
	assert_int_equal(spawn_start(&s, &pid, &e), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_true(read(out[0], said, sizeof said - 1) > 0);
	assert_string_equal(said, "0\n1\n2\n3\n"); /* 3: the directory that ls looks at */
	close(out[0]);
	close(out[1]);
}

static void a_program_that_is_not_there_leaves_no_pid(void **state)
{
	static const char *const argv[] = { "/nowhere/program", NULL };
	struct spawn s = SPAWN_INIT;
	struct iow_error e = ERR_INIT;
	pid_t pid = 1;

	s.argv = argv;
	assert_int_equal(spawn_start(&s, &pid, &e), -1);
	assert_int_equal(e.err, ENOENT);
	assert_int_equal(pid, -1);
}

static void a_new_file_is_whole_or_not_there(void **state)
{
	struct rlimit small = { 4, RLIM_INFINITY }, all = { RLIM_INFINITY, RLIM_INFINITY };
	char dir[] = "/tmp/iow-base.XXXXXX", path[64];
	struct iow_error e = ERR_INIT;
	struct stat st;

	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/file", dir);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	assert_int_equal(file_create(path, 0600, "longer", 6, &e), -1);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &all), 0);
	assert_int_equal(e.err, EFBIG);
	assert_int_equal(file_create(path, 0600, "longer", 6, &e), 0);
	assert_int_equal(file_create(path, 0600, "other", 5, &e), -1);
	assert_int_equal(e.err, EEXIST);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	unlink(path);
	rmdir(dir);
}

/* Whatever else the machine does, two readings differ by their errors at most. */
static void the_offset_of_the_clocks_has_a_bound(void **state)
{
	int64_t e0, e1, first = clock_offset_ns(&e0);

	assert_true(e0 >= 0 && e0 < NS_PER_S);
	for (int i = 0; i < 1000; i++) {
		int64_t moved = clock_offset_ns(&e1) - first;

		assert_true((moved < 0 ? -moved : moved) <= e0 + e1 + NS_PER_MS); /* slewing */
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_and_times_need_their_units),
		cmocka_unit_test(digits_are_significant),
		cmocka_unit_test(a_pointer_is_found_in_the_text),
		cmocka_unit_test(the_generator_gives_its_test_values),
		cmocka_unit_test(written_json_is_the_same_everywhere),
		cmocka_unit_test(text_that_is_no_utf8_is_kept_readable),
		cmocka_unit_test(a_program_gets_the_three_descriptors_only),
		cmocka_unit_test(a_program_that_is_not_there_leaves_no_pid),
		cmocka_unit_test(a_new_file_is_whole_or_not_there),
		cmocka_unit_test(the_offset_of_the_clocks_has_a_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
