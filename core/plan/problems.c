/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/problems.h"
#include "base/err.h"
#include "base/vec.h"

#include <ctype.h>
#include <errno.h>

#define NAME_MAX_LEN 64

void problems_init(struct problems *p)
{
	memset(p, 0, sizeof *p);
}

void problems_release(struct problems *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->n; i++) {
		free(p->list[i].path);
		free(p->list[i].text);
	}
	free(p->list);
	problems_init(p);
}

static void add(struct problems *p, const char *at, const char *key, bool on_key, const char *fmt,
		va_list ap)
{
	struct problem *one = VEC_ADD(p->list, p->n);
	struct buf path = BUF_INIT, text = BUF_INIT;

	buf_puts(&path, at);
	if (key)
		jsonx_pointer_add(&path, key);
	buf_vprintf(&text, fmt, ap);
	one->path = path.data ? buf_take(&path) : mem_strdup("");
	one->key = on_key;
	one->text = buf_take(&text);
}

void problem_add(struct problems *p, const char *at, const char *key, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add(p, at, key, false, fmt, ap);
	va_end(ap);
}

void problem_add_key(struct problems *p, const char *at, const char *key, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add(p, at, key, true, fmt, ap);
	va_end(ap);
}

void problem_add_at(struct problems *p, const char *path, int line, int column, const char *text)
{
	struct problem *one = VEC_ADD(p->list, p->n);

	one->path = mem_strdup(path);
	one->text = mem_strdup(text);
	one->line = line;
	one->column = column;
}

struct place {
	const struct problem *problem;
	size_t index;
	int line, column;
};

static int place_compare(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->column != y->column)
		return x->column < y->column ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

static bool said_before(const struct place *places, size_t n)
{
	const struct problem *p = places[n].problem;

	for (size_t i = 0; i < n; i++)
		if (strcmp(places[i].problem->path, p->path) == 0 &&
		    strcmp(places[i].problem->text, p->text) == 0)
			return true;
	return false;
}

void problems_print(const struct problems *p, const struct jsonx_doc *d, struct buf *out)
{
	struct place *places = mem_array(p->n ? p->n : 1, sizeof *places);

	for (size_t i = 0; i < p->n; i++) {
		struct place *at = &places[i];

		at->problem = &p->list[i];
		at->index = i;
		at->line = at->problem->line;
		at->column = at->problem->column;
		if (!at->line)
			jsonx_where(d, at->problem->path, at->problem->key, &at->line, &at->column);
	}
	qsort(places, p->n, sizeof *places, place_compare);
	for (size_t i = 0; i < p->n; i++) {
		const struct place *at = &places[i];

		if (said_before(places, i))
			continue;
		if (at->line < 0)
			buf_printf(out, "%s\n", at->problem->text);
		else
			buf_printf(out, "%s:%d:%d: %s: %s\n", d->name, at->line, at->column,
				   *at->problem->path ? at->problem->path : "/", at->problem->text);
	}
	free(places);
}

int problems_error(const struct problems *p, struct iow_error *e)
{
	if (!p->n)
		return 0;
	return err_set(e, EINVAL, "%s%s%s", p->list[0].path, *p->list[0].path ? ": " : "",
		       p->list[0].text);
}

/* Optimal string alignment: insertion, deletion, substitution and a swap of neighbours cost 1. */
static size_t distance(const char *a, size_t na, const char *b, size_t nb)
{
	size_t rows[3][NAME_MAX_LEN + 1];
	size_t *prev2 = rows[0], *prev = rows[1], *row = rows[2];

	for (size_t j = 0; j <= nb; j++)
		prev[j] = j;
	memset(prev2, 0, sizeof rows[0]);
	for (size_t i = 1; i <= na; i++) {
		size_t *oldest = prev2;

		row[0] = i;
		for (size_t j = 1; j <= nb; j++) {
			bool same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
			size_t best = prev[j - 1] + !same;

			best = prev[j] + 1 < best ? prev[j] + 1 : best;
			best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    prev2[j - 2] + 1 < best)
				best = prev2[j - 2] + 1;
			row[j] = best;
		}
		prev2 = prev;
		prev = row;
		row = oldest;
	}
	return prev[nb];
}

const char *name_nearest(const char *name, const char *const *names)
{
	size_t n = strlen(name), best = SIZE_MAX;
	const char *found = NULL;

	for (; n <= NAME_MAX_LEN && *names; names++) {
		size_t k = strlen(*names), limit = (n > k ? n : k) / 3, d;

		if (k > NAME_MAX_LEN)
			continue;
		d = distance(name, n, *names, k);
		if (d <= limit && d < best) {
			best = d;
			found = *names;
		}
	}
	return found;
}

void name_hint(struct buf *b, const char *name, const char *const *names)
{
	const char *near = name_nearest(name, names);

	if (near) {
		buf_printf(b, "; did you mean \"%s\"?", near);
		return;
	}
	buf_puts(b, *names ? "; allowed: " : "; none is allowed here");
	for (const char *const *n = names; *n; n++)
		buf_printf(b, "%s%s", n == names ? "" : ", ", *n);
}
