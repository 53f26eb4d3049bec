/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/say.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "base/num.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *say_direction(const struct wording *w, const struct metric *m, bool better)
{
	return wording_of(w, "direction", better ? m->better : m->worse);
}

/* An end so far out that its digits mean nothing (two blocks, say) is told as that. */
static void say_bound(double x, double factor, int decimals, char out[40])
{
	if (x > 1000 && x > 100 * factor)
		snprintf(out, 40, "> 1000");
	else
		num_fixed(x, decimals, out);
}

/* An end of the interval that lies on the other side of 1 needs its own word. */
static void say_end(char out[56], const struct wording *w, const struct metric *m, double r, double factor,
		    int decimals)
{
	char number[40];

	say_bound(r < 1 ? 1 / r : r, factor, decimals, number);
	snprintf(out, 56, "%.20sx %.30s", number, say_direction(w, m, r >= 1));
}

int say_decimals(double x, double lo, double hi)
{
	double end = lo > 1 ? lo : hi;
	int decimals = num_sig_decimals(x, 3);

	for (double half = .5 * pow(10, -decimals); (lo > 1 || hi < 1) && decimals < 6 && fabs(end - 1) < half; half /= 10)
		decimals++;
	return decimals;
}

void say_ratio(struct say_ratio *s, const struct wording *w, const struct metric *m, double ratio,
	       double lo, double hi)
{
	bool better = ratio >= 1;
	double factor = better ? ratio : 1 / ratio;
	double a = better ? lo : 1 / hi, b = better ? hi : 1 / lo;
	int decimals = say_decimals(factor, a, b);

	memset(s, 0, sizeof *s);
	s->word = say_direction(w, m, better);
	num_fixed(factor, decimals, s->factor);
	if (isnan(a) || isnan(b))
		return;
	say_bound(a, factor, decimals, s->lo);
	say_bound(b, factor, decimals, s->hi);
	if (lo < 1 && hi > 1) {
		char from[56], to[56];

		say_end(from, w, m, lo, factor, decimals);
		say_end(to, w, m, hi, factor, decimals);
		snprintf(s->span, sizeof s->span, "%s %.20s %s", from, wording_get(w, "to"), to);
	} else {
		snprintf(s->span, sizeof s->span, "%s %.20s %s", s->lo, wording_get(w, "to"), s->hi);
	}
}

char *say_verdict(const struct wording *w, const struct metric *m, enum verdict_kind v)
{
	if (v != VERDICT_BETTER && v != VERDICT_WORSE)
		return mem_strdup(wording_of(w, "verdict", verdict_name(v)));
	return mem_strdup(wording_of(w, "verdict", v == VERDICT_BETTER ? m->better : m->worse));
}

void say_percent(double share, char out[40])
{
	char number[40];

	num_fixed(100 * share, fabs(share) < .0995 ? 1 : 0, number);
	/* "5%" rather than "5.0%" for figures that people chose. */
	if (strlen(number) > 2 && strcmp(number + strlen(number) - 2, ".0") == 0)
		number[strlen(number) - 2] = 0;
	snprintf(out, 40, "%.37s%%", number);
}

void say_level(double level, char out[40])
{
	char number[40];
	size_t n;

	num_fixed(100 * level, 2, number);
	for (n = strlen(number); n && number[n - 1] == '0'; n--)
		number[n - 1] = 0;
	if (n && number[n - 1] == '.')
		number[n - 1] = 0;
	snprintf(out, 40, "%.37s%%", number);
}

void say_signed_percent(double share, char out[48])
{
	char number[40];

	if (!isfinite(share)) {
		snprintf(out, 48, "–");
		return;
	}
	num_fixed(fabs(100 * share), fabs(share) < .0995 ? 1 : 0, number);
	/* What rounds to nothing has no sign. */
	snprintf(out, 48, "%s%.36s%%", strcmp(number, "0.0") == 0 ? "" : share < 0 ? "−" : "+", number);
}

