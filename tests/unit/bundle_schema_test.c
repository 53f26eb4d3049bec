/* SPDX-License-Identifier: Apache-2.0 */
/* The installed JSON Schemas against what the program writes, in both directions: what it wrote is
 * valid, and a schema knows no member that the program does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/file.h"
#include "base/jsonx.h"
#include "base/vec.h"
#include "bundle/run.h"
#include "lib/schema.h"

static json_t *load(const char *dir, const char *name)
{
	const char *src = getenv("IOW_SRC");
	mem_auto char *path = mem_printf("%s/%s/%s", src ? src : ".", dir, name);
	struct iow_error e = ERR_INIT;
	struct jsonx_doc d;
	json_t *o;

	if (jsonx_load(&d, path, &e))
		fail_msg("%s", e.text);
	o = json_incref(d.root);
	jsonx_release(&d);
	return o;
}

/* ---- the files of the golden bundle ---- */

static void check_file(const char *name, const char *schema_name)
{
	json_t *schema = load("templates/schema", schema_name), *v = load("tests/golden/bundle-1", name);

	assert_true(schema_valid(schema, schema, v, true));
	json_object_set_new(v, "colour", json_null());
	assert_false(schema_valid(schema, schema, v, false));
	json_decref(v);
	json_decref(schema);
}

static void check_lines(const char *name, const char *schema_name)
{
	json_t *schema = load("templates/schema", schema_name);
	const char *src = getenv("IOW_SRC");
	mem_auto char *path = mem_printf("%s/tests/golden/bundle-1/%s", src ? src : ".", name);
	FILE *f = fopen(path, "r");
	int lines = 0;
	json_t *v;

	assert_non_null(f);
	while ((v = json_loadf(f, JSON_DISABLE_EOF_CHECK, NULL)) != NULL) {
		lines++;
		assert_true(schema_valid(schema, schema, v, true));
		json_object_set_new(v, "colour", json_null());
		assert_false(schema_valid(schema, schema, v, false));
		json_decref(v);
	}
	assert_in_range(lines, 3, 4);
	fclose(f);
	json_decref(schema);
}

static void what_is_written_is_valid(void **state)
{
	check_file("cells.json", "cells.schema.json");
	check_file("host.json", "host.schema.json");
	check_lines("runs.jsonl", "runs.schema.json");
	check_lines("samples.jsonl", "samples.schema.json");
}

static void the_schema_of_a_run_has_the_members_of_a_run(void **state)
{
	json_t *schema = load("templates/schema", "runs.schema.json"), *known, *line, *v;
	const char *name;
	struct run r;

	memset(&r, 0x01, sizeof r);
	r.status = RUN_FAILED, r.cold_method = COLD_MINCORE, r.clock_source = 1, r.dev_known = true;
	memset(r.why, 'x', sizeof r.why - 1);
	r.why[sizeof r.why - 1] = 0;
	line = run_to_json(&r);
	jsonx_set_bool(line, "more", true);
	assert_true(schema_valid(schema, schema, line, true));
	known = jsonx_at(schema, "/$defs/run/properties");
	json_object_foreach(known, name, v) {
		if (!json_object_get(line, name))
			fail_msg("the program does not write \"%s\"", name);
	}
	json_decref(line);
	json_decref(schema);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_valid),
		cmocka_unit_test(the_schema_of_a_run_has_the_members_of_a_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
