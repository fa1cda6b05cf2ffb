#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cli-help.sh: what --help says is all in the manual pages and in the completion, and nothing else
# is; completion offers what the parser takes.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
waitpath=$top_builddir/waitpath
man=$top_srcdir/man

options_of() {
	"$waitpath" "$1" --help | sed -n 's/^  \(-[a-z], \)\{0,1\} *\(--[a-z-]*\).*/\2/p' | sort
}

commands=$("$waitpath" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[ -n "$commands" ] || fail "waitpath help lists commands"

# The page of a command, with what it includes.
page() {
	sed -n -e 's/^include::\(.*\)\[\]$/\1/p' "$man/waitpath-$1.1.adoc" | while read -r part; do
		cat "$man/$part"
	done
	cat "$man/waitpath-$1.1.adoc"
}

for command in $commands; do
	if [ ! -f "$man/waitpath-$command.1.adoc" ]; then
		fail "$command has a manual page"
		continue
	fi
	page "$command" >"$tap_dir/page"
	options_of "$command" >"$tap_dir/options"
	grep -o '^\*.*::$' "$tap_dir/page" | grep -o -e '--[a-z-]*' | sort -u >"$tap_dir/told"
	comm -3 "$tap_dir/options" "$tap_dir/told" >"$tap_dir/wrong"
	check "the page of $command tells its options, and no others" "$tap_dir/wrong"
	grep -q "waitpath-$command" "$man/waitpath.1.adoc" || echo "$command" >"$tap_dir/wrong"
	check "waitpath(1) names $command" "$tap_dir/wrong"
done

"$waitpath" help >"$tap_dir/one"
"$waitpath" --help >"$tap_dir/two"
cmp "$tap_dir/one" "$tap_dir/two" >"$tap_dir/wrong" 2>&1
check "help and --help are the same" "$tap_dir/wrong"
for command in $commands; do
	"$waitpath" help "$command" >"$tap_dir/one"
	"$waitpath" "$command" --help >"$tap_dir/two"
	cmp "$tap_dir/one" "$tap_dir/two" >"$tap_dir/wrong" 2>&1
	check "help $command and $command --help are the same" "$tap_dir/wrong"
done

if ! command -v bash >/dev/null 2>&1; then
	skip "completion for bash" "no bash"
	tap_done
fi

# offered WORD...: what completion offers for the last word of a command line, one a line.
offered() {
	bash -c 'source "$1"; shift
		COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _waitpath; printf "%s\n" "${COMPREPLY[@]}"' \
		bash "$top_srcdir/src/cli/completion/waitpath" "$waitpath" "$@" | sort
}

{ echo "$commands"; echo help; echo --help; echo --version; } | tr ' ' '\n' | sort >"$tap_dir/one"
offered '' >"$tap_dir/two"
comm -3 "$tap_dir/one" "$tap_dir/two" >"$tap_dir/wrong"
check "bash completes commands" "$tap_dir/wrong"
for command in $commands; do
	offered "$command" -- >"$tap_dir/two"
	options_of "$command" | comm -3 - "$tap_dir/two" >"$tap_dir/wrong"
	check "bash completes the options of $command" "$tap_dir/wrong"
done
# A wrong value is answered with those that are right.
for pair in tasks:--format tasks:--mode tasks:--reader tasks:--sort record:--profile requests:--each \
	export:--format; do
	command=${pair%:*}
	option=${pair#*:}
	"$waitpath" "$command" "$option=" 2>&1 | sed -n 's/.*one of \(.*\)\.$/\1/p' | tr -d ' ' |
		tr ',' '\n' | sort >"$tap_dir/one"
	offered "$command" "$option" '' | comm -3 "$tap_dir/one" - >"$tap_dir/wrong"
	[ -s "$tap_dir/one" ] || echo "no values" >"$tap_dir/wrong"
	check "bash completes the values of $option of $command" "$tap_dir/wrong"
done
tap_done