void say_differences(const struct metric *m, double lo, double hi, char low[48], char high[48])
{
	say_signed_percent((m->higher_is_better ? lo : 1 / hi) - 1, low);
	say_signed_percent((m->higher_is_better ? hi : 1 / lo) - 1, high);
}

struct scale {
	const char *si, *name;
	double from, divide;
};

static const struct scale scales[] = {
	{ "B/s", "MB/s", 1e5, 1e6 },  { "B/s", "kB/s", 0, 1e3 },
	{ "ns", "s", 1e9, 1e9 },      { "ns", "ms", 1e5, 1e6 }, { "ns", "µs", 0, 1e3 },
	{ "ns/GiB", "s per GiB", 0, 1e9 },
	{ "1/s", "/s", 0, 1 },        { "1", "", 0, 1 },
};

const char *say_scale(const struct metric *m, double largest, double *divide)
{
	for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
		if (strcmp(m->unit, scales[i].si) == 0 && largest >= scales[i].from) {
			*divide = scales[i].divide;
			return scales[i].name;
		}
	}
	*divide = 1;
	return m->unit;
}

char *say_value(const struct metric *m, double v)
{
	double divide;
	const char *unit = say_scale(m, fabs(v), &divide);
	char number[40];

	num_sig(v / divide, 3, number);
	return mem_printf("%s%s%s", number, *unit ? " " : "", unit);
}

char *say_mb(double bytes)
{
	char number[40];

	num_fixed(bytes / 1e6, bytes > 0 && bytes < 99.5e6 ? 1 : 0, number);
	return mem_printf("%s MB", number);
}

/* A number of bytes in the largest unit that leaves 1 or more, three digits at most. */
static void decimal_bytes(double v, char out[40])
{
	static const char *const unit[] = { "B", "kB", "MB", "GB", "TB", "PB" };
	char digits[40];
	size_t i = 0;

	while (i < 5 && v >= 999.5) {
		v /= 1000;
		i++;
	}
	num_sig(v, 3, digits);
	if (strchr(digits, '.')) { /* 275 and 1.6, not 1.60: what people chose is round */
		size_t n = strlen(digits);

		while (digits[n - 1] == '0')
			digits[--n] = 0;
		if (digits[n - 1] == '.')
			digits[--n] = 0;
	}
	snprintf(out, 40, "%.30s %s", digits, unit[i]);
}

char *say_size(uint64_t bytes)
{
	char binary[40], decimal[40];

	num_bytes(bytes, binary);
	if (bytes < 1000)
		return mem_strdup(binary);
	decimal_bytes((double)bytes, decimal);
	return mem_printf("%s (%s)", binary, decimal);
}

char *say_rate(double bytes_per_s)
{
	char binary[40], decimal[40];

	num_bytes((uint64_t)bytes_per_s, binary);
	decimal_bytes(bytes_per_s, decimal);
	return mem_printf("%s/s (%s/s)", decimal, binary);
}

char *say_blocks(const struct wording *w, uint32_t n)
{
	return wording_count(w, "blocks", n);
}

void say_p(double p, char out[40])
{
	if (!isfinite(p))
		snprintf(out, 40, "–");
	else if (p < .001)
		snprintf(out, 40, "< 0.001");
	else
		num_fixed(p, 3, out);
}

char *say_gate(const struct wording *w, const struct gate *g, double value)
{
	const char *unit = g->unit ? g->unit : "";
	char s[48];

	if (!isfinite(value))
		return mem_strdup(wording_get(w, g->state == GATE_FAILS ? "gate.no" : "gate.yes"));
	if (strcmp(unit, "B/s") == 0)
		return say_value(metric_find("throughput"), value);
	if (strcmp(unit, "share") == 0) {
		say_percent(value, s);
		return mem_strdup(s);
	}
	if (strcmp(unit, "ns") == 0) {
		num_time((int64_t)value, s);
		return mem_strdup(s);
	}
	num_sig(value, 3, s);
	if (value == floor(value))
		num_fixed(value, 0, s);
	return mem_strdup(s);
}

