/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_BUNDLE_CELLS_H
#define IOW_BUNDLE_CELLS_H

#include <jansson.h>

#include "base/buf.h"
#include "plan/cells.h"

#include <iowitness/driver.h>

/* cells.json, format version 1: the resolved plan with its format, the tool that made it and the
 * generator (its name, seed and first three values). New. */
json_t *cells_to_json(const struct cells *c);

/* The reverse; c is initialised here. Indexes are checked, so that what is read may be used without
 * asking again. On failure c is released and `path` is the JSON pointer of what is wrong.
 * `tool_version` (may be NULL) gets a copy of the version that wrote it. */
int cells_from_json(struct cells *c, const json_t *o, char **tool_version, struct buf *path,
		    struct iow_error *e);

#endif
