/* SPDX-License-Identifier: Apache-2.0 */
#include "bundle/redact_in.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "base/vec.h"
#include "bundle/bundle.h"

#include <stdlib.h>
#include <string.h>

#define KEPT ((enum pseudo_form)-1) /* a word of the format: never touched */

static const struct {
	const char *name;
	enum pseudo_form form;
} members[] = {
	{ "host", PSEUDO_AS_HOST },
	{ "host_name", PSEUDO_AS_HOST },
	{ "jump", PSEUDO_AS_HOST },
	{ "node", PSEUDO_AS_HOST },
	{ "server", PSEUDO_AS_HOST },
	{ "user", PSEUDO_AS_USER },
	{ "username", PSEUDO_AS_USER },
	{ "serial", PSEUDO_AS_SERIAL },
	{ "stable_id", PSEUDO_AS_ID },
	{ "destroy", PSEUDO_AS_ID },
	{ "destroy_id", PSEUDO_AS_ID },
	{ "machine_id", PSEUDO_AS_ID },
	{ "path", PSEUDO_AS_PATH },
	{ "file", PSEUDO_AS_PATH },
	{ "files", PSEUDO_AS_PATH },
	{ "dir", PSEUDO_AS_PATH },
	{ "directory", PSEUDO_AS_PATH },
	{ "identity", PSEUDO_AS_PATH },
	{ "program", PSEUDO_AS_PATH },
	{ "plugin_path", PSEUDO_AS_PATH },
	{ "logo", PSEUDO_AS_PATH },
	{ "mount_point", PSEUDO_AS_PATH },
	{ "mount_source", PSEUDO_AS_PATH },
	{ "made_in", PSEUDO_AS_PATH },
	{ "uri", PSEUDO_AS_PATH },
	{ "url", PSEUDO_AS_PATH },
	{ "endpoint", PSEUDO_AS_PATH },
	{ "layers", PSEUDO_AS_LAYER },
	{ "why", PSEUDO_AS_SAID },
	{ "mount_options", PSEUDO_AS_OPTIONS },
	{ "command_line", PSEUDO_AS_OPTIONS },
	{ "options", PSEUDO_AS_OPTIONS },
	{ "command", PSEUDO_AS_OPTIONS },
	/* the shapes of addresses and ids would be found in versions and pointers */
	{ "key", PSEUDO_AS_WORDS },
	{ "where", PSEUDO_AS_WORDS },
	{ "dim", PSEUDO_AS_WORDS },
	{ "summary", PSEUDO_AS_WORDS },
	{ "versions", PSEUDO_AS_WORDS },
	{ "firmware", PSEUDO_AS_WORDS },
	{ "agent_version", PSEUDO_AS_WORDS },
	{ "kernel", PSEUDO_AS_WORDS },
	{ "cpu", PSEUDO_AS_WORDS },
	{ "format", KEPT },
	{ "tool", KEPT },
	{ "version", KEPT },
	{ "generator", KEPT },
	{ "sha256", KEPT },
	{ "plan_sha256", KEPT },
	{ "caps", KEPT },
	{ "op", KEPT },
	{ "pattern", KEPT },
	{ "durability", KEPT },
	{ "arrival", KEPT },
	{ "mode", KEPT },
	{ "layout", KEPT },
	{ "company", KEPT },
	{ "kind", KEPT },
	{ "language", KEPT },
	{ "paper", KEPT },
	{ "driver", KEPT },
};

/* Facts that the program and its own drivers read, of which nothing else is known here. A fact of another
 * driver that is one word is taken for a name. */
static const char *const facts[] = {
	"filesystem", "fill_state", "device", "layers_below", "leaves", "capacity", "maker", "model", "interface", "link",
	"logical_block", "physical_block", "read_ahead", "largest_request", "scheduler", "queue_depth", "rotational", "write_cache",
	"fua", "machine", "virtualisation", "cores", "governor", "frequency", "isolated_cpus", "memory", "numa", "huge_pages", "os",
	"clock_source", "clock_state", "load_at_start", "pressure_stall", "up_for", "adapters", "loop_direct", "made_as", "dropped", "NBD protocol",
	"io_uring worker threads at the end of a run",
};

static bool is_fact(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(facts); i++)
		if (strcmp(facts[i], name) == 0)
			return true;
	for (size_t i = 0; i < ARRAY_LEN(members); i++)
		if (strcmp(members[i].name, name) == 0)
			return true;
	return false;
}

static enum pseudo_form form_of(enum redact_place place, const char *name, const char *s)
{
	if (strncmp(s, FACT_UNREADABLE, sizeof FACT_UNREADABLE - 1) == 0)
		return PSEUDO_AS_SAID;
	if (place == PLACE_NODE && strcmp(name, "name") == 0)
		return PSEUDO_AS_HOST;
	if (place == PLACE_SET && strcmp(name, "path") == 0)
		return PSEUDO_AS_WORDS;
	for (size_t i = 0; i < ARRAY_LEN(members); i++) {
		if (strcmp(members[i].name, name) != 0)
			continue;
		/* a driver may have keys of these names whose values are its own */
		if (place == PLACE_KEYS && members[i].form == KEPT && strcmp(name, "driver") != 0)
			break;
		return members[i].form;
	}
	if (place == PLACE_KEYS)
		return strcmp(name, "device") == 0 ? PSEUDO_AS_PATH : PSEUDO_AS_NAME;
	if (place == PLACE_FACTS && !is_fact(name) && !strchr(s, ' '))
		return PSEUDO_AS_NAME;
	return PSEUDO_AS_TEXT;
}

