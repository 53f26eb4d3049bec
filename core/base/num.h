/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_BASE_NUM_H
#define IOW_BASE_NUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <iowitness/driver.h>

/* Text ↔ numbers, independent of the locale. All parsers want the whole string and give 0, or -1
 * with the error naming what is allowed. */
int num_parse_int(const char *s, int64_t *out, struct iow_error *e);
int num_parse_real(const char *s, double *out, struct iow_error *e);
/* "4096", "4KiB", "1.5GiB", "10MB", "1TB": KiB, MiB, GiB, TiB are 2^10n; kB, KB, MB, GB, TB 10^3n; B. */
int num_parse_bytes(const char *s, uint64_t *out, struct iow_error *e);
/* "5s", "250ms", "10us", "100ns", "2min", "1h"; a bare number is refused (0 is not). */
int num_parse_time(const char *s, int64_t *ns, struct iow_error *e);

/* Shortest text of a real with at most 12 significant digits, '.' as point, for JSON and results. */
void num_real12(double x, char out[32]);
/* Fixed decimals, no grouping: num_fixed(2.345, 2) → "2.35" (binary value rounded half to even by
 * libc). "-0.00" becomes "0.00". NaN and infinity give "n/a". */
void num_fixed(double x, int decimals, char out[40]);
/* `digits` significant digits without exponent: 0.4304 → "0.430", 14.26 → "14.3", 1234 → "1234". */
void num_sig(double x, int digits, char out[40]);
/* How many decimals num_sig would print for x at that many digits (never negative). */
int num_sig_decimals(double x, int digits);
/* "4 KiB", "160 MiB", "1.5 GiB": exact binary units where they divide, else 3 digits. */
void num_bytes(uint64_t bytes, char out[40]);
/* "5 s", "250 ms", "1.25 s" */
void num_time(int64_t ns, char out[40]);

#endif
