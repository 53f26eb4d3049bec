/* SPDX-License-Identifier: Apache-2.0 */
#include "bundle/redact.h"
#include "base/err.h"
#include "base/file.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "bundle/format.h"
#include "bundle/redact_in.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A line of samples.jsonl that has become shorter. */
struct moved {
	uint64_t from, to, len;
};

struct redaction {
	const struct bundle *b;
	int from, to; /* directories */
	struct redact_pass pass;
	json_t *plan, *cells;
	struct moved *moved; size_t n_moved;
	size_t withheld;
	bool keyed;
};

/* ---- lines ---- */

/* Gives the text that stands in place of `line` (its newline not counted); false: the line as it is. */
typedef int line_fn(struct redaction *r, const char *line, size_t n, uint64_t at, struct buf *out, struct iow_error *e);

static int open_stream(int dir, const char *name, bool write, FILE **f, struct iow_error *e)
{
	int fd = openat(dir, name, write ? O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC : O_RDONLY | O_CLOEXEC, 0666);

	*f = fd < 0 ? NULL : fdopen(fd, write ? "w" : "r");
	if (*f)
		return 0;
	err_sys(e, errno, "%s", name);
	if (fd >= 0)
		close(fd);
	return -1;
}

/* A torn last line is left out, as readers do. */
static int lines(struct redaction *r, const char *name, line_fn *fn, struct iow_error *e)
{
	FILE *in = NULL, *out = NULL;
	struct buf b = BUF_INIT;
	char *line = NULL;
	size_t size = 0;
	uint64_t at = 0;
	ssize_t n;
	int rc = open_stream(r->from, name, false, &in, e);

	if (!rc && !r->pass.learning)
		rc = open_stream(r->to, name, true, &out, e);
	while (!rc && (n = getline(&line, &size, in)) > 0 && line[n - 1] == '\n') {
		line[n - 1] = 0;
		buf_clear(&b);
		rc = fn(r, line, (size_t)n - 1, at, &b, e);
		at += (uint64_t)n;
		buf_putc(&b, '\n');
		if (!rc && out && b.len > 1 && fwrite(b.data, 1, b.len, out) != b.len)
			rc = err_sys(e, errno, "%s", name);
	}
	if (!rc && in && ferror(in))
		rc = err_sys(e, errno, "%s", name);
	if (in)
		fclose(in);
	if (out && (fflush(out) || fsync(fileno(out))) && !rc)
		rc = err_sys(e, errno, "%s", name);
	if (out && fclose(out) && !rc)
		rc = err_sys(e, errno, "%s", name);
	free(line);
	buf_release(&b);
	return rc;
}

/* What was read where other content was expected can be anything that the disk holds. */
static int sample_line(struct redaction *r, const char *line, size_t n, uint64_t at, struct buf *out, struct iow_error *e)
{
	uint64_t to = r->n_moved ? r->moved[r->n_moved - 1].to + r->moved[r->n_moved - 1].len : 0;
	json_t *o = NULL, *v;
	struct moved *m;
	size_t i;

	(void)e;
	if (strstr(line, "\"wrong\""))
		o = json_loadb(line, n, 0, NULL);
	json_array_foreach(json_object_get(o, "wrong"), i, v) {
		if (json_object_del(v, "data") == 0 && r->pass.learning)
			r->withheld++;
	}
	if (o)
		jsonx_write(out, o, 0);
	else
		buf_add(out, line, n);
	json_decref(o);
	if (!r->pass.learning)
		return 0;
	m = VEC_ADD(r->moved, r->n_moved);
	m->from = at;
	m->to = to;
	m->len = out->len + 1;
	return 0;
}

static void move_samples(const struct redaction *r, json_t *o)
{
	const json_t *place = json_object_get(o, "samples");
	uint64_t at = (uint64_t)json_integer_value(json_array_get(place, 0));
	size_t low = 0, high = r->n_moved;

	while (place && low < high) {
		size_t mid = (low + high) / 2;

		if (r->moved[mid].from == at) {
			jsonx_set_new(o, "samples", json_pack("[I,I]", (json_int_t)r->moved[mid].to, (json_int_t)r->moved[mid].len));
			return;
		}
		if (r->moved[mid].from < at)
			low = mid + 1;
		else
			high = mid;
	}
}

