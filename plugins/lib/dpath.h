/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLUGIN_LIB_DPATH_H
#define PLUGIN_LIB_DPATH_H

#include <iowitness/driver.h>

/* A path opened with O_DIRECT: the target calls that direct, raw and uring share. */
struct dpath_conf {
	const char *path;
	uint64_t size;
};

#define DPATH_SIZE_KEY                                                                                       \
	{ .name = "size", .type = IOW_KEY_BYTES, .flags = IOW_KEY_AXIS, .offset = offsetof(struct dpath_conf, size), \
	  .def = "0", .min = 0, .max = INT64_MAX, .help = "Bytes to use of it or to make; 0: all that is there" }

/* Files: regular files (and devices for reading). Devices: block and character devices only. */
enum dpath_kind { DPATH_FILES, DPATH_DEVICES, DPATH_BOTH };
/* A struct node (lib/node.h), freed by dpath_close. */
void *dpath_open(const struct iow_open *o, enum dpath_kind kind, struct iow_error *e);
int dpath_info(void *target, struct iow_info *i, struct iow_error *e);
void dpath_close(void *target);
int dpath_settle(void *target, const struct iow_settle *s, struct iow_residency *r, struct iow_error *e);

#endif
