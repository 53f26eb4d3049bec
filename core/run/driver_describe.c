/* SPDX-License-Identifier: Apache-2.0 */
#include "base/jsonx.h"
#include "base/vec.h"
#include "plan/keys.h"
#include "run/driver.h"

static const char *const cap_names[] = { "READ", "WRITE", "TRIM", "FLUSH", "DSYNC", "SYNC", "DIRECT", "BUFFERED",
	"ASYNC", "CONNECT", "FOREIGN_HOT", "SELF_TIMED", "VIRTUAL_TIME", "NEEDS_DURABILITY", "NO_DATA" };

json_t *driver_caps_json(uint64_t caps)
{
	json_t *a = json_array();

	for (size_t i = 0; i < ARRAY_LEN(cap_names); i++)
		if (caps >> i & 1)
			json_array_append_new(a, json_string(cap_names[i]));
	return a;
}

json_t *driver_describe(const struct driver *d)
{
	json_t *o = json_object();

	jsonx_set_str(o, "name", d->d.name);
	jsonx_set_str(o, "version", d->d.version);
	jsonx_set_str(o, "summary", d->d.summary);
	jsonx_set_str(o, "file", d->file);
	jsonx_set_str(o, "sha256", d->sha256);
	jsonx_set_int(o, "threads", d->d.threads);
	jsonx_set_new(o, "caps", driver_caps_json(d->d.caps));
	jsonx_set_new(o, "keys", keys_to_json(d->keys));
	return o;
}
