/* SPDX-License-Identifier: Apache-2.0 */
/* The two readers of samples take and refuse the same lines, and give the same numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/vec.h"
#include "bundle/bundle.h"

static char dir[64], path[96];

static int make_scratch(void **state)
{
	snprintf(dir, sizeof dir, "/tmp/iowitness-samples.XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof path, "%s/samples.jsonl", dir);
	return 0;
}

static int remove_scratch(void **state)
{
	return unlink(path) || rmdir(dir);
}

static const char whole[] = "{\"run\":7,\"intervals\":{\"start_ns\":0,\"width_ns\":10,\"bytes\":[1,20,0],\"ios\":[1,2,0],"
	"\"errors\":[0,0,0],\"min_ns\":[5,-1,-1],\"max_ns\":[9,-1,999999999999999999]},\"hist\":{\"read\":{\"index\":[5,9],"
	"\"count\":[2,1]},\"flush\":{\"index\":[],\"count\":[]}},\"slow\":[[1,2,9],[3,4,5]],\"reap\":{\"reaps\":3}}";

static void numbers_equal(const struct sample_numbers *got, const json_t *want)
{
	assert_int_equal(got->n, json_array_size(want));
	for (size_t i = 0; i < got->n; i++)
		assert_int_equal(got->v[i], json_integer_value(json_array_get(want, i)));
}

static void same(const struct samples *s, const json_t *o)
{
	const json_t *in = json_object_get(o, "intervals"), *hist = json_object_get(o, "hist");
	static const char *const names[] = { "bytes", "ios", "errors", "min_ns", "max_ns" };
	const struct sample_numbers *got[] = { &s->bytes, &s->ios, &s->errors, &s->min_ns, &s->max_ns };

	assert_int_equal(s->start_ns, json_integer_value(json_object_get(in, "start_ns")));
	assert_int_equal(s->width_ns, json_integer_value(json_object_get(in, "width_ns")));
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		numbers_equal(got[i], json_object_get(in, names[i]));
	for (int c = 0; c < LAT_CLASSES; c++) {
		const json_t *h = json_object_get(hist, latency_class_name((enum latency_class)c));
		numbers_equal(&s->hist[c].index, json_object_get(h, "index"));
		numbers_equal(&s->hist[c].count, json_object_get(h, "count"));
	}
}

/* Does this line read? Both ways, with the same numbers or the same error. */
static bool reads(const char *line, size_t n)
{
	struct bundle b = { .dir = dir };
	struct kept_run r = { .run = 7, .samples_at = 3, .samples_len = n };
	struct iow_error e1 = ERR_INIT, e2 = ERR_INIT;
	struct samples s;
	FILE *f = fopen(path, "w");
	json_t *o;
	int rc;

	assert_non_null(f);
	fprintf(f, "{}\n");
	assert_int_equal(fwrite(line, 1, n, f), n);
	fprintf(f, "\n]\n");
	fclose(f);
	o = bundle_samples(&b, &r, &e1);
	rc = bundle_numbers(&b, &r, &s, &e2);
	if (rc != (o ? 1 : e1.text[0] ? -1 : 0) || strcmp(e1.text, e2.text) != 0)
		fail_msg("%d, %p \"%s\" \"%s\": %.*s", rc, (void *)o, e1.text, e2.text, (int)n, line);
	if (o)
		same(&s, o);
	if (rc == 1)
		samples_release(&s);
	json_decref(o);
	return rc == 1;
}

static void lines_that_differ_in_a_part(void **state)
{
	static const struct { const char *from, *to; bool reads; } some[] = {
		{ "", "", true },
		{ "[1,20,0]", "[1, 20,\t0]", true },
		{ "[1,20,0]", "[1,20,-0]", true },
		{ "[1,20,0]", "[1,20,9223372036854775807]", true },
		{ "[1,20,0]", "[1,20,9223372036854775808]", false },
		{ "[1,20,0]", "[1,20,01]", false },
		{ "[1,20,0]", "[1,20,1.0]", false },
		{ "[1,20,0]", "[1,20,0,]", false },
		{ "[1,20,0]", "[1,,20,0]", false },
		{ "[1,20,0]", "[1,20,-]", false },
		{ "[1,20,0]", "[1,20,-1]", false },
		{ "[1,20,0]", "[1,20]", false },
		{ "[1,20,0]", "\"#0\"", false },
		{ "[1,20,0]", "\"\\u0023\\u0030\"", false },
		{ "[5,-1,-1]", "[5,-1,-2]", false },
		{ "\"min_ns\":[5,-1,-1],", "", false },
		{ "\"width_ns\":10", "\"width_ns\":0", false },
		{ "\"run\":7", "\"run\":8", false },
		{ "\"run\":7", "\"run\":7,\"more\":{\"why\":\"x\"}", true },
		{ "\"run\":7", "\"run\":7,\"wrong\":[[1,2]]", true },
		{ "\"run\":7", "\"run\":7,\"wrong\":{}", false },
		{ "\"run\":7", "\"run\":7,\"bandwidth\":[1]", false },
		{ "\"run\":7", "\"run\":7,\"run\":7", false },
		{ "[5,9]", "[9,5]", false },
		{ "[2,1]", "[2,0]", false },
		{ "\"flush\"", "\"fl\\u0075sh\"", true },
		{ "\"flush\"", "\"#ush\"", false },
		{ "[[1,2,9],[3,4,5]]", "[]", true },
		{ "[[1,2,9],[3,4,5]]", "[1,2,3]", false },
		{ "[[1,2,9],[3,4,5]]", "[[1,2,9][3,4,5]]", false },
		{ "[[1,2,9],[3,4,5]]", "[[1,2,9,4]]", false },
		{ "{\"reaps\":3}", "{\"reaps\":[3]}", true },
		{ "{\"reaps\":3}", "{[3]:4}", false },
		{ "{\"reaps\":3}", "[3]", false },
	};
	char longer[sizeof whole + 2] = "";

	for (size_t i = 0; i < ARRAY_LEN(some); i++) {
		const char *at = strstr(whole, some[i].from);
		mem_auto char *line = mem_printf("%.*s%s%s", (int)(at - whole), whole, some[i].to, at + strlen(some[i].from));
		if (reads(line, strlen(line)) != some[i].reads)
			fail_msg("%s -> %s", some[i].from, some[i].to);
	}
	assert_false(reads("{\"run\":7}", 9));
	assert_false(reads(whole, sizeof whole - 2));
	memcpy(longer, whole, sizeof whole);
	assert_false(reads(longer, sizeof longer));
}

static void lines_changed_at_random(void **state)
{
	static const char bytes[] = "[]{},:\"0123456789-.e# \\\n\0xruninhst";
	char line[sizeof whole];
	size_t n = sizeof whole - 1, good = 0;
	struct rng r;

	rng_seed(&r, 3);
	for (int i = 0; i < 4000; i++) {
		memcpy(line, whole, sizeof whole);
		for (uint64_t k = 1 + rng_below(&r, 2); k > 0; k--)
			line[rng_below(&r, n)] = bytes[rng_below(&r, sizeof bytes - 1)];
		good += reads(line, n);
	}
	/* Both kinds came. */
	assert_in_range(good, 100, 3900);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(lines_that_differ_in_a_part, make_scratch, remove_scratch),
		cmocka_unit_test_setup_teardown(lines_changed_at_random, make_scratch, remove_scratch),
	};

	return cmocka_run_group_tests_name("samples", tests, NULL, NULL);
}
