/* SPDX-License-Identifier: Apache-2.0 */
/* What a child prints: lines for the log, bounded. */
#include "base/jsonx.h"
#include "base/mem.h"
#include "run/job.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define LOG_MAX ((size_t)64 << 10)     /* bytes of a child's output that are kept */
#define LINE_MAX_LEN ((size_t)2000)

static void log_line(struct job *j, const char *line)
{
	json_t *f = wire_frame("FACT");
	mem_auto char *text = NULL;

	if (j->run >= 0)
		text = mem_printf("run %lld, %s: %s", (long long)j->run, j->driver, line);
	else
		text = mem_printf("%s: %s", j->driver, line);
	jsonx_set_new(f, "log", json_stringn_nocheck(text, strlen(text)));
	j->host->tell(j->host->ctx, f);
	json_decref(f);
}

static void log_text(struct job *j, bool all)
{
	char *nl;

	while (j->log.len) {
		size_t n;

		nl = memchr(j->log.data, '\n', j->log.len);
		if (!nl && j->log.len < LINE_MAX_LEN && !all)
			return;
		n = nl ? (size_t)(nl - j->log.data) : j->log.len;
		if (n > LINE_MAX_LEN)
			n = LINE_MAX_LEN, nl = NULL;
		if (j->logged <= LOG_MAX) {
			mem_auto char *line = mem_strndup(j->log.data, n);

			j->logged += n + 1;
			log_line(j, j->logged > LOG_MAX ? "further output was dropped" : line);
		}
		n += nl != NULL;
		memmove(j->log.data, j->log.data + n, j->log.len - n);
		j->log.len -= n;
	}
}

void job_log_readable(struct job *j)
{
	char chunk[8192];
	ssize_t n;

	if (j->log_fd < 0)
		return;
	n = read(j->log_fd, chunk, sizeof chunk);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n > 0)
		buf_add(&j->log, chunk, (size_t)n);
	log_text(j, n <= 0);
	if (n <= 0) {
		close(j->log_fd);
		j->log_fd = -1;
	}
}

void job_log_end(struct job *j)
{
	log_text(j, true);
}
