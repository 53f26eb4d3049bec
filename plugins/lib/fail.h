/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLUGIN_LIB_FAIL_H
#define PLUGIN_LIB_FAIL_H

#include <iowitness/driver.h>

/* Fills e with the text and, when err is not 0, ": " and the errno in words; returns -1. */
int fail(struct iow_error *e, int err, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
