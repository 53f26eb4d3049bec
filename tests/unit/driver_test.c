/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "plan/keys.h"
#include "run/driver.h"

static void load(struct driver *d, const char *name)
{
	struct iow_error e = ERR_INIT;
	char *file = driver_find(name, &e);

	assert_non_null(file);
	assert_int_equal(driver_load(d, file, &e), 0);
	free(file);
}

static void a_driver_describes_itself(void **state)
{
	struct driver d;
	json_t *o;

	load(&d, "posix");
	o = driver_describe(&d);
	assert_string_equal(jsonx_str(o, "name", ""), "posix");
	assert_string_equal(jsonx_str(jsonx_at(o, "/keys/0"), "name", ""), "path");
	assert_string_equal(json_string_value(jsonx_at(o, "/keys/0/flags/0")), "REQUIRED");
	assert_string_equal(jsonx_str(jsonx_at(o, "/keys/1"), "type", ""), "bytes");
	assert_string_equal(json_string_value(jsonx_at(o, "/caps/0")), "READ");
	json_decref(o);
	driver_release(&d);
}

static void the_search_path_is_named_when_a_driver_is_missing(void **state)
{
	struct iow_error e = ERR_INIT;

	assert_null(driver_find("nosuch", &e));
	assert_non_null(strstr(e.text, "/plugins"));
	assert_null(driver_find("../null", &e));
	assert_non_null(strstr(e.text, "no name"));
}

struct file_conf {
	const char *path;
	uint64_t size;
	uint32_t advice, flush;
};

static void keys_become_a_configuration(void **state)
{
	struct iow_error e = ERR_INIT;
	struct driver d;
	struct conf c;
	json_t *keys = json_pack("{s:s,s:i,s:s}", "path", "/x", "size", 8192, "advice", "random");
	const struct file_conf *f;

	load(&d, "posix");
	assert_int_equal(conf_fill(&c, d.d.conf_size, d.keys, keys, &e), 0);
	f = c.data;
	assert_string_equal(f->path, "/x");
	assert_int_equal(f->size, 8192);
	assert_int_equal(f->advice, 2);
	assert_int_equal(f->flush, 0);
	conf_release(&c);
	json_object_set_new(keys, "advice", json_string("often"));
	assert_int_equal(conf_fill(&c, d.d.conf_size, d.keys, keys, &e), -1);
	assert_non_null(strstr(e.text, "advice"));
	json_decref(keys);
	driver_release(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_driver_describes_itself),
		cmocka_unit_test(the_search_path_is_named_when_a_driver_is_missing),
		cmocka_unit_test(keys_become_a_configuration),
	};
	const char *build = getenv("IOW_BUILD");
	char *path = mem_printf("%s/plugins", build ? build : ".");

	driver_path_prepend(path);
	free(path);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
