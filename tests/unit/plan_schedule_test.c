/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "plan/schedule.h"

#define STEPS_MOST 8

static void make(struct cells *c, uint64_t seed, uint32_t k, uint32_t blocks)
{
	cells_init(c);
	c->seed = seed;
	VEC_ADD(c->tests, c->n_tests)->blocks = blocks;
	for (uint32_t i = 0; i < k; i++)
		VEC_ADD(c->steps, c->n_steps)->id = i;
	schedule_build(c);
}

static void each_block_has_every_step_once(void **state)
{
	(void)state;
	for (uint32_t k = 1; k <= STEPS_MOST; k++)
		for (uint64_t seed = 0; seed < 50; seed++) {
			struct cells c;

			make(&c, seed, k, 7);
			assert_int_equal(c.n_blocks, 7);
			for (size_t b = 0; b < c.n_blocks; b++) {
				uint32_t seen = 0;

				assert_int_equal(c.blocks[b].number, b + 1);
				assert_int_equal(c.blocks[b].n_steps, k);
				for (size_t i = 0; i < k; i++)
					seen |= 1u << c.blocks[b].steps[i];
				assert_int_equal(seen, (1u << k) - 1);
			}
			cells_release(&c);
		}
}

/* In how many blocks step a comes before step b. */
static uint32_t before(const struct cells *c, uint32_t a, uint32_t b)
{
	uint32_t n = 0;

	for (size_t i = 0; i < c->n_blocks; i++)
		for (size_t j = 0; j < c->blocks[i].n_steps; j++) {
			if (c->blocks[i].steps[j] == b)
				break;
			n += c->blocks[i].steps[j] == a;
		}
	return n;
}

static void any_two_steps_have_each_order_half_the_time(void **state)
{
	(void)state;
	for (uint32_t k = 2; k <= STEPS_MOST; k++)
		for (uint32_t n = 5; n <= 10; n++)
			for (uint64_t seed = 0; seed < 20; seed++) {
				struct cells c;

				make(&c, seed * 977, k, n);
				for (uint32_t a = 0; a < k; a++)
					for (uint32_t b = 0; b < a; b++) {
						assert_true(before(&c, a, b) >= n / 2);
						assert_true(before(&c, a, b) <= (n + 1) / 2);
					}
				cells_release(&c);
			}
}

/* With as many blocks as two squares of the steps hold, each step has each position twice. */
static void positions_are_shared_out(void **state)
{
	(void)state;
	for (uint32_t k = 2; k <= STEPS_MOST; k++)
		for (uint64_t seed = 0; seed < 20; seed++) {
			uint32_t count[STEPS_MOST][STEPS_MOST] = { { 0 } };
			struct cells c;

			make(&c, seed, k, 2 * k);
			for (size_t b = 0; b < c.n_blocks; b++)
				for (size_t i = 0; i < k; i++)
					count[c.blocks[b].steps[i]][i]++;
			for (uint32_t i = 0; i < k; i++)
				for (uint32_t j = 0; j < k; j++)
					assert_int_equal(count[i][j], 2);
			cells_release(&c);
		}
}

/* All C(8,4) = 70 balanced orders of two steps come up about as often as each other. */
static void every_balanced_order_is_likely(void **state)
{
	uint32_t count[256] = { 0 }, kinds = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 7000; seed++) {
		struct cells c;
		uint32_t mask = 0;

		make(&c, seed, 2, 8);
		for (size_t b = 0; b < 8; b++)
			mask |= c.blocks[b].steps[0] << b;
		count[mask]++;
		cells_release(&c);
	}
	for (size_t i = 0; i < 256; i++) {
		kinds += count[i] > 0;
		assert_true(!count[i] || (count[i] > 50 && count[i] < 150)); /* 100 +- 5 sd */
	}
	assert_int_equal(kinds, 70);
}

static void the_same_seed_gives_the_same_order(void **state)
{
	struct cells a, b, other;
	size_t differ = 0;

	(void)state;
	make(&a, 42, 5, 8);
	make(&b, 42, 5, 8);
	make(&other, 43, 5, 8);
	for (size_t i = 0; i < a.n_blocks; i++) {
		assert_memory_equal(a.blocks[i].steps, b.blocks[i].steps, 5 * sizeof(uint32_t));
		differ += memcmp(a.blocks[i].steps, other.blocks[i].steps, 5 * sizeof(uint32_t)) != 0;
	}
	assert_true(differ > 0);
	cells_release(&a);
	cells_release(&b);
	cells_release(&other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_block_has_every_step_once),
		cmocka_unit_test(any_two_steps_have_each_order_half_the_time),
		cmocka_unit_test(positions_are_shared_out),
		cmocka_unit_test(every_balanced_order_is_likely),
		cmocka_unit_test(the_same_seed_gives_the_same_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
