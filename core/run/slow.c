/* SPDX-License-Identifier: Apache-2.0 */
#include "run/slow.h"
#include "base/jsonx.h"
#include "bundle/run.h"

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
	json_t *o = json_object(), *ns = json_array(), *at = json_array(), *offset = json_array(),
	       *bytes = json_array(), *op = json_array();

	for (uint32_t i = 0; i < s->n; i++) {
		json_array_append_new(ns, json_integer((json_int_t)s->io[i].ns));
		json_array_append_new(at, json_integer(s->io[i].at_ns));
		json_array_append_new(offset, json_integer((json_int_t)s->io[i].offset));
		json_array_append_new(bytes, json_integer(s->io[i].len));
		json_array_append_new(op, json_string(latency_class_name(s->io[i].op)));
	}
	jsonx_set_new(o, "ns", ns);
	jsonx_set_new(o, "at_ns", at);
	jsonx_set_new(o, "offset", offset);
	jsonx_set_new(o, "bytes", bytes);
	jsonx_set_new(o, "op", op);
	return o;
}
