/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_RUN_VERIFY_H
#define IOW_RUN_VERIFY_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Blocks that can be proved: each unit of a block begins with a header, and its rest is a pure function
 * of seed, offset and generation, so a wrong byte is found with what should have been there. */

struct verify_head {
	char magic[8]; /* "iowitns1" */
	uint64_t offset, generation, seed; /* host byte order */
	uint64_t check; /* of the rest of the unit, see verify.c */
};

/* Bytes of one unit: 4096 where all block sizes are multiples of it, else 512. */
size_t verify_unit(const uint64_t *blocks, uint32_t n);
void verify_write(void *buf, size_t len, size_t unit, uint64_t offset, uint64_t seed, uint64_t generation);

#define VERIFY_SAVED 4u /* wrong units that are kept whole */
#define VERIFY_UNIT_MAX 4096u

struct verify_wrong {
	uint64_t offset;     /* of the first wrong byte */
	uint64_t unit_offset;
	uint32_t bytes_wrong; /* in the unit */
	uint8_t got, want;
	unsigned char data[VERIFY_UNIT_MAX]; /* the unit as it was read */
};

/* State of one job's checking. */
struct verify {
	size_t unit;
	uint64_t seed;         /* of this run's writes */
	uint64_t learned_seed; /* of what was there before; learned from the first good unit */
	bool learned;
	uint64_t generation;   /* of the last good unit */
	uint64_t checked, wrong; /* units */
	uint32_t n_saved;
	struct verify_wrong saved[VERIFY_SAVED];
};

void verify_init(struct verify *v, size_t unit, uint64_t seed);
/* Checks what was read at `offset`; returns how many units are wrong. */
uint32_t verify_check(struct verify *v, const void *buf, size_t len, uint64_t offset);
/* "wrong byte at offset 4097: read 0x41, expected 0xc3 (1 byte of this block of 4096 is wrong)" */
void verify_say(const struct verify *v, const struct verify_wrong *w, char *out, size_t size);
/* [{"offset", "got", "want", "bytes_wrong", "unit_offset", "data": hex}]; new. */
json_t *verify_to_json(const struct verify *v);

#endif
