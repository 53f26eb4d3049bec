/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/plan_fixture.h"

#include <math.h>

#include "plan/tables.h"

#define HEAD "{\"iowitness\": 1, \"title\": \"t\", "
#define TARGETS \
	"\"targets\": {\"a\": {\"driver\": \"direct\", \"path\": \"/a\"}, " \
	"\"b\": {\"driver\": \"posix\", \"path\": \"/b\"}}, "
#define LOADS "\"workloads\": {\"scan\": {\"block\": \"32KiB\", \"duration\": \"5s\"}}, "
#define TEST(more) "\"tests\": [{\"name\": \"x\", \"targets\": [\"a\", \"b\"], \"workloads\": [\"scan\"]" more "}]"

static const char sample[] =
	"{ \"iowitness\": 1, \"title\": \"Shared raw reads against filesystem reads\",\n"
	"  \"params\":  { \"raw\": \"/dev/mapper/s1\", \"dir\": \"/u01/test\" },\n"
	"  \"report\":  { \"issuer\": \"i\", \"for\": \"f\", \"case\": \"SR 3-123\", \"authorised_by\": \"a\","
	" \"permission\": \"p\" },\n"
	"  \"nodes\":   { \"n2\": { \"driver\": \"remote-node\", \"host\": \"n2\" } },\n"
	"  \"targets\": { \"shared raw\":  { \"driver\": \"raw\", \"path\": \"${raw}\" },\n"
	"               \"file direct\": { \"driver\": \"direct\", \"path\": \"${dir}/t1\", \"size\": \"1GiB\" },\n"
	"               \"file\":        { \"driver\": \"posix\", \"path\": \"${dir}/t1\", \"size\": \"1GiB\" },\n"
	"               \"shared raw from n2\": { \"driver\": \"raw\", \"path\": \"${raw}\", \"node\": \"n2\" } },\n"
	"  \"workloads\": { \"scan\": { \"op\": \"read\", \"pattern\": \"sequential\", \"block\": \"32KiB\","
	" \"duration\": \"5s\" } },\n"
	"  \"tests\":   [ { \"name\": \"scan\", \"targets\": [\"shared raw\", \"file direct\", \"file\"],"
	" \"workloads\": [\"scan\"],\n"
	"                 \"sweep\": { \"workload.block\": [\"4KiB\", \"32KiB\", \"1MiB\"] }, \"cache\": \"cold\","
	" \"region\": \"fresh\", \"blocks\": 8 } ],\n"
	"  \"questions\": [ { \"compare\": [\"shared raw\"], \"against\": \"file\", \"metric\": \"throughput\","
	" \"margin\": 0.05 } ],\n"
	"  \"claims\":  [ { \"says\": \"raw is at most 10% slower\", \"by\": \"vendor\", \"compare\":"
	" [\"shared raw\"], \"against\": \"file direct\",\n"
	"                 \"metric\": \"throughput\", \"at_least\": 0.90 } ] }\n";

static void the_sample_plan_loads(void **state)
{
	const struct cell *cell;
	struct cells c;

	(void)state;
	fixture_cells(&c, sample, NULL, 0, true);
	assert_int_equal(c.n_cells, 10); /* 3 targets, 3 blocks, one control */
	assert_int_equal(c.n_steps, 10);
	assert_int_equal(c.n_blocks, 8);
	assert_int_equal(c.n_targets, 3); /* the one of n2 is used by no test */
	assert_int_equal(c.n_nodes, 1);
	assert_int_equal(c.family, 6);
	assert_int_equal(c.n_questions, 2);
	assert_string_equal(c.questions[0].label, "shared raw : file");
	assert_string_equal(c.questions[0].named, "target");
	assert_true(c.questions[1].claim);
	assert_true(c.questions[1].at_least == 0.9);
	assert_true(isnan(c.questions[1].at_most));
	assert_string_equal(c.questions[1].where, "/claims/0");
	assert_string_equal(jsonx_str(c.report, "paper", ""), "A4");
	cell = fixture_cell(&c, "scan/shared raw/scan/workload.block=4096");
	assert_string_equal(cell->label, "shared raw, 4 KiB");
	assert_int_equal(cell->spec.block[0], 4096);
	assert_string_equal(jsonx_str(cell->target_keys, "path", ""), "/dev/mapper/s1");
	cell = fixture_cell(&c, "scan/file/scan/workload.block=4096/control");
	assert_true(cell->control);
	assert_string_equal(cell->label, "file, 4 KiB, control");
	cells_release(&c);
}

