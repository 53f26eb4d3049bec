/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_RUN_RELAY_H
#define IOW_RUN_RELAY_H

#include <jansson.h>

#include "run/wire.h"

/* The child that carries the stream of another node: loads the driver of a PREPARE "connect", lets it
 * connect, answers READY, then passes bytes between the coordinator and the link until either ends.
 * Before the first byte from there, an end of the link is told as an ERROR of class "lost" that says
 * in words what the launcher's exit code and last words mean, and what to do. Returns the exit code. */
int relay_main(struct wire *w, const json_t *ask);

/* What the end of a launcher means: status of wait(2), its last words (may be empty). */
void relay_explain(int status, const char *words, const char *node, char *out, size_t size);

#endif
