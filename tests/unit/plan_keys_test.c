/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "plan/keys.h"
#include "plan/workload.h"

struct demo {
	const char *path, *secret;
	uint64_t size;
	int64_t wait, count;
	double share;
	uint32_t mode;
	uint8_t quiet;
	const char *const *args;
};
#define AT(m) offsetof(struct demo, m)

static const char *const modes[] = { "slow", "fast", NULL };
static const struct iow_key demo_keys[] = {
	{ "path", IOW_KEY_STRING, IOW_KEY_REQUIRED, AT(path), NULL, 0, 0, 0, 0, NULL, "where" },
	{ "secret", IOW_KEY_STRING, IOW_KEY_SECRET, AT(secret), NULL, 0, 0, 0, 0, NULL, "word" },
	{ "size", IOW_KEY_BYTES, 0, AT(size), "64KiB", 512, 1 << 30, 0, 0, NULL, "bytes" },
	{ "wait", IOW_KEY_TIME, 0, AT(wait), "250ms", 0, 0, 0, 0, NULL, "time" },
	{ "count", IOW_KEY_INT, 0, AT(count), NULL, 1, 9, 0, 0, NULL, "how many" },
	{ "share", IOW_KEY_REAL, 0, AT(share), "0.5", 0, 0, 0, 1, NULL, "part" },
	{ "mode", IOW_KEY_CHOICE, IOW_KEY_AXIS, AT(mode), "fast", 0, 0, 0, 0, modes, "how" },
	{ "quiet", IOW_KEY_BOOL, 0, AT(quiet), "true", 0, 0, 0, 0, NULL, "say less" },
	{ "args", IOW_KEY_LIST, 0, AT(args), "-a,-b", 0, 0, 0, 0, NULL, "words" },
	{ NULL, 0, 0, 0, NULL, 0, 0, 0, 0, NULL, NULL },
};

static json_t *parse(const char *text)
{
	json_t *o = json_loads(text, JSON_REJECT_DUPLICATES, NULL);

	assert_non_null(o);
	return o;
}

static char *dump(const json_t *v)
{
	struct buf b = BUF_INIT;

	jsonx_write(&b, v, 0);
	return buf_take(&b);
}

static void defaults_and_units_become_numbers(void **state)
{
	json_t *o = parse("{\"path\": \"/x\", \"size\": \"1MiB\", \"wait\": \"2s\"}"), *r, *again;
	struct problems p;
	char *text, *text2;

	(void)state;
	problems_init(&p);
	r = keys_resolve(demo_keys, o, KEYS_PLAN, "", &p);
	assert_int_equal(p.n, 0);
	text = dump(r);
	assert_string_equal(text, "{\"path\":\"/x\",\"secret\":null,\"size\":1048576,\"wait\":2000000000,"
				  "\"count\":null,\"share\":0.5,\"mode\":\"fast\",\"quiet\":true,"
				  "\"args\":[\"-a\",\"-b\"]}");
	again = keys_resolve(demo_keys, r, KEYS_RESOLVED, "", &p);
	text2 = dump(again);
	assert_int_equal(p.n, 0);
	assert_string_equal(text, text2);
	free(text);
	free(text2);
	json_decref(o);
	json_decref(r);
	json_decref(again);
	problems_release(&p);
}

static void every_mistake_is_named(void **state)
{
	static const char text[] =
		"{\n"
		"  \"siez\": 1,\n"
		"  \"size\": 100,\n"
		"  \"wait\": 5,\n"
		"  \"mode\": \"fats\",\n"
		"  \"secret\": \"hunter2\",\n"
		"  \"count\": \"3\"\n"
		"}";
	static const char want[] =
		"demo.json:1:1: /: \"path\" is missing: where (a text)\n"
		"demo.json:2:3: /siez: unknown key \"siez\"; did you mean \"size\"?\n"
		"demo.json:3:11: /size: \"size\" is 100; allowed: bytes such as 4096 or \"64KiB\""
		" from 512 B to 1 GiB\n"
		"demo.json:4:11: /wait: \"wait\" is 5; allowed: a time such as \"5s\" or \"250ms\"\n"
		"demo.json:5:11: /mode: \"mode\" is \"fats\"; allowed: one of slow, fast\n"
		"demo.json:6:13: /secret: \"secret\" is given in the plan; allowed: {\"env\": NAME} or "
		"{\"file\": PATH}, so that it is in no bundle\n"
		"demo.json:7:12: /count: \"count\" is \"3\"; allowed: an integer from 1 to 9\n";
	struct iow_error e = ERR_INIT;
	struct jsonx_doc d;
	struct problems p;
	struct buf out = BUF_INIT;

	(void)state;
	assert_int_equal(jsonx_parse(&d, "demo.json", text, strlen(text), &e), 0);
	problems_init(&p);
	json_decref(keys_resolve(demo_keys, d.root, KEYS_PLAN, "", &p));
	problems_print(&p, &d, &out);
	assert_string_equal(buf_str(&out), want);
	buf_release(&out);
	problems_release(&p);
	jsonx_release(&d);
}

