/* SPDX-License-Identifier: Apache-2.0 */
#include "base/mem.h"
#include "base/pseudonym_in.h"
#include "base/vec.h"

#include <string.h>

/* ---- forms ---- */

/* Calls put for each part of s between the characters of `between`, which stay. */
static void each(struct pseudonyms *p, const char *s, const char *between,
		 void (*put)(struct pseudonyms *, const char *, size_t, struct buf *), struct buf *out)
{
	while (*s) {
		size_t n = strcspn(s, between);

		if (n)
			put(p, s, n, out);
		s += n;
		n = strspn(s, between);
		buf_add(out, s, n);
		s += n;
	}
}

static void put_login(struct pseudonyms *p, const char *s, size_t n, struct buf *out)
{
	const char *at = memrchr(s, '@', n), *colon;

	if (at) {
		colon = memchr(s, ':', (size_t)(at - s)); /* with a password, which is not kept */
		pseudo_put(p, PSEUDO_USER, s, (size_t)((colon ? colon : at) - s), out);
		buf_putc(out, '@');
		n -= (size_t)(at + 1 - s);
		s = at + 1;
	}
	if (n > 2 && s[0] == '[' && memchr(s, ']', n)) {
		buf_putc(out, '[');
		pseudo_put_host(p, s + 1, (size_t)((const char *)memchr(s, ']', n) - s) - 1, out);
		buf_putc(out, ']');
		return;
	}
	colon = pseudo_is_address(s, n) ? NULL : memchr(s, ':', n);
	pseudo_put_host(p, s, colon ? (size_t)(colon - s) : n, out);
}

static void put_serial(struct pseudonyms *p, const char *s, size_t n, struct buf *out)
{
	while (n && *s == ' ') {
		buf_putc(out, *s++);
		n--;
	}
	pseudo_put(p, PSEUDO_SERIAL, s, n, out);
}

/* wwn-…, serial-…: what it is stays, and the number of a partition at its end. */
static void put_id(struct pseudonyms *p, const char *s, size_t n, struct buf *out)
{
	static const char *const prefixes[] = { "wwn-", "serial-", "eui-", "dm-uuid-", "loop-", "partuuid-" };
	size_t part = n;

	while (n && *s == ' ') {
		buf_putc(out, *s++);
		n--;
	}
	for (size_t i = 0; i < ARRAY_LEN(prefixes); i++) {
		size_t k = strlen(prefixes[i]);

		if (n <= k || memcmp(s, prefixes[i], k) != 0)
			continue;
		buf_add(out, s, k);
		s += k;
		n -= k;
		if (prefixes[i][0] == 'l') { /* a file and its number */
			pseudo_put_path(p, s, n, out);
			return;
		}
		break;
	}
	for (part = n; part && pseudo_is_digit(s[part - 1]); part--)
		;
	if (part < n && part > 5 && memcmp(s + part - 5, "-part", 5) == 0)
		part -= 5;
	else
		part = n;
	pseudo_put(p, PSEUDO_ID, s, part, out);
	buf_add(out, s + part, n - part);
}

static bool is_known(const char *s, size_t n)
{
	return n <= 1 || pseudo_is_vocabulary(s, n) || pseudo_is_system(s, n) ||
	       (pseudo_is_number(s, n) && !pseudo_is_address(s, n));
}

/* Names of the device mapper are those in /dev/mapper, so of a path. */
static void put_layer(struct pseudonyms *p, const char *s, struct buf *out)
{
	static const char gone[] = " (deleted)"; /* a file without a name */
	const char *open = strstr(s, " ("), *close = strrchr(s, ')'), *uuid = open ? strstr(open, ", uuid ") : NULL;
	size_t n;

	if (!open || !close || close[1] || close < open + 2) {
		pseudo_put_text(p, s, true, out);
		return;
	}
	buf_add(out, s, (size_t)(open + 2 - s));
	s = open + 2;
	n = (size_t)((uuid ? uuid : close) - s);
	if (n > strlen(gone) && memcmp(s + n - strlen(gone), gone, strlen(gone)) == 0) {
		n -= strlen(gone);
		close -= strlen(gone);
	}
	if (memchr(s, '/', n))
		pseudo_put_path(p, s, n, out);
	else if (is_known(s, n))
		buf_add(out, s, n);
	else
		pseudo_put(p, PSEUDO_PATH, s, n, out);
	if (uuid) {
		buf_puts(out, ", uuid ");
		uuid += strlen(", uuid ");
		pseudo_put(p, PSEUDO_ID, uuid, (size_t)(close - uuid), out);
	}
	buf_puts(out, close);
}

static void put_free(struct pseudonyms *p, const char *s, struct buf *out)
{
	if (p->learning)
		pseudo_look(p, s);
	pseudo_put_text(p, s, true, out);
}

