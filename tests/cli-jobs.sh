#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cli-jobs.sh: answers are the same, byte by byte, whatever the number of threads, whichever the
# reader, and from a saved graph.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
waitpath=$top_builddir/waitpath

# same NAME COMMAND...: with one thread and with four.
same() {
	name=$1
	shift
	"$waitpath" "$@" --format json --jobs 1 >"$tap_dir/one" 2>&1
	"$waitpath" "$@" --format json --jobs 4 >"$tap_dir/four" 2>&1
	cmp "$tap_dir/one" "$tap_dir/four" >"$tap_dir/wrong" 2>&1
	check "$name: $1, 1 and 4 threads" "$tap_dir/wrong"
}

# What differs rightly between the two readers and a saved graph: findings, and whence.
strip() {
	sed -e '/"code":/d' -e '/"findings"/d'
}

# all NAME TASK TRACE...
all() {
	name=$1
	task=$2
	shift 2
	same "$name" path -t "$task" "$@"
	same "$name" tasks "$@"
	same "$name" sync "$@"
	same "$name" check "$@"
	same "$name by Babeltrace" path -t "$task" --reader babeltrace "$@"
	same "$name by Babeltrace" check --reader babeltrace "$@"
	"$waitpath" path -t "$task" --format json "$@" 2>&1 | strip >"$tap_dir/one"
	"$waitpath" path -t "$task" --format json --reader babeltrace "$@" 2>&1 | strip >"$tap_dir/two"
	cmp "$tap_dir/one" "$tap_dir/two" >"$tap_dir/wrong" 2>&1
	check "$name: path, direct and Babeltrace" "$tap_dir/wrong"
	"$waitpath" graph -o "$tap_dir/graph" "$@" >"$tap_dir/out" 2>&1
	"$waitpath" path -t "$task" --format json "$tap_dir/graph" 2>&1 | strip >"$tap_dir/two"
	cmp "$tap_dir/one" "$tap_dir/two" >"$tap_dir/wrong" 2>&1
	check "$name: path, traces and saved graph" "$tap_dir/wrong"
	"$waitpath" path -t "$task" --format json --max-memory 1 --cache-dir "$tap_dir" "$@" 2>&1 |
		strip >"$tap_dir/two"
	cmp "$tap_dir/one" "$tap_dir/two" >"$tap_dir/wrong" 2>&1
	check "$name: path, in memory and on disk" "$tap_dir/wrong"
}

for fixture in net-call net-untraced-peer lost-while-running; do
	mkdir "$tap_dir/$fixture"
	"$top_builddir/tests/fixture2ctf" "$top_srcdir/tests/fixtures/$fixture/events.txt" \
		"$tap_dir/$fixture" >"$tap_dir/out" 2>&1 || fail "fixture $fixture" "$tap_dir/out"
	task=$(sed -n 's/^task \([^ ]*\).*/\1/p' "$top_srcdir/tests/fixtures/$fixture/expect" | head -n 1)
	all "$fixture" "$task" "$tap_dir/$fixture"
done

recorded=${WAITPATH_SHARED:-}/traces/recorded
if [ -d "$recorded" ]; then
	all tier3-smp2 hosta:194 "$recorded/tier3-smp2"
	all local-fork fk-main "$recorded/local-fork"
else
	skip "recorded traces" "not there"
fi
tap_done
