#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The tests bite: each planted fault in the statistics makes one of them fail.
. "$(dirname "$0")/../lib/tap.sh"
plan_later
unset MAKEFLAGS MAKELEVEL MFLAGS

flag() {
	sed -n "s/^$1 = //p" "$IOW_BUILD/Makefile"
}
cc=$(flag CC)
# shellcheck disable=SC2046
set -- $(flag CFLAGS) $(flag IOW_CFLAGS) -Wno-error -D_GNU_SOURCE -I"$IOW_SRC/core/include" \
	-I"$IOW_SRC/core" -I"$IOW_SRC"
compile="$cc $* -c"
libs="$IOW_BUILD/libiow.a $(flag LDFLAGS) $(flag IOW_LDFLAGS) -ljansson -lcrypto -lpthread -lm"

objects() {
	case $1 in
	simulate) set -- simulate_test sim_campaign sim_decide sim_order sim_table ;;
	*) set -- "$1" ;;
	esac
	for o; do
		find "$IOW_BUILD/tests/oracle" "$IOW_BUILD/tests/unit" -name "$o.o"
	done
}

# run TEST [ARG]: links TEST with what is in one.o before the library, runs it.
run() {
	program=$1
	shift
	cmocka=-lcmocka
	[ "$program" != simulate ] || cmocka=
	# shellcheck disable=SC2046,SC2086
	$cc $(flag CFLAGS) -o mutant $(objects "$program") one.o $libs $cmocka >link.log 2>&1 ||
		bail "cannot link $program: $(cat link.log)"
	./mutant "$@" >run.log 2>&1
}

# sound TEST [ARG]: passes it as it is, linked in the same way? Tried once for each file and test.
sound() {
	mark=sound-$(echo "$file $*" | tr -c 'a-zA-Z0-9_\n' -)
	[ ! -f "$mark" ] || return 0
	$compile one.c >compile.log 2>&1 || bail "cannot compile $file: $(cat compile.log)"
	run "$@" && : >"$mark"
}

# mutant DESC FILE SED TEST [ARG]: FILE with SED applied must make TEST fail, as it is must not.
mutant() {
	desc=$1 file=$2 edit=$3
	shift 3
	if [ "${1%_test}" != "$1" ] && [ ! -f "$IOW_BUILD/tests/oracle/$1.o" ] &&
		[ ! -f "$IOW_BUILD/tests/unit/$1.o" ]; then
		skip 1 "$desc: $1 is not built (no cmocka)"
		return
	fi
	cp -f "$IOW_SRC/$file" one.c
	chmod u+w one.c
	sound "$@" || {
		fail "$desc: $* fails without the fault too"
		sed 's/^/# /' run.log
		return
	}
	sed -i "$edit" one.c
	if cmp -s one.c "$IOW_SRC/$file"; then
		fail "$desc: the fault does not apply to $file any more"
		return
	fi
	$compile one.c >compile.log 2>&1 || bail "cannot compile the fault: $(cat compile.log)"
	if run "$@"; then
		fail "$desc: not noticed by $*"
	else
		pass "$desc: noticed by $*"
	fi
}

S=core/stats

# The five that the methods ask for.
mutant 'paired becomes unpaired' $S/compare.c \
	's/&against\[i\], 1)/\&against[(i + 1) % n], 1)/' simulate 'block effects'
mutant 'the family rule is dropped, differences' $S/compare.c \
	's|deciding_alpha = 0.05 / m|deciding_alpha = 0.05|' simulate 'family error'
mutant 'the family rule is dropped, equivalence' $S/compare.c \
	's|equivalence_alpha = 0.10 / m|equivalence_alpha = 0.10|' simulate 'false EQUIVALENT'
mutant 'balanced order becomes fixed' core/plan/schedule.c \
	's|orders + (size_t)place\[i\] \* k,|orders,|' simulate 'A/A false positives'
mutant 'one degree of freedom too many' $S/interval.c \
	's|(double)(s->n - 1) : 0|(double)s->n : 0|' interval_oracle_test
mutant 'one degree of freedom too many, at n = 3' $S/interval.c \
	's|(double)(s->n - 1) : 0|(double)s->n : 0|' simulate 'block effects'
mutant 'one degree of freedom too few, at n = 3' $S/interval.c \
	's|(double)(s->n - 1) : 0|(double)(s->n - 2) + 1e-9 : 0|' simulate 'block effects'
mutant 'gates are ignored' $S/compare.c 's/if (r->is_void)/if (0)/' simulate 'A/A control'
mutant 'gates are ignored' $S/compare.c 's/if (r->is_void)/if (0)/' stats_compare_test

# And others that are easily made.
mutant 'variances are pooled' $S/interval.c \
	's|va = sa.m2 / (double)(na - 1) / (double)na;|va = (sa.m2 + sb.m2) / (double)(na + nb - 2) / (double)na;|
	 s|vb = sb.m2 / (double)(nb - 1) / (double)nb;|vb = (sa.m2 + sb.m2) / (double)(na + nb - 2) / (double)nb;|' \
	interval_oracle_test
mutant 'the sum of squares is taken without the mean' $S/summary.c \
	's|s->m2 += step \* (x - s->mean);|s->m2 += step * step;|' interval_oracle_test
mutant 'a control voids what is small' $S/control.c 's/log1p(margin \/ 2)/0/' stats_series_test
mutant 'a control never voids' $S/control.c 's/? CONTROL_VOID :/? CONTROL_CAVEAT :/' \
	simulate 'A/A control'
mutant 'equivalence with few blocks' $S/compare.c \
	's/c->log.n >= COMPARE_LEAST_EQUIVALENT \&\& //' stats_compare_test
mutant 'a verdict from four blocks' $S/compare.c \
	's/c->log.n < COMPARE_LEAST_RULING/c->log.n < 4/' stats_compare_test
mutant 'a failing arm may win' $S/compare.c 's/if (is_barred(c->ruling, r))/if (0)/' \
	stats_compare_test
mutant 'the bucket does not widen' $S/compare.c 's/, r->widen)/, 0)/' stats_compare_test
mutant 'weeks are taken as independent' $S/history.c \
	's|return fmin(fmax(r + .*|return 0;|' simulate history
mutant 'a slow arm does not weigh' $S/steady.c \
	's|series\[k\]\[i\] / mean - out\[i\]|series[k][i] - out[i]|' simulate warm-up
mutant 'Holm does not step down' $S/multiple.c 's/(double)(m - i) \* r/(double)m * r/' \
	interval_oracle_test
mutant 'nine I/Os are enough' $S/percentile.c 's/PERCENTILE_IOS \*/9 */' stats_series_test
mutant 'power forgets the noncentral tail' $S/power.c \
	's|return 1 - dist_nct_cdf(t, df, delta) + dist_nct_cdf(-t, df, delta);|return 1 - dist_t_cdf(t - delta, df);|' \
	dist_oracle_test
mutant 'a pilot counts as certain' $S/power.c \
	's|dist_t_critical(alpha, df) + dist_t_critical(2 \* (1 - POWER_WANTED), df)|1.96 + 0.84|' \
	simulate 'design advice'
done_testing
