/* SPDX-License-Identifier: Apache-2.0 */
#include "base/jsonx.h"
#include "base/mem.h"
#include "run/run.h"

#include <stdlib.h>
#include <string.h>

/* Length of the name at the start of a line of "layers", indented by what it lies under. */
static const char *layer_name(const json_t *line, size_t *len)
{
	const char *s = json_string_value(line);

	if (!s)
		s = "";
	s += strspn(s, " ");
	*len = strcspn(s, ":");
	return s;
}

static bool have_common(const json_t *a, const json_t *b)
{
	for (size_t i = 0; i < json_array_size(a); i++)
		for (size_t j = 0; j < json_array_size(b); j++) {
			size_t la, lb;
			const char *na = layer_name(json_array_get(a, i), &la), *nb = layer_name(json_array_get(b, j), &lb);

			if (la && la == lb && !memcmp(na, nb, la))
				return true;
		}
	return false;
}

enum meeting { APART, SAME, UNCLEAR };

/* Do the counters of one count what the other moves? Each kernel counts its own I/O only. */
static enum meeting meet(const struct divided *a, const struct divided *b)
{
	if (a->node != b->node && (!*a->boot || strcmp(a->boot, b->boot)))
		return APART;
	if (json_array_size(a->layers) && json_equal(a->layers, b->layers))
		return SAME;
	return have_common(a->layers, b->layers) ? UNCLEAR : APART;
}

static uint64_t moved(const struct run *r)
{
	return r->read_bytes + r->write_bytes;
}

void devices_divide(const struct divided *v, size_t n)
{
	double *part = mem_array(n, sizeof *part);

	for (size_t i = 0; i < n; i++) {
		uint64_t all = moved(v[i].run);

		part[i] = 1;
		for (size_t j = 0; j < n; j++) {
			enum meeting m = j == i ? APART : meet(&v[i], &v[j]);

			if (m == UNCLEAR)
				v[i].run->dev_known = false;
			if (m == SAME)
				all += moved(v[j].run);
		}
		if (all)
			part[i] = (double)moved(v[i].run) / (double)all;
	}
	for (size_t i = 0; i < n; i++) {
		struct run *r = v[i].run;

		r->dev_read_bytes = (uint64_t)((double)r->dev_read_bytes * part[i]);
		r->dev_write_bytes = (uint64_t)((double)r->dev_write_bytes * part[i]);
		r->dev_reads = (uint64_t)((double)r->dev_reads * part[i]);
		r->dev_writes = (uint64_t)((double)r->dev_writes * part[i]);
	}
	free(part);
}