static void six_mistakes_six_messages(void **state)
{
	static const char text[] =
		"{ \"iowitness\": 1, \"title\": \"t\",\n"
		"  \"targets\": { \"a\": { \"driver\": \"posix\", \"path\": \"/a\", \"szie\": 4096 },\n"
		"               \"b\": { \"driver\": \"posxi\", \"path\": \"/b\" } },\n"
		"  \"workloads\": { \"scan\": { \"block\": \"32K\" } },\n"
		"  \"tests\": [ { \"name\": \"x\", \"targets\": [\"a\", \"c\"], \"workloads\": [\"scan\"],\n"
		"               \"blocks\": 8, \"blocks\": 9 } ],\n"
		"  \"questions\": [ { \"compare\": \"a\", \"against\": \"b\", \"metric\": \"thruput\" } ] }\n";
	static const char want[] =
		"plan.json:2:56: /targets/a/szie: unknown key \"szie\"; did you mean \"size\"?\n"
		"plan.json:3:33: /targets/b/driver: no driver \"posxi\" is installed; "
		"did you mean \"posix\"?\n"
		"plan.json:4:37: /workloads/scan/block: \"block\" is \"32K\"; allowed: bytes such as 4096 or "
		"\"64KiB\" from 512 B to 1 GiB\n"
		"plan.json:5:46: /tests/0/targets/1: no target \"c\"; allowed: a, b\n"
		"plan.json:6:29: /tests/0/blocks: key \"blocks\" is there twice; only one is allowed\n"
		"plan.json:7:62: /questions/0/metric: no metric \"thruput\"; did you mean \"throughput\"?\n";
	char *got = fixture_mistakes(text, NULL, 0);

	(void)state;
	assert_string_equal(got, want);
	free(got);
}

static void what_is_no_json_says_where(void **state)
{
	char *got = fixture_mistakes("{\n  \"a\": ,\n}", NULL, 0);

	(void)state;
	assert_non_null(strstr(got, "plan.json:2:"));
	assert_non_null(strstr(got, "not valid JSON"));
	free(got);
	got = fixture_mistakes("[]", NULL, 0);
	assert_string_equal(got, "plan.json:1:1: /: a plan is an object: {\"iowitness\": 1, ...}\n");
	free(got);
	got = fixture_mistakes("{\"iowitness\": 1}", NULL, 0);
	assert_non_null(strstr(got, "\"targets\" is missing"));
	assert_non_null(strstr(got, "\"tests\" is missing"));
	free(got);
}

