#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cli-compare.sh: what was saved is what the trace says, in every format of a comparison; and a
# window outside the trace or the task's life is told.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
waitpath=$top_builddir/waitpath
command -v python3 >/dev/null || skip_all "no python3"

cat >"$tap_dir/zero.py" <<'END'
import json, sys
report = json.load(open(sys.argv[1]))
for row in report["rows"]:
    if row["difference"] != 0:
        print(row)
if not report["rows"] or report["total"]["difference"] != 0:
    print("total", report["total"])
END
# SUMMED: both sides of the stacks add up to the totals, and to the stacks of each path alone.
cat >"$tap_dir/folded.py" <<'END'
import json, sys
total = json.load(open(sys.argv[1]))["total"]
sides = [{}, {}]
for line in open(sys.argv[2]):
    stack, a, b = line.rsplit(" ", 2)
    for side, time in zip(sides, (int(a), int(b))):
        if time:
            side[stack] = time
for side, name, file in zip(sides, "ab", sys.argv[3:]):
    right = {}
    for line in open(file):
        stack, time = line.rsplit(" ", 1)
        right[stack] = int(time)
    if side != right:
        print(name, "is not the path's own", sorted(set(side.items()) ^ set(right.items()))[:5])
    if sum(side.values()) != total[name]:
        print(name, sum(side.values()), "not", total[name])
END

# nothing NAME ARGUMENT...: a comparison in which nothing differs.
nothing() {
	name=$1
	shift
	"$waitpath" compare --format json "$@" >"$tap_dir/answer" 2>"$tap_dir/wrong" &&
		python3 "$tap_dir/zero.py" "$tap_dir/answer" >"$tap_dir/wrong" 2>&1
	check "$name" "$tap_dir/wrong"
}

# refused NAME TEXT ARGUMENT...: wrong usage, and the message says TEXT.
refused() {
	name=$1
	text=$2
	shift 2
	"$waitpath" "$@" >"$tap_dir/out" 2>"$tap_dir/wrong"
	[ $? -eq 2 ] && grep -q "$text" "$tap_dir/wrong" && : >"$tap_dir/wrong"
	[ -s "$tap_dir/out" ] && cat "$tap_dir/out" >>"$tap_dir/wrong"
	check "$name" "$tap_dir/wrong"
}

# saved NAME TASK TRACE: with what was saved of it.
saved() {
	"$waitpath" path -t "$2" --format json "$3" >"$tap_dir/path.json" 2>"$tap_dir/out"
	nothing "$1: saved path" -t "$2" "$tap_dir/path.json" "$3"
	nothing "$1: saved path, the other way round" -t "$2" "$3" "$tap_dir/path.json"
	nothing "$1: two saved paths" "$tap_dir/path.json" "$tap_dir/path.json"
	"$waitpath" tasks --top 0 --format json "$3" >"$tap_dir/tasks.json" 2>"$tap_dir/out"
	nothing "$1: saved tasks" "$tap_dir/tasks.json" "$3"
	nothing "$1: one saved task" -t "$2" "$tap_dir/tasks.json" "$3"
	"$waitpath" path -t "$2" --format folded "$3" >"$tap_dir/a.folded" 2>"$tap_dir/out"
	"$waitpath" compare -t "$2" --format folded "$tap_dir/path.json" "$3" >"$tap_dir/ab.folded" \
		2>"$tap_dir/out"
	"$waitpath" compare -t "$2" --format json "$tap_dir/path.json" "$3" >"$tap_dir/ab.json" 2>"$tap_dir/out"
	python3 "$tap_dir/folded.py" "$tap_dir/ab.json" "$tap_dir/ab.folded" "$tap_dir/a.folded" \
		"$tap_dir/a.folded" >"$tap_dir/wrong" 2>&1
	check "$1: folded, both sides" "$tap_dir/wrong"
}

for fixture in handoff net-call nested-waits runnable-preemptors lost-while-running fork-vfork \
	work-item disk-issuer timer-armed irq-names signal softirq-causes ksoftirqd net-space net-local; do
	mkdir "$tap_dir/$fixture"
	"$top_builddir/tests/fixture2ctf" "$top_srcdir/tests/fixtures/$fixture/events.txt" \
		"$tap_dir/$fixture" >"$tap_dir/out" 2>&1 || fail "fixture $fixture" "$tap_dir/out"
	task=$(sed -n 's/^task \([^ ]*\).*/\1/p' "$top_srcdir/tests/fixtures/$fixture/expect" | head -n 1)
	saved "$fixture" "$task" "$tap_dir/$fixture"
