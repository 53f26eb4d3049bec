#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The public header compiles alone, in each language a driver may be written in, without a warning.
. "$(dirname "$0")/../lib/tap.sh"
plan 5

strict='-Wall -Wextra -pedantic -Werror -fsyntax-only'
cc=${IOW_CC:-cc}
printf '#include <iowitness/driver.h>\nint use(const struct iow_driver *d) { return d->abi == IOW_ABI; }\n' >a.c
cp a.c a.cc
sed -i 's/^int use/extern "C" int use/' a.cc
inc=$IOW_SRC/core/include
# shellcheck disable=SC2086
{
	ok 'as C11' $cc -std=c11 $strict -I"$inc" a.c
	ok 'as C99 and later, GNU dialect' $cc -std=gnu17 $strict -I"$inc" a.c
}
if command -v g++ >/dev/null 2>&1; then
	# shellcheck disable=SC2086
	{
		ok 'as C++11' g++ -std=c++11 $strict -I"$inc" a.cc
		ok 'as C++20' g++ -std=c++20 $strict -I"$inc" a.cc
	}
else
	skip 2 'no C++ compiler'
fi
is "$(grep -n '#include' "$inc/iowitness/driver.h" | grep -v '<std[a-z]*\.h>')" '' \
	'it includes standard headers only'
