/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_LIB_SCHEMA_H
#define TEST_LIB_SCHEMA_H

#include <jansson.h>
#include <stdbool.h>

/* As much of JSON Schema (draft 2020-12) as the installed schemas use: type, properties, required,
 * additionalProperties, items, prefixItems, minItems, maxItems, enum, const, minimum, maxLength, oneOf,
 * $ref into the same file. tell: what is wrong goes to stderr. */
bool schema_valid(json_t *root, const json_t *schema, const json_t *v, bool tell);

#endif
