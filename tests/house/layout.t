#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The layout of the source: who may include whom, how long files and functions are, licence lines,
# nothing outside the layout. Each check first shows on a small planted tree that it can fail.
. "$(dirname "$0")/../lib/tap.sh"
plan 17

# sources ROOT: C files of the product and its tests, relative.
sources() {
	(cd "$1" && find core plugins reports templates tests -name '*.[ch]' -type f 2>/dev/null | sort)
}

# includes ROOT: lines "FILE INCLUDED" for each quoted include, and <iowitness/…>.
includes() {
	sources "$1" | grep -v '^tests/' | (cd "$1" && xargs awk '
		/^[ \t]*#[ \t]*include[ \t]*"/ { split($0, a, "\""); print FILENAME, a[2] }
		/^[ \t]*#[ \t]*include[ \t]*<iowitness\// { split($0, a, /[<>]/); print FILENAME, a[2] }')
}

# direction ROOT: includes that go the wrong way. What stats/results.h itself includes belongs to
# the results, which reports may see.
direction() {
	includes "$1" >"$T/includes"
	awk -v results="$(awk '$1 == "core/stats/results.h" { print $2 }' "$T/includes")" '
		BEGIN {
			may["base"] = " base "
			may["plan"] = " base plan "
			may["bundle"] = " base plan bundle "
			may["run"] = " base plan bundle run "
			may["stats"] = " base plan bundle stats "
			may["import"] = " base plan bundle import "
			may["cli"] = " base plan bundle run stats import reports cli "
			n = split(results, r, "\n")
			for (i = 1; i <= n; i++) seen[r[i]] = 1
			seen["stats/results.h"] = seen["stats/change.h"] = seen["stats/archive.h"] = 1
		}
		# stem("reports/pdf_font.c") is "reports/pdf"
		function stem(f) { sub(/\.[ch]$/, "", f); sub(/[_-][a-z0-9_-]*$/, "", f); return f }
		# knows("reports/finding.h"): this header sees the results, itself or through another
		function knows(h,   i) {
			if (h in seen) return 1
			for (i = 1; i <= pairs; i++)
				if (from[i] == h && from[i] != into[i] && knows(into[i])) return 1
			return 0
		}
		function bad(why) { print $1 ": \"" $2 "\": " why }
		NR == FNR { if ($1 ~ /^reports\/.*\.h$/) { from[++pairs] = $1; into[pairs] = $2 } next }
		$2 == "iowitness/driver.h" { next }
		$2 ~ /(^|\/)\.\.?\// { bad("relative path"); next }
		$2 == "config.h" { if ($1 ~ /^plugins\//) bad("a driver sees the public header only"); next }
		{ split($1, f, "/"); to = $2; sub(/\/.*/, "", to) }
		f[1] == "core" && f[2] == "include" { bad("the public header stands alone"); next }
		f[1] == "core" {
			if (!(f[2] in may)) bad("folder outside the layout")
			else if (!index(may[f[2]], " " to " ")) bad(f[2] " may not see " to)
			next
		}
		f[1] == "plugins" {
			if (to != "lib" && to != f[2]) bad("a driver sees the public header and plugins/lib only")
			next
		}
		f[1] == "reports" && f[2] ~ /^(html|pdf|text|markdown)/ {
			if (stem($2) == stem($1) || to == "base") next
			if (to != "reports" || stem($2) ~ /^reports\/(html|pdf|text|markdown)$/ || knows($2))
				bad("a renderer sees the document and the charts only")
			next
		}
		f[1] == "reports" {
			if (to != "base" && to != "reports" && !($2 in seen))
				bad("reports see base and the results only")
		}' "$T/includes" "$T/includes"
}

# lengths ROOT: files over 500 lines and functions over 60.
lengths() {
	sources "$1" | (cd "$1" && xargs awk '
		function close_file() { if (name != "" && n > 500) print name ": " n " lines" }
		FNR == 1 { close_file(); name = FILENAME; start = 0 }
		{ n = FNR }
		/^\{/ { start = FNR }
		/^\}/ { if (start && FNR - start - 1 > 60)
				print FILENAME ":" start ": a function of " FNR - start - 1 " lines"
			start = 0 }
		END { close_file() }')
}

# unlicensed ROOT: files that can carry the licence line and do not.
unlicensed() {
	(cd "$1" && find . -type f \( -name '*.[ch]' -o -name '*.sh' -o -name '*.t' -o -name '*.am' \
		-o -name '*.ac' -o -name '*.py' -o -name '*.R' -o -name '*.js' -o -name '*.mjs' -o -name '*.bash' -o -name '*.css' \
		-o -name '*.[1-8]' -o -name '*.map' -o -path './.ci/*' \) \
		! -path './.git/*' ! -path './autom4te.cache/*' ! -path './build-aux/*' ! -path '*/.deps/*' \
		! -path './iowitness-[0-9]*' ! -name 'config.h' ! -path '*/node_modules/*' \
		-exec awk 'FNR == 1 { seen = 0 } FNR <= 4 && /SPDX-License-Identifier: / { seen = 1 }
			END { if (!seen) print FILENAME }' {} \;) | sort
}

# strays ROOT: tracked files outside the layout.
strays() {
	git -c safe.directory='*' -C "$1" ls-files | grep -vE \
		-e '^(core|plugins|reports|templates|tests|\.ci)/' \
		-e '^(autogen\.sh|configure\.ac|Makefile\.am|README\.md|LICENSE|\.gitignore|\.gitattributes|\.clang-format|\.clang-tidy|\.editorconfig)$'
}

plant() { mkdir -p "$T/tree/$(dirname "$1")"; cat >"$T/tree/$1"; }
mkdir "$T/tree"

# ---- include direction
plant core/base/a.h <<'TXT'
#include "plan/b.h"
TXT
plant core/run/a.c <<'TXT'
#include "stats/b.h"
#include "base/a.h"
TXT
plant core/stats/results.h <<'TXT'
#include "bundle/bundle.h"
TXT
plant reports/compose.c <<'TXT'
#include "bundle/bundle.h"
#include "bundle/runs.h"
#include "reports/document.h"
TXT
plant reports/finding.h <<'TXT'
#include "stats/results.h"
TXT
plant reports/pdf_text.c <<'TXT'
#include "reports/finding.h"
#include "reports/html.h"
#include "reports/table.h"
#include "reports/pdf.h"
#include "reports/chart.h"
#include "stats/results.h"
TXT
plant plugins/raw/raw.c <<'TXT'
#include <iowitness/driver.h>
#include "lib/aio.h"
#include "base/err.h"
#include "config.h"
TXT
direction "$T/tree" >"$T/found"
is "$(cut -d: -f1,2 "$T/found")" 'core/base/a.h: "plan/b.h"
core/run/a.c: "stats/b.h"
plugins/raw/raw.c: "base/err.h"
plugins/raw/raw.c: "config.h"
reports/compose.c: "bundle/runs.h"
reports/pdf_text.c: "reports/finding.h"
reports/pdf_text.c: "reports/html.h"
reports/pdf_text.c: "stats/results.h"' 'planted wrong includes are found, right ones are not'
is "$(direction "$IOW_SRC")" '' 'each include goes the way the data flows'
isnt "$(includes "$IOW_SRC" | wc -l)" 0 'and there were includes to look at'

# ---- lengths
{ echo 'int f(void)'; echo '{'; yes '	;' | head -n 61; echo '}'; } | plant core/base/long.c
{ echo 'int f(void)'; echo '{'; yes '	;' | head -n 60; echo '}'; } | plant core/base/short.c
yes ';' | head -n 501 | plant core/plan/big.c
yes ';' | head -n 500 | plant core/plan/fits.c
is "$(lengths "$T/tree")" 'core/base/long.c:2: a function of 61 lines
core/plan/big.c: 501 lines' 'a planted long function and a long file are found'
is "$(lengths "$IOW_SRC")" '' 'no file over 500 lines, no function over 60'

# ---- licence lines
is "$(unlicensed "$T/tree" | wc -l | tr -d ' ')" 11 'planted files without a licence line are found'
is "$(unlicensed "$IOW_SRC")" '' 'each source file names its licence'
is "$(head -n 1 "$IOW_SRC/core/include/iowitness/driver.h")" '/* SPDX-License-Identifier: Apache-2.0' \
	'the public header too'

# ---- git's view, where there is one (a distribution tarball has none)
if [ -e "$IOW_SRC/.git" ] && command -v git >/dev/null 2>&1; then
	git init -q "$T/tree" && : >"$T/tree/notes.txt" && : >"$T/tree/README.md"
	git -C "$T/tree" add -A
	is "$(strays "$T/tree")" notes.txt 'a planted file outside the layout is found'
	is "$(strays "$IOW_SRC")" '' 'nothing lies outside the layout'
	outside='[.][.]/shared''/'
	is "$(git -c safe.directory='*' -C "$IOW_SRC" grep -nIE "$outside" | head -n 5)" '' \
		'nothing refers to files outside the tree'
	is "$(git -c safe.directory='*' -C "$IOW_SRC" ls-files -s | awk '$1 == "100755" { print $4 }' |
		grep -vE '^(autogen\.sh|\.ci/run|tests/.*\.(t|sh|py|mjs)|templates/.*)$')" '' \
		'only scripts are executable'
	# In CI nothing else lies in the tree, so what git does not know came from the build.
	if [ "$IOW_SRC" = "$IOW_BUILD" ] && [ "${IOW_REQUIRE:-0}" = 1 ]; then
		is "$(git -c safe.directory='*' -C "$IOW_SRC" status --porcelain)" '' 'what is built is ignored'
	else
		skip_anywhere 1 'built elsewhere'
	fi
	is "$(git -c safe.directory='*' -C "$IOW_SRC" ls-files -s 'tests/*.t' |
		awk '$1 != "100755" { print $4 }')" '' 'each shell test is executable'
else
	skip_anywhere 6 'no git repository here'
fi

# ---- tests: each one that lies there is run
is "$(cd "$IOW_SRC" && find tests -name '*.t' | sort | while read -r f; do
	grep -q "$f" tests/*.am || echo "$f"; done)" '' 'each shell test is listed in tests.am'
is "$(cd "$IOW_SRC" && find tests/unit -name '*_test.c' | sort | while read -r f; do
	grep -q "$f" tests/*.am || echo "$f"; done)" '' 'each unit test is listed in tests.am'
is "$(sed -n 's/^rule_fn \(rule_[a-z_]*\);.*/\1/p' "$IOW_SRC/reports/rules.h" | while read -r f; do
	grep -qw "$f" "$IOW_SRC/reports/finding.c" || echo "$f"; done)" '' 'each rule of the findings is in their table'
