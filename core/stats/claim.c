/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/claim.h"

#include <math.h>

enum claim_state claim_judge(struct interval deciding, double at_least, double at_most)
{
	if (isnan(deciding.lo) || isnan(deciding.hi))
		return CLAIM_NOT_DECIDABLE;
	if (deciding.hi < at_least || deciding.lo > at_most)
		return CLAIM_CONTRADICTED;
	if (deciding.lo < at_least || deciding.hi > at_most)
		return CLAIM_NOT_DECIDABLE;
	return CLAIM_SUPPORTED;
}

enum claim_state claim_join(const enum claim_state *cell, size_t k)
{
	bool all = k > 0;

	for (size_t i = 0; i < k; i++) {
		if (cell[i] == CLAIM_CONTRADICTED)
			return CLAIM_CONTRADICTED;
		all = all && cell[i] == CLAIM_SUPPORTED;
	}
	return all ? CLAIM_SUPPORTED : CLAIM_NOT_DECIDABLE;
}

double claim_by_time(double bound_by_speed)
{
	return bound_by_speed < 2 ? 1 / (2 - bound_by_speed) : NAN;
}

enum claim_state claim_limit(struct interval deciding, double at_least, double at_most, double trend_p)
{
	enum claim_state s = claim_judge(deciding, at_least, at_most);

	return s == CLAIM_SUPPORTED && trend_p < 0.05 ? CLAIM_NOT_DECIDABLE : s;
}

struct interval claim_rounded(double figure, double unit)
{
	return (struct interval){ figure - unit / 2, figure + unit / 2 };
}

struct interval claim_quotient(struct interval a, struct interval b)
{
	return (struct interval){ a.lo / b.hi, a.hi / b.lo };
}

bool claim_is_consistent(struct interval computed, struct interval stated)
{
	return computed.lo <= stated.hi && computed.hi >= stated.lo;
}
