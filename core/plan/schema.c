/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/schema.h"
#include "base/jsonx.h"
#include "base/vec.h"
#include "plan/keys.h"
#include "plan/tables.h"
#include "plan/workload.h"

/* Shape of what a table only calls structured. */
static const struct {
	const char *key, *ref;
} shapes[] = {
	{ "params", "params" },	  { "report", "report" },
	{ "nodes", "nodes" },	  { "make", "make" },
	{ "sweep", "lists" },	  { "zip", "lists" },
	{ "questions", "questions" }, { "claims", "claims" },
	{ "variants", "variants" },   { "compare", "selectors" },
	{ "against", "selector" },    { "of", "selector" },
	{ "cache", "selector" },      { "scaling", "selector" },
	{ "limit", "selector" },      { "steady", "selector" },
	{ "cpu", "selector" },	      { "at_least", "bound" },
	{ "at_most", "bound" },	      { "quotes", "quotes" },
};

static json_t *text(const char *type)
{
	json_t *o = json_object();

	jsonx_set_str(o, "type", type);
	return o;
}

static json_t *any_of(json_t *a_take, json_t *b_take)
{
	json_t *o = json_object(), *list = json_array();

	json_array_append_new(list, a_take);
	json_array_append_new(list, b_take);
	jsonx_set_new(o, "anyOf", list);
	return o;
}

static json_t *ref(const char *name)
{
	json_t *o = json_object();
	mem_auto char *path = mem_printf("#/$defs/%s", name);

	jsonx_set_str(o, "$ref", path);
	return o;
}

static json_t *list_of(json_t *items_take)
{
	json_t *o = text("array");

	jsonx_set_new(o, "items", items_take);
	return o;
}

static json_t *map_of(json_t *values_take)
{
	json_t *o = text("object");

	jsonx_set_new(o, "additionalProperties", values_take);
	return o;
}

static json_t *number(const struct iow_key *k)
{
	json_t *o = text(k->type == IOW_KEY_REAL ? "number" : "integer");

	if (k->type == IOW_KEY_REAL && (k->rmin != 0 || k->rmax != 0)) {
		jsonx_set_real(o, "minimum", k->rmin);
		jsonx_set_real(o, "maximum", k->rmax);
	} else if (k->type == IOW_KEY_INT && (k->min || k->max)) {
		jsonx_set_int(o, "minimum", k->min);
		jsonx_set_int(o, "maximum", k->max);
	}
	return o;
}

static json_t *pattern(const char *re)
{
	json_t *o = text("string");

	jsonx_set_str(o, "pattern", re);
	return o;
}

static json_t *choices(const struct iow_key *k)
{
	json_t *o = json_object(), *a = json_array();

	for (const char *const *c = k->choices; *c; c++)
		json_array_append_new(a, json_string(*c));
	jsonx_set_new(o, "enum", a);
	return o;
}

static json_t *structured(const struct iow_key *k, const char *table)
{
	bool names = strcmp(table, "tests") == 0;

	if (strcmp(k->name, "targets") == 0 || strcmp(k->name, "workloads") == 0)
		return names ? list_of(text("string")) : ref(k->name);
	if (strcmp(k->name, "tests") == 0)
		return ref("tests");
	for (size_t i = 0; i < ARRAY_LEN(shapes); i++)
		if (strcmp(shapes[i].key, k->name) == 0)
			return ref(shapes[i].ref);
	return json_object();
}

static json_t *value(const struct iow_key *k, const char *table)
{
	if (strcmp(k->name, "block") == 0)
		return any_of(ref("bytes"), map_of(text("integer")));
	switch (k->type) {
	case IOW_KEY_BOOL:
		return text("boolean");
	case IOW_KEY_INT:
	case IOW_KEY_REAL:
		return number(k);
	case IOW_KEY_BYTES:
		return ref("bytes");
	case IOW_KEY_TIME:
		return ref("time");
	case IOW_KEY_CHOICE:
		return choices(k);
	case IOW_KEY_LIST:
		return list_of(text("string"));
	case KEY_JSON:
		return structured(k, table);
	default:
		return text("string");
	}
}

/* "${name}" may stand for any value. */
static json_t *or_parameter(const struct iow_key *k, json_t *v_take)
{
	if (k->type == IOW_KEY_STRING || k->type == KEY_JSON)
		return v_take;
	return any_of(v_take, ref("parameter"));
}

static json_t *object_of(const struct iow_key *keys, const char *table, bool open)
{
	json_t *o = text("object"), *properties = json_object(), *required = json_array();

	for (const struct iow_key *k = keys; k->name; k++) {
		json_t *v = or_parameter(k, value(k, table));

		jsonx_set_str(v, "description", k->help);
		jsonx_set_new(properties, k->name, v);
		if (k->flags & IOW_KEY_REQUIRED)
			json_array_append_new(required, json_string(k->name));
	}
	jsonx_set_new(o, "properties", properties);
	jsonx_set_new(o, "required", required);
	if (!open)
		jsonx_set_bool(o, "additionalProperties", false);
	return o;
}

static void add_values(json_t *defs)
{
	json_t *bound = any_of(text("number"), text("string"));

	jsonx_set_new(defs, "parameter", pattern("\\$\\{[^}]+\\}"));
	jsonx_set_new(defs, "bytes",
		      any_of(text("integer"), pattern("^[0-9.]+ *([KMGT]iB|[kKMGT]?B)$")));
	jsonx_set_new(defs, "time", any_of(json_pack("{s:i}", "const", 0),
					   pattern("^[0-9.]+ *(ns|us|ms|s|min|h)$")));
	jsonx_set_new(defs, "params", map_of(json_object()));
	jsonx_set_new(defs, "lists", map_of(list_of(json_object())));
	jsonx_set_new(defs, "selector", any_of(text("string"), text("object")));
	jsonx_set_new(defs, "selectors", any_of(ref("selector"), list_of(ref("selector"))));
	jsonx_set_new(defs, "bound", bound);
}

json_t *plan_schema(void)
{
	json_t *o = object_of(plan_keys, "plan", false), *defs = json_object();

	add_values(defs);
	jsonx_set_new(defs, "report", object_of(report_keys, "report", false));
	jsonx_set_new(defs, "nodes", map_of(object_of(node_keys, "nodes", true)));
	jsonx_set_new(defs, "targets", map_of(object_of(target_keys, "targets", true)));
	jsonx_set_new(defs, "make", object_of(make_keys, "make", false));
	jsonx_set_new(defs, "workloads", map_of(object_of(workload_keys, "workloads", false)));
	jsonx_set_new(defs, "tests", list_of(object_of(test_keys, "tests", false)));
	jsonx_set_new(defs, "variants", list_of(object_of(variant_keys, "variants", false)));
	jsonx_set_new(defs, "questions", list_of(object_of(question_keys, "questions", false)));
	jsonx_set_new(defs, "claims", list_of(object_of(claim_keys, "claims", false)));
	jsonx_set_new(defs, "quotes", list_of(object_of(quote_keys, "quotes", false)));
	jsonx_set_new(o, "$defs", defs);
	jsonx_set_str(o, "$schema", "https://json-schema.org/draft/2020-12/schema");
	jsonx_set_str(o, "title", "iowitness plan");
	return o;
}
