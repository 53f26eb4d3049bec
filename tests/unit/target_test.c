/* SPDX-License-Identifier: Apache-2.0 */
/* What is made for a campaign and undone after it; facts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "run/facts.h"
#include "run/fill.h"
#include "run/layout.h"
#include "run/loop.h"
#include "run/made.h"

#define MIB ((uint64_t)1 << 20)

static char base[64], path[96];

static int setup(void **state)
{
	snprintf(base, sizeof base, "/var/tmp/iowitness-target.XXXXXX");
	if (!mkdtemp(base))
		return -1;
	snprintf(path, sizeof path, "%s/t1", base);
	return 0;
}

static int teardown(void **state)
{
	mem_auto char *cmd = mem_printf("rm -rf %s", base);

	return system(cmd);
}

static void note(void *ctx, const char *file, uint64_t dev, uint64_t ino)
{
	json_t *o = json_pack("{s:s, s:I, s:I}", "file", file, "dev", (json_int_t)dev, "ino", (json_int_t)ino);

	made_note(ctx, o);
	json_decref(o);
}

static void quiet(void *ctx, const char *line)
{
	print_message("%s\n", line);
}

static void a_written_file_is_allocated_and_does_not_compress(void **state)
{
	struct iow_error e = ERR_INIT;
	struct made *m = made_new();
	char block[4096];
	struct stat st;
	int fd;

	if (layout_make(path, 3 * MIB + 4096, "written", 7, note, m, &e))
		fail_msg("%s", e.text);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, 3 * MIB + 4096);
	assert_true((uint64_t)st.st_blocks * 512 >= 3 * MIB);
	fd = open(path, O_RDONLY);
	for (off_t at = 0; at < st.st_size; at += 4096 * 51) {
		assert_int_equal(pread(fd, block, sizeof block, at), sizeof block);
		assert_false(fill_is_weak(block, sizeof block));
	}
	close(fd);
	assert_int_equal(layout_extend(path, 5 * MIB, "written", 7, &e), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, 5 * MIB);
	made_undo(m, quiet, NULL);
	assert_int_equal(access(path, F_OK), -1);
}

static void an_extended_file_is_the_one_made_at_once(void **state)
{
	mem_auto char *other = mem_printf("%s/t2", base), *cmd = mem_printf("cmp -s %s/t1 %s/t2", base, base);
	struct iow_error e = ERR_INIT;
	struct made *m = made_new();

	assert_int_equal(layout_make(path, MIB + 12288, "written", 9, note, m, &e), 0);
	assert_int_equal(layout_extend(path, 2 * MIB + 4096, "written", 9, &e), 0);
	assert_int_equal(layout_make(other, 2 * MIB + 4096, "written", 9, note, m, &e), 0);
	assert_int_equal(system(cmd), 0);
	made_undo(m, quiet, NULL);
}

static void what_was_there_is_never_touched(void **state)
{
	struct iow_error e = ERR_INIT;
	struct made *m = made_new();
	int fd = open(path, O_CREAT | O_WRONLY, 0600);

	assert_int_equal(write(fd, "mine", 4), 4);
	close(fd);
	assert_int_equal(layout_make(path, MIB, "written", 7, note, m, &e), -1);
	assert_int_equal(e.err, EEXIST);
	made_undo(m, quiet, NULL); /* it was noted before its name was found to be taken */
	assert_int_equal(access(path, F_OK), 0);
}

static void a_file_that_took_the_name_later_stays(void **state)
{
	struct iow_error e = ERR_INIT;
	struct made *m = made_new();
	mem_auto char *cmd = mem_printf("mv %s %s.old && echo mine >%s", path, path, path);

	assert_int_equal(layout_make(path, 4096, "new", 7, note, m, &e), 0);
	assert_int_equal(system(cmd), 0);
	made_undo(m, quiet, NULL);
	assert_int_equal(access(path, F_OK), 0);
}

