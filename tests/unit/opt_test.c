/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/vec.h"
#include "cli/cmd.h"
#include "cli/opt.h"

static bool dry;
static const char *out;
static struct opt_list sets;
static uint32_t count;

static const struct opt opts[] = {
	{ "dry-run", 'n', OPT_FLAG, NULL, &dry, "touch nothing" },
	{ "output", 'o', OPT_STRING, "DIR", &out, "where to" },
	{ "set", 0, OPT_LIST, "PATH=VALUE", &sets, "change the plan" },
	{ "count", 'c', OPT_COUNT, "N", &count, "how many" },
	{ NULL, 0, OPT_FLAG, NULL, NULL, NULL },
};

static int parse(int max, int *status, const char **argv)
{
	struct opt_usage u = { "x PLAN [OPTION…]", "Does x.", opts, NULL, 1, max };
	int argc = 0;

	dry = false;
	out = NULL;
	count = 0;
	free(sets.v);
	sets = (struct opt_list){ NULL, 0 };
	while (argv[argc])
		argc++;
	return opt_parse(&u, argc, (char **)argv, status);
}

#define ARGS(...) ((const char *[]){ "x", __VA_ARGS__, NULL })

static void mixed(void **state)
{
	const char **argv = ARGS("a", "-n", "--set", "/p=1", "-o", "dir", "b", "--set=/q=2", "-c7", "--", "-z");
	int status;

	assert_int_equal(parse(-1, &status, argv), 3);
	assert_string_equal(argv[1], "a");
	assert_string_equal(argv[2], "b");
	assert_string_equal(argv[3], "-z");
	assert_true(dry);
	assert_string_equal(out, "dir");
	assert_int_equal(sets.n, 2);
	assert_string_equal(sets.v[1], "/q=2");
	assert_int_equal(count, 7);
}

static void whatever_the_environment_says(void **state)
{
	setenv("POSIXLY_CORRECT", "1", 1);
	mixed(state);
	unsetenv("POSIXLY_CORRECT");
}

static void mistakes(void **state)
{
	int status = 0;

	assert_int_equal(parse(1, &status, ARGS("a", "--no-such")), -1);
	assert_int_equal(status, EXIT_USAGE);
	assert_int_equal(parse(1, &status, ARGS("a", "-z")), -1);
	assert_int_equal(parse(1, &status, ARGS("a", "-o")), -1);
	assert_int_equal(parse(1, &status, ARGS("a", "--dry-run=yes")), -1);
	assert_int_equal(parse(1, &status, ARGS("a", "-c", "-1")), -1);
	assert_int_equal(parse(1, &status, ARGS("a", "-c", "4294967296")), -1);
	assert_int_equal(parse(1, &status, ARGS("a", "b")), -1);
	assert_int_equal(parse(1, &status, ARGS("-n")), -1);
	assert_int_equal(status, EXIT_USAGE);
}

static void help(void **state)
{
	int status = -1;

	assert_int_equal(parse(1, &status, ARGS("--help")), -1);
	assert_int_equal(status, EXIT_OK);
	status = -1;
	assert_int_equal(parse(1, &status, ARGS("a", "b", "-h")), -1);
	assert_int_equal(status, EXIT_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mixed),
		cmocka_unit_test(whatever_the_environment_says),
		cmocka_unit_test(mistakes),
		cmocka_unit_test(help),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	free(sets.v);
	return failed;
}
