/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/truth.h"

#include "base/vec.h"

/* Cached reads under two variants; a rate that falls with the capacity has ratio 0.5. */
void kind_cpu(struct maker *m)
{
	uint32_t local = make_node(m, "local", NULL), t = make_target(m, "file", "posix", "/u01/test/t1", local);
	uint32_t w = make_workload(m, "small reads", json_pack("{s:s, s:s, s:s}", "op", "read", "block", "4KiB",
							       "duration", "5s"));
	uint32_t test = make_test(m, "processor", CACHE_WARM, 1), whole, half;
	struct arm arm = { .rate = 900e6, .device = 0, .busy = 0.99, .buffered = true };
	struct question *q;

	make_title(m, "Is the processor the limit of cached reads?");
	m->b->cells.tests[test].variants = json_pack("[{s:s, s:[], s:[]}, {s:s, s:[s], s:[s], s:f}]", "name", "whole",
						     "apply", "undo", "name", "half", "apply", "cut", "undo", "uncut",
						     "capacity", 0.5);
	whole = make_cell(m, test, t, w, arm);
	arm.rate *= m->t->ratio;
	arm.is_subject = true;
	half = make_cell(m, test, t, w, arm);
	m->b->cells.cells[whole].variant = 0;
	m->b->cells.cells[half].variant = 1;
	q = make_question(m, QUESTION_CPU, "is the processor the limit?", "throughput", "variant");
	make_about(q, whole);
	make_about(q, half);
}

static void quote(struct question *q, const char *subject, const char *against, const char *says)
{
	*VEC_ADD(q->quotes, q->n_quotes) = (struct plan_quote){ mem_strdup(subject), mem_strdup(against), mem_strdup(says) };
}

void kind_quotes(struct maker *m)
{
	uint32_t local = make_node(m, "local", NULL);
	uint32_t t1 = make_target(m, "shared raw", "raw", "/dev/mapper/s1", local);
	uint32_t t2 = make_target(m, "file direct", "direct", "/u01/test/t1", local);
	uint32_t w = make_workload(m, "scan", json_pack("{s:s, s:s, s:s}", "op", "read", "block", "32KiB", "duration", "5s"));
	uint32_t test = make_test(m, "scan", CACHE_COLD, 1), raw, file;
	struct question *q;

	make_title(m, "What the vendor says, and what follows from it");
	raw = make_cell(m, test, t1, w, (struct arm){ .rate = 220e6 * m->t->ratio, .device = 1, .busy = 0.06, .direct = true,
						      .is_subject = true });
	file = make_cell(m, test, t2, w, (struct arm){ .rate = 220e6, .device = 1, .busy = 0.05, .direct = true });
	make_pair(make_question(m, QUESTION_COMPARE, "shared raw : file direct", "throughput", "target"), raw, file);
	q = make_question(m, QUESTION_COMPARE, "shared raw : file direct", "throughput", "target");
	q->claim = true;
	q->says = mem_strdup("shared raw is at most 10% slower than a file");
	q->by = mem_strdup("vendor");
	q->at_least = 0.9;
	make_pair(q, raw, file);
	quote(q, "19.7 s", "1.3 s", "15x");
	quote(q, "19.7 s", "1.3 s", "20x slower");
	quote(q, "50 MB/s", "100 MB/s", "100% slower");
}

/* Each test has so many members, alone and together; one question of the plan names them all. */
static void add_members(struct maker *m, uint32_t n, uint32_t w)
{
	mem_auto char *name = mem_printf("%u members", n);
	uint32_t test = make_test(m, name, CACHE_COLD, 1), alone[8], joint[8], i;
	double each = 200e6 / (1 + 0.05 * (n - 1) + 0.01 * n * (n - 1));
	struct arm arm = { .rate = 200e6, .device = 1, .busy = 0.06, .direct = true };
	struct question *q;

	m->b->cells.tests[test].mode = MODE_SOLO_THEN_TOGETHER;
	for (i = 0; i < n; i++)
		alone[i] = make_cell(m, test, i, w, arm);
	arm.rate = each;
	for (i = 0; i < n; i++) {
		joint[i] = make_cell(m, test, i, w, arm);
		m->b->cells.cells[joint[i]].company = COMPANY_TOGETHER;
	}
	make_step(m, test, joint, n);
	q = make_question(m, QUESTION_SCALING, "together : alone", "throughput", "company");
	free(q->where);
	q->where = mem_strdup("/questions/0");
	for (i = 0; i < n; i++)
		make_pair(q, joint[i], alone[i]);
	for (i = 0; i < n; i++)
		make_about(q, joint[i]);
	for (i = 0; i < n; i++)
		make_about(q, alone[i]);
}

void kind_members(struct maker *m)
{
	uint32_t local = make_node(m, "local", NULL), w, i;

	make_title(m, "Members alone and together");
	for (i = 0; i < 4; i++) {
		mem_auto char *target = mem_printf("raw %u", i + 1);

		make_target(m, target, "raw", "/dev/mapper/s1", local);
	}
	w = make_workload(m, "scan", json_pack("{s:s, s:s, s:s}", "op", "read", "block", "1MiB", "duration", "5s"));
	for (i = 2; i <= 4; i++)
		add_members(m, i, w);
}
