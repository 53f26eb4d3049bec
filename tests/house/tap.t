#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The TAP helpers themselves: a helper that passes what should fail hides every fault.
. "$(dirname "$0")/../lib/tap.sh"
plan 14

# inner TEXT: what a test with this body prints; its exit code ends up in $rc.
inner() {
	{ printf '. "%s/tests/lib/tap.sh"\n' "$IOW_SRC"; printf '%s\n' "$1"; } >"$T/inner.t"
	sh "$T/inner.t" 2>&1
}

is "$(inner 'plan 1; ok a true')" "$(printf '1..1\nok 1 - a')" 'ok passes'
like "$(inner 'plan 1; ok a false')" '^not ok 1 - a' 'ok fails'
is "$(inner 'plan 1; ok a false >/dev/null'; echo $?)" "$(printf '1..1\n1')" 'a failure is the exit code'
like "$(inner 'plan 1; nok a sh -c "kill -11 \$\$"')" '^not ok 1' 'nok does not take a crash'
like "$(inner 'plan 1; nok a false')" '^ok 1' 'nok takes a failure'
like "$(inner 'plan 1; exits 3 a sh -c "exit 3"')" '^ok 1' 'exits'
like "$(inner 'plan 1; exits 3 a true')" '^not ok 1' 'exits, other code'
like "$(inner 'plan 2; is a b x; like abc "^b" y' | tr '\n' ' ')" 'not ok 1.*not ok 2' 'is and like fail'
like "$(inner 'plan 1; unlike abc b x')" '^not ok 1' 'unlike fails'
like "$(IOW_REQUIRE=0; export IOW_REQUIRE; inner 'plan 2; skip_all none' | tr '\n' ' ')" \
	'ok 1 # SKIP none ok 2 # SKIP none' 'skip_all skips what was planned'
is "$(IOW_REQUIRE=0; export IOW_REQUIRE; inner 'require_cmd no-such-program')" \
	'1..0 # SKIP no no-such-program here' 'require_cmd skips'
like "$(IOW_REQUIRE=1; export IOW_REQUIRE; inner 'require_cmd no-such-program')" '^not ok 1' \
	'a required program that is missing fails'
like "$(inner 'plan_later; pass a')" 'before done_testing' 'a test that stops early is seen'
left=$(inner 'plan 1; at_exit "echo b"; at_exit "echo a"; pass $T; exit 3'; echo $?)
is "$(echo "$left" | tail -n 3 | tr '\n' ' ')" 'a b 3 ' 'at_exit, last first, and the exit code'