static void one_mistake_each(void **state)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ HEAD TARGETS LOADS TEST(", \"sweep\": {\"workload.size\": [1]}") "}", "cannot be swept" },
		{ HEAD TARGETS LOADS TEST(", \"sweep\": {\"workload.block\": [4096, \"4KiB\"]}") "}",
		  "/tests/0/sweep/workload.block/1: the value is there twice" },
		{ HEAD TARGETS LOADS TEST(", \"sweep\": {\"workload.depth\": [4]}") "}",
		  "/tests/0/targets/1: target \"b\": the workload needs what driver posix has not: ASYNC" },
		{ HEAD TARGETS LOADS TEST(", \"zip\": {\"workload.block\": [4096, 8192], "
					  "\"workload.op\": [\"read\"]}") "}",
		  "lists of equal length" },
		{ HEAD TARGETS LOADS TEST(", \"mode\": \"together\", \"targets\": [\"a\"]") "}", "twice" },
		{ HEAD TARGETS LOADS TEST("") ", \"questions\": [{\"compare\": \"a\"}]}", "needs \"against\"" },
		{ HEAD TARGETS LOADS TEST("") ", \"questions\": [{\"cache\": \"a\"}]}",
		  "/questions/0/cache: no test with \"passes\": 2 has such cells" },
		{ HEAD TARGETS LOADS TEST("") ", \"questions\": [{\"cache\": \"a\", \"cpu\": \"a\"}]}",
		  "exactly one of compare, sensitivity" },
		{ HEAD TARGETS LOADS TEST("") ", \"questions\": [{\"limit\": \"a\"}]}",
		  "a limit needs \"at_least\" or \"at_most\"" },
		{ HEAD TARGETS LOADS TEST("") ", \"questions\": [{\"compare\": {\"colour\": 1}, "
					      "\"against\": \"a\"}]}",
		  "/questions/0/compare/colour: no dimension \"colour\"" },
		{ HEAD TARGETS LOADS TEST(", \"sweep\": {\"workload.block\": [4096, 8192]}")
		  ", \"questions\": [{\"compare\": {\"workload.block\": 4096}, \"against\": \"a\"}]}",
		  "counterparts" },
		{ HEAD TARGETS LOADS TEST("") ", \"claims\": [{\"says\": \"s\", \"compare\": \"a\", "
					      "\"against\": \"b\"}]}",
		  "a claim needs" },
		{ HEAD TARGETS LOADS TEST("") ", \"report\": {\"paper\": \"A5\"}}", "one of A4, Letter" },
		{ HEAD "\"targets\": {\"a\": {\"driver\": \"raw\", \"path\": \"/a\", \"make\": {\"loop\": "
		       "\"64MiB\"}}, \"b\": {\"driver\": \"null\"}}, " LOADS TEST("") "}",
		  "/targets/a/path: \"path\" and \"make\" exclude each other" },
		{ HEAD TARGETS "\"workloads\": {\"scan\": {\"op\": \"read\", \"durability\": \"dsync\"}}, " TEST("")
		  "}", "plan.json:1:" },
		{ HEAD TARGETS LOADS TEST("") ", \"params\": {\"x\": null}, \"about\": \"${x}\"}",
		  "give it with --set /params/x=VALUE" },
		{ HEAD TARGETS LOADS TEST("") ", \"about\": \"${y}\"}", "/about: no parameter \"y\"" },
		{ HEAD "\"targets\": {\"a\": {\"driver\": \"sync\", \"path\": \"/a\"}, "
		       "\"b\": {\"driver\": \"null\"}}, \"workloads\": {\"scan\": {\"op\": \"write\"}}, "
		  TEST("") "}", "driver sync needs a \"durability\"" },
		{ HEAD "\"targets\": {\"a\": {\"driver\": \"remote-node\", \"host\": \"h\"}, "
		       "\"b\": {\"driver\": \"null\"}}, " LOADS TEST("") "}", "does no I/O" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *got = fixture_mistakes(cases[i].text, NULL, 0);

		if (!strstr(got, cases[i].want))
			print_error("case %zu: got: %swanted: %s\n", i, got, cases[i].want);
		assert_non_null(strstr(got, cases[i].want));
		free(got);
	}
}

static void sets_and_params_fit_a_plan_to_a_site(void **state)
{
	static const char *const set[] = { "/params/dir=/mnt/x", "/tests/0/blocks=5",
					   "/tests/0/sweep/workload.block=[\"8KiB\"]" };
	struct cells c, plain;
	char *got;

	(void)state;
	fixture_cells(&c, sample, set, 3, true);
	fixture_cells(&plain, sample, NULL, 0, true);
	assert_int_equal(c.n_blocks, 5);
	assert_int_equal(c.n_cells, 3); /* 5 blocks: no control */
	assert_string_equal(jsonx_str(c.targets[2].keys, "path", ""), "/mnt/x/t1");
	assert_int_equal(c.n_set, 3);
	assert_true(c.seed != plain.seed);
	assert_string_equal(c.plan_sha256, plain.plan_sha256);
	cells_release(&c);
	cells_release(&plain);
	got = fixture_mistakes(sample, (const char *const[]){ "tests=5" }, 1);
	assert_non_null(strstr(got, "--set tests=5"));
	free(got);
	got = fixture_mistakes(sample, (const char *const[]){ "/tests/7/blocks=5" }, 1);
	assert_non_null(strstr(got, "no such place"));
	free(got);
}

static void a_parameter_keeps_its_type(void **state)
{
	static const char text[] = HEAD TARGETS LOADS TEST(", \"blocks\": \"${n}\"")
		", \"params\": {\"n\": 6, \"who\": \"x\"}, \"about\": \"$${n} by ${who}, ${n}\"}";
	struct plan p;

	(void)state;
	plan_init(&p);
	assert_int_equal(plan_parse(&p, "p", text, strlen(text), NULL, 0), 0);
	assert_int_equal(json_integer_value(jsonx_at(p.root, "/tests/0/blocks")), 6);
	assert_string_equal(jsonx_str(p.root, "about", ""), "${n} by x, 6");
	plan_release(&p);
}

