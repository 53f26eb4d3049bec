/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLUGIN_LIB_NODE_H
#define PLUGIN_LIB_NODE_H

#include <stdbool.h>

#include <iowitness/driver.h>

/* One opened file or device: what the drivers that go through a path share. */
struct node {
	int fd;
	uint32_t flags; /* IOW_OPEN_* asked for */
	bool block, regular;
	uint64_t bytes;
	uint32_t mem_align, offset_align; /* direct I/O; 0: the kernel does not say */
	char path[512];
};

/* Opens `path` as `flags` (IOW_OPEN_*) say; CREATE makes a new file of `size` bytes and refuses one that
 * is there. `size` 0: the whole file or device; else it must not be larger than what is there. A flag
 * that the filesystem refuses is an error. Returns 0 or -1. */
int node_open(struct node *n, const char *path, uint64_t size, uint32_t flags, struct iow_error *e);
void node_close(struct node *n);
void node_info(const struct node *n, struct iow_info *i);
/* The IOW_OPEN_* flags really in force, read back from the descriptor. */
uint64_t node_flags(const struct node *n);
/* 0 or -errno. */
int node_trim(const struct node *n, uint64_t offset, uint64_t length);
/* Writes back and drops as `s` says, then looks what stayed: cachestat(2), else mincore(2) for a file
 * of one's own, else "not verifiable". */
int node_settle(const struct node *n, const struct iow_settle *s, struct iow_residency *r, struct iow_error *e);

#endif
