/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_TESTS_GUARD_SIGNATURES_H
#define IOW_TESTS_GUARD_SIGNATURES_H

#include <stddef.h>
#include <sys/types.h>

/* What members of volumes carry, just enough of it that libblkid knows them. */
void put_lvm(off_t at);
void put_raid(void);
void put_luks(void);
void put_zfs(void);
void put_btrfs(void);

/* The test's: to the device and the file below it. */
void write_at(off_t at, const void *data, size_t n);

#endif
