#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Bash completion knows the commands and options that the program has.
. "$(dirname "$0")/../lib/tap.sh"
require_cmd bash
plan 7

# complete_at WORD…: what is offered for the last word, one a line.
complete_at() {
	bash -c '. "$IOW_SRC/templates/completion/iowitness.bash"
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_iowitness && printf "%s\n" "${COMPREPLY[@]}"' bash "$IOW" "$@"
}

like "$(complete_at do)" '^doctor$' 'a command'
like "$(complete_at help do)" '^doctor$' 'after help too'
like "$(complete_at doctor --j)" '^--json$' 'an option'
is "$(complete_at doctor --no-such)" '' 'no option that is not there'
: >some.json
like "$(complete_at doctor som)" '^some.json$' 'a file'
is "$(complete_at plan new qu)" 'quick' 'a template'
is "$(complete_at drivers pos)" 'posix' 'a driver'
