/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/schema.h"

#include <stdio.h>
#include <string.h>

#include "base/jsonx.h"

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
				fprintf(stderr, "member %s is missing\n", json_string_value(json_array_get(required, i)));
			return false;
		}
	}
	json_object_foreach((json_t *)(uintptr_t)v, name, m) {
		const json_t *s = json_object_get(json_object_get(schema, "properties"), name);

		if (s ? !schema_valid(root, s, m, tell) : json_is_false(json_object_get(schema, "additionalProperties"))) {
			if (tell)
				fprintf(stderr, "at member %s\n", name);
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

		if (s && !schema_valid(root, s, json_array_get(v, i), tell))
			return false;
	}
	return true;
}

bool schema_valid(json_t *root, const json_t *schema, const json_t *v, bool tell)
{
	const char *ref = jsonx_str(schema, "$ref", NULL);
	const json_t *any = json_object_get(schema, "oneOf"), *constant = json_object_get(schema, "const");
	int fits = 0;

	if (ref)
		return schema_valid(root, jsonx_at(root, ref + 1), v, tell);
	for (size_t i = 0; i < json_array_size(any); i++)
		fits += schema_valid(root, json_array_get(any, i), v, false);
	if (any && fits != 1)
		return false;
	if (!type_fits(json_object_get(schema, "type"), v) || !one_of_values(json_object_get(schema, "enum"), v) ||
	    (constant && !json_equal(constant, v)) ||
	    (json_is_integer(v) && json_integer_value(v) < jsonx_int(schema, "minimum", INT64_MIN)) ||
	    (json_is_string(v) && (int64_t)json_string_length(v) > jsonx_int(schema, "maxLength", INT64_MAX)))
		return false;
	return json_is_object(v) ? object_fits(root, schema, v, tell) : json_is_array(v) ? array_fits(root, schema, v, tell) : true;
}

