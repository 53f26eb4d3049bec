/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "base/vec.h"
#include "bundle/bundle.h"
#include "bundle/format.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The bytes of a run's line; the caller frees them. */
static char *line_text(int dir, const struct kept_run *r, struct iow_error *e)
{
	int fd = openat(dir, "samples.jsonl", O_RDONLY | O_CLOEXEC);
	uint64_t at = r->samples_at, len = r->samples_len;
	char *text;
	ssize_t n;
	struct stat st;

	if (fd < 0)
		return err_sys(e, errno, "samples.jsonl"), NULL;
	if (fstat(fd, &st) || at + len < at || at + len > (uint64_t)st.st_size) {
		close(fd);
		return err_set(e, EINVAL, "samples.jsonl: too short for the samples of run %u", r->run), NULL;
	}
	text = mem_alloc(len + 1);
	n = pread(fd, text, len, (off_t)at);
	close(fd);
	if (n == (ssize_t)len)
		return text;
	err_set(e, EIO, "samples.jsonl: samples of run %u cannot be read", r->run);
	free(text);
	return NULL;
}

json_t *samples_line(int dir, const struct kept_run *r, struct iow_error *e)
{
	mem_auto char *text = line_text(dir, r, e);
	json_t *o;

	if (!text)
		return NULL;
	o = format_parse(text, r->samples_len, e);
	if (o && jsonx_int(o, "run", -1) != r->run) {
		err_set(e, EINVAL, "at byte %llu is not what run %u refers to", (unsigned long long)r->samples_at, r->run);
		json_decref(o);
		o = NULL;
	}
	if (!o)
		err_in(e, "samples.jsonl");
	return o;
}

