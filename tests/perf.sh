#!/bin/sh
# SPDX-License-Identifier: MIT
#
# perf.sh: what make bench measures with is right: the traces that tests/perf/generate writes are
# what it says, and the answers from them are what its machine did.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
waitpath=$top_builddir/waitpath
generate=$top_builddir/tests/perf/generate

# make NAME OPTION...: a trace, or the end of this test.
make_trace() {
	name=$1
	shift
	"$generate" "$@" "$tap_dir/$name" >"$tap_dir/$name.out" 2>&1 && return
	fail "$name is generated" "$tap_dir/$name.out"
	tap_done
}

# told NAME: events, as the machine counted them.
told() {
	sed -n 's/^{"events": \([0-9]*\),.*/\1/p' "$tap_dir/$1/truth.json"
}

make_trace full --events 20000 --hosts 2 --cpus 2
make_trace again --events 20000 --hosts 2 --cpus 2
make_trace other --events 20000 --hosts 2 --cpus 2 --seed 2
make_trace sched --events 20000 --cpus 3 --mix sched --idle-tasks 20
make_trace packets --packets 4000 --hosts 4 --cpus 2 --mix packets

diff -r "$tap_dir/full" "$tap_dir/again" >"$tap_dir/wrong" 2>&1
check "the same options give the same bytes" "$tap_dir/wrong"
: >"$tap_dir/wrong"
diff -rq "$tap_dir/full" "$tap_dir/other" >/dev/null && echo same >"$tap_dir/wrong"
check "another seed gives others" "$tap_dir/wrong"

for name in full sched packets; do
	babeltrace2 "$tap_dir/$name" 2>"$tap_dir/wrong" | wc -l >"$tap_dir/n"
	[ "$(cat "$tap_dir/n")" -eq "$(told $name)" ] ||
		echo "told $(told $name), Babeltrace has $(cat "$tap_dir/n")" >>"$tap_dir/wrong"
	check "$name: Babeltrace reads as many events as were told" "$tap_dir/wrong"
	: >"$tap_dir/wrong"
	for reader in direct babeltrace; do
		"$waitpath" check --format json --reader "$reader" "$tap_dir/$name" >"$tap_dir/$reader" \
			2>"$tap_dir/wrong"
		sed -n 's/^ *"events": \([0-9]*\),$/\1/p' "$tap_dir/$reader" |
			awk -v told="$(told $name)" '{ n += $1 } END { if (n != told) print n, "of", told }' \
				>>"$tap_dir/wrong"
		grep -E '"severity": "(warning|error)"' "$tap_dir/$reader" >>"$tap_dir/wrong"
	done
	check "$name: both readers read all of it and find nothing wrong" "$tap_dir/wrong"
	"$waitpath" tasks --top 1 --format json "$tap_dir/$name" >"$tap_dir/direct" 2>"$tap_dir/wrong"
	"$waitpath" tasks --top 1 --format json --reader babeltrace "$tap_dir/$name" \
		>"$tap_dir/babeltrace" 2>>"$tap_dir/wrong"
	cmp "$tap_dir/direct" "$tap_dir/babeltrace" >>"$tap_dir/wrong" 2>&1
	check "$name: the same tasks through both" "$tap_dir/wrong"
done

/usr/bin/python3 "$top_srcdir/tests/perf/bench.py" --dir "$tap_dir/bench" \
	--builddir "$top_builddir" --srcdir "$top_srcdir" --clocks "$tap_dir/packets" \
	>"$tap_dir/wrong" 2>&1
check "packets: the true clocks lie within their bounds" "$tap_dir/wrong"

# dd has a block in memory, here of 64 MB. Who asks has as much and twice more.
/usr/bin/python3 -c "
import subprocess, sys
mine = bytearray(192 << 20)
sys.exit(subprocess.run(sys.argv[1:], stderr=subprocess.DEVNULL).returncode)" \
	"$top_builddir/tests/perf/measure" peak dd if=/dev/zero of=/dev/null bs=64M count=1 \
	>"$tap_dir/peak" 2>"$tap_dir/wrong"
awk '{ if ($2 < 64 * 1048576 || $2 > 96 * 1048576) print "not 64 MB:", $0 } END {
	if (NR != 1) print NR, "lines" }' "$tap_dir/peak" >>"$tap_dir/wrong"
if [ "${WAITPATH_SANITIZERS:-no}" = no ]; then
	check "the most memory of a command is its own" "$tap_dir/wrong"
else
	skip "the most memory of a command is its own" "sanitizers take memory"
fi

# Every step down is a wait for the next task; nobody waits for anything else.
make_trace stairs --staircase 50 --events 1000 --cpus 1
"$waitpath" path -t top --format json "$tap_dir/stairs" 2>"$tap_dir/wrong" |
	sed -n 's/.*"state": "\([a-z]*\)", "depth": \([0-9]*\).*/\1 \2/p' |
	awk '{ seen[$1] = 1; if ($2 > deepest) deepest = $2 }
		END { delete seen["running"]; delete seen["runnable"]
		for (state in seen) print "there is time", state
		if (deepest != 49) print deepest, "deep" }' >>"$tap_dir/wrong"
check "a staircase of 50 tasks is 49 waits deep" "$tap_dir/wrong"

tap_done
