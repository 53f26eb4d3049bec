/* SPDX-License-Identifier: Apache-2.0 */
#include "guard_signatures.h"

#include <stdint.h>
#include <string.h>

static uint32_t lvm_crc(const unsigned char *p, size_t n)
{
	uint32_t crc = 0xf597a6cf;

	for (size_t i = 0; i < n; i++) {
		crc ^= p[i];
		for (int k = 0; k < 8; k++)
			crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
	}
	return crc;
}

void put_lvm(off_t at)
{
	unsigned char s[512] = "LABELONE";
	uint32_t crc;

	s[8] = 1; /* sector 1 of the device */
	s[20] = 32;
	memcpy(s + 24, "LVM2 001", 8);
	memcpy(s + 32, "abcdefghijklmnopqrstuvwxyz012345", 32);
	crc = lvm_crc(s + 20, 512 - 20);
	memcpy(s + 16, &crc, 4);
	write_at(at + 512, s, sizeof s);
}

void put_raid(void)
{
	unsigned char s[256] = { 0xfc, 0x4e, 0x2b, 0xa9, 1 }; /* magic, major version 1 */

	s[16] = 1;
	s[72] = 0; /* level 0 */
	s[144] = 8; /* super_offset: sector 8 */
	write_at(4096, s, sizeof s);
}

void put_luks(void)
{
	unsigned char s[592] = "LUKS\xba\xbe";

	s[7] = 1;
	memcpy(s + 168, "12345678-1234-1234-1234-123456789abc", 36);
	write_at(0, s, sizeof s);
}

void put_zfs(void)
{
	unsigned char s[1024] = { 0x0c, 0xb1, 0xba, 0 };

	for (int i = 0; i < 16; i++) /* uberblocks of the first two labels */
		write_at((128 << 10) + i / 8 * (256 << 10) + i % 8 * 1024, s, sizeof s);
}

void put_btrfs(void)
{
	unsigned char s[4096] = { 0 };

	memcpy(s + 64, "_BHRfS_M", 8);
	s[48 + 2] = 1; /* bytenr 0x10000 */
	s[145] = 16;   /* sectorsize 4096 */
	s[149] = 64;
	write_at(65536, s, sizeof s);
}
