/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_TESTS_REPORT_SAMPLE_CHARTS_H
#define IOW_TESTS_REPORT_SAMPLE_CHARTS_H

#include <stdint.h>

#include "reports/document.h"

/* Invented figures of sample_report(), appended to `d`. */
void sample_forest(struct document *d);
void sample_dots(struct document *d);
void sample_time_series(struct document *d);
void sample_latency(struct document *d);
void sample_sweep(struct document *d);
void sample_together(struct document *d);
void sample_slope(struct document *d);
void sample_history(struct document *d);

/* -0.5 to 0.5, the same on every machine. */
double sample_noise(uint64_t *state);

#endif
