/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/pseudonym.h"
#include "base/vec.h"

/* What is learnt and what comes of it, each with a table of its own. */
static void check(enum pseudo_form form, const char *text, const char *wanted)
{
	struct pseudonyms *p = pseudonyms_new(NULL, 0);
	mem_auto char *got = NULL;

	pseudonyms_avoid(p, text);
	pseudonyms_learn(p, form, text);
	got = pseudonyms_replace(p, form, text);
	assert_string_equal(got, wanted);
	assert_null(pseudonyms_left(p, got, true));
	pseudonyms_free(p);
}

static void shapes_are_found_in_a_text(void **state)
{
	static const char *const texts[][2] = {
		{ "cannot open /net/gruft/a.dat: gone", "cannot open /path-1/path-2/path-3.dat: gone" },
		{ "/net/gruft/../gruft/./x.", "/path-1/path-2/../path-2/./path-3." },
		{ "/dev/sda1 /dev/nvme0n1p2 /dev/mapper/vg-gruft", "/dev/sda1 /dev/nvme0n1p2 /dev/mapper/path-1" },
		{ "/home/berta/x ~/gruft", "/home/user-1/path-1 ~/path-2" },
		{ "/net/my file.dat is away", "/path-1/path-2.dat is away" },
		{ "C:\\gruft\\a.dat \\\\nas03\\gruft", "C:\\path-1\\path-2.dat \\\\path-3\\path-1" },
		{ "“/net/gruft”, -I/net/gruft (/net/gruft)", "“/path-1/path-2”, -I/path-1/path-2 (/path-1/path-2)" },
		{ "12.5 MB/s, read/write, I/O, 1/2, +/-3, </b>", "12.5 MB/s, read/write, I/O, 1/2, +/-3, </b>" },
		{ "at /tests/0/blocks and /tests/gruft/x", "at /tests/0/blocks and /path-1/path-2/path-3" },
		{ "10.20.30.40:22 and 10.20.30.40/24, not 127.0.0.1", "address-1:22 and address-1/24, not 127.0.0.1" },
		{ "[fe80::1%eth0]:22, 2001:db8::42, ::1", "[address-1]:22, address-2, ::1" },
		{ "52:54:00:ab:cd:ef at 12:34:56.789", "address-1 at 12:34:56.789" },
		{ "herta@web01.site.example, web01, WEB01.SITE.EXAMPLE", "user-1@host-1.domain-1, host-1, host-1.domain-1" },
		{ "https://u:pw@web01.site.example:8443/gruft?x=1", "https://user-1@host-1.domain-1/path-1" },
		{ "https://web01.site.example?key=geheim", "https://host-1.domain-1?name-1" },
		{ "nas03:/export/gruft", "host-1:/path-1/path-2" },
		{ "UUID=6f1d2c3b-4a59-4687-9786-a5b4c3d2e1f0", "UUID=id-1" },
		{ "naa.600508b400105e21 wwn-0x5002538f4132abcd", "naa.id-1 wwn-id-2" },
		{ "libblkid 2.38.1, posix.so, p99.9, e.g. 1.0", "libblkid 2.38.1, posix.so, p99.9, e.g. 1.0" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		check(PSEUDO_AS_TEXT, texts[i][0], texts[i][1]);
}

static void forms_tell_what_a_text_is(void **state)
{
	(void)state;
	check(PSEUDO_AS_HOST, "herta@gate:22,web01", "user-1@host-1,host-2");
	check(PSEUDO_AS_HOST, "localhost", "localhost");
	check(PSEUDO_AS_HOST, "web01.a.example, web01.b.example", "host-1.domain-1, host-1.domain-2");
	check(PSEUDO_AS_PATH, "/data/my folder (1)/x; y", "/path-1/path-2/path-3");
	check(PSEUDO_AS_PATH, "${dir}/pre-${n}.dat", "${dir}/path-1-${n}.dat");
	check(PSEUDO_AS_PATH, "scan", "path-1");
	check(PSEUDO_AS_SERIAL, "S1234, S1235, S1234", "serial-1, serial-2, serial-1");
	check(PSEUDO_AS_ID, "wwn-0x5000c500a1b2c3d4-part3", "wwn-id-1-part3");
	check(PSEUDO_AS_LAYER, "vda1: partition", "vda1: partition");
	check(PSEUDO_AS_LAYER, "md0: software RAID (raid1)", "md0: software RAID (raid1)");
	check(PSEUDO_AS_LAYER, "dm-0: LVM volume (vg_gruft-lv, uuid LVM-abc)", "dm-0: LVM volume (path-1, uuid id-1)");
	check(PSEUDO_AS_LAYER, "loop0: loop device (/net/my file (1).img)", "loop0: loop device (/path-1/path-2.img)");
	check(PSEUDO_AS_LAYER, "loop0: loop device (/net/#12 (deleted))", "loop0: loop device (/path-1/path-2 (deleted))");
	check(PSEUDO_AS_NAME, "64KiB", "64KiB");
	check(PSEUDO_AS_NAME, "sequential", "sequential");
	check(PSEUDO_AS_NAME, "bucket of berta", "name-1");
	check(PSEUDO_AS_OPTIONS, "rw,vers=4.2,addr=10.1.2.3,username=berta,data=ordered",
	      "rw,vers=4.2,addr=address-1,username=name-1,data=ordered");
	check(PSEUDO_AS_OPTIONS, "ro quiet root=LABEL=gruft ip=10.0.0.5::10.0.0.1:web77:eth0 isolcpus=1-3 --host web77",
	      "ro quiet root=LABEL=id-1 ip=address-1::address-2:name-1:eth0 isolcpus=1-3 --host name-1");
}

static void a_short_or_common_name_does_not_spoil_a_text(void **state)
{
	struct pseudonyms *p = pseudonyms_new(NULL, 0);
	struct buf weak = BUF_INIT;
	mem_auto char *text = NULL, *typed = NULL;

	(void)state;
	pseudonyms_learn(p, PSEUDO_AS_HOST, "scan");
	pseudonyms_learn(p, PSEUDO_AS_HOST, "a");
	pseudonyms_learn(p, PSEUDO_AS_HOST, "web1");
	text = pseudonyms_replace(p, PSEUDO_AS_TEXT, "a scan of web1 and web10, of xweb1 and web1x, web1-disk");
	assert_string_equal(text, "a scan of host-3 and web10, of xweb1 and web1x, host-3-disk");
	typed = pseudonyms_replace(p, PSEUDO_AS_HOST, "scan");
	assert_string_equal(typed, "host-1");
	pseudonyms_list(p, true, &weak);
	assert_string_equal(buf_str(&weak), "scan\thost-1\na\thost-2\n");
	buf_release(&weak);
	pseudonyms_free(p);
}

static void a_distinctive_name_is_found_within_a_word(void **state)
{
	struct pseudonyms *p = pseudonyms_new(NULL, 0);
	mem_auto char *text = NULL;

	(void)state;
	pseudonyms_learn(p, PSEUDO_AS_HOST, "gruft42");
	pseudonyms_learn(p, PSEUDO_AS_HOST, "東京");
	text = pseudonyms_replace(p, PSEUDO_AS_TEXT, "xGRUFT42y, gruft421, の東京は");
	assert_string_equal(text, "xhost-1y, gruft421, のhost-2は");
	assert_string_equal(pseudonyms_left(p, "about Gruft42disk", false), "gruft42");
	assert_null(pseudonyms_left(p, "about gruft421", true));
	pseudonyms_free(p);
}

static void a_name_that_was_cut_is_replaced(void **state)
{
	struct pseudonyms *p = pseudonyms_new(NULL, 0);
	mem_auto char *marked = NULL, *plain = NULL, *longer = NULL;

	(void)state;
	pseudonyms_learn(p, PSEUDO_AS_HOST, "gruftserver42");
	marked = pseudonyms_replace(p, PSEUDO_AS_SAID, "the agent that was started on gruftserv…");
	assert_string_equal(marked, "the agent that was started on host-1…");
	plain = pseudonyms_replace(p, PSEUDO_AS_SAID, "the agent that was started on gruftserver");
	assert_string_equal(plain, "the agent that was started on host-1");
	longer = pseudonyms_replace(p, PSEUDO_AS_SAID, "the agent that was started on gruft of berta");
	assert_string_equal(longer, "the agent that was started on gruft of berta");
	pseudonyms_free(p);
}

static void a_pseudonym_that_the_text_has_is_not_given(void **state)
{
	struct pseudonyms *p = pseudonyms_new(NULL, 0);
	mem_auto char *text = NULL;

	(void)state;
	pseudonyms_avoid(p, "Host-1 and xhost-2 and web01");
	pseudonyms_learn(p, PSEUDO_AS_HOST, "web01");
	pseudonyms_learn(p, PSEUDO_AS_HOST, "host-1");
	text = pseudonyms_replace(p, PSEUDO_AS_TEXT, "Host-1 and web01");
	assert_string_equal(text, "host-4 and host-3");
	pseudonyms_free(p);
}

static char *keyed(const char *key, const char *before)
{
	struct pseudonyms *p = pseudonyms_new(key, strlen(key));
	char *out;

	pseudonyms_learn(p, PSEUDO_AS_HOST, before);
	pseudonyms_learn(p, PSEUDO_AS_HOST, "Web01.site.example");
	out = pseudonyms_replace(p, PSEUDO_AS_TEXT, "web01.site.example");
	pseudonyms_free(p);
	return out;
}

static void a_key_gives_the_same_pseudonyms_everywhere(void **state)
{
	mem_auto char *a = keyed("sixteen bytes or more", "x1y"), *b = keyed("sixteen bytes or more", "other9"),
		      *c = keyed("another key of some bytes", "x1y");

	(void)state;
	assert_string_equal(a, b);
	assert_string_not_equal(a, c);
	/* printf 'host\0web01' | openssl dgst -sha256 -hmac 'sixteen bytes or more' */
	assert_memory_equal(a, "host-80e503c257.domain-", 5 + 10 + 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shapes_are_found_in_a_text),
		cmocka_unit_test(forms_tell_what_a_text_is),
		cmocka_unit_test(a_short_or_common_name_does_not_spoil_a_text),
		cmocka_unit_test(a_distinctive_name_is_found_within_a_word),
		cmocka_unit_test(a_name_that_was_cut_is_replaced),
		cmocka_unit_test(a_pseudonym_that_the_text_has_is_not_given),
		cmocka_unit_test(a_key_gives_the_same_pseudonyms_everywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
