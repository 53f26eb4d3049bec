#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The driver interface: its layout stands, old and new drivers are taken or refused for a reason, and one
# that misbehaves costs its own answer or run, nothing else.
. "$(dirname "$0")/../lib/tap.sh"
cc=${IOW_CC:-cc}
# shellcheck disable=SC2086
set -- $cc
require_cmd "$1"
plan_later

mkdir drivers
# build NAME [-D…]: a specimen; $inc is the header it is built with.
inc=$IOW_SRC/core/include
build() {
	name=$1
	shift
	# shellcheck disable=SC2086
	$cc -std=gnu11 -O1 -fPIC -shared -DSPECIMEN_ABI=${abi:-1} -DCRASH_AT=${crash:-0} -I"$inc" \
		"$@" -o "drivers/$name.so" "$IOW_SRC/tests/abi/specimen.c" || bail "no specimen $name"
}
# refused NAME ERE DESC
refused() {
	exits 1 "$3" "$IOW" drivers "$1" --plugin-path drivers
	like "$(cat "$T/err")" "$2" 'and it is said why'
}

# ---- layout
# shellcheck disable=SC2086
{
	ok 'the layout of interface 1 stands' $cc -std=c11 -fsyntax-only -I"$inc" "$IOW_SRC/tests/abi/layout.c"
	ok 'and is that of the frozen header' $cc -std=c11 -fsyntax-only -I"$IOW_SRC/tests/abi/1" \
		"$IOW_SRC/tests/abi/layout.c"
}

# ---- taken
build now
ok 'a driver of today' "$IOW" drivers now --plugin-path drivers
(inc=$IOW_SRC/tests/abi/1 && build frozen)
ok 'one built with the frozen header' "$IOW" drivers frozen --plugin-path drivers
build old -DOLD
ok 'one from before explain and connect' "$IOW" drivers old --plugin-path drivers
build newer -DMORE=0
ok 'a newer one that uses nothing unknown' "$IOW" drivers newer --plugin-path drivers
build wide -DWIDE_KEYS=0
ok 'newer keys that use nothing unknown' "$IOW" drivers wide --plugin-path drivers
like "$(cat "$T/out")" '^  size +bytes' 'are read with their own stride'

# ---- refused
build tail -DMORE=1
refused tail 'newer version' 'a non-zero tail'
build widetail -DWIDE_KEYS=1
refused widetail '"size" uses fields' 'a non-zero tail of a key'
(abi=2 && build major)
refused major 'interface 2, this program 1' 'another major'
build tiny -DTINY
refused tiny '64 bytes' 'a descriptor that is too short'
build nosymbol -DNO_SYMBOL
refused nosymbol 'undefined symbol: iow_driver_1' 'no driver: in the words of dlerror'
build noreap -DNO_REAP
refused noreap 'submit and reap' 'submit without reap'
build leads -DCAPS='(IOW_CAP_CONNECT | 1ull << 40)'
refused leads 'capabilities this version does not know' 'an unknown capability, on one that leads to a node too'
echo 'int x;' >no.c && echo text >drivers/text.so
refused text 'drivers/text.so: (file too short|invalid ELF header)' 'no shared object'
cp drivers/now.so drivers/open.so && chmod o+w drivers/open.so
refused open 'open.so may be written by others' 'a file that others may write'
mkdir loose && cp drivers/now.so loose/ && chmod o+w loose
exits 1 'a directory that others may write' "$IOW" drivers now --plugin-path loose
like "$(cat "$T/err")" 'loose may be written by others' 'is named'
exits 1 'a driver that is not there' "$IOW" drivers nosuch --plugin-path drivers
like "$(cat "$T/err")" 'no driver "nosuch" in drivers, ' 'with the places it was looked for'

# ---- a constructor that aborts costs its own answer
build aborts -DABORTS
refused aborts 'SIGABRT' 'a constructor that aborts'
ok 'the list goes on' "$IOW" drivers --plugin-path drivers
like "$(cat "$T/out")" '^aborts +cannot be used: .*SIGABRT' 'names it'
like "$(cat "$T/out")" '^null +moves nothing' 'and lists the others'

# ---- runs
# plan DRIVER WORKLOAD-MEMBERS
plan_of() {
	cat <<-JSON
		{ "iowitness": 1, "title": "abi",
		  "targets": { "t": { "driver": "$1", "count": "$T/$1.count" } },
		  "workloads": { "w": { "op": "read", "pattern": "random", "block": "4KiB"$2 } },
		  "tests": [ { "name": "x", "targets": ["t"], "workloads": ["w"], "blocks": 5, "region": "whole" } ] }
	JSON
}
# run NAME: its plan is NAME.json
run() { "$IOW" run "$1.json" -o "$1.iow" --plugin-path drivers >"$1.out" 2>"$1.err"; }
statuses() { sed -n 's/.*"status":"\([a-z ]*\)".*/\1/p' "$1.iow/runs.jsonl" | sort | uniq -c | sed 's/^ *//'; }

build shy -DSHY
plan_of shy ', "depth": 4, "batch": 2, "amount": "400KiB"' >shy.json
run shy
is "$(statuses shy)" '5 ok' 'a driver that takes few I/Os at a time, or none'
like "$(grep -c '"ios":100,' shy.iow/runs.jsonl)" '^5$' 'loses none'

build stuck -DSTUCK
plan_of stuck ', "depth": 4, "amount": "400KiB"' >stuck.json
run stuck
like "$(statuses stuck)" 'failed' 'a driver that takes nothing at all'
like "$(cat stuck.iow/runs.jsonl)" 'accepts no I/O although none is in flight' 'fails in these words'

build twice -DTWICE
plan_of twice ', "depth": 4, "amount": "400KiB"' >twice.json
run twice
like "$(cat twice.iow/runs.jsonl)" '"status":"failed".*gave back an I/O that was not in flight' \
	'a driver that gives an I/O back twice is found out'

build prints -DPRINTS
plan_of prints ', "amount": "400KiB"' >prints.json
run prints
is "$(statuses prints)" '5 ok' 'a driver that prints on stdout'
like "$(cat prints.iow/log.txt)" 'prints: hello from a driver that prints' 'has its words in the log'

# Opens: one to prepare the target, then one a run.
ASAN_OPTIONS=handle_segv=0 # a crash under the sanitizer is to end by its signal too
export ASAN_OPTIONS
(crash=4 && build crashes)
plan_of crashes ', "duration": "20ms"' >crashes.json
run crashes
is $? 3 'a driver that crashes in its third run: exit 3'
is "$(statuses crashes | tr '\n' ' ')" '1 crashed 4 ok ' 'the other runs are there'
like "$(cat crashes.iow/runs.jsonl)" '"run":3,.*"status":"crashed".*SIGSEGV' 'the crash has its signal'
done_testing