static int open_bundle(const struct bundle *b, struct iow_error *e)
{
	int fd = open(b->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? err_sys(e, errno, "%s", b->dir) : fd;
}

json_t *bundle_samples(const struct bundle *b, const struct kept_run *r, struct iow_error *e)
{
	json_t *o;
	int fd;

	if (!r->samples_len || (fd = open_bundle(b, e)) < 0)
		return NULL;
	o = samples_line(fd, r, e);
	close(fd);
	if (!o)
		return NULL;
	json_object_del(o, "run");
	json_object_del(o, "more");
	if (samples_check(o, e) == 0)
		return json_object_size(o) ? o : (json_decref(o), NULL);
	err_in(e, "samples.jsonl, run %u", r->run);
	json_decref(o);
	return NULL;
}

/* ---- as plain arrays ----
 *
 * Nearly all of a line is arrays of whole numbers. They are read here without a tree, each replaced by a
 * mark ("#3"); what is left, a few hundred bytes, is parsed as JSON. A line with anything unusual goes the
 * long way, through bundle_samples(), which also tells what is wrong with it. */

struct part { size_t at, n; };
struct reader {
	int64_t *v;        /* all numbers; room for as many as the line can hold */
	size_t n, room;
	struct part *parts;
	size_t n_parts;
};

static const char *number_read(const char *p, int64_t *out)
{
	bool minus = *p == '-';
	const char *from = p += minus;
	int64_t x = 0;

	while (*p >= '0' && *p <= '9' && p - from < 18)
		x = x * 10 + (*p++ - '0');
	*out = minus ? -x : x;
	return p == from || (*from == '0' && p - from > 1) ? NULL : p;
}

/* From behind the bracket to behind the other one; NULL: it holds something else, or something other than
 * the end of a value follows. */
static const char *array_read(struct reader *x, const char *p)
{
	size_t n = x->n;

	for (; *p != ']'; p += *p == ',') {
		if (n == x->room || !(p = number_read(p, &x->v[n++])) || (*p != ',' && *p != ']') ||
		    (*p == ',' && p[1] == ']'))
			return NULL;
	}
	p++;
	if (*p != ',' && *p != '}' && *p != ']')
		return NULL;
	*VEC_ADD(x->parts, x->n_parts) = (struct part){ x->n, n - x->n };
	x->n = n;
	return p;
}

/* The line with marks in place of its arrays; false: it has to go the long way. */
static bool line_shorten(struct reader *x, const char *text, size_t len, struct buf *out)
{
	const char *p = text, *end = text + len, *from = text;

	if (memchr(text, '\\', len) || memchr(text, '#', len) || memchr(text, 0, len))
		return false;
	while (p < end) {
		const char *after = *p == '[' ? array_read(x, p + 1) : NULL;
		if (after) {
			buf_add(out, from, (size_t)(p - from));
			buf_printf(out, "\"#%zu\"", x->n_parts - 1);
			from = p = after;
		} else if (*p++ == '"') {
			p = memchr(p, '"', (size_t)(end - p));
			if (!p)
				return false;
			p++;
		}
	}
	buf_add(out, from, (size_t)(end - from));
	return true;
}

/* Integers that are not below `least`: of a mark, or as they are. */
static bool take(struct reader *x, const json_t *a, int64_t least, struct sample_numbers *out)
{
	const char *mark = json_string_value(a);
	struct part part = { x->n, json_array_size(a) };

	if (mark && *mark == '#') {
		part = x->parts[strtoul(mark + 1, NULL, 10)];
	} else {
		if (!json_is_array(a) || part.n > x->room - x->n)
			return false;
		for (size_t i = 0; i < part.n; i++) {
			const json_t *v = json_array_get(a, i);
			if (!json_is_integer(v))
				return false;
			x->v[x->n++] = json_integer_value(v);
		}
	}
	*out = (struct sample_numbers){ x->v + part.at, part.n };
	for (size_t i = 0; i < part.n; i++)
		if (out->v[i] < least)
			return false;
	return true;
}

static bool take_intervals(struct reader *x, const json_t *o, struct samples *s)
{
	static const char *const names[] = { "bytes", "ios", "errors", "min_ns", "max_ns" };
	struct sample_numbers *const to[] = { &s->bytes, &s->ios, &s->errors, &s->min_ns, &s->max_ns };

	if (json_object_size(o) != ARRAY_LEN(names) + 2 || !json_is_integer(json_object_get(o, "start_ns")))
		return false;
	s->start_ns = jsonx_int(o, "start_ns", 0);
	s->width_ns = jsonx_int(o, "width_ns", 0);
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (!take(x, json_object_get(o, names[i]), i < 3 ? 0 : -1, to[i]) || to[i]->n != s->bytes.n)
			return false;
	return s->width_ns > 0 && s->bytes.n <= SAMPLES_INTERVALS;
}

static bool take_histogram(struct reader *x, const char *name, const json_t *o, struct samples *s)
{
	struct sample_numbers *index, *count;
	int c = 0;

	while (c < LAT_CLASSES && strcmp(latency_class_name((enum latency_class)c), name) != 0)
		c++;
	if (c == LAT_CLASSES || json_object_size(o) != 2)
		return false;
	index = &s->hist[c].index;
	count = &s->hist[c].count;
	if (!take(x, json_object_get(o, "index"), 0, index) || !take(x, json_object_get(o, "count"), 1, count) ||
	    index->n != count->n)
		return false;
	for (size_t i = 1; i < index->n; i++)
		if (index->v[i] <= index->v[i - 1])
			return false;
	return true;
}

static bool take_slow(struct reader *x, const json_t *a)
{
	struct sample_numbers three;

	/* Without an I/O it is an array of nothing, which has a mark. */
	if (json_is_string(a))
		return take(x, a, 0, &three) && three.n == 0;
	if (!json_is_array(a))
		return false;
	for (size_t i = 0; i < json_array_size(a); i++)
		if (!take(x, json_array_get(a, i), 0, &three) || three.n != 3)
			return false;
	return true;
}

static bool take_member(struct reader *x, const char *name, const json_t *v, struct samples *s)
{
	const char *part;
	json_t *hist;

	if (strcmp(name, "intervals") == 0)
		return take_intervals(x, v, s);
	if (strcmp(name, "slow") == 0)
		return take_slow(x, v);
	if (strcmp(name, "reap") == 0)
		return json_is_object(v);
	if (strcmp(name, "hist") != 0 || !json_is_object(v))
		return false;
	json_object_foreach((json_t *)(uintptr_t)v, part, hist)
		if (!take_histogram(x, part, hist, s))
			return false;
	return true;
}

/* False: it is not what it should be, or has something that is seldom there. */
static bool take_all(struct reader *x, const json_t *o, struct samples *s)
{
	const char *name;
	json_t *v;

	json_object_foreach((json_t *)(uintptr_t)o, name, v)
		if (!take_member(x, name, v, s))
			return false;
	return true;
}

static bool read_fast(struct reader *x, const char *text, const struct kept_run *r, struct samples *s)
{
	struct buf rest = BUF_INIT;
	struct iow_error e = ERR_INIT;
	json_t *o = NULL;
	bool ok = line_shorten(x, text, r->samples_len, &rest) &&
		  (o = format_parse(buf_str(&rest), rest.len, &e)) && jsonx_int(o, "run", -1) == r->run &&
		  json_object_del(o, "run") == 0 && json_object_size(o) && take_all(x, o, s);

	json_decref(o);
	buf_release(&rest);
	return ok;
}

/* What is seldom there and has no numbers. */
static int read_slowly(struct reader *x, const struct bundle *b, const struct kept_run *r, struct samples *s,
		       struct iow_error *e)
{
	struct iow_error own = ERR_INIT;
	json_t *o = bundle_samples(b, r, &own);
	int rc = 1;

	x->n = x->n_parts = 0;
	memset(s, 0, sizeof *s);
	if (!o)
		return own.text[0] ? err_set(e, own.err, "%s", own.text) : 0;
	json_object_del(o, "wrong");
	if (!take_all(x, o, s))
		rc = err_set(e, EINVAL, "samples.jsonl: samples of run %u cannot be read", r->run);
	json_decref(o);
	return rc;
}

int bundle_numbers(const struct bundle *b, const struct kept_run *r, struct samples *s, struct iow_error *e)
{
	struct reader x = { .room = r->samples_len / 2 + 1 };
	char *text;
	int fd, rc = 1;

	memset(s, 0, sizeof *s);
	if (!r->samples_len)
		return 0;
	if ((fd = open_bundle(b, e)) < 0)
		return -1;
	text = line_text(fd, r, e);
	close(fd);
	if (!text)
		return -1;
	x.v = mem_array(x.room, sizeof *x.v);
	if (!read_fast(&x, text, r, s))
		rc = read_slowly(&x, b, r, s, e);
	free(text);
	free(x.parts);
	s->all = x.v;
	if (rc < 1)
		samples_release(s);
	return rc;
}

void samples_release(struct samples *s)
{
	free(s->all);
	memset(s, 0, sizeof *s);
}
