/* SPDX-License-Identifier: Apache-2.0 */
#include "run/wire.h"

#include "base/clock.h"
#include "base/err.h"
#include "base/jsonx.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define HEAD 4

const char *wire_type(const json_t *frame)
{
	return jsonx_str(frame, "type", "");
}

json_t *wire_frame(const char *type)
{
	json_t *o = json_object();

	jsonx_set_str(o, "type", type);
	return o;
}

/* ---- out ---- */

static int encode(struct buf *b, const json_t *frame, struct iow_error *e)
{
	size_t at = b->len, n;
	unsigned char head[HEAD] = { 0 };

	buf_add(b, head, HEAD);
	jsonx_write(b, frame, 0);
	n = b->len - at - HEAD;
	if (n > WIRE_MAX) {
		b->len = at;
		return err_set(e, EMSGSIZE, "a frame of %zu bytes is too long for the protocol", n);
	}
	for (int i = 0; i < HEAD; i++)
		b->data[at + (size_t)i] = (char)(n >> (24 - 8 * i));
	return 0;
}

/* A peer that went away must give EPIPE, not a signal; pipes have no such flag, so programs that use
 * them ignore SIGPIPE. */
static ssize_t put(int fd, const char *p, size_t n, int flags)
{
	ssize_t w = send(fd, p, n, MSG_NOSIGNAL | flags);

	return w < 0 && errno == ENOTSOCK ? write(fd, p, n) : w;
}

int wire_send(int fd, const json_t *frame, struct iow_error *e)
{
	struct buf b = BUF_INIT;
	size_t done = 0;
	int rc = encode(&b, frame, e);

	while (!rc && done < b.len) {
		ssize_t w = put(fd, b.data + done, b.len - done, 0);

		if (w >= 0)
			done += (size_t)w;
		else if (errno == EAGAIN)
			poll(&(struct pollfd){ .fd = fd, .events = POLLOUT }, 1, -1);
		else if (errno != EINTR)
			rc = err_sys(e, errno, "sending a frame");
	}
	buf_release(&b);
	return rc;
}

int wire_queue(struct wire *w, const json_t *frame, struct iow_error *e)
{
	if (w->out.len - w->sent > WIRE_OUT_MAX)
		return err_set(e, ENOBUFS, "the peer does not read what it is sent");
	return encode(&w->out, frame, e);
}

int wire_flush(struct wire *w, struct iow_error *e)
{
	while (wire_pending(w)) {
		ssize_t n = put(w->out_fd, w->out.data + w->sent, w->out.len - w->sent, MSG_DONTWAIT);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return 0;
		if (n < 0)
			return err_sys(e, errno, "sending a frame");
		w->sent += (size_t)n;
	}
	buf_clear(&w->out);
	w->sent = 0;
	return 0;
}

bool wire_pending(const struct wire *w)
{
	return w->sent < w->out.len;
}

/* ---- in ---- */

void wire_init(struct wire *w, int fd)
{
	memset(w, 0, sizeof *w);
	w->fd = w->out_fd = fd;
}

void wire_release(struct wire *w)
{
	if (!w)
		return;
	buf_release(&w->in);
	buf_release(&w->out);
	wire_init(w, -1);
}

static int fill(struct wire *w, struct iow_error *e)
{
	char chunk[65536];
	ssize_t n;

	do
		n = read(w->fd, chunk, sizeof chunk);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return errno == EAGAIN ? 0 : err_sys(e, errno, "reading a frame");
	if (n == 0)
		return err_set(e, 0, wire_pending(w) || w->in.len > w->taken
				     ? "the peer ended in the middle of a frame" : "the peer ended");
	buf_add(&w->in, chunk, (size_t)n);
	return 0;
}

/* Jansson needs some 24 to 100 bytes for a value of one byte, and recurses: the shape is looked at
 * before it is parsed. */
