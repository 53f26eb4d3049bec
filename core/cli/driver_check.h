/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_CLI_DRIVER_CHECK_H
#define IOW_CLI_DRIVER_CHECK_H

#include <stdbool.h>
#include <stddef.h>

/* Opens the driver in `file`, runs it on the first 4 MiB of its target in each shape that its capabilities promise, prints a line for each
 * thing that holds or does not. `set`: "KEY=VALUE". The exit code: EXIT_LIMIT when something does not. */
int driver_check(const char *file, const char *const *set, size_t n_set, bool write);

#endif
