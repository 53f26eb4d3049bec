/* SPDX-License-Identifier: Apache-2.0 */
#include "bundle/format.h"
#include "base/err.h"
#include "base/file.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define EVIDENCE_FILES "plan.json", "cells.json", "host.json", "runs.jsonl", "samples.jsonl", "log.txt"
#define RESULT_FILES "results.json", "report.html", "report.pdf", "report.md", "report.txt", "report.json"

const char *const evidence_files[] = { EVIDENCE_FILES, NULL };
const char *const manifest_files[] = { "EVIDENCE", RESULT_FILES, NULL };
const char *const manifest_unsealed_files[] = { EVIDENCE_FILES, RESULT_FILES, NULL };

#define PART(dir) \
	dir "/plan.json", dir "/cells.json", dir "/host.json", dir "/runs.jsonl", dir "/samples.jsonl", dir "/log.txt", \
	dir "/EVIDENCE"

const char *const compare_evidence_files[] = { "compare.json", PART("before"), PART("after"), NULL };
const char *const history_evidence_files[] = { "history.json", NULL };

json_t *format_head(const char *name)
{
	mem_auto char *format = mem_printf("iowitness-%s", name);
	json_t *o = json_object();

	jsonx_set_str(o, "format", format);
	jsonx_set_int(o, "version", FORMAT_VERSION);
	return o;
}

int format_check(const json_t *o, const char *name, struct iow_error *e)
{
	const char *format = jsonx_str(o, "format", "");

	if (strncmp(format, "iowitness-", 10) != 0 || strcmp(format + 10, name) != 0)
		return err_set(e, EINVAL, "is not in the format \"iowitness-%s\"", name);
	if (jsonx_int(o, "version", -1) != FORMAT_VERSION)
		return err_set(e, EINVAL, "format version %lld; this program reads version %d",
			       (long long)jsonx_int(o, "version", -1), FORMAT_VERSION);
	return 0;
}

bool format_exists(int dirfd, const char *name)
{
	return faccessat(dirfd, name, F_OK, 0) == 0;
}

static int copy_data(int from, int to, struct iow_error *e)
{
	char chunk[65536];
	ssize_t n;

	for (;;) {
		n = read(from, chunk, sizeof chunk);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? err_sys(e, errno, "read") : 0;
		if (file_write_all(to, chunk, (size_t)n, e))
			return -1;
	}
}

static int copy_file(int from_dir, int to_dir, const char *name, struct iow_error *e)
{
	int from = openat(from_dir, name, O_RDONLY | O_CLOEXEC), to = -1, rc;

	if (from < 0)
		return err_sys(e, errno, "%s", name);
	to = openat(to_dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	rc = to < 0 ? err_sys(e, errno, "%s", name) : copy_data(from, to, e) ? err_in(e, "%s", name) : 0;
	if (!rc && fsync(to))
		rc = err_sys(e, errno, "%s", name);
	if (to >= 0 && close(to) && !rc)
		rc = err_sys(e, errno, "%s", name);
	close(from);
	return rc;
}

int format_copy(int from, int to, struct iow_error *e)
{
	for (const char *const *f = evidence_files; *f; f++)
		if (format_exists(from, *f) && copy_file(from, to, *f, e))
			return -1;
	return format_exists(from, "EVIDENCE") ? copy_file(from, to, "EVIDENCE", e) : 0;
}

int format_list(int dirfd, const char *head, const char *const *names, struct buf *out, struct iow_error *e)
{
	buf_printf(out, "%s\n", head);
	for (; *names; names++) {
		char hex[DIGEST_HEX];

		if (!format_exists(dirfd, *names))
			continue;
		if (digest_file_at(dirfd, *names, hex, e))
			return -1;
		buf_printf(out, "%s  %s\n", hex, *names);
	}
	return 0;
}

void format_list_hash(const struct buf *list, char hex[DIGEST_HEX])
{
	unsigned char md[32];

	digest_data(buf_str(list), list->len, md);
	digest_hex(md, hex);
}

static size_t line_size(const json_t *o)
{
	struct buf b = BUF_INIT;
	size_t n;

	jsonx_write(&b, o, 0);
	n = b.len + 1;
	buf_release(&b);
	return n;
}

/* A sentence shorter than this says nothing any more: numbers make room instead. */
#define WHY_LEAST 60

void run_line_fit(json_t *o, json_t *more, size_t reserve)
{
	static const char *const order[] = {
		"pressure", "stopped_ns", "together", "clock", "content", "workers", "cold", "backlog", "ceiling_permille", "wrong_blocks",
		"allocated", "foreign_bytes", "final_flush_ns", "cpu", "dev", "moved", "lat", "region",
	};
	const char *why = jsonx_str(o, "why", NULL);
	size_t size = line_size(o) + reserve;

	if (size > RUN_LINE_MAX && why && strlen(why) > WHY_LEAST) {
		size_t over = size - RUN_LINE_MAX, n = strlen(why);
		mem_auto char *cut = utf8_clean(why, over < n - WHY_LEAST ? n - over : WHY_LEAST);

		jsonx_set_str(o, "why", cut);
	}
	for (size_t i = 0; i < sizeof order / sizeof *order && line_size(o) + reserve > RUN_LINE_MAX; i++) {
		json_t *v = json_object_get(o, order[i]);

		if (!v)
			continue;
		jsonx_set_new(more, order[i], json_incref(v));
		json_object_del(o, order[i]);
	}
}

json_t *format_parse(const char *line, size_t n, struct iow_error *e)
{
	json_error_t je;
	json_t *o = json_loadb(line, n, JSON_REJECT_DUPLICATES, &je);

	if (!o)
		err_set(e, EINVAL, "not valid JSON: %s", je.text);
	return o;
}
