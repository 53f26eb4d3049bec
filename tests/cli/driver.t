#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# iowitness drivers and driver: the example of the manual works, and check finds what is wrong.
. "$(dirname "$0")/../lib/tap.sh"
cc=${IOW_CC:-cc}
# shellcheck disable=SC2086
set -- $cc
require_cmd "$1" make
plan 33

ok 'drivers' "$IOW" drivers
like "$(cat "$T/out")" '^posix +buffered file I/O' 'lists them with a line on each'
ok 'drivers NAME' "$IOW" drivers sync
like "$(cat "$T/out")" '^can .*NEEDS_DURABILITY' 'says what one can do'
like "$(cat "$T/out")" '^  path +string +REQUIRED FILE' 'and what keys it has'
ok 'drivers --json' "$IOW" drivers --json
like "$(cat "$T/out")" '"name": "null"' 'is JSON'

# A program that was copied away from its drivers and templates, where none are installed either.
mkdir bare && cp "$IOW" bare/iowitness
bare/iowitness drivers >bare/out 2>&1
like "$(cat bare/out)" '.' 'drivers without drivers says so'
bare/iowitness plan new --list >bare/out 2>&1
like "$(cat bare/out)" '.' 'plan new --list without templates too'

ok 'driver new' "$IOW" driver new mine
like "$(cat "$T/out")" '^make -C mine && iowitness driver check mine/mine.so' 'says what to do next'
exits 1 'driver check of what is not built' "$IOW" driver check mine/mine.so
like "$(cat "$T/err")" 'mine/mine.so: No such file or directory; the FILE.so' 'says that it is not there'
exits 1 'driver check of a source' "$IOW" driver check mine/mine.c
like "$(cat "$T/err")" 'mine/mine.c: a driver is a file NAME.so' 'says what is needed'
ok 'what it wrote builds without a warning' make -C mine CC="$cc" \
	CFLAGS='-O2 -Wall -Wextra -Wno-unused-parameter -Werror' IOWITNESS_CFLAGS="-I$IOW_SRC/core/include"
dd if=/dev/urandom of=file bs=1M count=8 2>/dev/null
ok 'driver check' "$IOW" driver check mine/mine.so --set path="$T/file" --write
like "$(cat "$T/out")" '^holds +what was written is read back' 'proves what it can'
like "$(tail -n 1 "$T/out")" ' 0 fail$' 'and finds nothing'
exits 1 'no descriptor is left for a process of its own' sh -c 'ulimit -n 5 && exec "$@"' sh "$IOW" driver check mine/mine.so
like "$(cat "$T/err")" 'Too many open files' 'is an error, and nobody else is killed for it'
exits 1 'driver new over what is there' "$IOW" driver new mine
like "$(cat "$T/err")" 'mine/mine.c: File exists' 'is refused'

sed 's/got >= 0 ? got/got >= 0 ? got - (io->offset > 0)/' mine/mine.c >mine/short.c
sed -i 's/"mine"/"short"/' mine/short.c
# shellcheck disable=SC2086
$cc -std=gnu11 -fPIC -shared -I"$IOW_SRC/core/include" -o mine/short.so mine/short.c
exits 2 'a driver that moves too little' "$IOW" driver check mine/short.so --set path="$T/file"
like "$(cat "$T/out")" '^FAILS +reads in order: .*moved 4095 only' 'is found out'
sed 's/(off_t)io->offset)/(off_t)(io->offset ^ (io->op == IOW_OP_WRITE) << 14))/; s/"mine"/"lost"/' mine/mine.c >mine/lost.c
# shellcheck disable=SC2086
$cc -std=gnu11 -fPIC -shared -I"$IOW_SRC/core/include" -o mine/lost.so mine/lost.c
exits 2 'a driver that writes elsewhere' "$IOW" driver check mine/lost.so --set path="$T/file" --write
like "$(cat "$T/out")" '^FAILS +what was written is read back: 1024 blocks' 'too'

ok 'the drivers of the house hold: null' "$IOW" driver check "$IOW_BUILD/plugins/null/null.so" --write
ok 'synth' "$IOW" driver check "$IOW_BUILD/plugins/synth/synth.so" --set service=1us --write
ok 'posix' "$IOW" driver check "$IOW_BUILD/plugins/posix/posix.so" --set path="$T/file" --write
like "$(cat "$T/out")" '^holds +durable writes' 'with durable writes'

# The example of the manual is the template.
awk '/^\.SH EXAMPLE/ { on = 1 } on && /^\.nf/ { take = 1; next } /^\.fi/ { take = 0 } take' \
	"$IOW_SRC/core/man/iowitness-driver.3" | sed 's/\\-/-/g; s/\\&//g; s/\\e/\\/g' >manual.c
sed '1,/^ \*\/$/d; s/@NAME@/NAME/' "$IOW_SRC/templates/driver/driver.c" >template.c
same manual.c template.c 'the example in iowitness-driver(3) is the template'
# shellcheck disable=SC2086
ok 'and compiles' $cc -std=gnu11 -Wall -Wextra -Wno-unused-parameter -Werror -fsyntax-only -I"$IOW_SRC/core/include" manual.c
