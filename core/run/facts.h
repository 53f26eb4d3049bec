/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_RUN_FACTS_H
#define IOW_RUN_FACTS_H

#include <jansson.h>
#include <stdint.h>

#include "bundle/bundle.h"

/* Facts for host.json: ordered objects, mostly texts in words; names are keys of the report's wording
 * ("fact.NAME"). A fact that cannot be read is "not readable: " and why. Nothing here fails. */

/* Of this machine: maker, processor, memory, kernel, system, clock, load, versions. New. */
json_t *facts_host(void);

/* Of what lies below a path (a file or a device): filesystem, layers, disks, queue. Added to o. `rdev`:
 * the device that I/O goes to as the driver says, used where the path tells nothing; 0: not known. */
void facts_target(json_t *o, const char *path, uint64_t rdev);

/* ---- between their files ---- */

/* Text from outside, made valid UTF-8; empty: "not readable: `why`". */
void fact_text(json_t *o, const char *name, const char *text, const char *why);
/* First line of a file. */
void fact_file(json_t *o, const char *name, const char *path);
void fact_bytes(json_t *o, const char *name, uint64_t bytes); /* "256 GiB (274877906944 bytes)" */

#endif
