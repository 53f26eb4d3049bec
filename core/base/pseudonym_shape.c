/* SPDX-License-Identifier: Apache-2.0 */
#include "base/pseudonym_in.h"
#include "base/vec.h"

#include <arpa/inet.h>
#include <string.h>

bool pseudo_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool pseudo_is_alnum(char c)
{
	return pseudo_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool pseudo_is_hex(char c)
{
	return pseudo_is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

char pseudo_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool pseudo_equal(const char *a, const char *b, size_t n, bool fold)
{
	for (size_t i = 0; i < n; i++)
		if (a[i] != b[i] && (!fold || pseudo_lower(a[i]) != pseudo_lower(b[i])))
			return false;
	return true;
}

/* "64KiB", "5s", "0.99", "1-3,5", "4.2", "0x10": at most three letters, at the end. */
bool pseudo_is_number(const char *s, size_t n)
{
	size_t i = 0, letters = 0;

	if (n > 2 && s[0] == '0' && s[1] == 'x') {
		for (i = 2; i < n && pseudo_is_hex(s[i]); i++)
			;
		return i == n && n <= 10;
	}
	while (i < n && (pseudo_is_digit(s[i]) || strchr(".,:-+_%", s[i])))
		i++;
	while (i + letters < n && pseudo_is_alnum(s[i + letters]) && !pseudo_is_digit(s[i + letters]))
		letters++;
	return i > 0 && i + letters == n && letters <= 3;
}

static bool is_mac(const char *s, size_t n)
{
	if (n != 17)
		return false;
	for (size_t i = 0; i < n; i++)
		if (i % 3 == 2 ? s[i] != s[2] || (s[i] != ':' && s[i] != '-') : !pseudo_is_hex(s[i]))
			return false;
	return true;
}

bool pseudo_is_address(const char *s, size_t n)
{
	const char *zone = memchr(s, '%', n);
	size_t len = zone ? (size_t)(zone - s) : n;
	unsigned char at[16];
	char text[64];

	if (is_mac(s, n))
		return true;
	if (len < 3 || len >= sizeof text)
		return false;
	memcpy(text, s, len);
	text[len] = 0;
	return (!zone && inet_pton(AF_INET, text, at) == 1) || inet_pton(AF_INET6, text, at) == 1;
}

bool pseudo_is_local(const char *s, size_t n)
{
	static const char *const locals[] = { "local", "localhost", "localhost.localdomain", "127.0.0.1", "0.0.0.0", "::1", "::", "*" };

	for (size_t i = 0; i < ARRAY_LEN(locals); i++)
		if (n == strlen(locals[i]) && memcmp(s, locals[i], n) == 0)
			return true;
	return false;
}

/* RFC 9562: 8-4-4-4-12 hexadecimal digits. */
bool pseudo_is_uuid(const char *s, size_t n)
{
	if (n != 36)
		return false;
	for (size_t i = 0; i < n; i++)
		if (i == 8 || i == 13 || i == 18 || i == 23 ? s[i] != '-' : !pseudo_is_hex(s[i]))
			return false;
	return true;
}

static bool one_of(const char *const *list, size_t n_list, const char *s, size_t n)
{
	for (size_t i = 0; i < n_list; i++)
		if (strlen(list[i]) == n && pseudo_equal(list[i], s, n, true))
			return true;
	return false;
}

/* Labels of letters, digits and "-" with dots between, and at the end a top level that hosts have. Endings
 * that files have too ("posix.so") count from the third label on. */
bool pseudo_is_fqdn(const char *s, size_t n)
{
	static const char *const tops[] = {
		"com", "net", "org", "edu", "gov", "mil", "int", "info", "biz", "cloud", "local", "lan", "internal", "corp", "home",
		"intra", "intranet", "private", "localdomain", "site", "example", "test", "invalid", "arpa", "company", "group",
		"online", "tech", "systems", "network", "host", "dev", "app", "bank", "berlin", "wien", "bayern",
	};
	static const char *const files[] = { "so", "py", "sh", "md", "rs", "pl", "cc", "gz", "ps", "ai", "id", "is", "in", "no", "io", "in" };
	size_t labels = 1, start = 0;

	for (size_t i = 0; i < n; i++) {
		if (s[i] == '.') {
			if (i == start)
				return false;
			labels++;
			start = i + 1;
		} else if (!pseudo_is_alnum(s[i]) && s[i] != '-' && s[i] != '_') {
			return false;
		}
	}
	n -= start;
	s += start;
	if (labels < 2 || n < 2)
		return false;
	if (one_of(tops, ARRAY_LEN(tops), s, n))
		return true;
	if (n != 2 || pseudo_is_digit(s[0]) || pseudo_is_digit(s[1]))
		return false;
	return labels > 2 || !one_of(files, ARRAY_LEN(files), s, n);
}

size_t pseudo_suffix(const char *s, size_t n)
{
	static const char *const known[] = { ".dat", ".bin", ".img", ".raw", ".txt", ".json", ".log", ".so", ".csv", ".conf", ".qcow2", ".iow" };

	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		size_t k = strlen(known[i]);

		if (n > k && memcmp(s + n - k, known[i], k) == 0)
			return k;
	}
	return 0;
}

#define HEX_SURE 12 /* a shorter run of hexadecimal digits stands in a hash by chance */

enum pseudo_class pseudo_class_of(const char *s, size_t n)
{
	bool digit = false, letter = false, mark = false, hex = true;

	for (size_t i = 0; i < n; i++) {
		digit |= pseudo_is_digit(s[i]);
		letter |= (pseudo_is_alnum(s[i]) && !pseudo_is_digit(s[i])) || (unsigned char)s[i] >= 0x80;
		mark |= strchr("-_.:", s[i]) && i > 0 && i + 1 < n;
		hex &= pseudo_is_hex(s[i]);
	}
	if (n < 3 || pseudo_is_vocabulary(s, n) || pseudo_is_system(s, n) || (s[n - 1] == '-' && pseudo_is_vocabulary(s, n - 1)))
		return CLASS_WEAK;
	if (!letter && n < 8 && !pseudo_is_address(s, n))
		return CLASS_WEAK;
	if (pseudo_is_number(s, n) && n < 8 && !pseudo_is_address(s, n))
		return CLASS_WEAK;
	if (n < 6 || !letter || !(digit || mark) || (hex && n < HEX_SURE))
		return CLASS_WORD;
	return CLASS_STRONG;
}
