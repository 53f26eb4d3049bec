/* SPDX-License-Identifier: Apache-2.0 */
/* A child served over a socketpair, as the agent does it: real drivers, real files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "bundle/run.h"
#include "child_peer.h"
#include "run/driver.h"
#include "run/loop.h"

static char dir[] = "/var/tmp/iow-child-XXXXXX";

static uint64_t sum(const json_t *array)
{
	uint64_t s = 0;

	for (size_t i = 0; i < json_array_size(array); i++)
		s += (uint64_t)json_integer_value(json_array_get(array, i));
	return s;
}

static void null_runs_for_its_duration(void **state)
{
	struct run r;
	json_t *s = whole_run("{\"id\":1,\"what\":\"run\",\"run\":1,\"target\":\"t\",\"driver\":\"null\",\"keys\":{},"
			      "\"workload\":{\"op\":\"read\",\"pattern\":\"random\",\"block\":4096,\"jobs\":2,"
			      "\"duration\":200000000},\"cache\":\"cold\",\"pass\":1,\"seed\":\"0123456789abcdef\"}", &r);

	assert_int_equal(r.status, RUN_OK);
	assert_true(r.ios > 100000);
	assert_int_equal(r.bytes, r.ios * 4096);
	assert_int_equal(r.read_bytes, r.bytes);
	assert_true(r.wall_ns > 195000000 && r.wall_ns < 400000000);
	assert_int_equal(r.workers, 2);
	assert_int_equal(r.workers_moved, 2);
	assert_int_equal(r.lat[LAT_READ].count, r.ios);
	assert_true(r.lat[LAT_READ].p50 > 0 && r.lat[LAT_READ].p50 <= r.lat[LAT_READ].p99);
	assert_int_equal(sum(jsonx_at(s, "/intervals/ios")), r.ios);
	assert_int_equal(sum(jsonx_at(s, "/intervals/bytes")), r.bytes);
	assert_int_equal(sum(jsonx_at(s, "/hist/read/count")), r.ios);
	assert_int_equal(json_array_size(json_object_get(s, "slow")), 16);
	json_decref(s);
}

static void make(const char *name, const char *more)
{
	char *ask = mem_printf("{\"id\":1,\"what\":\"target\",\"target\":\"t\",\"driver\":\"posix\",\"write\":false,"
			       "\"layout\":\"written\",\"seed\":\"01\",\"keys\":{\"path\":\"%s/%s\",\"size\":1048576}%s}",
			       dir, name, more);
	struct peer p;
	json_t *f;

	start(&p, ask);
	f = next(&p, "READY");
	assert_int_equal(jsonx_int(f, "bytes", 0), 1048576);
	json_decref(f);
	finish(&p);
	free(ask);
}

static json_t *file_run(const char *name, const char *workload, const char *cache, int pass, struct run *r)
{
	char *ask = mem_printf("{\"id\":1,\"what\":\"run\",\"run\":1,\"target\":\"t\",\"driver\":\"posix\","
			       "\"keys\":{\"path\":\"%s/%s\"},\"workload\":%s,\"cache\":\"%s\",\"pass\":%d,\"write\":true,"
			       "\"seed\":\"00000000deadbeef\"}", dir, name, workload, cache, pass);
	json_t *s = whole_run(ask, r);

	free(ask);
	return s;
}

static void a_cold_file_is_read_once(void **state)
{
	struct run r;

	make("cold", "");
	json_decref(file_run("cold", "{\"op\":\"read\",\"block\":65536}", "cold", 1, &r));
	assert_int_equal(r.status, RUN_OK);
	assert_int_equal(r.bytes, 1048576);
	assert_int_equal(r.ios, 16);
	assert_int_equal(r.length, 1048576);
	assert_int_equal(r.allocated, 1048576);
	assert_int_equal(r.sampled_blocks, 16);
	assert_int_equal(r.weak_blocks, 0);
	assert_true(r.cold_method == COLD_CACHESTAT || r.cold_method == COLD_MINCORE);
	assert_int_equal(r.resident_pages, 0);
	assert_int_equal(r.checked_pages, 256);
	json_decref(file_run("cold", "{\"op\":\"read\",\"block\":65536}", "cold", 2, &r));
	assert_int_equal(r.cold_method, COLD_NONE);
	assert_int_equal(r.bytes, 1048576);
}

static void writes_flush_and_commit(void **state)
{
	struct run r;

	make("flush", "");
	json_decref(file_run("flush", "{\"op\":\"write\",\"block\":4096,\"pattern\":\"random\",\"amount\":131072,"
				      "\"durability\":\"flush\",\"flush_every\":4}", "as-is", 1, &r));
	assert_int_equal(r.status, RUN_OK);
	assert_int_equal(r.lat[LAT_WRITE].count, 32);
	assert_int_equal(r.lat[LAT_FLUSH].count, 8);
	assert_int_equal(r.lat[LAT_COMMIT].count, 32);
	assert_true(r.lat[LAT_COMMIT].min > r.lat[LAT_FLUSH].min);
	assert_true(r.final_flush_ns >= 0);
	assert_int_equal(r.write_bytes, 131072);
}

static void content(const char *name, char out[1048576])
{
	char *path = mem_printf("%s/%s", dir, name);
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	assert_int_equal(fread(out, 1, 1048576, f), 1048576);
	fclose(f);
	free(path);
}

/* 64 blocks are drawn once; when all that is written repeats another, they come again as they were. */
static void a_share_of_one_repeats_each_block(void **state)
{
	static char once[1048576], again[1048576];
	struct run r;

	make("duplicate", "");
	json_decref(file_run("duplicate", "{\"op\":\"write\",\"block\":65536,\"duplicate\":1,\"amount\":1048576}", "as-is", 1, &r));
	assert_int_equal(r.status, RUN_OK);
	content("duplicate", once);
	json_decref(file_run("duplicate", "{\"op\":\"write\",\"block\":65536,\"duplicate\":1,\"amount\":5242880}", "as-is", 1, &r));
	content("duplicate", again);
	assert_memory_equal(once, again, sizeof once);
	json_decref(file_run("duplicate", "{\"op\":\"write\",\"block\":65536,\"amount\":5242880}", "as-is", 1, &r));
	content("duplicate", again);
	assert_int_not_equal(memcmp(once, again, sizeof once), 0);
}

