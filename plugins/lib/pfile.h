/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLUGIN_LIB_PFILE_H
#define PLUGIN_LIB_PFILE_H

#include <iowitness/driver.h>

/* pread and pwrite through the page cache: what posix and sync share. */
struct pfile_conf {
	const char *path;
	uint64_t size;
	uint32_t advice; /* index into the words of the key "advice" */
	uint32_t flush;  /* index into the words of the key "flush" */
};
extern const struct iow_key pfile_keys[];

void *pfile_open(const struct iow_host *h, const struct iow_open *o, struct iow_error *e);
int pfile_info(void *target, struct iow_info *i, struct iow_error *e);
void pfile_close(void *target);
int pfile_settle(void *target, const struct iow_settle *s, struct iow_residency *r, struct iow_error *e);
void *pfile_queue_open(void *target, const struct iow_queue *q, struct iow_error *e);
void pfile_queue_close(void *queue);
void pfile_io(void *queue, struct iow_io *io);

#endif
