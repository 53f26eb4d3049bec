/* SPDX-License-Identifier: Apache-2.0 */
#include "base/pseudonym_in.h"
#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

/* ---- paths ---- */

/* Is the word at s, after a space, still of the name before it: "my file.dat", "my folder/file"? */
static bool goes_on(const char *s)
{
	size_t n = strcspn(s, "/\\ \t\n\"'`,;:()[]<>|\xe2");

	if (!n)
		return false;
	if (s[n] == '/' || s[n] == '\\')
		return pseudo_is_alnum(s[0]) && pseudo_is_alnum(s[n + 1]) && !pseudo_is_vocabulary(s, n);
	while (n && s[n - 1] == '.')
		n--;
	return pseudo_suffix(s, n) > 0;
}

/* Where a component of an unknown path ends in a free text: at what a sentence puts behind it. Quotes of
 * printed text start with the byte 0xe2. */
static size_t component_length(const char *s)
{
	size_t n = strcspn(s, "/\\ \t\n\"'`,;:()[]<>|\xe2");

	if (s[n] == '/' || s[n] == '\\')
		return n;
	if (s[n] == ' ' && n && !pseudo_suffix(s, n) && goes_on(s + n + 1))
		return n + 1 + component_length(s + n + 1);
	while (n && s[n - 1] == '.')
		n--;
	return n;
}

/* "${name}" stays, what stands beside it is a name. */
void pseudo_put_params(struct pseudonyms *p, enum pseudo_kind kind, const char *s, size_t n, struct buf *out)
{
	size_t suffix = pseudo_suffix(s, n);

	n -= suffix;
	for (size_t i = 0; i < n;) {
		const char *end = s[i] == '$' && i + 1 < n && s[i + 1] == '{' ? memchr(s + i, '}', n - i) : NULL;
		size_t k = i;

		if (end) {
			buf_add(out, s + i, (size_t)(end + 1 - s) - i);
			i = (size_t)(end + 1 - s);
			continue;
		}
		while (i < n && strchr("-_.", s[i]))
			buf_putc(out, s[i++]);
		if (i > k)
			continue;
		for (k = i; k < n && !(s[k] == '$' && k + 1 < n && s[k + 1] == '{'); k++)
			;
		while (k > i && strchr("-_.", s[k - 1]))
			k--;
		if (k > i)
			pseudo_put(p, kind, s + i, k - i, out);
		else if (s[i] == '$' && k == i && i < n)
			buf_putc(out, s[k++]); /* a "${" that is not closed */
		i = k;
	}
	buf_add(out, s + n, suffix);
}

/* What a component is by the one before it. */
static enum pseudo_kind kind_after(const char *before, size_t n)
{
	if (n == 4 && memcmp(before, "home", 4) == 0)
		return PSEUDO_USER;
	if (n == 5 && pseudo_equal(before, "Users", 5, true))
		return PSEUDO_USER;
	return n > 3 && memcmp(before, "by-", 3) == 0 ? PSEUDO_ID : PSEUDO_PATH;
}

static void put_component(struct pseudonyms *p, enum pseudo_kind kind, const char *s, size_t n, struct buf *out)
{
	bool dots = (n == 1 && s[0] == '.') || (n == 2 && s[0] == '.' && s[1] == '.') || (n == 1 && s[0] == '~');

	if (dots || pseudo_is_system(s, n))
		buf_add(out, s, n);
	else if (n > 2 && memmem(s, n, "${", 2))
		pseudo_put_params(p, kind, s, n, out);
	else
		pseudo_put(p, kind, s, n, out);
}

/* Components from s[i] on, with the separators between them; returns where the path ends. */
static size_t put_components(struct pseudonyms *p, const char *s, size_t i, struct buf *out)
{
	const char *before = "";
	size_t n_before = 0;

	for (;;) {
		const struct pseudo_term *t;
		size_t n;

		while (s[i] == '/' || s[i] == '\\')
			buf_putc(out, s[i++]);
		t = s[i] ? pseudo_at(p, s, i, true) : NULL;
		n = t ? t->len : component_length(s + i);
		if (n)
			put_component(p, kind_after(before, n_before), s + i, n, out);
		before = s + i;
		n_before = n;
		i += n;
		if (s[i] != '/' && s[i] != '\\')
			return i;
	}
}

