/* SPDX-License-Identifier: Apache-2.0 */
#include "remote-node/push.h"

#include "lib/fail.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define BLOCK 512u /* of a tar archive */
#define PUSH_MAX ((size_t)256 << 20)

static const char script[] =
	"umask 077; "
	"d=$(mktemp -d \"${TMPDIR:-/tmp}/iowitness.XXXXXX\") || exit 1; "
	"trap 'cd /; rm -rf \"$d\"' EXIT; trap 'exit 1' HUP INT TERM; "
	"cd \"$d\" || exit 1; "
	"head -c %zu >p; "
	"echo '%s  p' | sha256sum -c - >/dev/null || { echo 'what was pushed arrived damaged' >&2; exit 1; }; "
	"tar xf p || exit 1; rm p; "
	"./iowitness agent --plugin-path=\"$d/plugins\"";

static int room(struct push *p, size_t more, struct iow_error *e)
{
	size_t want = p->n + more;
	char *data;

	if (want > PUSH_MAX)
		return fail(e, EFBIG, "what would be pushed is larger than 256 MiB");
	if (want <= p->room)
		return 0;
	want = want * 2;
	data = realloc(p->data, want);
	if (!data)
		return fail(e, ENOMEM, "push");
	p->data = data;
	p->room = want;
	return 0;
}

/* One header of POSIX ustar. */
static void header(char *h, const char *name, unsigned mode, size_t size, char type)
{
	unsigned sum = 0;

	memset(h, 0, BLOCK);
	snprintf(h, 100, "%s", name);
	snprintf(h + 100, 8, "%07o", mode);
	snprintf(h + 108, 8, "%07o", 0u);
	snprintf(h + 116, 8, "%07o", 0u);
	snprintf(h + 124, 12, "%011zo", size);
	snprintf(h + 136, 12, "%011o", 0u);
	memset(h + 148, ' ', 8);
	h[156] = type;
	memcpy(h + 257, "ustar\00000", 8);
	for (unsigned i = 0; i < BLOCK; i++)
		sum += (unsigned char)h[i];
	snprintf(h + 148, 8, "%06o", sum);
	h[155] = ' ';
}

static int add_header(struct push *p, const char *name, unsigned mode, size_t size, char type, struct iow_error *e)
{
	if (room(p, BLOCK, e))
		return -1;
	header(p->data + p->n, name, mode, size, type);
	p->n += BLOCK;
	return 0;
}

static int add_zeros(struct push *p, size_t n, struct iow_error *e)
{
	if (room(p, n, e))
		return -1;
	memset(p->data + p->n, 0, n);
	p->n += n;
	return 0;
}

static int add_bytes(struct push *p, int fd, size_t size, const char *path, struct iow_error *e)
{
	size_t end = p->n + size;

	if (room(p, size, e))
		return -1;
	while (p->n < end) {
		ssize_t n = read(fd, p->data + p->n, end - p->n);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return fail(e, n < 0 ? errno : EIO, "%s", path);
		p->n += (size_t)n;
	}
	return add_zeros(p, (BLOCK - size % BLOCK) % BLOCK, e);
}

static int add_file(struct push *p, const char *path, const char *name, struct iow_error *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc;
	struct stat st;

	if (fd < 0)
		return fail(e, errno, "%s", path);
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		rc = fail(e, EINVAL, "%s is no regular file", path);
	else if (add_header(p, name, 0700, (size_t)st.st_size, '0', e))
		rc = -1;
	else
		rc = add_bytes(p, fd, (size_t)st.st_size, path, e);
	close(fd);
	return rc;
}

static int add_all(struct push *p, const char *const *files, struct iow_error *e)
{
	char name[100];

	if (!files || !files[0])
		return fail(e, EINVAL, "there is nothing to push");
	if (add_file(p, files[0], "iowitness", e) || add_header(p, "plugins/", 0700, 0, '5', e))
		return -1;
	for (files++; *files; files++) {
		const char *base = strrchr(*files, '/');

		if (snprintf(name, sizeof name, "plugins/%s", base ? base + 1 : *files) >= (int)sizeof name)
			return fail(e, ENAMETOOLONG, "%s", *files);
		if (add_file(p, *files, name, e))
			return -1;
	}
	return add_zeros(p, 2 * BLOCK, e);
}

int push_make(struct push *p, const char *const *files, struct iow_error *e)
{
	unsigned char sum[32];
	char hex[65];

	memset(p, 0, sizeof *p);
	if (add_all(p, files, e)) {
		push_release(p);
		return -1;
	}
	if (!EVP_Digest(p->data, p->n, sum, NULL, EVP_sha256(), NULL)) {
		push_release(p);
		return fail(e, 0, "SHA-256 is not available");
	}
	for (int i = 0; i < 32; i++)
		snprintf(hex + 2 * i, 3, "%02x", sum[i]);
	if (asprintf(&p->script, script, p->n, hex) < 0) {
		p->script = NULL;
		push_release(p);
		return fail(e, ENOMEM, "push");
	}
	return 0;
}

void push_release(struct push *p)
{
	free(p->data);
	free(p->script);
	memset(p, 0, sizeof *p);
}

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int push_send(const struct push *p, int fd, int64_t timeout_ns, struct iow_error *e)
{
	int64_t end = now_ns() + timeout_ns;
	size_t at = 0;

	signal(SIGPIPE, SIG_IGN);
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	while (at < p->n) {
		ssize_t n = write(fd, p->data + at, p->n - at);
		struct pollfd f = { .fd = fd, .events = POLLOUT };

		if (n > 0)
			at += (size_t)n;
		else if (n < 0 && errno != EAGAIN && errno != EINTR)
			return 0;
		else if (now_ns() >= end)
			return fail(e, ETIMEDOUT, "the program and its drivers could not be pushed in time");
		else
			poll(&f, 1, 200);
	}
	return 0;
}
