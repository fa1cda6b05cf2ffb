#!/bin/sh
# SPDX-License-Identifier: MIT
#
# threads.sh: the same bytes from 1 to 8 workers, also of traces that are damaged in many places,
# where the order of what is told could depend on who came first; and not a word from the tools
# that watch threads. THREADS_RUNS is how often each number is tried (1; 20 says more);
# THREADS_TOOL is run before waitpath: "valgrind --tool=helgrind -q". In a tree built with
# --enable-sanitizers=thread, TSan speaks for itself.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
waitpath=$top_builddir/waitpath
samples=$top_srcdir/traces/samples
# GLib's own allocator has locks that these tools do not see.
G_SLICE=always-malloc
export G_SLICE
runs=${THREADS_RUNS:-1}

# A trace with a hole in every packet of every stream.
cp -R "$samples/tier3" "$tap_dir/holes"
chmod -R u+w "$tap_dir/holes"
for stream in "$tap_dir"/holes/*/trace/kernel/ch*_[0-9]*; do
	packets=$(($(wc -c <"$stream") / 4096))
	packet=0
	while [ $packet -lt $packets ]; do
		printf '\377\377\377\377\377\377\377\377' |
			dd of="$stream" bs=1 seek=$((packet * 4096 + 3000)) conv=notrunc 2>/dev/null
		packet=$((packet + 1))
	done
done

# same NAME TRACE COMMAND...
same() {
	name=$1
	trace=$2
	shift 2
	: >"$tap_dir/wrong"
	"$waitpath" "$@" --format json --jobs 1 "$trace" >"$tap_dir/one" 2>&1
	for jobs in 1 2 3 4 5 6 7 8; do
		run=0
		while [ $run -lt "$runs" ]; do
			# shellcheck disable=SC2086
			${THREADS_TOOL:-} "$waitpath" "$@" --format json --jobs $jobs "$trace" \
				>"$tap_dir/other" 2>&1
			cmp "$tap_dir/one" "$tap_dir/other" >>"$tap_dir/wrong" 2>&1 || {
				echo "$jobs workers" >>"$tap_dir/wrong"
				diff "$tap_dir/one" "$tap_dir/other" | head -n 20 >>"$tap_dir/wrong"
			}
			run=$((run + 1))
		done
	done
	check "$name, 1 to 8 workers, $runs times" "$tap_dir/wrong"
}

same "three hosts: tasks" "$samples/tier3" tasks
same "three hosts: path" "$samples/tier3" path -t hosta:183
same "three hosts, by Babeltrace: path" "$samples/tier3" path -t hosta:183 --reader babeltrace
same "damaged: tasks" "$tap_dir/holes" tasks
same "damaged: check" "$tap_dir/holes" check
tap_done