static void without_room_nothing_is_made(void **state)
{
	struct iow_error e = ERR_INIT;
	struct made *m = made_new();

	assert_int_equal(layout_make(path, (uint64_t)1 << 60, "new", 7, note, m, &e), -1);
	assert_int_equal(e.err, ENOSPC);
	assert_non_null(strstr(e.text, "may be used there"));
	assert_int_equal(access(path, F_OK), -1);
	made_undo(m, quiet, NULL);
}

static void a_loop_device_lives_as_long_as_it_is_held(void **state)
{
	struct iow_error e = ERR_INIT;
	struct made *m = made_new();
	char dev[64], size[64];
	json_t *ask, *ready, *run;
	mem_auto char *sys = NULL;
	int file, fd;

	if (geteuid() != 0) {
		print_message("SKIP: needs root\n");
		made_undo(m, quiet, NULL);
		skip();
	}
	file = layout_make_unnamed(base, 2 * MIB, "written", 7, &e);
	if (file < 0)
		fail_msg("%s", e.text);
	fd = loop_attach(file, false, dev, &e);
	close(file);
	if (fd < 0) {
		print_message("SKIP: no loop devices: %s\n", e.text);
		made_undo(m, quiet, NULL);
		skip();
	}
	ask = json_pack("{s:s, s:b}", "target", "a", "write", 1);
	ready = json_pack("{s:{s:s, s:b, s:b}, s:{s:s}, s:i}", "hold", "path", dev, "write", 1, "loop", 1, "set", "path", dev, "bytes", 1);
	if (made_ready(m, ask, ready, &e))
		fail_msg("%s", e.text);
	assert_int_equal(json_object_size(ready), 1);
	close(fd);
	json_decref(ask);
	ask = json_pack("{s:s, s:{s:n, s:i}}", "target", "a", "keys", "path", "size", 7);
	run = made_run(m, ask);
	assert_string_equal(json_string_value(json_object_get(json_object_get(run, "keys"), "path")), dev);
	assert_true(jsonx_int(run, "guarded", 0) > 0);
	sys = mem_printf("/sys/class/block/%s/size", dev + 5);
	fd = open(sys, O_RDONLY);
	assert_true(read(fd, size, sizeof size) > 0);
	assert_int_equal(atoi(size), 4096);
	assert_int_equal(open(dev, O_RDONLY | O_EXCL), -1); /* claimed */
	made_undo(m, quiet, NULL);
	usleep(200000);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	assert_true(read(fd, size, sizeof size) > 0);
	assert_int_equal(atoi(size), 0);
	close(fd);
	json_decref(ask);
	json_decref(ready);
	json_decref(run);
}

static void facts_are_texts_that_say_something(void **state)
{
	json_t *host = facts_host(), *o = json_object(), *v;
	const char *name;

	facts_target(o, base, 0);
	json_object_update(host, o);
	json_object_foreach(host, name, v) {
		if (json_is_string(v) && !*json_string_value(v))
			fail_msg("%s is empty", name);
		assert_true(json_is_string(v) || json_is_array(v) || json_is_integer(v));
	}
	assert_non_null(json_object_get(host, "kernel"));
	assert_non_null(json_object_get(host, "filesystem"));
	assert_non_null(json_object_get(host, "device"));
	json_decref(host);
	json_object_clear(o);
	facts_target(o, "/proc/self/maps", 0);
	assert_non_null(strstr(jsonx_str(o, "device", ""), "not readable: a proc filesystem"));
	json_decref(o);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_written_file_is_allocated_and_does_not_compress),
		TEST(an_extended_file_is_the_one_made_at_once),
		TEST(what_was_there_is_never_touched),
		TEST(a_file_that_took_the_name_later_stays),
		TEST(without_room_nothing_is_made),
		TEST(a_loop_device_lives_as_long_as_it_is_held),
		TEST(facts_are_texts_that_say_something),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
