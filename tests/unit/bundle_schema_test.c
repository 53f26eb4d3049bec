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

/* ---- as much of JSON Schema as these files use ---- */

static bool valid(json_t *root, const json_t *schema, const json_t *v, bool tell);

static bool is_type(const char *type, const json_t *v)
{
	return (strcmp(type, "object") == 0 && json_is_object(v)) || (strcmp(type, "array") == 0 && json_is_array(v)) ||
	       (strcmp(type, "integer") == 0 && json_is_integer(v)) || (strcmp(type, "number") == 0 && json_is_number(v)) ||
	       (strcmp(type, "string") == 0 && json_is_string(v)) || (strcmp(type, "boolean") == 0 && json_is_boolean(v)) ||
	       (strcmp(type, "null") == 0 && json_is_null(v));
}

static bool type_fits(const json_t *type, const json_t *v)
{
	if (!type)
		return true;
	if (json_is_string(type))
		return is_type(json_string_value(type), v);
	for (size_t i = 0; i < json_array_size(type); i++)
		if (is_type(json_string_value(json_array_get(type, i)), v))
			return true;
	return false;
}

static bool one_of_values(const json_t *list, const json_t *v)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (json_equal(json_array_get(list, i), v))
			return true;
	return !list;
}

static bool object_fits(json_t *root, const json_t *schema, const json_t *v, bool tell)
{
	const json_t *required = json_object_get(schema, "required");
	const char *name;
	json_t *m;

	for (size_t i = 0; i < json_array_size(required); i++) {
		if (!json_object_get(v, json_string_value(json_array_get(required, i)))) {
			if (tell)
				print_error("member %s is missing\n", json_string_value(json_array_get(required, i)));
			return false;
		}
	}
	json_object_foreach((json_t *)(uintptr_t)v, name, m) {
		const json_t *s = json_object_get(json_object_get(schema, "properties"), name);

		if (s ? !valid(root, s, m, tell) : json_is_false(json_object_get(schema, "additionalProperties"))) {
			if (tell)
				print_error("at member %s\n", name);
			return false;
		}
	}
	return true;
}

static bool array_fits(json_t *root, const json_t *schema, const json_t *v, bool tell)
{
	const json_t *items = json_object_get(schema, "items"), *prefix = json_object_get(schema, "prefixItems");
	size_t n = json_array_size(v);

	if ((int64_t)n < jsonx_int(schema, "minItems", 0) || (int64_t)n > jsonx_int(schema, "maxItems", INT64_MAX))
		return false;
	for (size_t i = 0; i < n; i++) {
		const json_t *s = i < json_array_size(prefix) ? json_array_get(prefix, i) : items;

		if (s && !valid(root, s, json_array_get(v, i), tell))
			return false;
	}
	return true;
}

static bool valid(json_t *root, const json_t *schema, const json_t *v, bool tell)
{
	const char *ref = jsonx_str(schema, "$ref", NULL);
	const json_t *any = json_object_get(schema, "oneOf"), *constant = json_object_get(schema, "const");
	int fits = 0;

	if (ref)
		return valid(root, jsonx_at(root, ref + 1), v, tell);
	for (size_t i = 0; i < json_array_size(any); i++)
		fits += valid(root, json_array_get(any, i), v, false);
	if (any && fits != 1)
		return false;
	if (!type_fits(json_object_get(schema, "type"), v) || !one_of_values(json_object_get(schema, "enum"), v) ||
	    (constant && !json_equal(constant, v)) ||
	    (json_is_integer(v) && json_integer_value(v) < jsonx_int(schema, "minimum", INT64_MIN)) ||
	    (json_is_string(v) && (int64_t)json_string_length(v) > jsonx_int(schema, "maxLength", INT64_MAX)))
		return false;
	return json_is_object(v) ? object_fits(root, schema, v, tell) : json_is_array(v) ? array_fits(root, schema, v, tell) : true;
}

/* ---- the files of the golden bundle ---- */

static void check_file(const char *name, const char *schema_name)
{
	json_t *schema = load("templates/schema", schema_name), *v = load("tests/golden/bundle-1", name);

	assert_true(valid(schema, schema, v, true));
	json_object_set_new(v, "colour", json_null());
	assert_false(valid(schema, schema, v, false));
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
		assert_true(valid(schema, schema, v, true));
		json_object_set_new(v, "colour", json_null());
		assert_false(valid(schema, schema, v, false));
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
	assert_true(valid(schema, schema, line, true));
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