void say_capital(char *s)
{
	if (*s >= 'a' && *s <= 'z' && !(s[1] >= '0' && s[1] <= '9'))
		*s = (char)(*s - 'a' + 'A');
}

void say_asked(char *s)
{
	char *colon = strstr(s, "?: ");

	say_capital(s);
	if (!colon)
		return;
	memmove(colon + 1, colon + 2, strlen(colon + 2) + 1);
	say_capital(colon + 2);
}

static const char *op_key(const struct workload *w)
{
	static const char *const key[] = { "reads", "writes", "mixed", "trims" };

	return w->op < 4 ? key[w->op] : "reads";
}

/* Value of a swept dimension in a cell, NULL if it has none. */
static const char *swept(const struct cell *cell, const char *dim)
{
	for (size_t i = 0; i < cell->n_sweep; i++)
		if (strcmp(cell->sweep[i].dim, dim) == 0)
			return cell->sweep[i].text;
	return NULL;
}

static const char *variant_name(const struct cells *c, const struct cell *cell)
{
	return cell->variant < 0 ? ""
				 : jsonx_str(json_array_get(c->tests[cell->test].variants, (size_t)cell->variant), "name", "");
}

char *say_cell(const struct wording *w, const struct cells *c, const struct cell *cell, const char *named)
{
	const char *target = c->targets[cell->target].name, *workload = c->workloads[cell->workload].name;
	const char *op = wording_of(w, "op", op_key(&cell->spec)), *value = swept(cell, named);
	const char *variant = variant_name(c, cell);

	if (strcmp(named, "pass") == 0)
		return wording_fill(w, cell->pass > 1 ? "subject.repeat" : "subject.first", "target", target,
				    "op", op, NULL);
	if (value)
		return wording_fill(w, "subject.value", "target", target, "op", op, "value", value, NULL);
	if (strcmp(named, "workload") == 0)
		return wording_fill(w, "subject.workload", "target", target, "workload", workload, NULL);
	if (strcmp(named, "variant") == 0)
		return wording_fill(w, "subject.variant", "target", target, "op", op, "variant", variant, NULL);
	if (strcmp(named, "company") == 0)
		return wording_fill(w, cell->company == COMPANY_TOGETHER ? "subject.together" : "subject.alone",
				    "target", target, "op", op, NULL);
	return wording_fill(w, cell->control ? "subject.control" : cell->pass > 1 ? "subject.repeat" : "subject.target",
			    "target", target, "op", op, NULL);
}

/* Do the cells of this test differ in a dimension? */
static bool varies(const struct test_result *t, const char *dim)
{
	for (size_t i = 0; i < t->n_dims; i++)
		if (strcmp(t->dims[i].dim, dim) == 0)
			return t->dims[i].differs;
	return false;
}

static void context_add(struct buf *b, const char *word)
{
	buf_printf(b, "%s%s", b->len ? ", " : "", word);
}

char *say_context(const struct results *r, const struct cell *subject, const struct cell *against,
		  const char *named)
{
	const struct test_result *t = &r->tests[subject->test];
	struct buf b = BUF_INIT;

	if (strcmp(named, "workload") != 0 && subject->workload == against->workload && t->workloads_differ)
		context_add(&b, r->bundle->cells.workloads[subject->workload].name);
	for (size_t i = 0; i < subject->n_sweep; i++) {
		const struct sweep_value *s = &subject->sweep[i];
		const char *other = swept(against, s->dim);

		if (strcmp(s->dim, named) != 0 && other && strcmp(other, s->text) == 0 && varies(t, s->dim))
			context_add(&b, s->text);
	}
	return buf_take(&b);
}
