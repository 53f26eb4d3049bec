/* SPDX-License-Identifier: Apache-2.0 */
#include "run/slow.h"

#include <string.h>

void slow_add(struct slow *s, const struct slow_io *io)
{
	uint32_t i = s->n < SLOW_MAX ? s->n : SLOW_MAX - 1;

	if (s->n == SLOW_MAX && io->ns <= s->io[SLOW_MAX - 1].ns)
		return;
	for (; i > 0 && s->io[i - 1].ns < io->ns; i--)
		s->io[i] = s->io[i - 1];
	s->io[i] = *io;
	if (s->n < SLOW_MAX)
		s->n++;
	s->floor = s->n == SLOW_MAX ? s->io[SLOW_MAX - 1].ns : 0;
}

void slow_merge(struct slow *into, const struct slow *from)
{
	for (uint32_t i = 0; i < from->n; i++)
		slow_add(into, &from->io[i]);
}

json_t *slow_to_json(const struct slow *s)
{
	json_t *a = json_array();

	for (uint32_t i = 0; i < s->n; i++)
		json_array_append_new(a, json_pack("[I,I,I]", (json_int_t)s->io[i].at_ns, (json_int_t)s->io[i].offset,
						   (json_int_t)s->io[i].ns));
	return a;
}
