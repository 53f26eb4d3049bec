/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_RUN_LOOP_H
#define IOW_RUN_LOOP_H

#include <stdbool.h>

#include <iowitness/driver.h>

/* Attaches a file, open for reading and writing, to a free loop device. `path` gets its node (made
 * when there is none). Returns a descriptor of the device: it detaches itself when the last one is
 * closed, whatever ends the process. direct_io: the loop driver reads and writes the file past the
 * page cache; refused where the file's filesystem can't. */
int loop_attach(int file, bool direct_io, char path[64], struct iow_error *e);

#endif
