#!/bin/sh
# SPDX-License-Identifier: MIT
#
# readme.sh: README shows what the program prints. A block of README that begins with
# "    $ ./waitpath ..." is run from the source tree; the indented lines that follow must be
# what it prints, in order, text between them left out; a line "    ..." stands for any lines.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
[ -x "$top_builddir/waitpath" ] || skip_all "no waitpath"
[ -d "$top_srcdir/traces/samples/tier3" ] || skip_all "no samples"
waitpath=$(cd "$top_builddir" && pwd)/waitpath
cd "$top_srcdir" || exit 99

# One file for each command: its words, and what is to be printed.
awk -v dir="$tap_dir" '
/^    \$ \.\/waitpath / { n++; print substr($0, 18) >(dir "/command" n); next }
/^    \$ / || /^## / { stop = n }
n > stop && /^    / { print substr($0, 5) >(dir "/expected" n) }
END { print n + 0 >(dir "/n") }' README.md

n=$(cat "$tap_dir/n")
i=1
while [ "$i" -le "$n" ]; do
	command=$(cat "$tap_dir/command$i")
	# The words of the command are those of a shell.
	eval "set -- $command"
	LC_ALL=C TERM=dumb "$waitpath" "$@" >"$tap_dir/got" 2>"$tap_dir/err" </dev/null
	# Blank lines part blocks here and paragraphs there; blanks at an end nobody sees.
	sed -n -e 's/ *$//' -e '/./p' "$tap_dir/got" >"$tap_dir/lines"
	awk -v got="$tap_dir/lines" '
	function next_line() { return (getline line < got) > 0 }
	$0 == "..." { skip = 1; next }
	{
		while ((more = next_line()) && skip && line != $0) ;
		skip = 0
		if (!more) { print "not printed: " $0; exit }
		if (line != $0) { print "README: " $0; print "printed: " line; exit }
	}
	END { if (!skip && next_line()) print "printed, and not in README: " line }' \
		"$tap_dir/expected$i" >"$tap_dir/wrong"
	cat "$tap_dir/err" >>"$tap_dir/wrong"
	check "waitpath $command" "$tap_dir/wrong"
	i=$((i + 1))
done
[ "$n" -gt 0 ] || fail "README shows commands"
tap_done
