/* SPDX-License-Identifier: Apache-2.0 */
#include "base/pseudonym.h"
#include "base/digest.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "base/pseudonym_in.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

static const char *const kind_names[PSEUDO_KINDS] = {
	"host", "domain", "user", "address", "serial", "id", "path", "name",
};

const char *pseudo_kind_name(enum pseudo_kind k)
{
	return kind_names[k];
}

struct pseudonyms *pseudonyms_new(const void *key, size_t n)
{
	struct pseudonyms *p = mem_alloc(sizeof *p);

	if (key) {
		p->key = mem_alloc(n + 1);
		memcpy(p->key, key, n);
		p->n_key = n;
	}
	return p;
}

void pseudonyms_free(struct pseudonyms *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->n_terms; i++) {
		free(p->terms[i].from);
		free(p->terms[i].to);
	}
	for (size_t i = 0; i < ARRAY_LEN(p->by_byte); i++)
		free(p->by_byte[i]);
	for (size_t i = 0; i < p->n_spared; i++)
		free(p->spared[i]);
	free(p->spared);
	free(p->terms);
	free(p->taken);
	free(p->key);
	free(p);
}

/* Names of hosts, domains, addresses and ids are the same in any case. */
static bool folds(enum pseudo_kind k)
{
	return k == PSEUDO_HOST || k == PSEUDO_DOMAIN || k == PSEUDO_ADDRESS || k == PSEUDO_ID;
}

/* ---- pseudonyms ---- */

void pseudonyms_avoid(struct pseudonyms *p, const char *text)
{
	for (const char *dash = strchr(text, '-'); dash; dash = strchr(dash + 1, '-')) {
		if (!pseudo_is_digit(dash[1]))
			continue;
		for (int k = 0; k < PSEUDO_KINDS; k++) {
			size_t n = strlen(kind_names[k]);

			if ((size_t)(dash - text) >= n && pseudo_equal(dash - n, kind_names[k], n, true)) {
				struct pseudo_number *t = VEC_ADD(p->taken, p->n_taken);

				t->kind = (enum pseudo_kind)k;
				t->number = strtoul(dash + 1, NULL, 10);
			}
		}
	}
}

static bool taken(const struct pseudonyms *p, enum pseudo_kind kind, unsigned long number)
{
	for (size_t i = 0; i < p->n_taken; i++)
		if (p->taken[i].kind == kind && p->taken[i].number == number)
			return true;
	return false;
}

static bool given(const struct pseudonyms *p, const char *to)
{
	for (size_t i = 0; i < p->n_terms; i++)
		if (strcmp(p->terms[i].to, to) == 0)
			return true;
	return false;
}

#define KEYED_DIGITS 10 /* 40 bits: a bundle has some hundred originals at most */

static char *keyed(const struct pseudonyms *p, enum pseudo_kind kind, const char *s, size_t n)
{
	struct buf b = BUF_INIT;
	unsigned char md[32];
	char hex[DIGEST_HEX], *to = NULL;

	buf_printf(&b, "%s", kind_names[kind]);
	buf_add(&b, "", 1);
	for (size_t i = 0; i < n; i++)
		buf_putc(&b, folds(kind) ? pseudo_lower(s[i]) : s[i]);
	digest_hmac(p->key, p->n_key, b.data, b.len, md);
	digest_hex(md, hex);
	buf_release(&b);
	for (int digits = KEYED_DIGITS; digits <= 64 && !to; digits += 6) {
		to = mem_printf("%s-%.*s", kind_names[kind], digits, hex);
		if (given(p, to)) {
			free(to);
			to = NULL;
		}
	}
	return to;
}

static char *numbered(struct pseudonyms *p, enum pseudo_kind kind)
{
	do
		p->next[kind]++;
	while (taken(p, kind, p->next[kind]));
	return mem_printf("%s-%lu", kind_names[kind], p->next[kind]);
}

/* ---- the table ---- */

static void index_add(struct pseudonyms *p, size_t term)
{
	unsigned char byte = (unsigned char)pseudo_lower(p->terms[term].from[0]);
	size_t *n = &p->n_by_byte[byte], i;

	*VEC_ADD(p->by_byte[byte], *n) = term;
	for (i = *n - 1; i > 0 && p->terms[p->by_byte[byte][i - 1]].len < p->terms[term].len; i--)
		p->by_byte[byte][i] = p->by_byte[byte][i - 1];
	p->by_byte[byte][i] = term;
}

static bool spared(const struct pseudonyms *p, const char *s, size_t n)
{
	for (size_t i = 0; i < p->n_spared; i++)
		if (strlen(p->spared[i]) == n && pseudo_equal(p->spared[i], s, n, true))
			return true;
	return false;
}

static struct pseudo_term *add(struct pseudonyms *p, enum pseudo_kind kind, const char *s, size_t n, char *to_take)
{
	struct pseudo_term *t = VEC_ADD(p->terms, p->n_terms);