static void put_source(struct pseudonyms *p, const char *s, struct buf *out)
{
	const char *colon = strstr(s, ":/");

	if (strstr(s, "://") || strchr(s, '@')) {
		put_free(p, s, out);
	} else if (colon && colon - s > 1 && !memchr(s, '/', (size_t)(colon - s))) {
		mem_auto char *servers = mem_strndup(s, (size_t)(colon - s));

		each(p, servers, ",", put_login, out);
		buf_putc(out, ':');
		pseudo_put_path(p, colon + 1, strlen(colon + 1), out);
	} else {
		pseudo_put_path(p, s, strlen(s), out);
	}
}

static void put_name(struct pseudonyms *p, const char *s, size_t n, struct buf *out)
{
	const struct pseudo_term *t = pseudo_term_known(p, s, n);

	if (t && t->class != CLASS_WEAK)
		buf_puts(out, t->to);
	else if (is_known(s, n))
		buf_add(out, s, n);
	else if (pseudo_is_address(s, n) || pseudo_is_fqdn(s, n))
		pseudo_put_host(p, s, n, out);
	else if (memmem(s, n, "${", 2))
		pseudo_put_params(p, PSEUDO_NAME, s, n, out);
	else
		pseudo_put(p, PSEUDO_NAME, s, n, out);
}

/* Values are words of the kernel, however they are put together. */
static bool keeps_value(const char *s, size_t n)
{
	static const char *const names[] = {
		"mitigations", "isolcpus", "nohz_full", "rcu_nocbs", "iommu", "intel_iommu", "amd_iommu", "elevator", "pcie_aspm",
		"transparent_hugepage", "hugepages", "clocksource", "tsc", "idle", "console", "rootfstype", "data", "errors", "sec",
		"proto", "local_lock", "lookupcache", "spectre_v2", "cgroup_disable", "cgroup_enable", "preempt", "selinux",
	};

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (n == strlen(names[i]) && memcmp(s, names[i], n) == 0)
			return true;
	return false;
}

static void put_value(struct pseudonyms *p, const char *s, size_t n, struct buf *out)
{
	mem_auto char *value = mem_strndup(s, n);

	if (*value == '/' || strstr(value, "://") || strstr(value, ":/"))
		put_source(p, value, out);
	else if (pseudo_is_address(s, n))
		put_login(p, s, n, out);
	else
		each(p, value, ":=/+;\"'@", put_name, out);
}

static void put_options(struct pseudonyms *p, const char *s, struct buf *out)
{
	bool wants = false; /* after "--option": its value */

	if (p->learning)
		pseudo_look(p, s);
	while (*s) {
		size_t n = strcspn(s, " ,\t\n"), name = n;
		const char *eq = memchr(s, '=', n);

		if (eq)
			name = (size_t)(eq + 1 - s);
		if (eq && !keeps_value(s, name - 1)) {
			mem_auto char *left = mem_strndup(s, name);

			pseudo_put_text(p, left, false, out);
			put_value(p, s + name, n - name, out);
		} else if (wants && n && s[0] != '-') {
			put_value(p, s, n, out);
		} else {
			mem_auto char *word = mem_strndup(s, n);

			pseudo_put_text(p, word, true, out);
		}
		wants = n > 2 && !eq && s[0] == '-' && s[n] == ' ';
		s += n;
		n = strspn(s, " ,\t\n");
		buf_add(out, s, n);
		s += n;
	}
}

static void put_one(struct pseudonyms *p, enum pseudo_form form, const char *s, struct buf *out)
{
	switch (form) {
	case PSEUDO_AS_TEXT:
		put_free(p, s, out);
		break;
	case PSEUDO_AS_SAID:
		p->cuts = !p->learning;
		put_free(p, s, out);
		p->cuts = false;
		break;
	case PSEUDO_AS_WORDS:
		pseudo_put_text(p, s, false, out);
		break;
	case PSEUDO_AS_HOST:
		each(p, s, ", ", put_login, out);
		break;
	case PSEUDO_AS_USER:
		pseudo_put(p, PSEUDO_USER, s, strlen(s), out);
		break;
	case PSEUDO_AS_PATH:
		put_source(p, s, out);
		break;
	case PSEUDO_AS_SERIAL:
		each(p, s, ",", put_serial, out);
		break;
	case PSEUDO_AS_ID:
		each(p, s, ",", put_id, out);
		break;
	case PSEUDO_AS_NAME:
		if (strpbrk(s, "/\\@"))
			put_source(p, s, out);
		else
			put_name(p, s, strlen(s), out);
		break;
	case PSEUDO_AS_LAYER:
		put_layer(p, s, out);
		break;
	case PSEUDO_AS_OPTIONS:
		put_options(p, s, out);
		break;
	}
}

/* A form may leave what is an original elsewhere, as a word of the kernel or within a longer word. */
void pseudo_put_form(struct pseudonyms *p, enum pseudo_form form, const char *s, struct buf *out)
{
	struct buf b = BUF_INIT;

	put_one(p, form, s, &b);
	if (p->learning || !pseudonyms_left(p, buf_str(&b), true))
		buf_add(out, b.data, b.len);
	else
		pseudo_put_text(p, buf_str(&b), false, out);
	buf_release(&b);
}