static void a_block_of_memory_is_filled(void **state)
{
	json_t *o = parse("{\"path\": \"/x\", \"secret\": {\"env\": \"IOW_TEST_SECRET\"}, \"count\": 3}");
	struct iow_error e = ERR_INIT;
	const struct demo *d;
	struct conf c;

	(void)state;
	unsetenv("IOW_TEST_SECRET");
	assert_int_equal(conf_fill(&c, sizeof *d, demo_keys, o, &e), -1);
	assert_non_null(strstr(e.text, "IOW_TEST_SECRET"));
	setenv("IOW_TEST_SECRET", "word", 1);
	assert_int_equal(conf_fill(&c, sizeof *d, demo_keys, o, &e), 0);
	d = c.data;
	assert_string_equal(d->path, "/x");
	assert_string_equal(d->secret, "word");
	assert_int_equal(d->size, 65536);
	assert_int_equal(d->wait, 250000000);
	assert_int_equal(d->count, 3);
	assert_true(d->share == 0.5);
	assert_int_equal(d->mode, 1);
	assert_int_equal(d->quiet, 1);
	assert_string_equal(d->args[1], "-b");
	assert_null(d->args[2]);
	conf_release(&c);
	assert_int_equal(conf_fill(&c, 16, demo_keys, o, &e), -1);
	json_decref(o);
}

static void a_table_survives_the_wire(void **state)
{
	json_t *a = keys_to_json(demo_keys), *b;
	struct iow_error e = ERR_INIT;
	struct keys_table t;
	char *x, *y;

	(void)state;
	assert_int_equal(keys_from_json(&t, a, &e), 0);
	b = keys_to_json(t.keys);
	x = dump(a);
	y = dump(b);
	assert_string_equal(x, y);
	free(x);
	free(y);
	json_decref(a);
	json_decref(b);
	keys_table_release(&t);
	a = parse("[{\"name\": \"a\", \"type\": \"colour\"}]");
	assert_int_equal(keys_from_json(&t, a, &e), -1);
	json_decref(a);
}

static void names_that_are_near(void **state)
{
	static const char *const names[] = { "throughput", "p99", "iops", NULL };

	(void)state;
	assert_string_equal(name_nearest("thruput", names), "throughput");
	assert_string_equal(name_nearest("iosp", names), "iops");
	assert_null(name_nearest("latency", names));
}

static char *workload_problems(const char *text)
{
	json_t *o = parse(text);
	struct workload w;
	struct problems p;
	struct buf b = BUF_INIT;

	problems_init(&p);
	workload_resolve(&w, o, KEYS_PLAN, "/w", &p);
	for (size_t i = 0; i < p.n; i++)
		buf_printf(&b, "%s: %s\n", p.list[i].path, p.list[i].text);
	problems_release(&p);
	json_decref(o);
	buf_puts(&b, "");
	return buf_take(&b);
}

static void workloads_go_there_and_back(void **state)
{
	json_t *o = parse("{\"op\": \"mixed\", \"pattern\": \"random\", \"replacement\": true, "
			  "\"block\": {\"4096\": 70, \"64KiB\": 30}, \"rate\": 100, \"duration\": 5000000000}");
	json_t *there, *back;
	struct iow_error e = ERR_INIT;
	struct workload w, w2;
	char *x, *y;

	(void)state;
	assert_int_equal(workload_from_json(&w, o, &e), 0);
	assert_int_equal(w.n_blocks, 2);
	assert_int_equal(w.block[1], 65536);
	assert_int_equal(w.weight[0], 70);
	assert_int_equal(w.final_flush, 1);
	assert_int_equal(w.arrival, ARRIVAL_CONSTANT);
	assert_int_equal(w.deadline_ns, 60000000000);
	there = workload_to_json(&w);
	assert_int_equal(workload_from_json(&w2, there, &e), 0);
	back = workload_to_json(&w2);
	x = dump(there);
	y = dump(back);
	assert_string_equal(x, y);
	free(x);
	free(y);
	json_decref(o);
	json_decref(there);
	json_decref(back);
}

static void block_depends_on_the_pattern(void **state)
{
	struct iow_error e = ERR_INIT;
	json_t *o = parse("{}"), *r = parse("{\"pattern\": \"random\"}");
	struct workload w;

	(void)state;
	assert_int_equal(workload_from_json(&w, o, &e), 0);
	assert_int_equal(w.block[0], 65536);
	assert_int_equal(w.n_blocks, 1);
	assert_int_equal(w.final_flush, 0);
	assert_int_equal(workload_from_json(&w, r, &e), 0);
	assert_int_equal(w.block[0], 4096);
	json_decref(o);
	json_decref(r);
}

static void keys_that_do_not_go_together(void **state)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ "{\"batch\": 4}", "/w/batch: \"batch\" 4 is more than \"depth\" 1\n" },
		{ "{\"theta\": 1.1}", "/w/theta: \"theta\" has no effect without pattern zipf\n" },
		{ "{\"durability\": \"dsync\"}",
		  "/w/durability: \"durability\" needs op write or mixed\n" },
		{ "{\"arrival\": \"poisson\"}", "/w/arrival: arrival poisson needs a \"rate\"\n" },
		{ "{\"block\": {}}", "/w/block: \"block\" has 0 sizes; allowed: 1 to 8\n" },
		{ "{\"block\": {\"4KiB\": 0}}",
		  "/w/block/4KiB: the weight of a block size is an integer from 1 to 1000000\n" },
		{ "{\"op\": \"write\", \"final_flush\": false}", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *got = workload_problems(cases[i].text);

		assert_string_equal(got ? got : "", cases[i].want);
		free(got);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults_and_units_become_numbers),
		cmocka_unit_test(every_mistake_is_named),
		cmocka_unit_test(a_block_of_memory_is_filled),
		cmocka_unit_test(a_table_survives_the_wire),
		cmocka_unit_test(names_that_are_near),
		cmocka_unit_test(workloads_go_there_and_back),
		cmocka_unit_test(block_depends_on_the_pattern),
		cmocka_unit_test(keys_that_do_not_go_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