/* A reason that has grown has the room of the original, no more. */
static void put_reason(json_t *o, json_t *end, const char *why, const char *state, const char *text, struct buf *out)
{
	size_t room = why ? strlen(why) : 0;
	mem_auto char *fits = utf8_clean(text, RUN_WHY_MOST), *cut = utf8_clean(text, room);

	if (why)
		jsonx_set_str(o, "why", fits);
	else if (state)
		jsonx_set_str(end, "state", text);
	jsonx_write(out, o, 0);
	if (!why || out->len < RUN_LINE_MAX)
		return;
	jsonx_set_str(o, "why", cut);
	buf_clear(out);
	jsonx_write(out, o, 0);
}

/* The only texts of a run are its reason and, in the last line, how the campaign ended. */
static int run_line(struct redaction *r, const char *line, size_t n, uint64_t at, struct buf *out, struct iow_error *e)
{
	json_t *o = json_loadb(line, n, 0, NULL), *end = json_object_get(o, "end");
	const char *why = jsonx_str(o, "why", NULL), *state = jsonx_str(end, "state", NULL);
	mem_auto char *text = NULL;

	(void)at;
	(void)e;
	if (!o)
		return 0; /* torn by a machine that lost power: bundle_load has told */
	text = redact_text(&r->pass, PSEUDO_AS_SAID, why ? why : state ? state : "");
	if (!r->pass.learning) {
		move_samples(r, o);
		put_reason(o, end, why, state, text, out);
	}
	json_decref(o);
	return 0;
}

#define LOG_TIME (sizeof "2026-12-01T00:00:00.000Z " - 1)

static int log_line(struct redaction *r, const char *line, size_t n, uint64_t at, struct buf *out, struct iow_error *e)
{
	size_t skip = at == 0 ? n : n < LOG_TIME ? 0 : LOG_TIME;
	mem_auto char *text = redact_text(&r->pass, PSEUDO_AS_SAID, line + skip);

	(void)e;
	buf_add(out, line, skip);
	buf_puts(out, text);
	return 0;
}

static int avoid_line(struct redaction *r, const char *line, size_t n, uint64_t at, struct buf *out, struct iow_error *e)
{
	(void)n;
	(void)at;
	(void)out;
	(void)e;
	pseudonyms_avoid(r->pass.p, line);
	return 0;
}

/* ---- the JSON files ---- */

static json_t *replaced(const struct redaction *r)
{
	json_t *o = json_object();

	for (int k = 0; k < PSEUDO_KINDS; k++)
		jsonx_set_int(o, pseudo_kind_name((enum pseudo_kind)k), (int64_t)pseudonyms_count(r->pass.p, (enum pseudo_kind)k));
	return o;
}

static json_t *redact_host(struct redaction *r)
{
	json_t *o, *mark = json_object();

	r->pass.host = true;
	o = redact_value(&r->pass, PLACE_OTHER, NULL, r->b->host);
	r->pass.host = false;
	if (json_object_size(o) == 0) { /* cut off before there was one */
		json_decref(o);
		o = format_head("host");
	}
	jsonx_set_str(mark, "of", r->b->evidence);
	jsonx_set_bool(mark, "keyed", r->keyed);
	jsonx_set_new(mark, "replaced", replaced(r));
	jsonx_set_int(mark, "withheld", (int64_t)r->withheld);
	jsonx_set_new(o, "redacted", mark);
	return o;
}

static int put_json(struct redaction *r, const char *name, json_t *o_take, char hash[DIGEST_HEX], struct iow_error *e)
{
	struct buf b = BUF_INIT;
	unsigned char md[32];
	int rc;

	jsonx_write(&b, o_take, 1);
	json_decref(o_take);
	buf_putc(&b, '\n');
	rc = file_replace_at(r->to, name, b.data, b.len, e);
	if (hash) {
		digest_data(b.data, b.len, md);
		digest_hex(md, hash);
	}
	buf_release(&b);
	return rc;
}

static int put_documents(struct redaction *r, struct iow_error *e)
{
	char hash[DIGEST_HEX];
	json_t *cells;

	if (put_json(r, "plan.json", redact_value(&r->pass, PLACE_OTHER, NULL, r->plan), hash, e))
		return -1;
	cells = redact_value(&r->pass, PLACE_OTHER, NULL, r->cells);
	jsonx_set_str(cells, "plan_sha256", hash);
	return put_json(r, "cells.json", cells, NULL, e) || put_json(r, "host.json", redact_host(r), NULL, e) ? -1 : 0;
}

