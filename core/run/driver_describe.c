/* SPDX-License-Identifier: Apache-2.0 */
#include "base/jsonx.h"
#include "plan/keys.h"
#include "plan/tables.h"
#include "run/driver.h"

json_t *driver_describe(const struct driver *d)
{
	json_t *o = json_object();

	jsonx_set_str(o, "name", d->d.name);
	jsonx_set_str(o, "version", d->d.version);
	jsonx_set_str(o, "summary", d->d.summary);
	jsonx_set_str(o, "file", d->file);
	jsonx_set_str(o, "sha256", d->sha256);
	jsonx_set_int(o, "threads", d->d.threads);
	jsonx_set_new(o, "caps", caps_to_json(d->d.caps));
	jsonx_set_new(o, "keys", keys_to_json(d->keys));
	return o;
}
