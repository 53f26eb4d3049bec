/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_RUN_FILL_H
#define IOW_RUN_FILL_H

#include <stddef.h>
#include <stdint.h>

/* Content of what is written. */

#define FILL_CHUNK 4096u /* a compressible share is kept in each of these */
#define FILL_STAMP 512u  /* one unique word in each of these, so that no two blocks are alike */

/* Fills with bits that do not compress: a pure function of key and len (several xorshift64 streams
 * seeded by splitmix64). len is a multiple of 8. */
void fill_random(void *buf, size_t len, uint64_t key);
/* The same, and the last `compressible` share (0..1) of each chunk is zero. */
void fill_block(void *buf, size_t len, double compressible, uint64_t key);
/* Overwrites the first word of each FILL_STAMP bytes that are not zero-like; cheap. */
void fill_stamp(void *buf, size_t len, double compressible, uint64_t unique);
/* Key for the content of one place: mixes seed, offset and generation. */
uint64_t fill_key(uint64_t seed, uint64_t offset, uint64_t generation);
/* Whether a block that was read looks zero-like or compressible: at most a quarter of its 8-byte words
 * differ from the word before and from zero. */
int fill_is_weak(const void *buf, size_t len);

#endif
