/* SPDX-License-Identifier: Apache-2.0 */
#include "base/pseudonym_in.h"
#include "base/vec.h"

#include <string.h>

/* What has a telling shape in a free text: addresses, ids, user@host, URLs, hosts with a domain. Learning
 * alone counts: what is found here is replaced as any other term. */

static void learn(struct pseudonyms *p, enum pseudo_kind kind, const char *s, size_t n)
{
	if (n)
		pseudo_term(p, kind, s, n);
}

static void learn_host(struct pseudonyms *p, const char *s, size_t n)
{
	const char *dot = memchr(s, '.', n);
	struct buf b = BUF_INIT;

	if (dot && !memchr(dot + 1, '.', n - (size_t)(dot + 1 - s)) && !pseudo_is_local(s, n)) /* "site.example", as behind an "@" */
		learn(p, PSEUDO_DOMAIN, s, n);
	else if (n)
		pseudo_put_host(p, s, n, &b);
	buf_release(&b);
}

static bool in_token(char c)
{
	return pseudo_is_alnum(c) || (c && strchr("._:@%+-", c));
}

static size_t trimmed(const char *s, size_t n)
{
	while (n && strchr(".:,-+@", s[n - 1]))
		n--;
	return n;
}

/* ---- ids ---- */

static size_t run_of_hex(const char *s)
{
	size_t n = 0;

	while (pseudo_is_hex(s[n]))
		n++;
	return n;
}

#define HEX_LEAST 16    /* digits without a prefix */
#define PREFIXED_LEAST 8 /* after 0x */

static bool mixed(const char *s, size_t n)
{
	bool digit = false, letter = false;

	for (size_t i = 0; i < n; i++) {
		digit |= pseudo_is_digit(s[i]);
		letter |= !pseudo_is_digit(s[i]);
	}
	return digit && letter;
}

/* Long runs of hexadecimal digits: WWNs, machine ids, parts of device-mapper ids. */
static void look_hex(struct pseudonyms *p, const char *s)
{
	for (size_t i = 0; s[i]; i++) {
		bool prefix = s[i] == '0' && s[i + 1] == 'x' && !(i && pseudo_is_alnum(s[i - 1]));
		size_t at = i + (prefix ? 2 : 0), n = run_of_hex(s + at);

		if (i && pseudo_is_alnum(s[i - 1]))
			continue;
		if (pseudo_is_alnum(s[at + n])) {
			i = at + n;
			continue;
		}
		if (prefix && n > PREFIXED_LEAST)
			learn(p, PSEUDO_ID, s + at, n);
		else if (!prefix && n >= HEX_LEAST && mixed(s + at, n))
			learn(p, PSEUDO_ID, s + at, n);
		else if (n >= 8 && pseudo_is_uuid(s + at, strnlen(s + at, 36)) && !pseudo_is_alnum(s[at + 36]))
			learn(p, PSEUDO_ID, s + at, n = 36);
		if (n)
			i = at + n - 1;
	}
}

/* What stands behind a prefix up to the end of the word. */
static void look_prefixed(struct pseudonyms *p, const char *s)
{
	static const char *const prefixes[] = {
		"naa.", "eui.", "wwn-", "nqn.", "iqn.", "uuid.", "nguid.", "t10.", "LVM-", "CRYPT-", "mpath-", "UUID=", "LABEL=", "PARTUUID=", "PARTLABEL=",
	};

	for (size_t i = 0; s[i]; i++) {
		if (i && pseudo_is_alnum(s[i - 1]))
			continue;
		for (size_t k = 0; k < ARRAY_LEN(prefixes); k++) {
			size_t n = strlen(prefixes[k]), end;

			if (strncmp(s + i, prefixes[k], n) != 0)
				continue;
			for (end = i + n; in_token(s[end]) || (unsigned char)s[end] >= 0x80; end++)
				;
			end = i + n + trimmed(s + i + n, end - i - n);
			if (end > i + n + 2)
				learn(p, PSEUDO_ID, s + i + n, end - i - n);
			i = end - 1;
			break;
		}
	}
}

/* ---- addresses and hosts ---- */

/* An address, perhaps with a port behind it. */
static bool look_address(struct pseudonyms *p, const char *s, size_t n)
{
	const char *colon = memchr(s, ':', n);
	size_t head = colon ? (size_t)(colon - s) : n;

	if (!pseudo_is_address(s, n)) {
		n = trimmed(s, n);
		if (!pseudo_is_address(s, n)) {
			if (!colon || !memchr(s, '.', head) || !pseudo_is_address(s, head))
				return false;
			n = head;
		}
	}
	if (!pseudo_is_local(s, n))
		learn(p, PSEUDO_ADDRESS, s, n);
	return true;
}

static void look_token(struct pseudonyms *p, const char *s, size_t n)
{
	const char *at = memchr(s, '@', n);

	if (look_address(p, s, n))
		return;
	n = trimmed(s, n);
	if (at && at > s && at + 1 < s + n && !pseudo_is_digit(at[1])) {
		size_t user = (size_t)(at - s), start = user;

		while (start && s[start - 1] != ':')
			start--;
		learn(p, PSEUDO_USER, s + start, user - start);
		s += user + 1;
		n -= user + 1;
		const char *colon = memchr(s, ':', n);
		learn_host(p, s, colon ? (size_t)(colon - s) : n);
		return;
	}
	/* parts between colons: host:port, a list of servers */
	for (size_t i = 0; i < n; i++) {
		size_t k = i;

		while (i < n && s[i] != ':')
			i++;
		if (look_address(p, s + k, i - k))
			continue;
		if (pseudo_is_fqdn(s + k, i - k))
			learn_host(p, s + k, i - k);
	}
}

static void look_tokens(struct pseudonyms *p, const char *s)
{
	for (size_t i = 0; s[i];) {
		size_t n = 0;

		while (in_token(s[i + n]))
			n++;
		if (n)
			look_token(p, s + i, n);
		i += n ? n : 1;
	}
}

/* The authority of a URL, and host:/path of network filesystems. */
static void look_urls(struct pseudonyms *p, const char *s)
{
	for (const char *c = strchr(s, ':'); c; c = strchr(c + 1, ':')) {
		if (c[1] != '/')
			continue;
		if (c[2] == '/') {
			const char *a = c + 3;
			size_t n = strcspn(a, "/?# \t\"'<>),;");
			const char *at = memchr(a, '@', n), *end;

			if (at) {
				learn(p, PSEUDO_USER, a, strcspn(a, ":@"));
				n -= (size_t)(at + 1 - a);
				a = at + 1;
			}
			end = *a == '[' ? memchr(a, ']', n) : memchr(a, ':', n);
			if (*a == '[' && end)
				learn_host(p, a + 1, (size_t)(end - a - 1));
			else
				learn_host(p, a, end ? (size_t)(end - a) : n);
		} else {
			const char *a = c;

			while (a > s && (pseudo_is_alnum(a[-1]) || strchr("-_.", a[-1])))
				a--;
			if (c - a >= 2 && (a == s || a[-1] != '/') && pseudo_is_alnum(*a) && !pseudo_is_digit(*a) &&
			    !pseudo_is_vocabulary(a, (size_t)(c - a)) && !pseudo_is_system(a, (size_t)(c - a)))
				learn_host(p, a, (size_t)(c - a));
		}
	}
}

void pseudo_look(struct pseudonyms *p, const char *s)
{
	look_prefixed(p, s);
	look_hex(p, s);
	look_urls(p, s);
	look_tokens(p, s);
}
