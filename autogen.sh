#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
usage() {
	cat <<'TXT'
usage: ./autogen.sh                bootstrap: make configure and what it needs
       ./autogen.sh --run [PLAN] [ARGUMENT…]
                                   install what is missing, build, run the quick plan (or PLAN)
                                   and say where its HTML and PDF report are
       ./autogen.sh --check        install what is missing, build, and run all tests
       ./autogen.sh --deps [WHAT…] only install; WHAT is build, option, test, ci or bench
       ./autogen.sh --list [WHAT…] print the Debian packages, install nothing

Packages are installed with apt-get, as root or by sudo without a password; where neither is
possible they are named. CONFIGURE_ARGS in the environment goes to ./configure.
TXT
}

# The one list of Debian packages: WHAT PACKAGE. "build" is needed to build and use the tool; what
# is under "option" is left out of the build where it can't be had.
packages() {
	cat <<'TXT'
build  gcc
build  libc6-dev
build  make
build  autoconf
build  automake
build  pkg-config
build  libjansson-dev
build  libssl-dev
build  libmount-dev
build  libblkid-dev
build  libfontconfig-dev
build  libpng-dev
build  libhpdf-dev
build  libaio-dev
build  fontconfig
build  fonts-liberation
option liburing-dev
option libnbd-dev
test   libcmocka-dev
test   e2fsprogs
test   nbdkit
test   iproute2
test   openssh-client
test   openssh-server
test   poppler-utils
test   procps
test   qpdf
test   locales
ci     chromium
ci     clang
ci     default-jre-headless
ci     g++
ci     groff-base
ci     nodejs
ci     r-base-core
ci     xz-utils
bench  fio
TXT
}

say() { printf 'autogen: %s\n' "$*" >&2; }
die() { say "$@"; exit 1; }

list() {
	for what in "$@"; do packages | awk -v w="$what" '$1 == w { print $2 }'; done
}

installed() {
	case $(dpkg-query -W -f '${Status}' "$1" 2>/dev/null) in
	*' installed') return 0 ;;
	esac
	return 1
}

missing() {
	for package in $(list "$@"); do installed "$package" || printf '%s ' "$package"; done
}

# apt-get as root, silent; its own words only when it failed twice.
apt_install() {
	as=
	[ "$(id -u)" -eq 0 ] || as='sudo -n'
	log=$(mktemp) || exit 1
	apt="$as env DEBIAN_FRONTEND=noninteractive apt-get -y -qq -o Dpkg::Use-Pty=0"
	if $apt install --no-install-recommends "$@" >"$log" 2>&1 </dev/null ||
		{ $apt update >"$log" 2>&1 </dev/null &&
			$apt install --no-install-recommends "$@" >"$log" 2>&1 </dev/null; }; then
		rm -f "$log"
		return 0
	fi
	cat "$log" >&2
	rm -f "$log"
	return 1
}

may_install() {
	[ "$(id -u)" -eq 0 ] || sudo -n true >/dev/null 2>&1
}

# deps WHAT…: installs what the classes name, or says what is missing and ends.
deps() {
	if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
		say "no apt-get here; ./configure names what is missing"
		return 0
	fi
	hard= soft=
	for what in "$@"; do
		if [ "$what" = option ]; then soft=$(missing option); else hard=$hard$(missing "$what"); fi
	done
	[ -n "$hard$soft" ] || return 0
	if may_install; then
		say "installing $hard$soft"
		# shellcheck disable=SC2086
		[ -z "$hard" ] || apt_install $hard || die "apt-get could not install $hard"
		for package in $soft; do apt_install "$package" || say "going on without $package"; done
		return 0
	fi
	[ -z "$soft" ] || say "going on without what is optional: $soft"
	[ -z "$hard" ] || die "packages are missing and this user may not install them. Please have" \
		"somebody run: apt-get install --no-install-recommends $hard"
}

bootstrap() {
	command -v autoreconf >/dev/null 2>&1 ||
		die "autoreconf is missing (packages autoconf and automake); ./autogen.sh --deps installs it"
	log=$(mktemp) || exit 1
	if ! autoreconf -fi >"$log" 2>&1; then
		cat "$log" >&2
		rm -f "$log"
		exit 1
	fi
	grep -i 'warning' "$log" >&2
	rm -f "$log"
}

build() {
	[ -x configure ] && [ configure -nt configure.ac ] && [ Makefile.in -nt Makefile.am ] || bootstrap
	# shellcheck disable=SC2086
	if [ ! -f config.status ] || [ configure -nt config.status ] || [ -n "${CONFIGURE_ARGS:-}" ]; then
		quietly ./configure ${CONFIGURE_ARGS:-} || exit 1
	fi
	quietly make -s -j"$jobs" || exit 1
}

# Shows what a command printed only if it failed.
quietly() {
	log=$(mktemp) || exit 1
	if "$@" >"$log" 2>&1; then
		rm -f "$log"
		return 0
	fi
	tail -n 60 "$log" >&2
	rm -f "$log"
	say "failed: $*"
	return 1
}

check() {
	make -s -j"$jobs" check
	status=$?
	[ "$status" -eq 0 ] || say "tests failed; each test's output is in its .log file under tests/"
	exit "$status"
}

run() {
	[ $# -gt 0 ] || set -- "$PWD/templates/plans/quick.json"
	top=$PWD
	cd "$start" || exit 1
	exec "$top/iowitness" run "$@"
}

LC_ALL=C
export LC_ALL
start=$PWD
cd "$(dirname "$0")" || exit 1
jobs=$(nproc 2>/dev/null || echo 2)
[ $# -gt 0 ] || { bootstrap; say "now: ./configure && make"; exit 0; }
verb=$1
shift
case $verb in
--run) deps build option; build; run "$@" ;;
--check) deps build option test; build; check ;;
--deps) [ $# -gt 0 ] || set -- build option; deps "$@" ;;
--list) [ $# -gt 0 ] || set -- build option test ci bench; list "$@" ;;
--help | -h) usage ;;
*) usage >&2; exit 1 ;;
esac