static void a_flipped_byte_is_named(void **state)
{
	struct run r;
	json_t *s;
	char *path = mem_printf("%s/verify", dir);
	FILE *f;
	int c;

	make("verify", "");
	json_decref(file_run("verify", "{\"op\":\"write\",\"block\":8192,\"verify\":true}", "as-is", 1, &r));
	assert_int_equal(r.status, RUN_OK);
	json_decref(file_run("verify", "{\"op\":\"read\",\"block\":16384,\"verify\":true}", "as-is", 1, &r));
	assert_int_equal(r.wrong_blocks, 0);
	f = fopen(path, "r+");
	fseek(f, 123457, SEEK_SET);
	c = fgetc(f);
	fseek(f, 123457, SEEK_SET);
	fputc(c ^ 0x10, f);
	fclose(f);
	s = file_run("verify", "{\"op\":\"read\",\"block\":16384,\"verify\":true}", "as-is", 1, &r);
	assert_int_equal(r.wrong_blocks, 1);
	assert_int_equal(json_integer_value(jsonx_at(s, "/wrong/0/offset")), 123457);
	assert_int_equal(json_integer_value(jsonx_at(s, "/wrong/0/want")), c);
	assert_int_equal(json_integer_value(jsonx_at(s, "/wrong/0/got")), c ^ 0x10);
	json_decref(s);
	free(path);
}

