# SPDX-License-Identifier: Apache-2.0
# Bash completion for iowitness. It asks the program for its commands and options, so it knows what
# the installed version knows.

_iowitness_names() { "$1" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\)  *.*/\1/p'; }

_iowitness_options() {
	"$1" "$2" --help 2>/dev/null | grep -oE '^ +(-[a-zA-Z], )?--[a-z-]+' | grep -oE -e '--[a-z-]+'
}

# The first word of each line: names of drivers, of templates.
_iowitness_firsts() { "$@" 2>/dev/null | sed 's/ .*//'; }

_iowitness() {
	local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]:-}
	COMPREPLY=()
	if ((COMP_CWORD == 1)) || { ((COMP_CWORD == 2)) && [[ $command == help ]]; }; then
		mapfile -t COMPREPLY < <(compgen -W "$(_iowitness_names "$program") help" -- "$word")
		return
	fi
	if [[ $word == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_iowitness_options "$program" "$command")" -- "$word")
		return
	fi
	if ((COMP_CWORD == 2)); then
		case $command in
		plan) mapfile -t COMPREPLY < <(compgen -W 'check show new' -- "$word") ;;
		driver) mapfile -t COMPREPLY < <(compgen -W 'check new' -- "$word") ;;
		drivers) mapfile -t COMPREPLY < <(compgen -W "$(_iowitness_firsts "$program" drivers)" -- "$word") ;;
		esac
		((${#COMPREPLY[@]} == 0)) || return 0
	fi
	if ((COMP_CWORD == 3)) && [[ $command == plan && ${COMP_WORDS[2]} == new ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_iowitness_firsts "$program" plan new --list)" -- "$word")
		return
	fi
	mapfile -t COMPREPLY < <(compgen -f -- "$word")
}

complete -o filenames -F _iowitness iowitness
