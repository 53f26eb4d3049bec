/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/pdf_parts.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/vec.h"

static bool is_plain(const struct doc_table *t)
{
	for (size_t i = 0; i < t->n_rows; i++)
		for (size_t k = 0; k < t->rows[i]->n_cells; k++)
			if (t->rows[i]->cells[k].span != 1 && !(t->rows[i]->style & DOC_ROW_GROUP))
				return false;
	return t->n_columns > 2;
}

/* Whether a part may begin at this column: not inside a group, not at a number's unit. */
static bool may_begin(const struct doc_table *t, size_t column)
{
	for (size_t i = 0; i < t->n_groups; i++)
		if (column > t->groups[i].first && column < t->groups[i].first + t->groups[i].count)
			return false;
	return t->columns[column].align != DOC_UNIT;
}

/* Where the part that begins at `from` ends. */
static size_t part_end(const struct doc_table *t, const double *least, double room, double gap, size_t from)
{
	double used = least[0];
	size_t end = from, good = from;

	while (end < t->n_columns) {
		used += gap + least[end];
		if (used > room)
			break;
		end++;
		if (end == t->n_columns || may_begin(t, end))
			good = end;
	}
	return good > from ? good : end;
}

static struct doc_row *row_view(const struct doc_row *r, size_t from, size_t to)
{
	struct doc_row *v = mem_alloc(sizeof *v);

	v->style = r->style;
	v->cap = to - from + 1;
	v->cells = mem_array(v->cap + 1, sizeof *v->cells);
	if (r->n_cells) {
		v->cells[0] = r->cells[0];
		v->cells[0].span = 1;
		v->n_cells = 1;
	}
	if (r->style & DOC_ROW_GROUP)
		return v;
	for (size_t k = from; k < to && k < r->n_cells; k++)
		v->cells[v->n_cells++] = r->cells[k];
	return v;
}

static void part_make(struct doc_table *v, const struct doc_table *t, size_t from, size_t to)
{
	*v = (struct doc_table){ .caption = t->caption, .dense = t->dense, .fit = t->fit, .number = t->number };
	*VEC_ADD(v->columns, v->n_columns) = t->columns[0];
	for (size_t i = from; i < to; i++)
		*VEC_ADD(v->columns, v->n_columns) = t->columns[i];
	for (size_t i = 0; i < t->n_groups; i++) {
		size_t a = t->groups[i].first, b = a + t->groups[i].count;
		a = a < from ? from : a;
		b = b > to ? to : b;
		if (a < b)
			*VEC_ADD(v->groups, v->n_groups) = (struct doc_group){ t->groups[i].head, a - from + 1, b - a };
	}
	for (size_t i = 0; i < t->n_rows; i++)
		*VEC_ADD(v->rows, v->n_rows) = row_view(t->rows[i], from, to);
}

struct table_parts *table_parts_new(const struct doc_table *t, const double *least, double room, double gap)
{
	struct table_parts *p;
	size_t from = 1;

	if (!is_plain(t))
		return NULL;
	p = mem_alloc(sizeof *p);
	while (from < t->n_columns) {
		size_t to = part_end(t, least, room, gap, from);
		if (to == from) {
			table_parts_free(p);
			return NULL;
		}
		part_make(VEC_ADD(p->tables, p->n), t, from, to);
		from = to;
	}
	return p;
}

void table_parts_free(struct table_parts *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->n; i++) {
		struct doc_table *v = &p->tables[i];
		for (size_t k = 0; k < v->n_rows; k++) {
			free(v->rows[k]->cells);
			free(v->rows[k]);
		}
		free(v->rows);
		free(v->columns);
		free(v->groups);
	}
	free(p->tables);
	free(p);
}