static json_t *loop_run(const char *dev, uint64_t rdev, const char *op, struct run *r)
{
	char *ask = mem_printf("{\"id\":1,\"what\":\"run\",\"run\":1,\"target\":\"t\",\"driver\":\"raw\",\"write\":true,"
			       "\"keys\":{\"path\":\"%s\"},\"pass\":1,\"seed\":\"7\",\"rdev\":%llu,\"guarded\":%llu,"
			       "\"cache\":\"as-is\","
			       "\"workload\":{\"op\":\"%s\",\"block\":8192,\"depth\":4,\"verify\":true}}", dev,
			       (unsigned long long)rdev, (unsigned long long)rdev, op);
	json_t *s = whole_run(ask, r);

	free(ask);
	assert_string_equal(r->why, "");
	return s;
}

/* Below the device that is measured: the file that a loop device lies on. */
static void a_byte_flipped_below_a_device_is_named(void **state)
{
	struct iow_error e = ERR_INIT;
	char *path = mem_printf("%s/below", dir), dev[64];
	int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600), fd = -1;
	unsigned char c;
	struct stat st;
	struct run r;
	json_t *s;

	assert_int_equal(ftruncate(file, 1048576), 0);
	unlink(path);
	free(path);
	if (geteuid() == 0)
		fd = loop_attach(file, false, dev, &e);
	if (fd < 0) {
		print_message("SKIP: needs root and loop devices\n");
		close(file);
		skip();
	}
	assert_int_equal(fstat(fd, &st), 0);
	json_decref(loop_run(dev, st.st_rdev, "write", &r));
	assert_int_equal(pread(file, &c, 1, 777777), 1);
	c ^= 1;
	assert_int_equal(pwrite(file, &c, 1, 777777), 1);
	s = loop_run(dev, st.st_rdev, "read", &r);
	assert_int_equal(r.wrong_blocks, 1);
	assert_int_equal(json_integer_value(jsonx_at(s, "/wrong/0/offset")), 777777);
	assert_int_equal(json_integer_value(jsonx_at(s, "/wrong/0/bytes_wrong")), 1);
	assert_int_equal(json_integer_value(jsonx_at(s, "/wrong/0/got")), c);
	json_decref(s);
	close(fd);
	close(file);
}

/* Writes with each driver, at depth where it can, and proves each byte with another. */
static void what_one_driver_writes_another_reads(void **state)
{
	static const struct {
		const char *driver, *shape;
	} how[] = {
		{ "posix", "\"depth\":1" },
		{ "sync", "\"depth\":1,\"durability\":\"dsync\",\"amount\":65536" },
		{ "direct", "\"depth\":1" },
		{ "direct", "\"depth\":8,\"batch\":3" },
		{ "uring", "\"depth\":1" },
		{ "uring", "\"depth\":8,\"durability\":\"flush\",\"flush_every\":64" },
	};
	static const char *const readers[] = { "direct", "posix", "posix", "posix", "direct", "posix" };
	struct run r;
	char *uring = driver_find("uring", NULL); /* optional */
	const size_t n = sizeof how / sizeof *how - (uring ? 0 : 2);

	make("cross", "");
	for (size_t i = 0; i < n; i++) {
		char *ask = mem_printf("{\"id\":1,\"what\":\"run\",\"run\":1,\"target\":\"t\",\"driver\":\"%s\",\"write\":true,"
				       "\"keys\":{\"path\":\"%s/cross\"},\"pass\":1,\"seed\":\"%zx\",\"length\":%d,"
				       "\"workload\":{\"op\":\"write\",\"pattern\":\"random\",\"block\":4096,\"verify\":true,%s}}",
				       how[i].driver, dir, i + 1, i == 1 ? 65536 : 1048576, how[i].shape);
		char *back = mem_printf("{\"id\":1,\"what\":\"run\",\"run\":1,\"target\":\"t\",\"driver\":\"%s\","
					"\"keys\":{\"path\":\"%s/cross\"},\"pass\":1,\"cache\":\"cold\",\"seed\":\"ff\","
					"\"length\":%d,\"workload\":{\"op\":\"read\",\"block\":8192,\"verify\":true}}",
					readers[i], dir, i == 1 ? 65536 : 1048576);

		json_decref(whole_run(ask, &r));
		assert_string_equal(r.why, "");
		assert_int_equal(r.bytes, i == 1 ? 65536 : 1048576);
		json_decref(whole_run(back, &r));
		assert_string_equal(r.why, "");
		assert_int_equal(r.wrong_blocks, 0);
		assert_int_equal(r.direct, strcmp(readers[i], "posix") ? 1 : -1);
		free(ask);
		free(back);
	}
	free(uring);
}