void pseudo_put_path(struct pseudonyms *p, const char *s, size_t n, struct buf *out)
{
	const char *before = "";
	size_t n_before = 0, i = 0;
	bool windows = n > 1 && (s[1] == ':' || memchr(s, '\\', n)) && !memchr(s, '/', n);

	if (windows && s[1] == ':') {
		buf_add(out, s, 2);
		i = 2;
	}
	while (i < n) {
		size_t k = i;

		if (s[i] == '/' || (windows && s[i] == '\\')) {
			buf_putc(out, s[i++]);
			continue;
		}
		while (k < n && s[k] != '/' && !(windows && s[k] == '\\'))
			k++;
		put_component(p, kind_after(before, n_before), s + i, k - i, out);
		before = s + i;
		n_before = k - i;
		i = k;
	}
}

static bool separates(char c)
{
	return c == '/' || c == '\\';
}

static bool ends_component(char c)
{
	return !c || strchr("/\\ \t\n\"'`,;:()[]<>|=*?!&", c);
}

/* Of a place in the plan ("/tests/0/blocks", as an error names it): all of it are words of the plan and
 * numbers. */
static bool is_pointer(const char *s)
{
	static const char *const roots[] = { "targets", "nodes", "tests", "workloads", "questions", "claims", "params", "report" };
	size_t n = component_length(s + 1);
	bool root = false;

	for (size_t i = 0; i < ARRAY_LEN(roots); i++)
		root |= n == strlen(roots[i]) && memcmp(s + 1, roots[i], n) == 0;
	if (!root || s[1 + n] != '/')
		return false;
	for (s += 1 + n; *s == '/'; s += 1 + n) {
		n = component_length(s + 1);
		if (!n || !(pseudo_is_vocabulary(s + 1, n) || strspn(s + 1, "0123456789") >= n))
			return false;
	}
	return true;
}

/* Does a path start at s[i]? "MB/s", "read/write" and tags have something before the slash. */
static bool path_starts(const char *s, size_t i)
{
	char prev = i ? s[i - 1] : 0, before = i > 1 ? s[i - 2] : 0;

	if (s[i] == '/') {
		bool option = pseudo_is_alnum(prev) && before == '-' && (i == 2 || s[i - 3] == ' '); /* -I/a/b */

		if ((pseudo_is_alnum(prev) && !option) || (prev && strchr("_-)*%/<+", prev)))
			return false;
		if (prev == '.' && (pseudo_is_alnum(before) || (unsigned char)before >= 0x80))
			return false;
		if (s[i + 1] == '/')
			return prev != ':' && !ends_component(s[i + 2]);
		return !ends_component(s[i + 1]) && !is_pointer(s + i);
	}
	if (s[i] == '\\')
		return s[i + 1] == '\\' && !ends_component(s[i + 2]) && !separates(prev) && !pseudo_is_alnum(prev);
	return pseudo_is_alnum(s[i]) && !pseudo_is_digit(s[i]) && s[i + 1] == ':' && s[i + 2] == '\\' && !pseudo_is_alnum(prev);
}

/* ---- free text ---- */

/* From "://" on: host and path of a URL. */
static size_t put_url(struct pseudonyms *p, const char *s, size_t i, struct buf *out)
{
	size_t n;
	char *authority;

	buf_add(out, s + i, 3);
	i += 3;
	n = strcspn(s + i, "/?# \t\"'<>),;");
	authority = mem_strndup(s + i, n);
	pseudo_put_form(p, PSEUDO_AS_HOST, authority, out);
	free(authority);
	i += n;
	if (s[i] == '?' || s[i] == '#') { /* what is asked for can be a password */
		n = strcspn(s + i, " \t\"'<>),;");
		buf_putc(out, s[i]);
		pseudo_put(p, PSEUDO_NAME, s + i + 1, n - 1, out);
		return i + n;
	}
	return s[i] == '/' ? put_components(p, s, i, out) : i;
}

#define TEXT_CUT 32   /* a shorter text was not cut */
#define NAME_MOST 256

void pseudo_put_text(struct pseudonyms *p, const char *s, bool paths, struct buf *out)
{
	size_t i = 0, n = 0, end = strlen(s);

	while (s[i]) {
		const struct pseudo_term *t = pseudo_at(p, s, i, false);

		if (t) {
			buf_puts(out, t->to);
			i += t->len;
		} else if (p->cuts && end > TEXT_CUT && end - i < NAME_MOST && (t = pseudo_cut(p, s, i, &n))) {
			buf_puts(out, t->to);
			i += n;
		} else if (paths && strncmp(s + i, "://", 3) == 0 && i && pseudo_is_alnum(s[i - 1])) {
			i = put_url(p, s, i, out);
		} else if (paths && path_starts(s, i)) {
			while (!separates(s[i]))
				buf_putc(out, s[i++]); /* the letter of a drive */
			i = put_components(p, s, i, out);
		} else {
			buf_putc(out, s[i++]);
		}
	}
}
