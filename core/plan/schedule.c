/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/schedule.h"
#include "base/rng.h"
#include "base/vec.h"

/* Source of rows: cyclic Latin squares with rows, columns and symbols in random order, used up row by
 * row. Row i of a square is symbol[(row[i] + column[j]) % k] for each j. */
struct rows {
	struct rng rng;
	uint32_t k; /* steps */
	uint32_t *row, *column, *symbol;
	uint32_t next; /* row */
};

static void new_square(struct rows *r)
{
	for (uint32_t i = 0; i < r->k; i++)
		r->row[i] = r->column[i] = r->symbol[i] = i;
	rng_shuffle(&r->rng, r->row, r->k);
	rng_shuffle(&r->rng, r->column, r->k);
	rng_shuffle(&r->rng, r->symbol, r->k);
	r->next = 0;
}

static void rows_init(struct rows *r, uint64_t seed, uint32_t test, uint32_t k)
{
	rng_stream(&r->rng, seed, SCHEDULE_STREAM + test);
	r->k = k;
	r->row = mem_array(k, sizeof *r->row);
	r->column = mem_array(k, sizeof *r->column);
	r->symbol = mem_array(k, sizeof *r->symbol);
	r->next = k;
}

static void rows_release(struct rows *r)
{
	free(r->row);
	free(r->column);
	free(r->symbol);
}

static void rows_next(struct rows *r, uint32_t *out)
{
	uint32_t first;

	if (r->next == r->k)
		new_square(r);
	first = r->row[r->next++];
	for (uint32_t j = 0; j < r->k; j++)
		out[j] = r->symbol[(first + r->column[j]) % r->k];
}

/* Orders of n blocks, k indexes each, one after another. */
static uint32_t *draw_orders(struct rows *r, size_t n)
{
	uint32_t k = r->k, *orders = mem_array(n, k * sizeof *orders);
	uint32_t *sorted = mem_array(n, k * sizeof *sorted), *place = mem_array(n, sizeof *place);

	for (size_t i = 0; i < n; i++) {
		if (i % 2 == 0)
			rows_next(r, orders + i * k);
		for (uint32_t j = 0; i % 2 && j < k; j++)
			orders[i * k + j] = orders[(i - 1) * k + (k - 1 - j)];
		place[i] = (uint32_t)i;
	}
	rng_shuffle(&r->rng, place, n);
	for (size_t i = 0; i < n; i++)
		memcpy(sorted + i * k, orders + (size_t)place[i] * k, k * sizeof *sorted);
	free(orders);
	free(place);
	return sorted;
}

/* Ids of a test's steps; *n of them. */
static uint32_t *steps_of(const struct cells *c, uint32_t test, size_t *n)
{
	uint32_t *ids = NULL;

	*n = 0;
	for (size_t i = 0; i < c->n_steps; i++)
		if (c->steps[i].test == test)
			*VEC_ADD(ids, *n) = c->steps[i].id;
	return ids;
}

static void fill_block(struct block *b, uint32_t test, uint32_t number, const uint32_t *ids,
		       const uint32_t *order, size_t k)
{
	memset(b, 0, sizeof *b);
	b->test = test;
	b->number = number;
	for (size_t i = 0; i < k; i++)
		*VEC_ADD(b->steps, b->n_steps) = ids[order[i]];
}

static void schedule_test(struct cells *c, uint32_t test)
{
	size_t k, n = c->tests[test].blocks;
	uint32_t *ids = steps_of(c, test, &k), *orders;
	struct rows r;

	if (!k)
		return;
	rows_init(&r, c->seed, test, (uint32_t)k);
	orders = draw_orders(&r, n);
	for (size_t i = 0; i < n; i++)
		fill_block(VEC_ADD(c->blocks, c->n_blocks), test, (uint32_t)i + 1, ids, orders + i * k, k);
	free(orders);
	free(ids);
	rows_release(&r);
}

void schedule_build(struct cells *c)
{
	for (size_t i = 0; i < c->n_blocks; i++)
		free(c->blocks[i].steps);
	free(c->blocks);
	c->blocks = NULL;
	c->n_blocks = 0;
	for (uint32_t test = 0; test < c->n_tests; test++)
		schedule_test(c, test);
}