static void a_short_file_fails_the_run(void **state)
{
	struct run r;
	char *path = mem_printf("%s/short", dir);
	char *ask = mem_printf("{\"id\":1,\"what\":\"run\",\"run\":1,\"target\":\"t\",\"driver\":\"posix\","
			       "\"keys\":{\"path\":\"%s\"},\"workload\":{\"op\":\"read\",\"block\":65536},\"cache\":\"as-is\","
			       "\"pass\":2,\"seed\":\"1\"}", path);
	struct iow_error e = ERR_INIT;
	struct peer p;
	json_t *f;

	make("short", "");
	start(&p, ask);
	json_decref(next(&p, "READY"));
	assert_int_equal(truncate(path, 100000), 0);
	tell(&p, "GO");
	f = next(&p, "RESULT");
	run_init(&r);
	assert_int_equal(run_from_json(&r, json_object_get(f, "line"), &e), 0);
	assert_int_equal(r.status, RUN_FAILED);
	assert_int_equal(r.errors, 1);
	assert_non_null(strstr(r.why, "offset 65536"));
	assert_non_null(strstr(r.why, "moved 34464 only"));
	assert_non_null(strstr(r.why, "driver posix"));
	json_decref(f);
	finish(&p);
	free(ask);
	free(path);
}

static void what_a_driver_cannot_do_is_refused(void **state)
{
	struct peer p;
	json_t *f;

	start(&p, "{\"id\":7,\"what\":\"run\",\"run\":1,\"target\":\"t\",\"driver\":\"posix\",\"keys\":{\"path\":\"/etc/passwd\"},"
		  "\"workload\":{\"depth\":4,\"block\":512},\"seed\":\"1\",\"pass\":1}");
	f = next(&p, "ERROR");
	assert_int_equal(jsonx_int(f, "id", 0), 7);
	assert_non_null(strstr(jsonx_str(f, "text", ""), "one I/O at a time"));
	json_decref(f);
	finish(&p);
	start(&p, "{\"id\":7,\"what\":\"run\",\"run\":1,\"target\":\"t\",\"driver\":\"null\",\"keys\":{},"
		  "\"workload\":{\"op\":\"write\"},\"seed\":\"1\",\"pass\":1,\"write\":false}");
	f = next(&p, "ERROR");
	assert_string_equal(jsonx_str(f, "class", ""), "refused");
	json_decref(f);
	finish(&p);
}

/* Memory filesystems take O_DIRECT and cache all the same. */
static void direct_on_tmpfs_is_not_in_force(void **state)
{
	static const char path[] = "/dev/shm/iow-child-test";
	char data[65536];
	struct statfs fs;
	struct peer p;
	FILE *f;
	json_t *o, *ready;

	if (statfs("/dev/shm", &fs) != 0 || fs.f_type != TMPFS_MAGIC)
		skip();
	memset(data, 'x', sizeof data);
	f = fopen(path, "w");
	assert_int_equal(fwrite(data, sizeof data, 1, f), 1);
	fclose(f);
	start(&p, "{\"id\":1,\"what\":\"run\",\"run\":1,\"target\":\"t\",\"driver\":\"direct\","
		  "\"keys\":{\"path\":\"/dev/shm/iow-child-test\"},\"workload\":{\"block\":4096},\"seed\":\"1\",\"pass\":1}");
	assert_int_equal(wire_recv(&p.wire, &ready, 20000000000, NULL), 0);
	o = json_object_get(ready, "line");
	/* an older kernel refuses to open it */
	if (strcmp(wire_type(ready), "READY") == 0)
		assert_true(json_is_false(json_object_get(o, "direct")));
	json_decref(ready);
	finish(&p);
	unlink(path);
}

