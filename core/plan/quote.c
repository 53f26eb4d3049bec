/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/quote.h"
#include "base/err.h"
#include "base/vec.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define DIGITS_MOST 15 /* what a double holds */

static const struct {
	const char *name;
	double factor;
	enum figure_kind kind;
} units[] = {
	{ "", 1, FIGURE_PLAIN },
	{ "ns", 1, FIGURE_TIME },	{ "us", 1e3, FIGURE_TIME },	 { "µs", 1e3, FIGURE_TIME },
	{ "ms", 1e6, FIGURE_TIME },	{ "s", 1e9, FIGURE_TIME },	 { "min", 60e9, FIGURE_TIME },
	{ "h", 3600e9, FIGURE_TIME },	{ "B", 1, FIGURE_BYTES },	 { "kB", 1e3, FIGURE_BYTES },
	{ "MB", 1e6, FIGURE_BYTES },	{ "GB", 1e9, FIGURE_BYTES },	 { "TB", 1e12, FIGURE_BYTES },
	{ "KiB", 1024, FIGURE_BYTES },	{ "MiB", 1048576.0, FIGURE_BYTES }, { "GiB", 1073741824.0, FIGURE_BYTES },
	{ "TiB", 1099511627776.0, FIGURE_BYTES }, { "IOPS", 1, FIGURE_IO_RATE },
};

static const struct {
	const char *word;
	enum quote_sense sense;
} senses[] = {
	{ "", QUOTE_OF },	   { "faster", QUOTE_FASTER }, { "slower", QUOTE_SLOWER }, { "more", QUOTE_MORE },
	{ "higher", QUOTE_MORE },  { "longer", QUOTE_MORE },   { "larger", QUOTE_MORE },   { "less", QUOTE_LESS },
	{ "lower", QUOTE_LESS },   { "shorter", QUOTE_LESS },  { "smaller", QUOTE_LESS },
};

static const char *skip_blank(const char *s)
{
	while (*s == ' ')
		s++;
	return s;
}

/* Digits with one point at most; the unit of the last digit. NULL: no number above 0. */
static const char *read_number(const char *s, double *value, double *unit)
{
	int digits = 0, decimals = -1;

	*value = 0;
	for (; (*s >= '0' && *s <= '9') || (*s == '.' && decimals < 0); s++) {
		if (*s == '.') {
			decimals = 0;
			continue;
		}
		*value = *value * 10 + (*s - '0');
		decimals += decimals >= 0;
		digits++;
	}
	*unit = decimals > 0 ? pow(10, -decimals) : 1;
	*value /= decimals > 0 ? pow(10, decimals) : 1;
	return digits && digits <= DIGITS_MOST && decimals != 0 && *value > 0 ? s : NULL;
}

static int read_figure(struct figure *f, const char *text, struct iow_error *e)
{
	const char *s = read_number(skip_blank(text), &f->value, &f->unit);
	size_t n;
	bool rate;

	if (!s)
		return err_set(e, EINVAL, "\"%s\" is no figure; allowed: a number above 0 with or without a unit, such as "
			       "\"19.7 s\" or \"53 MB/s\"", text);
	s = skip_blank(s);
	n = strlen(s);
	rate = n > 2 && strcmp(s + n - 2, "/s") == 0;
	for (size_t i = 0; i < ARRAY_LEN(units); i++) {
		if (strlen(units[i].name) != n - 2 * rate || memcmp(units[i].name, s, n - 2 * rate) != 0 ||
		    (rate && units[i].kind != FIGURE_BYTES))
			continue;
		f->kind = rate ? FIGURE_BYTE_RATE : units[i].kind;
		f->value *= units[i].factor;
		f->unit *= units[i].factor;
		return 0;
	}
	return err_set(e, EINVAL, "\"%s\" has an unknown unit; allowed: a time (ns, us, ms, s, min, h), bytes (kB, MiB …), "
		       "bytes a second (MB/s …), IOPS, or none", text);
}

static int read_says(struct quote *q, const char *text, struct iow_error *e)
{
	const char *s = read_number(skip_blank(text), &q->stated, &q->unit);

	s = s ? skip_blank(s) : NULL;
	if (s && (*s == 'x' || *s == '%')) {
		q->percent = *s == '%';
		s = skip_blank(s + 1);
		for (size_t i = 0; i < ARRAY_LEN(senses); i++)
			if (strcmp(senses[i].word, s) == 0) {
				q->sense = senses[i].sense;
				q->stated /= q->percent ? 100 : 1;
				q->unit /= q->percent ? 100 : 1;
				return 0;
			}
	}
	return err_set(e, EINVAL, "\"%s\" says nothing that can be checked; allowed: a number with x or %%, and then nothing or "
		       "faster, slower, more, higher, longer, larger, less, lower, shorter, smaller", text);
}

int quote_read(struct quote *q, const struct plan_quote *given, struct iow_error *e)
{
	memset(q, 0, sizeof *q);
	if (read_figure(&q->subject, given->subject, e) || read_figure(&q->against, given->against, e) ||
	    read_says(q, given->says, e))
		return -1;
	if (q->subject.kind != q->against.kind)
		return err_set(e, EINVAL, "\"%s\" and \"%s\" are not of one kind", given->subject, given->against);
	if ((q->sense == QUOTE_FASTER || q->sense == QUOTE_SLOWER) &&
	    (q->subject.kind == FIGURE_PLAIN || q->subject.kind == FIGURE_BYTES))
		return err_set(e, EINVAL, "\"%s\" needs figures that are times or rates", given->says);
	return 0;
}
