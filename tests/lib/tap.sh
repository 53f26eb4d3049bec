# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# TAP for the shell tests. A test starts with
#
#     #!/bin/sh
#     . "$(dirname "$0")/../lib/tap.sh"
#     plan 3                         # or plan_later, and done_testing at its end
#
# and then has
#     $IOW_SRC, $IOW_BUILD   source and build tree, absolute
#     $IOW                   the program in the build tree
#     $T                     a scratch directory of this test, removed when it ends; it is the
#                            working directory, so a test that litters still leaves nothing
#
#   ok DESC CMD [ARG…]       passes when CMD exits 0; otherwise what it printed is shown
#   nok DESC CMD [ARG…]      passes when CMD exits 1 to 125 (a crash is no answer)
#   exits N DESC CMD [ARG…]  passes when CMD exits N; its output is left in $T/out and $T/err
#   is GOT WANTED DESC       equal text
#   isnt GOT OTHER DESC      different text
#   like TEXT ERE DESC       some line of TEXT matches
#   unlike TEXT ERE DESC     no line of TEXT matches
#   same FILE FILE DESC      equal bytes
#   pass DESC, fail DESC     a result found in another way
#   diag TEXT…               a remark
#   at_exit 'CMD'            done when the test ends, last given first, whatever ends it
#   bail REASON              ends the whole run: the machine can't be tested
#
# What a machine may lack. Each of these ends the test with SKIP when the thing is missing; where
# IOW_REQUIRE=1 (CI) the machine is expected to have everything, and the SKIP is a failure.
#   require_cmd CMD…         programs
#   require_root             the root user
#   require_loop             loop devices (and root)
#   skip_all REASON          anything else
#   skip N REASON            skips N results, the test goes on
# What no machine is expected to have (a kernel feature, a CPU counter) is skipped everywhere:
#   skip_all_anywhere REASON, skip_anywhere N REASON

set -u
LC_ALL=C
export LC_ALL
umask 022
IOW_SRC=${IOW_SRC:-$(cd "$(dirname "$0")/../.." && pwd)}
IOW_BUILD=${IOW_BUILD:-$(if [ -x ./iowitness ]; then pwd; else echo "$IOW_SRC"; fi)}
IOW=$IOW_BUILD/iowitness
export IOW_SRC IOW_BUILD
# A build with sanitizers must die of its signals like any other.
ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_segv=0:handle_abort=0:handle_sigbus=0"
export ASAN_OPTIONS

tap_count=0 tap_failed=0 tap_plan='' tap_later='' tap_at_exit=:
T=$(mktemp -d "${TMPDIR:-/tmp}/iowitness-test.XXXXXX") || exit 99
cd "$T" || exit 99
# Nothing of who runs the tests reaches them, and nothing of theirs is left there.
IOWITNESS_LEDGER=$T/ledger XDG_CONFIG_HOME=$T/config
export IOWITNESS_LEDGER XDG_CONFIG_HOME
unset IOWITNESS_PLUGIN_PATH IOWITNESS_TEMPLATES

tap_end() {
	tap_status=$?
	trap - 0 1 2 13 15
	cd /
	eval "$tap_at_exit"
	rm -rf "$T"
	if [ -n "$tap_later" ]; then
		echo "# the test ended before done_testing"
		exit 99
	fi
	[ "$tap_status" -eq 0 ] || exit "$tap_status"
	[ "$tap_failed" -eq 0 ] || exit 1
	exit 0
}
trap tap_end 0
trap 'exit 99' 1 2 13 15

at_exit() { tap_at_exit="$1; $tap_at_exit"; }

diag() { printf '%s\n' "$*" | sed 's/^/# /'; }

plan() { tap_plan=$1; echo "1..$1"; }

plan_later() { tap_later=1; }

done_testing() { tap_later=; echo "1..$tap_count"; }

bail() { tap_later=; echo "Bail out! $*"; exit 99; }

pass() { tap_count=$((tap_count + 1)); echo "ok $tap_count - $*"; }

