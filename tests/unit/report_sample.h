/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_TESTS_REPORT_SAMPLE_H
#define IOW_TESTS_REPORT_SAMPLE_H

#include "reports/document.h"

/* An invented report that uses every block and every chart; finished. */
struct document *sample_report(void);
/* Strings meant to break a renderer in every place that takes one; finished. */
struct document *sample_hostile(void);
/* A table of `rows` rows and one of all runs; finished. */
struct document *sample_large(unsigned rows);

#endif