static void sweep_is_a_product_and_zip_runs_in_parallel(void **state)
{
	struct cells c;

	(void)state;
	fixture_cells(&c,
		      HEAD TARGETS LOADS
		      TEST(", \"control\": false, \"sweep\": {\"workload.op\": [\"read\", \"write\"]}, "
			   "\"zip\": {\"workload.block\": [4096, 8192], \"workload.jobs\": [1, 2]}") "}",
		      NULL, 0, true);
	assert_int_equal(c.n_cells, 8);
	fixture_cell(&c, "x/b/scan/workload.op=write/workload.block=8192/workload.jobs=2");
	assert_string_equal(c.cells[0].label, "a, read, 4 KiB, jobs 1");
	assert_false(c.questions[0].declared);
	assert_int_equal(c.family, 0);
	cells_release(&c);
}

static void labels_and_keys_are_unique(void **state)
{
	struct cells c;

	(void)state;
	fixture_cells(&c,
		      HEAD "\"targets\": {\"a\": {\"driver\": \"null\"}, \"a, 4 KiB\": {\"driver\": \"null\"}, "
			   "\"a, 4 KiB (2)\": {\"driver\": \"null\"}, \"a, 4 KiB, 4 KiB\": {\"driver\": \"null\"}}, "
		      "\"workloads\": {\"w\": {}}, \"tests\": [{\"name\": \"x\", \"targets\": [\"a\", \"a, 4 KiB\", "
		      "\"a, 4 KiB (2)\", \"a, 4 KiB, 4 KiB\"], \"workloads\": [\"w\"], \"passes\": 2, \"sweep\": "
		      "{\"workload.block\": [4096], \"workload.depth\": [1, 2]}}, "
		      "{\"name\": \"y\", \"targets\": [\"a\"], \"workloads\": [\"w\"]}]}",
		      NULL, 0, true);
	for (size_t i = 0; i < c.n_cells; i++)
		for (size_t k = 0; k < i; k++) {
			assert_string_not_equal(c.cells[i].key, c.cells[k].key);
			if (c.cells[i].test == c.cells[k].test)
				assert_string_not_equal(c.cells[i].label, c.cells[k].label);
		}
	cells_release(&c);
}

static void passes_follow_each_other_in_a_step(void **state)
{
	struct cells c;

	(void)state;
	fixture_cells(&c, HEAD TARGETS LOADS TEST(", \"passes\": 2, \"control\": false") "}", NULL, 0, true);
	assert_int_equal(c.n_steps, 2);
	assert_int_equal(c.steps[0].n_cells, 2);
	assert_int_equal(c.cells[c.steps[0].cells[1]].pass, 2);
	assert_string_equal(c.cells[1].label, "a, repeat read");
	assert_string_equal(c.cells[1].key, "x/a/scan/pass=2");
	/* derived: b against a in both passes; pass 2 against pass 1 of both */
	assert_int_equal(c.n_questions, 2);
	assert_int_equal(c.questions[0].n_pairs, 2);
	assert_int_equal(c.questions[1].kind, QUESTION_CACHE);
	assert_int_equal(c.questions[1].n_pairs, 2);
	assert_int_equal(c.questions[1].pairs[0].subject, 1);
	assert_int_equal(c.questions[1].pairs[0].against, 0);
	cells_release(&c);
}

static void together_needs_a_duration_and_scales(void **state)
{
	struct cells c;
	char *got;

	(void)state;
	fixture_cells(&c,
		      HEAD TARGETS LOADS TEST(", \"mode\": \"solo-then-together\"")
		      ", \"questions\": [{\"scaling\": {}}]}", NULL, 0, true);
	assert_int_equal(c.n_steps, 4); /* two alone, one together, the control */
	assert_int_equal(c.n_questions, 1);
	assert_int_equal(c.questions[0].n_pairs, 2);
	assert_int_equal(c.questions[0].n_cells, 4);
	assert_int_equal(c.cells[c.questions[0].cells[0]].company, COMPANY_TOGETHER);
	assert_int_equal(c.cells[c.questions[0].cells[2]].company, COMPANY_ALONE);
	assert_string_equal(c.cells[0].label, "a, alone");
	assert_string_equal(c.cells[2].label, "a, together");
	cells_release(&c);
	got = fixture_mistakes(HEAD TARGETS "\"workloads\": {\"scan\": {\"amount\": \"1MiB\"}}, "
			       TEST(", \"mode\": \"together\"") "}", NULL, 0);
	assert_non_null(strstr(got, "needs a \"duration\""));
	free(got);
}

