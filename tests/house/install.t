#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What `make install` puts where, that it works from there, and that a driver can be built with it.
. "$(dirname "$0")/../lib/tap.sh"
require_cmd make pkg-config
plan_later

root=$T/root
ok 'make install' make -s -C "$IOW_BUILD" install DESTDIR="$root"
bin=$(find "$root" -name iowitness -type f -perm -u+x)
is "$(echo "$bin" | wc -l | tr -d ' ')" 1 'one program'
ok 'it runs' "$bin" --version

pc=$(find "$root" -name iowitness.pc)
PKG_CONFIG_PATH=$(dirname "$pc")
PKG_CONFIG_SYSROOT_DIR=$root
PKG_CONFIG_LIBDIR=$PKG_CONFIG_PATH
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_LIBDIR
is "$(pkg-config --modversion iowitness)" "$("$bin" --version | cut -d' ' -f2)" 'pkg-config knows the version'
like "$(pkg-config --variable=plugindir iowitness)" '/iowitness/plugins$' 'and where drivers belong'
printf '#include <iowitness/driver.h>\nint main(void) { return IOW_ABI != 1; }\n' >a.c
# shellcheck disable=SC2046
ok 'a program compiles with the installed header' \
	${IOW_CC:-cc} $(pkg-config --cflags iowitness) -o a a.c

for page in "$IOW_SRC"/core/man/*.[1-8]; do
	name=$(basename "$page")
	ok "$name is installed" cmp "$page" "$(find "$root" -path "*/man${name##*.}/$name")"
done
is "$(find "$root" -type f -perm /022)" '' 'nothing that others may write'
ok 'make uninstall' make -s -C "$IOW_BUILD" uninstall DESTDIR="$root"
is "$(find "$root" -type f)" '' 'leaves nothing'
done_testing