/* ---- passes ---- */

static json_t *load(struct redaction *r, const char *name, struct iow_error *e)
{
	struct buf text = BUF_INIT;
	struct jsonx_doc d = { 0 };
	json_t *root = NULL;

	if (!file_read_at(r->from, name, &text, 0, e)) {
		pseudonyms_avoid(r->pass.p, buf_str(&text));
		if (!jsonx_parse(&d, name, buf_str(&text), text.len, e))
			root = json_incref(d.root);
	}
	jsonx_release(&d);
	buf_release(&text);
	return root;
}

static void spare_drivers(struct redaction *r)
{
	const json_t *v;
	size_t i;

	json_array_foreach(json_object_get(r->b->host, "drivers"), i, v) {
		pseudonyms_spare(r->pass.p, jsonx_str(v, "name", ""));
	}
	for (i = 0; i < r->b->cells.n_targets; i++)
		pseudonyms_spare(r->pass.p, r->b->cells.targets[i].driver);
	for (i = 0; i < r->b->cells.n_nodes; i++)
		if (r->b->cells.nodes[i].driver)
			pseudonyms_spare(r->pass.p, r->b->cells.nodes[i].driver);
}

static int learn(struct redaction *r, struct iow_error *e)
{
	struct buf host = BUF_INIT;

	jsonx_write(&host, r->b->host, 0);
	pseudonyms_avoid(r->pass.p, buf_str(&host));
	buf_release(&host);
	r->pass.learning = true;
	if (lines(r, "runs.jsonl", avoid_line, e) || lines(r, "log.txt", avoid_line, e))
		return -1;
	spare_drivers(r);
	for (int pass = 0; pass < 2; pass++) {
		r->pass.members = pass == 0;
		json_decref(redact_value(&r->pass, PLACE_OTHER, NULL, r->cells));
		json_decref(redact_host(r));
		json_decref(redact_value(&r->pass, PLACE_OTHER, NULL, r->plan));
	}
	if (lines(r, "samples.jsonl", sample_line, e) || lines(r, "runs.jsonl", run_line, e) || lines(r, "log.txt", log_line, e))
		return -1;
	r->pass.learning = false;
	return 0;
}

static int seal(struct redaction *r, struct iow_error *e)
{
	struct buf list = BUF_INIT;
	int rc = format_list(r->to, EVIDENCE_HEAD, evidence_files, &list, e);

	if (!rc)
		rc = file_replace_at(r->to, "EVIDENCE", list.data, list.len, e);
	buf_release(&list);
	return rc;
}

static int rewrite(struct redaction *r, struct iow_error *e)
{
	r->plan = load(r, "plan.json", e);
	r->cells = r->plan ? load(r, "cells.json", e) : NULL;
	if (!r->cells || learn(r, e) || put_documents(r, e) || lines(r, "samples.jsonl", sample_line, e) ||
	    lines(r, "runs.jsonl", run_line, e) || lines(r, "log.txt", log_line, e))
		return -1;
	if (r->pass.clash)
		return err_set(e, EINVAL, "\"%s\" and another name of the plan would have the same pseudonym: they differ in case alone",
			       r->pass.clash);
	if (r->pass.left)
		return err_set(e, EINVAL, "\"%s\" would be left in the redacted bundle; this is a fault of the program", r->pass.left);
	return r->b->sealed ? seal(r, e) : 0;
}

int bundle_redact(const struct bundle *b, const char *to, struct pseudonyms *p, bool keyed, struct iow_error *e)
{
	struct redaction r = { .b = b, .pass = { .p = p }, .keyed = keyed };
	int rc = -1;

	r.from = open(b->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	r.to = r.from < 0 ? -1 : open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (r.from < 0)
		err_sys(e, errno, "%s", b->dir);
	else if (r.to < 0)
		err_sys(e, errno, "%s", to);
	else
		rc = bundle_redacted(b) ? format_copy(r.from, r.to, e) : rewrite(&r, e);
	json_decref(r.plan);
	json_decref(r.cells);
	free(r.moved);
	if (r.from >= 0)
		close(r.from);
	if (r.to >= 0)
		close(r.to);
	return rc;
}
