/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_RUN_DRIVER_H
#define IOW_RUN_DRIVER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/digest.h"

#include <iowitness/driver.h>

/* Finds, checks and opens driver plugins. Only a child and the process that describes drivers call
 * driver_load: a constructor that crashes there costs one answer. */

/* A loaded driver. `d` holds what both sides know: the smaller size was copied, the rest is zero, and
 * its keys are copies with this program's stride. Never unloaded before the process ends. */
struct driver {
	struct iow_driver d;
	struct iow_key *keys; /* ends with a key whose name is NULL */
	size_t n_keys;
	char *file;
	char sha256[DIGEST_HEX];
	size_t size; /* of the descriptor in the driver's eyes */
};

/* Directories that are looked in, in order, NULL-terminated; free with driver_dirs_free.
 * IOWITNESS_PLUGIN_PATH (--plugin-path goes before it), plugins/ beside the program when it runs
 * from its build tree, the install directory. */
char **driver_dirs(void);
void driver_dirs_free(char **dirs);
/* Puts `path` (directories with ':' between) before IOWITNESS_PLUGIN_PATH, for this process and those
 * it starts. */
void driver_path_prepend(const char *path);

/* The file of a driver, DIR/NAME.so or DIR/NAME/NAME.so, new; NULL with the error saying where it was
 * looked for. A name with characters other than letters, digits, '-' and '_' is refused. */
char *driver_find(const char *name, struct iow_error *e);
/* Names that driver_find would find, sorted, each once: array of strings, new. */
json_t *driver_names(void);

/* Opens and checks the file. Refused: a file or directory that others may write or another user owns,
 * no driver, another ABI major, a descriptor or key that is too short, an unknown non-zero tail,
 * missing calls. The error says which. */
int driver_load(struct driver *d, const char *file, struct iow_error *e);
void driver_release(struct driver *d);

/* {"name","version","summary","file","sha256","threads","caps":["READ",…],"keys":[…]}; see wire.h. New. */
json_t *driver_describe(const struct driver *d);
#endif
