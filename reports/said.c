/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/said.h"
#include "base/mem.h"
#include "base/num.h"
#include "reports/say.h"

#include <stdlib.h>
#include <string.h>

#define MARKS 8
#define DEPTH 4 /* "not readable: PATH is not there", a cell's label with all its parts */

/* A mark of a shape and what stands for it in a text. */
struct mark {
	const char *name, *unit; /* in the shape; unit NULL: any text */
	size_t name_len;
	const char *at;          /* in the text */
	size_t len;
};

static bool digits_only(const struct mark *m)
{
	return m->len && strspn(m->at, "0123456789") >= m->len;
}

/* Reads the mark at `p`, which points at its '{'; returns what follows it. */
static const char *mark_read(struct mark *m, const char *p)
{
	size_t n = strcspn(p + 1, ":}");

	m->name = p + 1;
	m->name_len = n;
	m->unit = p[1 + n] == ':' ? p + n + 2 : NULL;
	return strchr(p, '}') + 1;
}

/* Words between two marks are looked for at their first place; the last ones must end the text. */
static bool shape_fits(const char *shape, const char *text, struct mark m[MARKS], size_t *n)
{
	const char *p = shape, *t = text;

	*n = 0;
	for (;;) {
		size_t words = strcspn(p, "{");
		const char *at = t, *open = *n ? m[*n - 1].at : NULL;

		if (!p[words]) { /* the end: the words stand at the end of the text */
			size_t left = strlen(t);

			if (left < words || (!*n && left != words))
				return false;
			at = t + left - words;
			if (memcmp(at, p, words) != 0)
				return false;
		} else if (!*n) {
			if (strncmp(t, p, words) != 0)
				return false;
		} else {
			while (strncmp(at, p, words) != 0)
				if (!*at++)
					return false;
		}
		if (open)
			m[*n - 1].len = (size_t)(at - open);
		if (*n && m[*n - 1].unit && !digits_only(&m[*n - 1]))
			return false;
		if (!p[words])
			return true;
		t = at + words;
		p = mark_read(&m[*n], p + words);
		m[*n].at = t;
		++*n;
	}
}

static char *say_mark(const struct mark *m, const char *text)
{
	uint64_t n = m->unit ? strtoull(text, NULL, 10) : 0;
	char number[40];

	if (!m->unit)
		return mem_strdup(text);
	if (strncmp(m->unit, "bytes}", 6) == 0)
		return say_size(n);
	if (n > INT64_MAX / 1000) /* a bundle may hold anything */
		return mem_strdup(text);
	num_time((int64_t)n * 1000, number);
	return mem_strdup(number);
}

static char *say_text(const struct wording *w, const char *text, bool labels, int depth);

/* The words of `key` with what the marks stand for; marks of labels are names as a rule, but may end in parts. */
static char *shape_fill(const struct wording *w, const char *key, const struct mark *m, size_t n, bool labels, int depth)
{
	char *name[MARKS] = { NULL }, *value[MARKS] = { NULL }, *s;

	for (size_t i = 0; i < n; i++) {
		mem_auto char *plain = mem_strndup(m[i].at, m[i].len), *shown = say_mark(&m[i], plain);

		name[i] = mem_strndup(m[i].name, m[i].name_len);
		value[i] = m[i].unit ? mem_strdup(shown) : say_text(w, shown, labels, depth + 1);
	}
	mem_auto char *full = mem_printf("said.%s", key);
	s = wording_fill(w, full, name[0], value[0], name[1], value[1], name[2], value[2], name[3], value[3], name[4],
			 value[4], name[5], value[5], name[6], value[6], name[7], value[7], NULL);
	for (size_t i = 0; i < n; i++) {
		free(name[i]);
		free(value[i]);
	}
	return s;
}

static char *say_text(const struct wording *w, const char *text, bool labels, int depth)
{
	struct mark m[MARKS];
	size_t n;

	for (const struct said_shape *s = said_shapes; s->key && depth < DEPTH; s++) {
		if (labels && strncmp(s->key, "label.", 6) != 0)
			continue;
		if (shape_fits(s->shape, text, m, &n))
			return shape_fill(w, s->key, m, n, labels, depth);
	}
	return mem_strdup(text);
}

char *said(const struct wording *w, const char *text)
{
	return say_text(w, text ? text : "", false, 0);
}

static void replace(char **label, const struct wording *w)
{
	char *old = *label;

	if (!old)
		return;
	*label = say_text(w, old, true, 0);
	free(old);
}

void said_labels(struct cells *c, const struct wording *w)
{
	for (size_t i = 0; i < c->n_cells; i++)
		replace(&c->cells[i].label, w);
	for (size_t i = 0; i < c->n_questions; i++)
		replace(&c->questions[i].label, w);
}