char *redact_text(struct redact_pass *r, enum pseudo_form form, const char *s)
{
	char *out;
	const char *left;

	if (form == KEPT)
		return mem_strdup(s);
	if (r->learning) {
		if (!r->members || (form != PSEUDO_AS_TEXT && form != PSEUDO_AS_SAID && form != PSEUDO_AS_WORDS))
			pseudonyms_learn(r->p, form, s);
		return mem_strdup(s);
	}
	out = pseudonyms_replace(r->p, form, s);
	left = pseudonyms_left(r->p, out, true);
	if (left && !r->left)
		r->left = left;
	return out;
}

static json_t *string(struct redact_pass *r, enum redact_place place, const char *name, const char *s)
{
	mem_auto char *text = NULL;

	if (r->learning && !r->members && (strcmp(name, "name") == 0 || strcmp(name, "text") == 0))
		pseudonyms_learn_whole(r->p, s);
	text = redact_text(r, form_of(place, name, s), s);
	return json_string(text);
}

/* Objects whose members the plan or a driver has named. */
static bool named_by_plan(const char *name)
{
	static const char *const names[] = { "targets", "nodes", "workloads", "params", "facts" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static char *member_name(struct redact_pass *r, const char *of, const char *name)
{
	if (!named_by_plan(of) || (strcmp(of, "facts") == 0 && is_fact(name)))
		return mem_strdup(name);
	if (r->learning && !r->members)
		pseudonyms_learn_whole(r->p, name);
	return redact_text(r, strcmp(of, "nodes") == 0 ? PSEUDO_AS_HOST : PSEUDO_AS_TEXT, name);
}

static enum redact_place place_in(const struct redact_pass *r, enum redact_place place, const char *of, const char *name)
{
	if (strcmp(of, "targets") == 0 || strcmp(of, "nodes") == 0)
		return r->host ? PLACE_FACTS : PLACE_KEYS;
	if (strcmp(of, "params") == 0 || strcmp(name, "keys") == 0 || strcmp(name, "target_keys") == 0)
		return PLACE_KEYS;
	return strcmp(name, "facts") == 0 ? PLACE_FACTS : place;
}

/* --set: what its value is follows from the last word of its path. */
static json_t *set_value(struct redact_pass *r, const json_t *of, const json_t *v)
{
	const char *path = jsonx_str(of, "path", ""), *dot = strrchr(path, '.');

	return string(r, PLACE_KEYS, dot ? dot + 1 : path, json_string_value(v));
}

static json_t *object(struct redact_pass *r, enum redact_place place, const char *of, const json_t *o)
{
	json_t *out = json_object(), *v;
	const char *name;

	json_object_foreach((json_t *)(uintptr_t)o, name, v) {
		mem_auto char *to = member_name(r, of, name);

		if (!r->learning && json_object_get(out, to) && !r->clash)
			r->clash = name;
		if (place == PLACE_SET && strcmp(name, "value") == 0 && json_is_string(v))
			jsonx_set_new(out, to, set_value(r, o, v));
		else
			jsonx_set_new(out, to, redact_value(r, place_in(r, place, of, name), name, v));
	}
	return out;
}

static json_t *array(struct redact_pass *r, enum redact_place place, const char *name, const json_t *a)
{
	json_t *out = json_array(), *v;
	size_t i;

	if (strcmp(name, "nodes") == 0)
		place = PLACE_NODE;
	else if (strcmp(name, "set") == 0)
		place = PLACE_SET;
	json_array_foreach((json_t *)(uintptr_t)a, i, v) {
		if (json_is_object(v)) /* its members are the format's, whatever the array is called */
			json_array_append_new(out, object(r, place, "", v));
		else
			json_array_append_new(out, redact_value(r, place, name, v));
	}
	return out;
}

json_t *redact_value(struct redact_pass *r, enum redact_place place, const char *name, const json_t *v)
{
	const char *of = name ? name : "";

	if (json_is_string(v))
		return string(r, place, of, json_string_value(v));
	if (json_is_array(v))
		return array(r, place, of, v);
	if (json_is_integer(v) && place == PLACE_KEYS && strcmp(of, "port") == 0)
		return json_integer(0); /* as the program that uses it is configured */
	if (!json_is_object(v))
		return json_incref((json_t *)(uintptr_t)v);
	for (size_t i = 0; i < ARRAY_LEN(members); i++)
		if (members[i].form == KEPT && place != PLACE_KEYS && strcmp(members[i].name, of) == 0)
			return json_incref((json_t *)(uintptr_t)v);
	return object(r, place, of, v);
}