	t->from = mem_strndup(s, n);
	t->to = to_take;
	t->len = n;
	t->kind = kind;
	t->class = spared(p, s, n) ? CLASS_WEAK : pseudo_class_of(s, n);
	index_add(p, p->n_terms - 1);
	return &p->terms[p->n_terms - 1];
}

const struct pseudo_term *pseudo_term_known(const struct pseudonyms *p, const char *s, size_t n)
{
	unsigned char byte = n ? (unsigned char)pseudo_lower(s[0]) : 0;
	const struct pseudo_term *folded = NULL;

	for (size_t i = 0; i < p->n_by_byte[byte]; i++) {
		const struct pseudo_term *t = &p->terms[p->by_byte[byte][i]];

		if (t->len != n)
			continue;
		if (memcmp(t->from, s, n) == 0)
			return t;
		if (folds(t->kind) && pseudo_equal(t->from, s, n, true))
			folded = t;
	}
	return folded;
}

const struct pseudo_term *pseudo_term(struct pseudonyms *p, enum pseudo_kind kind, const char *s, size_t n)
{
	const struct pseudo_term *t = pseudo_term_known(p, s, n);
	size_t suffix = kind == PSEUDO_PATH ? pseudo_suffix(s, n) : 0;
	char *to;

	if (t || !n || !p->learning)
		return t;
	to = p->key ? keyed(p, kind, s, n) : numbered(p, kind);
	if (suffix) {
		char *stem = to;

		to = mem_printf("%s%.*s", stem, (int)suffix, s + n - suffix);
		free(stem);
	}
	return add(p, kind, s, n, to);
}

void pseudo_add_whole(struct pseudonyms *p, enum pseudo_kind kind, const char *s, size_t n, const char *to)
{
	if (!n || !p->learning || pseudo_term_known(p, s, n))
		return;
	add(p, kind, s, n, mem_strdup(to))->whole = true;
}

/* May a term end or begin here? `out` is the character beside it, `in` its own. */
static bool edge(enum pseudo_class c, char out, char in)
{
	if (c == CLASS_STRONG)
		return !(pseudo_is_digit(out) && pseudo_is_digit(in));
	return !(pseudo_is_alnum(out) && pseudo_is_alnum(in));
}

static bool component_ends(const char *s)
{
	if (*s == '.' && !pseudo_is_alnum(s[1]))
		return true;
	return !*s || strchr("/\\ \t\n\"'`,;:()[]<>|", *s) || (unsigned char)*s == 0xe2;
}

static bool stands(const struct pseudo_term *t, const char *s, size_t i, bool path)
{
	if (path)
		return component_ends(s + i + t->len);
	return t->class != CLASS_WEAK && edge(t->class, i ? s[i - 1] : 0, t->from[0]) &&
	       edge(t->class, s[i + t->len], t->from[t->len - 1]);
}

const struct pseudo_term *pseudo_at(const struct pseudonyms *p, const char *s, size_t i, bool path)
{
	unsigned char byte = (unsigned char)pseudo_lower(s[i]);
	const struct pseudo_term *best = NULL;

	for (size_t k = 0; k < p->n_by_byte[byte]; k++) {
		const struct pseudo_term *t = &p->terms[p->by_byte[byte][k]];

		if (best && t->len < best->len)
			break;
		if (strncmp(t->from, s + i, t->len) == 0) {
			if (stands(t, s, i, path))
				return t;
		} else if (!best && (!path || folds(t->kind)) && pseudo_equal(t->from, s + i, t->len, true) &&
			   stands(t, s, i, path)) {
			best = t;
		}
	}
	return best;
}

#define CUT_LEAST 4 /* bytes that are left of a name */

const struct pseudo_term *pseudo_cut(const struct pseudonyms *p, const char *s, size_t i, size_t *n)
{
	unsigned char byte = (unsigned char)pseudo_lower(s[i]);
	size_t tail = strlen(s + i);

	if (i && pseudo_is_alnum(s[i - 1]))
		return NULL;
	if (tail > 5 && strcmp(s + i + tail - 5, "[…]") == 0)
		tail -= 5;
	else if (tail > 3 && strcmp(s + i + tail - 3, "…") == 0)
		tail -= 3;
	if (tail < CUT_LEAST)
		return NULL;
	*n = tail;
	for (size_t k = 0; k < p->n_by_byte[byte]; k++) {
		const struct pseudo_term *t = &p->terms[p->by_byte[byte][k]];

		if (t->len <= tail || t->class == CLASS_WEAK)
			continue;
		if (2 * tail >= t->len && pseudo_equal(t->from, s + i, tail, true))
			return t;
	}
	return NULL;
}

void pseudo_put(struct pseudonyms *p, enum pseudo_kind kind, const char *s, size_t n, struct buf *out)
{
	const struct pseudo_term *t = pseudo_term(p, kind, s, n);

	if (t)
		buf_puts(out, t->to);
	else
		buf_add(out, s, n);
}

