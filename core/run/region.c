/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"
#include "base/num.h"
#include "run/run.h"

#include <errno.h>

#define SPARE_BLOCKS 2 /* that may be appended */
#define PLACE_ALIGN ((uint64_t)1 << 20)

/* Regions of different arms must lie at the same place, so the place follows from the test alone: its
 * smallest target and its largest I/O. */
struct place {
	uint64_t bytes, unit;
};

static uint64_t largest_io(const struct workload *w)
{
	uint64_t max = w->stride;

	for (uint32_t i = 0; i < w->n_blocks; i++)
		max = w->block[i] > max ? w->block[i] : max;
	return max;
}

static struct place place_of(const struct campaign *k, uint32_t test)
{
	struct place p = { UINT64_MAX, 1 };

	for (size_t i = 0; i < k->c->n_cells; i++) {
		const struct cell *cell = &k->c->cells[i];
		const struct prepared *t = &k->prepared[k->cell_prepared[i]];
		uint64_t io = largest_io(&cell->spec);

		if (cell->test != test)
			continue;
		p.bytes = t->bytes < p.bytes ? t->bytes : p.bytes;
		p.unit = io > p.unit ? io : p.unit;
		p.unit = t->align > p.unit ? t->align : p.unit;
	}
	return p;
}

static uint64_t round_up(uint64_t v, uint64_t to)
{
	return (v + to - 1) / to * to;
}

/* Bytes of one region, 0 when it would not hold one I/O. Regions start at whole MiB where they are
 * large enough for that. */
static uint64_t slot_of(const struct place *p, uint64_t amount, uint32_t blocks)
{
	uint64_t unit = p->unit, slot = p->bytes / blocks;

	if (slot >= 8 * PLACE_ALIGN && PLACE_ALIGN % unit == 0)
		unit = PLACE_ALIGN;
	slot = slot / unit * unit;
	if (amount && round_up(amount, unit) <= slot)
		slot = round_up(amount, unit);
	return slot;
}

static int too_small(const struct campaign *k, const struct cell *cell, uint64_t need, uint64_t have,
		     struct iow_error *e)
{
	char a[40], b[40];

	num_bytes(need, a);
	num_bytes(have, b);
	return err_set(e, EINVAL, "test \"%s\", target \"%s\": a fresh region for each of its %u blocks needs %s, "
		       "the target has %s; use a larger target, fewer blocks, a smaller amount, or region \"same\"",
		       k->c->tests[cell->test].name, k->c->targets[cell->target].name,
		       k->c->tests[cell->test].blocks, a, b);
}

static int fresh(const struct campaign *k, const struct cell *cell, uint32_t block, uint32_t replaces,
		 uint64_t *offset, uint64_t *length, struct iow_error *e)
{
	const struct plan_test *t = &k->c->tests[cell->test];
	struct place p = place_of(k, cell->test);
	uint64_t amount = cell->spec.amount, slot = slot_of(&p, amount, t->blocks + SPARE_BLOCKS);
	uint64_t index = block - 1;

	if (slot < p.unit || slot < amount) { /* without spares: a replaced block uses its region again */
		slot = slot_of(&p, amount, t->blocks);
		index = replaces ? replaces - 1 : index;
	}
	if (slot < p.unit || slot < amount)
		return too_small(k, cell, (amount > p.unit ? amount : p.unit) * t->blocks, p.bytes, e);
	*offset = slot * index;
	*length = slot;
	return 0;
}

int region_of(const struct campaign *k, const struct cell *cell, uint32_t block, uint32_t replaces,
	      uint64_t *offset, uint64_t *length, struct iow_error *e)
{
	const struct plan_test *t = &k->c->tests[cell->test];
	uint64_t bytes = k->prepared[k->cell_prepared[cell->id]].bytes;
	struct place p = place_of(k, cell->test);

	*offset = 0;
	*length = bytes;
	if (!bytes) /* a target without an extent: null, synth */
		return 0;
	if (t->region == REGION_FRESH)
		return fresh(k, cell, block, replaces, offset, length, e);
	if (t->region == REGION_SAME) {
		*length = p.bytes / p.unit * p.unit;
		if (cell->spec.amount && cell->spec.amount < *length)
			*length = round_up(cell->spec.amount, p.unit);
	}
	return *length ? 0 : too_small(k, cell, p.unit, bytes, e);
}
