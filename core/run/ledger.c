/* SPDX-License-Identifier: Apache-2.0 */
#include "run/ledger.h"

#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define LEDGER_MAX ((size_t)64 << 20)

static char *ledger_path(void)
{
	const char *own = getenv("IOWITNESS_LEDGER"), *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

	if (own && *own)
		return mem_strdup(own);
	if (geteuid() == 0)
		return mem_strdup("/var/lib/iowitness/campaigns");
	if (state && *state == '/')
		return mem_printf("%s/iowitness/campaigns", state);
	return home && *home == '/' ? mem_printf("%s/.local/state/iowitness/campaigns", home) : NULL;
}

static void make_parents(const char *path)
{
	mem_auto char *dir = mem_strdup(path);

	for (char *p = strchr(dir + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = 0;
		mkdir(dir, 0755);
		*p = '/';
	}
}

static int64_t count(const struct buf *b, const char *sha)
{
	const char *p = buf_str(b);
	int64_t n = 0;

	while (*p) {
		const char *tab = strchr(p, '\t'), *end = strchr(p, '\n');

		if (tab && strncmp(tab + 1, sha, 64) == 0 && tab[65] == '\t')
			n++;
		if (!end)
			break;
		p = end + 1;
	}
	return n;
}

/* A path may hold any byte but NUL; a line of the ledger is one line. */
static void add_escaped(struct buf *b, const char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s < ' ' || *s == '\\')
			buf_printf(b, "\\%03o", (unsigned char)*s);
		else
			buf_putc(b, *s);
}

static int append(int fd, const char *path, const char *sha, const char *dir, int64_t utc_ns, int64_t *number,
		  struct iow_error *e)
{
	struct buf old = BUF_INIT, line = BUF_INIT;
	char when[32];
	int rc = file_read(path, &old, LEDGER_MAX, e);

	*number = count(&old, sha) + 1;
	clock_format(utc_ns, when);
	if (old.len && old.data[old.len - 1] != '\n') /* torn by a crash: that line stays as it is */
		buf_putc(&line, '\n');
	buf_printf(&line, "%s\t%.64s\t", when, sha);
	add_escaped(&line, dir);
	buf_putc(&line, '\n');
	if (!rc)
		rc = file_write_all(fd, line.data, line.len, e);
	if (!rc && fsync(fd))
		rc = err_sys(e, errno, "fsync");
	buf_release(&old);
	buf_release(&line);
	return rc;
}

int ledger_add(const char *plan_sha256, const char *bundle_dir, int64_t utc_ns, int64_t *number,
	       struct iow_error *e)
{
	mem_auto char *path = ledger_path();
	int fd, rc;

	if (!path)
		return err_set(e, ENOENT, "no place for the ledger of campaigns: HOME is not set");
	make_parents(path);
	fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0)
		return err_sys(e, errno, "%s", path);
	while ((rc = flock(fd, LOCK_EX)) && errno == EINTR)
		;
	rc = rc ? err_sys(e, errno, "lock") : append(fd, path, plan_sha256, bundle_dir, utc_ns, number, e);
	close(fd);
	return rc ? err_in(e, "%s", path) : 0;
}
