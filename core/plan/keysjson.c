/* SPDX-License-Identifier: Apache-2.0 */
/* A table of keys as JSON and back: what a node's agent says of a driver that it loaded. */
#include "plan/keys.h"
#include "base/err.h"
#include "base/vec.h"

#include <errno.h>

static const char *const types[] = {
	[IOW_KEY_STRING] = "string", [IOW_KEY_BOOL] = "bool", [IOW_KEY_INT] = "int",
	[IOW_KEY_BYTES] = "bytes",   [IOW_KEY_TIME] = "time", [IOW_KEY_REAL] = "real",
	[IOW_KEY_CHOICE] = "choice", [IOW_KEY_LIST] = "list",
};

static const struct {
	uint32_t bit;
	const char *name;
} flags[] = {
	{ IOW_KEY_REQUIRED, "REQUIRED" }, { IOW_KEY_AXIS, "AXIS" }, { IOW_KEY_DEVICE, "DEVICE" },
	{ IOW_KEY_SECRET, "SECRET" },	  { IOW_KEY_FILE, "FILE" },	  { IOW_KEY_COMMAND, "COMMAND" },
};

const char *key_type_name(uint32_t type)
{
	return type < ARRAY_LEN(types) && types[type] ? types[type] : "unknown";
}

static json_t *flags_to_json(uint32_t set)
{
	json_t *a = json_array();

	for (size_t i = 0; i < ARRAY_LEN(flags); i++)
		if (set & flags[i].bit)
			json_array_append_new(a, json_string(flags[i].name));
	return a;
}

static json_t *key_to_json(const struct iow_key *k)
{
	json_t *o = json_object();

	jsonx_set_str(o, "name", k->name);
	jsonx_set_str(o, "type", key_type_name(k->type));
	jsonx_set_new(o, "flags", flags_to_json(k->flags));
	jsonx_set_str(o, "default", k->def);
	if (k->type == IOW_KEY_REAL && (k->rmin != 0 || k->rmax != 0)) {
		jsonx_set_real(o, "min", k->rmin);
		jsonx_set_real(o, "max", k->rmax);
	} else if (k->type != IOW_KEY_REAL && (k->min || k->max)) {
		jsonx_set_int(o, "min", k->min);
		jsonx_set_int(o, "max", k->max);
	}
	if (k->choices) {
		json_t *a = json_array();

		for (const char *const *c = k->choices; *c; c++)
			json_array_append_new(a, json_string(*c));
		jsonx_set_new(o, "choices", a);
	}
	jsonx_set_str(o, "help", k->help);
	return o;
}

json_t *keys_to_json(const struct iow_key *keys)
{
	json_t *a = json_array();

	for (; keys && keys->name; keys++)
		json_array_append_new(a, key_to_json(keys));
	return a;
}

static uint32_t type_from_name(const char *name)
{
	for (uint32_t t = 1; t < ARRAY_LEN(types); t++)
		if (strcmp(types[t], name) == 0)
			return t;
	return 0;
}

static uint32_t flags_from_json(const json_t *a)
{
	uint32_t set = 0;

	for (size_t j = 0; j < json_array_size(a); j++) {
		const char *s = json_string_value(json_array_get(a, j));

		for (size_t i = 0; s && i < ARRAY_LEN(flags); i++)
			if (strcmp(flags[i].name, s) == 0)
				set |= flags[i].bit;
	}
	return set;
}

static const char *const *choices_from_json(const json_t *a)
{
	size_t n = json_array_size(a);
	const char **list;

	if (!json_is_array(a))
		return NULL;
	list = mem_array(n + 1, sizeof *list);
	for (size_t i = 0; i < n; i++) {
		const char *s = json_string_value(json_array_get(a, i));

		list[i] = mem_strdup(s ? s : "");
	}
	return list;
}

int keys_from_json(struct keys_table *t, const json_t *array, struct iow_error *e)
{
	size_t n = json_array_size(array);

	t->n = 0;
	t->keys = mem_array(n + 1, sizeof *t->keys);
	for (size_t i = 0; i < n; i++) {
		const json_t *o = json_array_get(array, i);
		const char *name = jsonx_str(o, "name", NULL);
		struct iow_key *k = &t->keys[i];

		k->type = type_from_name(jsonx_str(o, "type", ""));
		if (!name || !k->type) {
			keys_table_release(t);
			return err_set(e, EPROTO, "key %zu of the driver has no name or an unknown type", i);
		}
		t->n = i + 1;
		k->name = mem_strdup(name);
		k->flags = flags_from_json(json_object_get(o, "flags"));
		k->def = mem_strdup(jsonx_str(o, "default", NULL));
		k->min = jsonx_int(o, "min", 0);
		k->max = jsonx_int(o, "max", 0);
		k->rmin = jsonx_real(o, "min", 0);
		k->rmax = jsonx_real(o, "max", 0);
		k->choices = choices_from_json(json_object_get(o, "choices"));
		k->help = mem_strdup(jsonx_str(o, "help", ""));
	}
	return 0;
}

static void free_const(const void *p)
{
	union {
		const void *c;
		void *v;
	} u = { .c = p };

	free(u.v);
}

void keys_table_release(struct keys_table *t)
{
	if (!t)
		return;
	for (size_t i = 0; t->keys && i < t->n; i++) {
		struct iow_key *k = &t->keys[i];

		for (const char *const *c = k->choices; c && *c; c++)
			free_const(*c);
		free_const(k->choices);
		free_const(k->name);
		free_const(k->def);
		free_const(k->help);
	}
	free(t->keys);
	t->keys = NULL;
	t->n = 0;
}
