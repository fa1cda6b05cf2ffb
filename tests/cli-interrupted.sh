#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cli-interrupted.sh: what ends a run early (an interrupt, a full disk, a closed pipe, too little
# memory) ends it clearly: with a sentence, with nothing half written under a file's own name,
# and with nothing left behind.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
waitpath=$top_builddir/waitpath
trace=$top_srcdir/traces/samples/tier3
work=$tap_dir/work
mkdir "$work" "$tap_dir/cache"

# expect NAME STATUS WORDS: the last run's status, its message, and nothing left in the folders.
expect() {
	: >"$tap_dir/wrong"
	[ "$status" -eq "$2" ] || echo "status $status, not $2" >>"$tap_dir/wrong"
	[ -z "$3" ] || grep -q "$3" "$tap_dir/err" || cat "$tap_dir/err" >>"$tap_dir/wrong"
	[ "$(wc -l <"$tap_dir/err")" -le 1 ] || cat "$tap_dir/err" >>"$tap_dir/wrong"
	find "$work" "$tap_dir/cache" -type f >>"$tap_dir/wrong"
	check "$1" "$tap_dir/wrong"
	rm -rf "${work:?}"/* "$tap_dir/cache"/*
}

task=hosta:144

if [ -c /dev/full ]; then
	for format in text json csv folded; do
		"$waitpath" path -t "$task" --format $format "$trace" >/dev/full 2>"$tap_dir/err"
		status=$?
		expect "a full disk, $format" 1 'No space left'
	done
	"$waitpath" graph -o /dev/full "$trace" 2>"$tap_dir/err"
	status=$?
	expect "a full disk, graph" 1 'No space left'
	"$waitpath" export --format perfetto -o /dev/full -t "$task" "$trace" 2>"$tap_dir/err"
	status=$?
	expect "a full disk, export" 1 'No space left'
else
	skip "a full disk" "no /dev/full"
fi

# Files may not grow beyond 4 KiB.
(ulimit -f 8; exec "$waitpath" graph -o "$work/graph" "$trace") 2>"$tap_dir/err"
status=$?
expect "no room for a graph" 1 'File too large'
for format in chrome perfetto graphml svg; do
	(ulimit -f 2; exec "$waitpath" export --format $format -o "$work/$format" -t "$task" \
		"$trace") 2>"$tap_dir/err"
	status=$?
	expect "no room for an export, $format" 1 'File too large'
done
(ulimit -f 8; exec "$waitpath" path -t "$task" --max-memory 1 --cache-dir "$tap_dir/cache" \
	"$trace") >/dev/null 2>"$tap_dir/err"
status=$?
expect "no room in the cache" 1 'memory limit is reached'

"$waitpath" path -v -t "$task" "$trace" 2>"$tap_dir/err" | head -n 1 >/dev/null
status=0
expect "a closed pipe" 0 ''

# Not of POSIX, but of every shell that is anybody's sh.
# shellcheck disable=SC3045
limit_memory() {
	ulimit -v "$1"
}

# Too little address space for the tables; ASan needs more than anybody has.
if [ "${WAITPATH_SANITIZERS:-no}" = no ]; then
	(limit_memory 300000; exec "$waitpath" path -t "$task" "$trace") >/dev/null 2>"$tap_dir/err"
	status=$?
	expect "too little memory" 1 'Out of memory'
else
	skip "too little memory" "built with sanitizers"
fi

# Interrupted anywhere: the file is there and good, or it is not there.
: >"$tap_dir/wrong"
for i in 0 1 2 3 4 5 6 7 8 9; do
	"$waitpath" graph -o "$work/graph" --max-memory 1 --cache-dir "$tap_dir/cache" "$trace" \
		>/dev/null 2>&1 &
	pid=$!
	# Not a time that anything depends on: a different place each time.
	sleep "0.0$i"
	kill -INT $pid 2>/dev/null
	wait $pid
	if [ -e "$work/graph" ]; then
		"$waitpath" path -t "$task" --check "$work/graph" >>"$tap_dir/out" 2>>"$tap_dir/wrong" ||
			echo "a graph that is none" >>"$tap_dir/wrong"
		rm "$work/graph"
	fi
	find "$tap_dir/cache" -type f >>"$tap_dir/wrong"
done
check "interrupted" "$tap_dir/wrong"
tap_done
