/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_BASE_DIGEST_H
#define IOW_BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#include <iowitness/driver.h>

#define DIGEST_HEX 65 /* 64 digits and NUL */

/* SHA-256 (FIPS 180-4) through libcrypto. */
void digest_data(const void *data, size_t n, unsigned char out[32]);
void digest_hex(const unsigned char in[32], char out[DIGEST_HEX]);
/* HMAC-SHA256 (FIPS 198-1). */
void digest_hmac(const void *key, size_t n_key, const void *data, size_t n, unsigned char out[32]);
int digest_file_at(int dirfd, const char *name, char hex[DIGEST_HEX], struct iow_error *e);
/* First 8 bytes of SHA-256(data), big-endian: a seed. */
uint64_t digest_seed(const void *data, size_t n);

#endif