/* As the name of a bundle that was made from a title has it. */
static void add_slug(struct pseudonyms *p, const char *s, size_t n, const char *to)
{
	mem_auto char *slug = mem_strndup(s, n);

	for (size_t i = 0; i < n; i++)
		slug[i] = pseudo_is_alnum(s[i]) ? pseudo_lower(s[i]) : '-';
	if (memchr(s, '.', n))
		pseudo_add_whole(p, PSEUDO_HOST, slug, n, to);
}

/* "web.site.example" is host and domain, so that "web" alone is the same host and two hosts of one
 * domain are seen to be that. */
void pseudo_put_host(struct pseudonyms *p, const char *s, size_t n, struct buf *out)
{
	const char *dot = memchr(s, '.', n);
	struct buf b = BUF_INIT;

	if (pseudo_term_known(p, s, n)) {
		buf_puts(out, pseudo_term_known(p, s, n)->to);
	} else if (pseudo_is_local(s, n)) {
		buf_add(out, s, n);
	} else if (pseudo_is_address(s, n)) {
		pseudo_put(p, PSEUDO_ADDRESS, s, n, out);
	} else if (!dot || dot == s || dot + 1 == s + n) {
		pseudo_put(p, PSEUDO_HOST, s, n, out);
	} else {
		pseudo_put(p, PSEUDO_HOST, s, (size_t)(dot - s), &b);
		buf_putc(&b, '.');
		pseudo_put(p, PSEUDO_DOMAIN, dot + 1, n - (size_t)(dot + 1 - s), &b);
		pseudo_add_whole(p, PSEUDO_HOST, s, n, buf_str(&b));
		add_slug(p, s, n, buf_str(&b));
		add_slug(p, dot + 1, n - (size_t)(dot + 1 - s), strrchr(buf_str(&b), '.') + 1);
		buf_puts(out, buf_str(&b));
		buf_release(&b);
	}
}

/* ---- what callers see ---- */

void pseudonyms_learn(struct pseudonyms *p, enum pseudo_form form, const char *text)
{
	struct buf b = BUF_INIT;

	p->learning = true;
	pseudo_put_form(p, form, text, &b);
	p->learning = false;
	buf_release(&b);
}

/* As RFC 6901 writes it. */
static char *escaped(const char *s)
{
	struct buf b = BUF_INIT;

	jsonx_pointer_add(&b, s);
	memmove(b.data, b.data + 1, b.len);
	return buf_take(&b);
}

void pseudonyms_learn_whole(struct pseudonyms *p, const char *name)
{
	struct buf b = BUF_INIT;

	if (!strpbrk(name, "/\\"))
		return;
	p->learning = true;
	pseudo_put_form(p, PSEUDO_AS_TEXT, name, &b);
	if (strcmp(name, buf_str(&b)) != 0) {
		mem_auto char *from = escaped(name), *to = escaped(buf_str(&b));

		pseudo_add_whole(p, PSEUDO_PATH, name, strlen(name), buf_str(&b));
		pseudo_add_whole(p, PSEUDO_PATH, from, strlen(from), to);
	}
	p->learning = false;
	buf_release(&b);
}

void pseudonyms_spare(struct pseudonyms *p, const char *word)
{
	*VEC_ADD(p->spared, p->n_spared) = mem_strdup(word);
}

char *pseudonyms_replace(struct pseudonyms *p, enum pseudo_form form, const char *text)
{
	struct buf b = BUF_INIT;

	pseudo_put_form(p, form, text, &b);
	return b.data ? buf_take(&b) : mem_strdup("");
}

size_t pseudonyms_count(const struct pseudonyms *p, enum pseudo_kind k)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n_terms; i++)
		n += p->terms[i].kind == k && !p->terms[i].whole;
	return n;
}

/* Lower-case letters or digits alone. */
static bool is_plain(const struct pseudo_term *t)
{
	bool digits = true, letters = true;

	for (size_t i = 0; i < t->len; i++) {
		digits &= pseudo_is_digit(t->from[i]);
		letters &= t->from[i] >= 'a' && t->from[i] <= 'z';
	}
	return digits || letters;
}

const char *pseudonyms_left(const struct pseudonyms *p, const char *text, bool plain)
{
	for (size_t i = 0; text[i]; i++) {
		const struct pseudo_term *t = pseudo_at(p, text, i, false);

		if (t && (plain || !is_plain(t)))
			return t->from;
	}
	return NULL;
}

void pseudonyms_list(const struct pseudonyms *p, bool weak, struct buf *out)
{
	for (size_t i = 0; i < p->n_terms; i++)
		if (!weak || (p->terms[i].class == CLASS_WEAK && p->terms[i].kind != PSEUDO_PATH && p->terms[i].kind != PSEUDO_DOMAIN))
			buf_printf(out, "%s\t%s\n", p->terms[i].from, p->terms[i].to);
}
