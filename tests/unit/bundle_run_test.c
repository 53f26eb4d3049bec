/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/jsonx.h"
#include "base/utf8.h"
#include "bundle/run.h"

static char *text_of(const struct run *r)
{
	json_t *o = run_to_json(r);
	struct buf b = BUF_INIT;

	jsonx_write(&b, o, 0);
	json_decref(o);
	return buf_take(&b);
}

static int read_text(struct run *r, const char *text, struct iow_error *e)
{
	json_t *o = json_loads(text, 0, NULL);
	int rc = run_from_json(r, o, e);

	json_decref(o);
	return rc;
}

static void fill(struct run *r)
{
	run_init(r);
	r->run = 12, r->cell = 0, r->block = 3, r->step = 0, r->pass = 2, r->position = 1;
	r->status = RUN_HUNG;
	snprintf(r->why, sizeof r->why, "an I/O passed its deadline of 30 s");
	r->start_utc_ns = INT64_C(1796070245123456789), r->wall_ns = 5000000000;
	r->bytes = 1 << 30, r->ios = 32768, r->read_bytes = 1 << 30;
	r->offset = 4096, r->length = 1 << 30;
	r->lat[LAT_READ] = (struct latency){ 32768, 1, 2, 3, 4, 5, 6, 7, 8, 9 };
	r->user_ns = 0, r->busy_cpu_ns = 17, r->ctx_voluntary = 5;
	r->dev_known = true;
	r->cold_method = COLD_MINCORE, r->resident_pages = 0, r->checked_pages = 99;
	r->direct = 0, r->workers = 4, r->clock_source = 1, r->skew_ns = 77;
	r->stopped_ns = 1500000000;
	r->pressure_cpu_ns = 0, r->pressure_io_ns = 4999000; /* of memory nothing is known */
	r->samples_at = 0, r->samples_len = 900;
}

static void a_run_line_reads_back_as_it_was(void **state)
{
	struct iow_error e = ERR_INIT;
	struct run r, back;
	char *text, *again;

	fill(&r);
	text = text_of(&r);
	run_init(&back);
	assert_int_equal(read_text(&back, text, &e), 0);
	assert_memory_equal(&r, &back, sizeof r);
	again = text_of(&back);
	assert_string_equal(text, again);
	free(text);
	free(again);
}

static void what_is_unknown_is_left_out_and_leaves_the_rest(void **state)
{
	struct iow_error e = ERR_INIT;
	struct run r;
	char *text;

	run_init(&r);
	text = text_of(&r);
	assert_string_equal(text, "{\"status\":\"ok\",\"bytes\":0,\"ios\":0,\"errors\":0}");
	free(text);
	fill(&r);
	assert_int_equal(read_text(&r, "{\"cpu\":[null,8,null,null,null,6,0,0,null],\"errors\":1}", &e), 0);
	assert_int_equal(r.user_ns, 0);
	assert_int_equal(r.sys_ns, 8);
	assert_int_equal(r.busy_cpu_ns, 17);
	assert_int_equal(r.machine_cpu_ns, -1);
	assert_int_equal(r.cell, 0);
	assert_int_equal(r.errors, 1);
}

static void what_is_not_of_version_1_is_refused(void **state)
{
	static const char *const bad[] = {
		"{\"speed\":1}", "{\"bytes\":-1}", "{\"bytes\":1.5}", "{\"status\":\"fine\"}", "{\"status\":3}",
		"{\"cpu\":[1]}", "{\"lat\":{\"read\":[1,2]}}", "{\"lat\":{\"seek\":[]}}", "{\"direct\":1}",
		"{\"block\":4294967296}", "{\"why\":7}", "[]",
	};
	struct iow_error e = ERR_INIT;
	struct run r;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		run_init(&r);
		assert_int_equal(read_text(&r, bad[i], &e), -1);
	}
	assert_int_equal(read_text(&r, bad[0], &e), -1);
	assert_string_equal(e.text, "unknown member \"speed\"");
}

static void text_from_outside_becomes_utf8(void **state)
{
	char *s = utf8_clean("a\xff\xc3\xa9\n\xed\xa0\x80z", 0);

	assert_string_equal(s, "a\xef\xbf\xbd\xc3\xa9 \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz");
	free(s);
	s = utf8_clean("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 6);
	assert_string_equal(s, "\xc3\xa9\xe2\x80\xa6");
	free(s);
	s = utf8_clean(NULL, 3);
	assert_string_equal(s, "");
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_line_reads_back_as_it_was),
		cmocka_unit_test(what_is_unknown_is_left_out_and_leaves_the_rest),
		cmocka_unit_test(what_is_not_of_version_1_is_refused),
		cmocka_unit_test(text_from_outside_becomes_utf8),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
