/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_STATS_QUESTIONS_H
#define IOW_STATS_QUESTIONS_H

#include "stats/judge.h"

/* Parts of judge_questions, private to them. */

void judgement_say(struct judgement *o, enum verdict_kind v, const char *why); /* why copied, may be NULL */
const struct comparison *judgement_at(const struct judge *j, const struct judgement *o, size_t i);
/* Sets VOID, NO_DATA or INDICATIVE and returns true when one of the comparisons asks for it. */
bool judgement_stopped(const struct judge *j, struct judgement *o);
struct judged_cell *judged_add(struct judge *j, struct judgement *o, const struct question *q, uint32_t cell);
void judged_sum(struct judgement *o, enum verdict_kind good, enum verdict_kind bad);

/* claims.c: a region of R over the pairs; a region of the metric over the cells. */
void judge_claim(struct judge *j, const struct question *q, struct judgement *o);
void judge_quotes(struct judgement *o, const struct question *q);
void judge_limit(struct judge *j, const struct question *q, struct judgement *o);

/* processor.c: is the processor the limit? */
void judge_cpu(struct judge *j, const struct question *q, struct judgement *o);

/* together.c: alone against together. */
void judge_scaling(struct judge *j, const struct question *q, struct judgement *o);
/* usl.c: the universal scalability law over a swept load (jobs or depth) of at least 4 levels. */
void judge_usl(struct judge *j, const struct question *q);
/* The same over how many cells run together, from all tests that one scaling question of the plan names. */
void judge_usl_members(struct judge *j);

#endif
