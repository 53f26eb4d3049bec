/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reports/runs_csv.h"

static size_t fields(const char *line)
{
	size_t n = 1;
	bool quoted = false;

	for (; *line && (quoted || *line != '\n'); line++) {
		quoted ^= *line == '"';
		n += *line == ',' && !quoted;
	}
	return n;
}

static void runs_are_written(void **state)
{
	struct bundle b = { 0 };
	struct results r = { .bundle = &b };
	struct run runs[2];
	struct buf out = BUF_INIT;

	for (int i = 0; i < 2; i++)
		run_init(&runs[i]);
	runs[0].run = 1;
	runs[0].cell = 7;
	runs[0].wall_ns = 2000000000;
	runs[0].bytes = 3000000001;
	runs[0].lat[LAT_READ] = (struct latency){ .count = 10, .p50 = 1234, .max = 99999 };
	runs[1].run = 2;
	strcpy(runs[1].why, "=cmd|' /C calc'!A0, \"said\" so");
	for (int i = 0; i < 2; i++)
		bundle_keep(&b, &runs[i]);
	runs_csv(&r, &out);
	assert_memory_equal(out.data, "run,cell,label,block,", 21);
	assert_non_null(strstr(out.data, ",1500.0000005,2000000000,3000000001,"));
	assert_non_null(strstr(out.data, ",read_p99.9_ns,"));
	assert_null(strstr(out.data, "commit_p50_ns"));
	assert_non_null(strstr(out.data, ",\"'=cmd|' /C calc'!A0, \"\"said\"\" so\","));
	assert_int_equal(fields(out.data), fields(strchr(out.data, '\n') + 1));
	buf_release(&out);
	free(b.runs);
	kept_release(&b.kept);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(runs_are_written) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
