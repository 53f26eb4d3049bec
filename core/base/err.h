/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_BASE_ERR_H
#define IOW_BASE_ERR_H

#include <iowitness/driver.h>

#define ERR_INIT { .size = sizeof(struct iow_error) }

/* Fills `e` (may be NULL) with `err` (an errno or 0) and a text; returns -1, so that a failing
 * function can `return err_set(e, EINVAL, "…")`. */
int err_set(struct iow_error *e, int err, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* The same with ": " and the errno in words ("No space left on device") after the text. */
int err_sys(struct iow_error *e, int err, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Puts "text: " before what `e` says; returns -1. */
int err_in(struct iow_error *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* errno in words, the same in every locale; static storage. */
const char *err_name(int err);

#endif
