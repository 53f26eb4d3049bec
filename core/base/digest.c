/* SPDX-License-Identifier: Apache-2.0 */
#include "base/digest.h"
#include "base/err.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <openssl/evp.h>
#include <openssl/hmac.h>

void digest_data(const void *data, size_t n, unsigned char out[32])
{
	if (!EVP_Digest(data, n, out, NULL, EVP_sha256(), NULL))
		abort(); /* libcrypto without SHA-256: nothing can be attested */
}

void digest_hmac(const void *key, size_t n_key, const void *data, size_t n, unsigned char out[32])
{
	if (!HMAC(EVP_sha256(), key, (int)n_key, data, n, out, NULL))
		abort();
}

void digest_hex(const unsigned char in[32], char out[DIGEST_HEX])
{
	static const char hex[] = "0123456789abcdef";

	for (int i = 0; i < 32; i++) {
		out[2 * i] = hex[in[i] >> 4];
		out[2 * i + 1] = hex[in[i] & 15];
	}
	out[64] = 0;
}

int digest_file_at(int dirfd, const char *name, char hex[DIGEST_HEX], struct iow_error *e)
{
	int fd = openat(dirfd, name, O_RDONLY | O_CLOEXEC), rc = 0;
	EVP_MD_CTX *ctx;
	char chunk[65536];
	unsigned char md[32];
	ssize_t n;

	if (fd < 0)
		return err_sys(e, errno, "%s", name);
	ctx = EVP_MD_CTX_new();
	if (!ctx || !EVP_DigestInit_ex(ctx, EVP_sha256(), NULL))
		abort();
	while ((n = read(fd, chunk, sizeof chunk)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			rc = err_sys(e, errno, "%s", name);
			break;
		}
		EVP_DigestUpdate(ctx, chunk, (size_t)n);
	}
	EVP_DigestFinal_ex(ctx, md, NULL);
	EVP_MD_CTX_free(ctx);
	close(fd);
	digest_hex(md, hex);
	return rc;
}

uint64_t digest_seed(const void *data, size_t n)
{
	unsigned char md[32];
	uint64_t seed = 0;

	digest_data(data, n, md);
	for (int i = 0; i < 8; i++)
		seed = seed << 8 | md[i];
	return seed;
}
