/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_ORACLE_SIM_ORDER_H
#define IOW_ORACLE_SIM_ORDER_H

#include <stddef.h>
#include <stdint.h>

/* first[i] = 1 where arm A runs before arm B in block i, else -1: the product's own schedule of a
 * test with two steps. */
void sim_order(double *first, size_t n, uint64_t seed);

#endif