done

refused "lists of tasks are no paths" "they can't be compared" compare -t client \
	"$tap_dir/path.json" "$tap_dir/tasks.json"
refused "a window of a saved result" "has no windows" compare -t client --window +0,+1 \
	"$tap_dir/path.json" "$tap_dir/path.json"
refused "no such task in a saved list" "No task of the saved result is nobody" compare -t nobody \
	"$tap_dir/tasks.json" "$tap_dir/tasks.json"
refused "a window behind the trace" "wholly behind the trace: that is from " path -t client \
	--begin +100 --end +101 "$tap_dir/handoff"
refused "tasks of a window behind the trace" "wholly behind the trace" tasks --begin +100 \
	"$tap_dir/handoff"
refused "a window before the trace" "wholly before the trace" blockers --end 5 "$tap_dir/handoff"

# damaged NAME JSON: is an error, in one sentence.
damaged() {
	printf '%s' "$2" >"$tap_dir/damaged.json"
	"$waitpath" compare "$tap_dir/damaged.json" "$tap_dir/damaged.json" >"$tap_dir/out" 2>"$tap_dir/wrong"
	[ $? -eq 1 ] && [ "$(wc -l <"$tap_dir/wrong")" -eq 1 ] && : >"$tap_dir/wrong"
	check "$1" "$tap_dir/wrong"
}
head='"schema": "waitpath-path/1", "segments": ['
one='{"host": "a", "tid": 1, "comm": "x", "state": "running", "depth": 0'
damaged "no schema" '{"segments": []}'
damaged "another schema" '{"schema": "waitpath-check/1"}'
damaged "no segments" '{"schema": "waitpath-path/1"}'
damaged "cut" "{$head$one"
damaged "segments that do not join" "{$head$one, \"begin\": 1, \"end\": 2}, $one, \"begin\": 3, \"end\": 4}]}"
damaged "a segment that goes back" "{$head$one, \"begin\": 5, \"end\": 2}]}"
damaged "more time than there is" "{$head$one, \"begin\": -9223372036854775808, \"end\": 9223372036854775807}]}"
damaged "a state of its own" '{"schema": "waitpath-tasks/1", "tasks": [{"host": "a", "tid": 1, "comm": "x", "by_state": {"dreaming": 1}}]}'

recorded=${WAITPATH_SHARED:-}/traces/recorded
if [ -d "$recorded" ]; then
	saved tier3 hosta:183 "$recorded/tier3"
	saved local-mutex mx-main "$recorded/local-mutex"
	saved rpc-alternating cli-rpc "$recorded/rpc-alternating"
	"$waitpath" path -t cli-rpc --format folded "$recorded/rpc-alternating" >"$tap_dir/a.folded" 2>"$tap_dir/out"
	"$waitpath" path -t cli-rpc --format folded "$recorded/rpc-alternating-sys" >"$tap_dir/b.folded" 2>"$tap_dir/out"
	for format in json folded svg; do
		"$waitpath" compare -t cli-rpc --format $format "$recorded/rpc-alternating" \
			"$recorded/rpc-alternating-sys" >"$tap_dir/ab.$format" 2>"$tap_dir/out"
	done
	python3 "$tap_dir/folded.py" "$tap_dir/ab.json" "$tap_dir/ab.folded" "$tap_dir/a.folded" \
		"$tap_dir/b.folded" >"$tap_dir/wrong" 2>&1
	check "two runs, folded" "$tap_dir/wrong"
	if command -v xmllint >/dev/null; then
		xmllint --noout "$tap_dir/ab.svg" >"$tap_dir/wrong" 2>&1
		check "two runs, svg" "$tap_dir/wrong"
	fi
	"$waitpath" path -t cli-rpc --begin +2 --end +2.2 --format json "$recorded/rpc-alternating" \
		>"$tap_dir/window.json" 2>"$tap_dir/out"
	nothing "a window and what was saved of it" -t cli-rpc --window +2,+2.2 "$tap_dir/window.json" \
		"$recorded/rpc-alternating"
	refused "a window before the task's life" "wholly before the life of cli-rpc (191)" path \
		-t cli-rpc --end +1 "$recorded/rpc-alternating"
else
	skip "recorded traces" "not there"
fi
tap_done
