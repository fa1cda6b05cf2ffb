#!/bin/sh
# SPDX-License-Identifier: MIT
#
# declined.sh: what the own reader declines, each with a trace that has it: tests/declined/LIST
# names the trace, words by which waitpath(1) lists it, and words of the sentence that says why.
# Of some Babeltrace is not asked: it would use up the stack, the memory, or hours.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
waitpath=$top_builddir/waitpath
cp -R "$top_srcdir/tests/declined" "$tap_dir/declined" && chmod -R u+w "$tap_dir/declined"
declined=$tap_dir/declined
page=$tap_dir/page

# One that is too large to be kept: 4,097 options, and as many labels.
mkdir "$declined/options"
awk 'BEGIN {
	print "/* CTF 1.8 */"
	print "trace { major = 1; minor = 8; byte_order = le; };"
	print "stream { id = 0; };"
	print "event { name = e; id = 0; stream_id = 0; fields := struct {"
	printf "enum : integer { size = 16; } { "
	for (i = 0; i < 4097; i++) printf "o%d, ", i
	printf "} tag;\nvariant <tag> { "
	for (i = 0; i < 4097; i++) printf "integer { size = 8; } o%d; ", i
	print "} v; }; };"
}' >"$declined/options/metadata"

# The section, on one line.
sed -n '/^== WHAT THE OWN READER DECLINES/,/^== FINDINGS/p' "$top_srcdir/man/waitpath.1.adoc" |
	tr '\n' ' ' >"$page"

grep -v '^#' "$declined/LIST" >"$tap_dir/list"
while IFS='|' read -r name words why refused; do
	: >"$tap_dir/wrong"
	"$waitpath" check --reader direct "$declined/$name" >"$tap_dir/out" 2>&1
	status=$?
	[ $status -eq 1 ] || echo "exit status $status" >>"$tap_dir/wrong"
	grep -qF -- "$why" "$tap_dir/out" || cat "$tap_dir/out" >>"$tap_dir/wrong"
	check "$name: the own reader says: $why" "$tap_dir/wrong"

	: >"$tap_dir/wrong"
	grep -qF -- "$words" "$page" || echo "waitpath(1) does not have \"$words\"" >"$tap_dir/wrong"
	check "$name: waitpath(1) has it" "$tap_dir/wrong"

	: >"$tap_dir/wrong"
	"$waitpath" check "$declined/$name" >"$tap_dir/out" 2>&1
	if [ -n "$refused" ]; then
		if ! grep -qF -- "$why" "$tap_dir/out" || grep -q Babeltrace "$tap_dir/out"; then
			cat "$tap_dir/out" >>"$tap_dir/wrong"
		fi
		check "$name: Babeltrace is not asked" "$tap_dir/wrong"
	else
		# Without events Babeltrace can't answer either; but it is asked.
		grep -qE "Babeltrace|There are no events" "$tap_dir/out" ||
			cat "$tap_dir/out" >>"$tap_dir/wrong"
		check "$name: Babeltrace is asked" "$tap_dir/wrong"
	fi
done <"$tap_dir/list"

: >"$tap_dir/wrong"
for folder in "$declined"/*/; do
	name=$(basename "$folder")
	grep -q "^$name|" "$tap_dir/list" || echo "$name is not in LIST" >>"$tap_dir/wrong"
done
check "every trace is listed" "$tap_dir/wrong"
tap_done