static void sensitivity_compares_every_pair_of_levels(void **state)
{
	struct cells c;

	(void)state;
	fixture_cells(&c,
		      HEAD TARGETS LOADS TEST(", \"sweep\": {\"workload.block\": [4096, 8192, 16384]}")
		      ", \"questions\": [{\"sensitivity\": \"workload.block\", \"of\": \"a\"}, "
		      "{\"limit\": {\"target\": [\"a\", \"b\"], \"workload.block\": \"8KiB\"}, "
		      "\"at_least\": \"100MB/s\"}]}", NULL, 0, true);
	assert_int_equal(c.questions[0].n_pairs, 3);
	assert_string_equal(c.questions[0].named, "workload.block");
	assert_int_equal(c.questions[1].n_cells, 2);
	assert_true(c.questions[1].at_least == 1e8);
	assert_int_equal(c.family, 3);
	cells_release(&c);
}

static void what_needs_root_is_left_out_with_its_reason(void **state)
{
	static const char text[] =
		HEAD "\"targets\": {\"a\": {\"driver\": \"direct\", \"path\": \"/a\"}, \"b\": {\"driver\": \"posix\", "
		"\"path\": \"/b\"}, \"raw\": {\"driver\": \"raw\", \"make\": {\"loop\": \"64MiB\"}, \"needs\": "
		"\"root\"}}, " LOADS "\"tests\": [{\"name\": \"x\", \"targets\": [\"raw\", \"a\", \"b\"], "
		"\"workloads\": [\"scan\"]}, {\"name\": \"y\", \"targets\": [\"raw\"], \"workloads\": [\"scan\"]}], "
		"\"questions\": [{\"compare\": [\"raw\", \"b\"], \"against\": \"a\"}]}";
	struct cells c;

	(void)state;
	fixture_cells(&c, text, NULL, 0, true);
	assert_int_equal(c.n_skips, 0);
	assert_int_equal(c.family, 2);
	assert_int_equal(jsonx_int(c.targets[2].make, "loop", 0), 64 << 20);
	cells_release(&c);
	fixture_cells(&c, text, NULL, 0, false);
	assert_int_equal(c.n_targets, 2);
	assert_int_equal(c.family, 1);
	assert_int_equal(c.n_questions, 1);
	assert_string_equal(c.questions[0].label, "b : a");
	assert_string_equal(c.targets[c.cells[c.questions[0].pairs[0].subject].target].name, "b");
	assert_int_equal(c.n_skips, 3);
	assert_string_equal(c.skips[0].what, "target \"raw\"");
	assert_string_equal(c.skips[0].why, "needs root");
	assert_string_equal(c.skips[1].what, "test \"y\"");
	assert_int_equal(c.n_blocks, 8); /* of x only */
	cells_release(&c);
}

static void caches_and_regions_have_sensible_defaults(void **state)
{
	struct cells c;

	(void)state;
	fixture_cells(&c, HEAD TARGETS LOADS TEST("") "}", NULL, 0, true);
	assert_int_equal(c.tests[0].cache, CACHE_COLD);
	assert_int_equal(c.tests[0].region, REGION_FRESH);
	cells_release(&c);
	fixture_cells(&c, HEAD TARGETS "\"workloads\": {\"scan\": {\"op\": \"write\"}}, " TEST("") "}", NULL, 0,
		      true);
	assert_int_equal(c.tests[0].cache, CACHE_ASIS);
	assert_int_equal(c.tests[0].region, REGION_SAME);
	assert_true(c.cells[0].spec.final_flush);
	cells_release(&c);
}

static void capabilities_have_names(void **state)
{
	json_t *a = caps_to_json(IOW_CAP_READ | IOW_CAP_NO_DATA);

	(void)state;
	assert_int_equal(json_array_size(a), 2);
	assert_true(caps_from_json(a) == (IOW_CAP_READ | IOW_CAP_NO_DATA));
	json_decref(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_sample_plan_loads),
		cmocka_unit_test(six_mistakes_six_messages),
		cmocka_unit_test(what_is_no_json_says_where),
		cmocka_unit_test(one_mistake_each),
		cmocka_unit_test(sets_and_params_fit_a_plan_to_a_site),
		cmocka_unit_test(a_parameter_keeps_its_type),
		cmocka_unit_test(sweep_is_a_product_and_zip_runs_in_parallel),
		cmocka_unit_test(labels_and_keys_are_unique),
		cmocka_unit_test(passes_follow_each_other_in_a_step),
		cmocka_unit_test(together_needs_a_duration_and_scales),
		cmocka_unit_test(sensitivity_compares_every_pair_of_levels),
		cmocka_unit_test(what_needs_root_is_left_out_with_its_reason),
		cmocka_unit_test(caches_and_regions_have_sensible_defaults),
		cmocka_unit_test(capabilities_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
