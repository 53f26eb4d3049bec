/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_MUSTACHE_H
#define IOW_REPORTS_MUSTACHE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#include <iowitness/driver.h>

/* Logic-less templates as mustache(5) describes them: {{name}} escaped for HTML, {{{name}}} and
 * {{&name}} as it is, {{#name}} … {{/name}} once for each element or once for any other value that is
 * not false, null, "" or empty, {{^name}} … {{/name}} for those, {{! remark }}, {{> partial}},
 * {{=<% %>=}}; a.b.c and "." as names. A name that nothing has is empty. No lambdas.
 *
 * Values come from a JSON value; numbers are written as jsonx writes them. */

/* Appends the text of a partial to `out`, false when there is none (then it is empty). */
typedef bool (*mustache_partial)(void *data, const char *name, struct buf *out);

/* Appends to `out`. Errors name "NAME:LINE: ". */
int mustache_render(const char *name, const char *text, const json_t *value, mustache_partial partial, void *data,
		    struct buf *out, struct iow_error *e);

#endif