static void refused(const char *driver, const char *workload, const char *why)
{
	char *ask = mem_printf("{\"id\":1,\"what\":\"run\",\"run\":1,\"target\":\"t\",\"driver\":\"%s\",\"write\":true,"
			       "\"keys\":{\"path\":\"%s/limits\"},\"workload\":%s,\"seed\":\"1\",\"pass\":1}",
			       driver, dir, workload);
	struct peer p;
	json_t *f;

	start(&p, ask);
	f = next(&p, "ERROR");
	if (!strstr(jsonx_str(f, "text", ""), why))
		fail_msg("\"%s\" does not say \"%s\"", jsonx_str(f, "text", ""), why);
	json_decref(f);
	finish(&p);
	free(ask);
}

static void limits_are_said_before_anything_runs(void **state)
{
	make("limits", "");
	refused("sync", "{\"op\":\"write\"}", "only with a \"durability\"");
	refused("direct", "{\"block\":768}", "the block is 768");
	refused("posix", "{\"block\":2097152}", "no room for a block");
	refused("direct", "{\"block\":1073741824,\"depth\":4096,\"jobs\":1024,\"shared\":true}", "");
	refused("raw", "{\"block\":4096}", "is a regular file");
	refused("posix", "{\"op\":\"trim\",\"durability\":\"flush\"}", "durability");
}

static void stop_ends_a_run_early(void **state)
{
	struct iow_error e = ERR_INIT;
	struct peer p;
	struct run r;
	json_t *f;

	start(&p, "{\"id\":1,\"what\":\"run\",\"run\":1,\"target\":\"t\",\"driver\":\"null\",\"keys\":{},"
		  "\"workload\":{\"duration\":30000000000,\"depth\":8,\"jobs\":2},\"seed\":\"1\",\"pass\":1}");
	json_decref(next(&p, "READY"));
	tell(&p, "GO");
	usleep(50000);
	tell(&p, "STOP");
	f = next(&p, "RESULT");
	run_init(&r);
	assert_int_equal(run_from_json(&r, json_object_get(f, "line"), &e), 0);
	assert_int_equal(r.status, RUN_OK);
	assert_true(r.wall_ns < 5000000000 && r.ios > 1000);
	json_decref(f);
	finish(&p);
}

static int set_up(void **state)
{
	use_built_drivers();
	return mkdtemp(dir) ? 0 : -1;
}

static int tear_down(void **state)
{
	static const char *const files[] = { "cold", "duplicate", "flush", "verify", "short", "cross", "limits" };

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		char *path = mem_printf("%s/%s", dir, files[i]);

		unlink(path);
		free(path);
	}
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(null_runs_for_its_duration),
		cmocka_unit_test(a_cold_file_is_read_once),
		cmocka_unit_test(writes_flush_and_commit),
		cmocka_unit_test(a_share_of_one_repeats_each_block),
		cmocka_unit_test(a_flipped_byte_is_named),
		cmocka_unit_test(a_byte_flipped_below_a_device_is_named),
		cmocka_unit_test(what_one_driver_writes_another_reads),
		cmocka_unit_test(a_short_file_fails_the_run),
		cmocka_unit_test(what_a_driver_cannot_do_is_refused),
		cmocka_unit_test(direct_on_tmpfs_is_not_in_force),
		cmocka_unit_test(limits_are_said_before_anything_runs),
		cmocka_unit_test(stop_ends_a_run_early),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
