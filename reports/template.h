/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_TEMPLATE_H
#define IOW_REPORTS_TEMPLATE_H

#include "base/buf.h"

#include <iowitness/driver.h>

/* Appends the file NAME of the first of `dirs` that has it. Errors name the directories searched. */
int template_load(const char *const *dirs, size_t n, const char *name, struct buf *out, struct iow_error *e);

#endif
