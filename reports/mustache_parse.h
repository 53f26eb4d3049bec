/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_MUSTACHE_PARSE_H
#define IOW_REPORTS_MUSTACHE_PARSE_H

#include <stdbool.h>
#include <stddef.h>

#include <iowitness/driver.h>

/* A template taken apart; for mustache.c alone. */
enum token_kind { TK_TEXT, TK_ESCAPED, TK_RAW, TK_SECTION, TK_INVERTED, TK_END, TK_PARTIAL };

struct token {
	enum token_kind kind;
	const char *text;  /* TEXT: from here, */
	size_t len;
	char *name;        /* others: their name; owned */
	char *indent;      /* PARTIAL alone on its line: what stands before it; owned */
	size_t end;        /* SECTION, INVERTED: index of their END */
	int line;
};
struct tokens {
	struct token *v;
	size_t n;
};
int tokens_parse(struct tokens *t, const char *name, const char *text, struct iow_error *e);
void tokens_release(struct tokens *t);

#endif
