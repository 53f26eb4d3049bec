/* SPDX-License-Identifier: Apache-2.0 */
#include "base/num.h"
#include "base/err.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int num_parse_int(const char *s, int64_t *out, struct iow_error *e)
{
	char *end;
	long long v;

	errno = 0;
	v = strtoll(s, &end, 10);
	if (end == s || *end || isspace((unsigned char)*s))
		return err_set(e, EINVAL, "\"%s\" is not a whole number", s);
	if (errno == ERANGE)
		return err_set(e, ERANGE, "%s does not fit 64 bits", s);
	*out = v;
	return 0;
}

/* Value of the leading decimal number of s; *end after it; NaN if there is none. Digits go through
 * strtod, whose decimal point is '.' since the program never leaves the C locale; the point is
 * checked all the same so that a host that did would fail loudly. */
static double leading(const char *s, const char **end)
{
	size_t n = strspn(s, "0123456789.eE+-");
	char tmp[64], *stop;
	double v;

	*end = s;
	/* An exponent must not swallow the E of a unit: cut where strtod stops. */
	if (n == 0 || n >= sizeof tmp || isspace((unsigned char)*s))
		return NAN;
	memcpy(tmp, s, n);
	tmp[n] = 0;
	v = strtod(tmp, &stop);
	if (stop == tmp || (*stop == '.' && stop[1]))
		return NAN;
	*end = s + (stop - tmp);
	return v;
}

int num_parse_real(const char *s, double *out, struct iow_error *e)
{
	const char *end;
	double v = leading(s, &end);

	if (!isfinite(v) || *end)
		return err_set(e, EINVAL, "\"%s\" is not a number", s);
	*out = v;
	return 0;
}

struct unit {
	const char *name;
	double factor;
};

static const struct unit byte_units[] = {
	{ "", 1 }, { "B", 1 },
	{ "KiB", 0x1p10 }, { "MiB", 0x1p20 }, { "GiB", 0x1p30 }, { "TiB", 0x1p40 }, { "PiB", 0x1p50 },
	{ "kB", 1e3 }, { "KB", 1e3 }, { "MB", 1e6 }, { "GB", 1e9 }, { "TB", 1e12 }, { "PB", 1e15 },
	{ NULL, 0 }
};

static const struct unit time_units[] = {
	{ "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 }, { "min", 60e9 }, { "h", 3600e9 }, { NULL, 0 }
};

static int with_unit(const char *s, const struct unit *u, const char *allowed, double *out,
		     struct iow_error *e)
{
	const char *end;
	double v = leading(s, &end);

	while (*end == ' ')
		end++;
	for (; isfinite(v) && v >= 0 && u->name; u++) {
		if (strcmp(end, u->name) == 0) {
			*out = v * u->factor;
			return 0;
		}
	}
	return err_set(e, EINVAL, "\"%s\" is not %s", s, allowed);
}

int num_parse_bytes(const char *s, uint64_t *out, struct iow_error *e)
{
	double v = 0;

	if (with_unit(s, byte_units, "a size such as 4096, \"32KiB\", \"1.5GiB\" or \"10MB\"", &v, e))
		return -1;
	if (v > 9e18 || v != floor(v))
		return err_set(e, ERANGE, "\"%s\" is not a whole number of bytes below 2^63", s);
	*out = (uint64_t)v;
	return 0;
}

int num_parse_time(const char *s, int64_t *ns, struct iow_error *e)
{
	static const char allowed[] = "a time such as \"5s\", \"250ms\", \"10us\", \"2min\" or \"1h\"";
	double v = 0;

	if (strcmp(s, "0") == 0) {
		*ns = 0;
		return 0;
	}
	if (with_unit(s, time_units, allowed, &v, e))
		return -1;
	if (v > 9e18)
		return err_set(e, ERANGE, "\"%s\" is longer than 292 years", s);
	*ns = (int64_t)llround(v);
	return 0;
}

void num_real12(double x, char out[32])
{
	snprintf(out, 32, "%.12g", x == 0 ? 0.0 : x);
}

void num_fixed(double x, int decimals, char out[40])
{
	if (!isfinite(x) || fabs(x) > 1e18) {
		snprintf(out, 40, "n/a");
		return;
	}
	snprintf(out, 40, "%.*f", decimals, x);
	if (out[0] == '-' && strspn(out + 1, "0.") == strlen(out + 1))
		memmove(out, out + 1, strlen(out));
}

int num_sig_decimals(double x, int digits)
{
	char tmp[48];
	int exp10;

	if (!isfinite(x) || x == 0)
		return digits - 1;
	/* Through the printed form, so that 9.996 at 3 digits counts as 10.0. */
	snprintf(tmp, sizeof tmp, "%.*e", digits - 1, x);
	exp10 = atoi(strchr(tmp, 'e') + 1);
	return exp10 >= digits - 1 ? 0 : digits - 1 - exp10;
}

void num_sig(double x, int digits, char out[40])
{
	int decimals = num_sig_decimals(x, digits);

	num_fixed(x, decimals > 15 ? 15 : decimals, out);
}

void num_bytes(uint64_t bytes, char out[40])
{
	static const char *const unit[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB" };
	double v = (double)bytes;
	char digits[40];
	size_t i = 0;

	while (i < 5 && v >= 1024) {
		v /= 1024;
		i++;
	}
	if (v == floor(v))
		num_fixed(v, 0, digits);
	else
		num_sig(v, 3, digits);
	snprintf(out, 40, "%.30s %s", digits, unit[i]);
}

void num_time(int64_t ns, char out[40])
{
	double v = (double)ns;
	const char *unit = "ns";
	char digits[40];

	if (llabs(ns) >= 1000000000) {
		v /= 1e9;
		unit = "s";
	} else if (llabs(ns) >= 1000000) {
		v /= 1e6;
		unit = "ms";
	} else if (llabs(ns) >= 1000) {
		v /= 1e3;
		unit = "µs";
	}
	if (v == floor(v))
		num_fixed(v, 0, digits);
	else
		num_sig(v, 3, digits);
	snprintf(out, 40, "%.30s %s", digits, unit);
}
