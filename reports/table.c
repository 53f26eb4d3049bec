/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/table.h"

#include <string.h>

#include "base/mem.h"

/* Digits may be grouped by narrow spaces; a sign may be the true minus. */
static size_t integer_part(const char *s)
{
	static const char *const inside[] = { "\u2212", "\u2009", "\u202f", "+", "-", "<" };
	size_t n = 0, seen = 0;

	while (s[n]) {
		size_t step = s[n] >= '0' && s[n] <= '9' ? 1 : 0;
		seen += step;
		for (size_t i = 0; i < sizeof inside / sizeof *inside && !step; i++)
			if (strncmp(s + n, inside[i], strlen(inside[i])) == 0)
				step = strlen(inside[i]);
		if (!step)
			break;
		n += step;
	}
	return seen || s[n] == '.' ? n : (size_t)-1;
}

struct decimal table_decimal(const char *plain)
{
	struct decimal d = { .point = integer_part(plain) };

	if (d.point == (size_t)-1)
		return (struct decimal){ 0 };
	d.end = d.point;
	if (plain[d.end] == '.') {
		d.end++;
		while (plain[d.end] >= '0' && plain[d.end] <= '9') {
			d.end++;
			d.fraction++;
		}
	}
	d.number = !strchr(plain + d.end, ' ') && strlen(plain + d.end) < 5;
	return d;
}

unsigned *table_fractions(const struct doc_table *t)
{
	unsigned *most = mem_array(t->n_columns + 1, sizeof *most);

	for (size_t i = 0; i < t->n_rows; i++) {
		size_t column = 0;
		for (size_t k = 0; k < t->rows[i]->n_cells; k++) {
			const struct doc_cell *c = &t->rows[i]->cells[k];
			if (t->columns[column].align == DOC_DECIMAL && c->span == 1 && c->text.n) {
				struct decimal x = table_decimal(c->text.runs[0].text);
				if (x.number && x.fraction > most[column])
					most[column] = x.fraction;
			}
			column += c->span;
		}
	}
	return most;
}

char *table_name(const struct document *d, const struct doc_block *b)
{
	if (b->kind == DOC_B_TABLE)
		return mem_printf("%s\u00a0%u", d->words[DOC_W_TABLE], b->table.number);
	return mem_printf("%s\u00a0%u", d->words[DOC_W_FIGURE], b->figure.number);
}

#define LONG 40

bool table_too_long(const struct doc_table *t)
{
	return t->fold && t->n_rows > LONG;
}
