/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/judge.h"

void judge_questions(struct judge *j)
{
}