static int check_shape(const char *s, size_t n, struct iow_error *e)
{
	size_t values = 1, depth = 0;
	bool quoted = false;

	for (size_t i = 0; i < n; i++) {
		char c = s[i];

		if (quoted) {
			if (c == '\\')
				i++;
			else if (c == '"')
				quoted = false;
			continue;
		}
		quoted = c == '"';
		values += c == ',' || c == '[' || c == '{';
		if (c == '[' || c == '{')
			depth++;
		else if ((c == ']' || c == '}') && depth)
			depth--;
		if (values > WIRE_VALUES || depth > WIRE_DEPTH)
			return err_set(e, EPROTO, "a frame has too many values or levels");
	}
	return 0;
}

static int parse(const char *s, size_t n, json_t **out, struct iow_error *e)
{
	json_error_t je;
	json_t *o;

	if (check_shape(s, n, e))
		return -1;
	o = json_loadb(s, n, JSON_REJECT_DUPLICATES, &je);
	if (!o)
		return err_set(e, EPROTO, "a frame is not JSON: %s", je.text);
	if (!*wire_type(o)) {
		json_decref(o);
		return err_set(e, EPROTO, "a frame has no type");
	}
	*out = o;
	return 0;
}

/* What was taken is dropped only when it is the larger part, so that many small frames in one read
 * cost one move. */
static void compact(struct wire *w)
{
	if (w->taken < w->in.len && w->taken < w->in.len / 2)
		return;
	w->in.len -= w->taken;
	memmove(w->in.data, w->in.data + w->taken, w->in.len);
	w->taken = 0;
	if (!w->in.len && w->in.cap > 1 << 20)
		buf_release(&w->in);
}

/* A shell that greets, or another program: its first words say more than the number they make. */
static int too_long(const unsigned char *p, size_t have, size_t n, struct iow_error *e)
{
	char text[41];
	size_t i = 0;

	for (; i < have && i < sizeof text - 1 && p[i] >= ' ' && p[i] < 127; i++)
		text[i] = (char)p[i];
	text[i] = 0;
	if (i >= HEAD)
		return err_set(e, EPROTO, "text instead of a frame: \"%s\"", text);
	return err_set(e, EPROTO, "a frame of %zu bytes is announced; 16 MiB are allowed", n);
}

static int take(struct wire *w, json_t **out, struct iow_error *e)
{
	const unsigned char *p;
	size_t have = w->in.len - w->taken, n = 0;

	if (have < HEAD)
		return 0;
	p = (const unsigned char *)w->in.data + w->taken;
	for (int i = 0; i < HEAD; i++)
		n = n << 8 | p[i];
	if (n > WIRE_MAX)
		return too_long(p, have, n, e);
	if (have - HEAD < n)
		return 0;
	if (parse((const char *)p + HEAD, n, out, e))
		return -1;
	w->taken += HEAD + n;
	compact(w);
	return 1;
}

int wire_next(struct wire *w, bool more, json_t **out, struct iow_error *e)
{
	int rc;

	*out = NULL;
	rc = take(w, out, e); /* before a read that may find the end */
	if (rc || !more)
		return rc;
	if (fill(w, e))
		return -1;
	return take(w, out, e);
}

int wire_recv(struct wire *w, json_t **out, int64_t timeout_ns, struct iow_error *e)
{
	int64_t end = timeout_ns < 0 ? INT64_MAX : clock_mono_ns() + timeout_ns;
	int rc = wire_next(w, false, out, e);

	while (rc == 0) {
		int64_t left = end - clock_mono_ns();
		int ms = timeout_ns < 0 ? -1 : left > 1000000 * NS_PER_MS ? 1000000 : (int)(left / NS_PER_MS) + 1;

		if (timeout_ns >= 0 && left <= 0)
			return err_set(e, ETIMEDOUT, "no answer in time");
		if (poll(&(struct pollfd){ .fd = w->fd, .events = POLLIN }, 1, ms) > 0)
			rc = wire_next(w, true, out, e);
	}
	return rc < 0 ? -1 : 0;
}