fail() {
	tap_count=$((tap_count + 1))
	tap_failed=$((tap_failed + 1))
	echo "not ok $tap_count - $*"
}

tap_show() { [ ! -s "$1" ] || head -n 40 "$1" | sed 's/^/# /'; }

tap_run() { "$@" >"$T/out" 2>"$T/err" </dev/null; }

ok() {
	tap_desc=$1; shift
	if tap_run "$@"; then
		pass "$tap_desc"
	else
		tap_rc=$?
		fail "$tap_desc"
		diag "exit $tap_rc: $*"
		tap_show "$T/out"; tap_show "$T/err"
	fi
}

nok() {
	tap_desc=$1; shift
	tap_run "$@"
	tap_rc=$?
	if [ "$tap_rc" -gt 0 ] && [ "$tap_rc" -lt 126 ]; then
		pass "$tap_desc"
	else
		fail "$tap_desc"
		diag "exit $tap_rc, a failure was expected: $*"
		tap_show "$T/out"; tap_show "$T/err"
	fi
}

exits() {
	tap_want=$1 tap_desc=$2; shift 2
	tap_run "$@"
	tap_rc=$?
	if [ "$tap_rc" -eq "$tap_want" ]; then
		pass "$tap_desc"
	else
		fail "$tap_desc"
		diag "exit $tap_rc, wanted $tap_want: $*"
		tap_show "$T/out"; tap_show "$T/err"
	fi
}

is() {
	if [ "$1" = "$2" ]; then pass "$3"; else fail "$3"; diag "got:    $1"; diag "wanted: $2"; fi
}

isnt() {
	if [ "$1" != "$2" ]; then pass "$3"; else fail "$3"; diag "got what it must not be: $1"; fi
}

like() {
	if printf '%s\n' "$1" | grep -Eq -e "$2"; then pass "$3"; else fail "$3"; diag "no match of /$2/ in: $1"; fi
}

unlike() {
	if printf '%s\n' "$1" | grep -Eq -e "$2"; then fail "$3"; diag "a match of /$2/ in: $1"; else pass "$3"; fi
}

same() {
	if cmp "$1" "$2" >"$T/cmp" 2>&1; then pass "$3"; else fail "$3"; tap_show "$T/cmp"; fi
}

skip_anywhere() {
	tap_left=$1; shift
	while [ "$tap_left" -gt 0 ]; do
		tap_count=$((tap_count + 1)) tap_left=$((tap_left - 1))
		echo "ok $tap_count # SKIP $*"
	done
}

skip() {
	if [ "${IOW_REQUIRE:-0}" != 1 ]; then skip_anywhere "$@"; return; fi
	tap_left=$1; shift
	while [ "$tap_left" -gt 0 ]; do
		tap_left=$((tap_left - 1))
		fail "required on this machine: $*"
	done
}

# Before any result: nothing was planned yet or only the plan was printed.
skip_all_anywhere() {
	if [ -n "$tap_plan" ]; then
		skip_anywhere $((tap_plan - tap_count)) "$@"
	elif [ "$tap_count" -eq 0 ]; then
		echo "1..0 # SKIP $*"
	else
		skip_anywhere 1 "$@"
		echo "1..$tap_count"
	fi
	tap_later=
	exit 0
}

skip_all() {
	[ "${IOW_REQUIRE:-0}" = 1 ] || skip_all_anywhere "$@"
	fail "required on this machine: $*"
	[ -n "$tap_plan" ] || echo "1..$tap_count"
	tap_later=
	exit 1
}

require_cmd() {
	for tap_cmd in "$@"; do
		command -v "$tap_cmd" >/dev/null 2>&1 || skip_all "no $tap_cmd here"
	done
}

require_root() { [ "$(id -u)" -eq 0 ] || skip_all "needs root"; }

require_loop() {
	require_root
	require_cmd losetup
	losetup -f >/dev/null 2>&1 || skip_all "no loop devices here"
}
