#!/bin/sh
# SPDX-License-Identifier: MIT
#
# trace-dat.sh: source.waitpath.trace-dat: files of trace-cmd through babeltrace2, alone and
# on into a CTF trace, against trace-cmd itself where it is there.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/lib/plugin.sh"

# A file with known records (test-ftrace.c says which): in both of its buffers two losses, one
# of 42 records, and a record of which the file has no format. Its times are 16 us after the epoch
# and later.
"$top_builddir/tests/test-ftrace" --write "$tap_dir/known.dat" || exit 99
bt2 --no-delta --clock-seconds "$tap_dir/known.dat" >"$tap_dir/known" 2>"$tap_dir/known-err"
for _ in main side; do
	cat <<'END'
[0.001016000] tracee sched_switch: { cpu_id = 0 }, { common_flags = 1, common_preempt_count = 0, common_pid = 10 }, { prev_comm = "from", prev_pid = 10, prev_prio = 120, prev_state = 1, next_comm = "a-name-of-15-by", next_pid = 11, next_prio = 100 }
[0.001016100] tracee sched_switch: { cpu_id = 0 }, { common_flags = 1, common_preempt_count = 0, common_pid = 11 }, { prev_comm = "from", prev_pid = 11, prev_prio = 120, prev_state = -2, next_comm = "a-name-of-15-by", next_pid = 10, next_prio = 100 }
[0.001016107] tracee sched_process_exec: { cpu_id = 0 }, { common_flags = 1, common_preempt_count = 0, common_pid = 77 }, { filename = "/bin/true", numbers = [ [0] = -1, [1] = -2, [2] = -3 ], where = 0xFFFFFFFF }
[0.403669305] tracee kernel_stack: { cpu_id = 0 }, { common_flags = 1, common_preempt_count = 0, common_pid = 5 }, { size = 5, caller = [ [0] = 0x80000000, [1] = 0x80000001, [2] = 0x80000002, [3] = 0x80000003, [4] = 0x80000004 ] }
[5.000016001] tracee sched_switch: { cpu_id = 0 }, { common_flags = 1, common_preempt_count = 0, common_pid = 10 }, { prev_comm = "from", prev_pid = 10, prev_prio = 120, prev_state = 256, next_comm = "a-name-of-15-by", next_pid = 0, next_prio = 100 }
[9.000016000] tracee sched_switch: { cpu_id = 0 }, { common_flags = 1, common_preempt_count = 0, common_pid = 0 }, { prev_comm = "from", prev_pid = 0, prev_prio = 120, prev_state = 0, next_comm = "a-name-of-15-by", next_pid = 10, next_prio = 100 }
[9.000016000] tracee sched_process_exec: { cpu_id = 0 }, { common_flags = 1, common_preempt_count = 0, common_pid = 77 }, { filename = "", numbers = [ ], where = 0xFFFFFFFF }
END
done | sort >"$tap_dir/expected"
grep -v 'so-that-it-needs' "$tap_dir/known" | sort >"$tap_dir/got"
same "each record, with its time and fields" "$tap_dir/expected" "$tap_dir/got"
n=$(grep -c 'filename = "/usr/bin/a-path.*\[19\] = -20 \]' "$tap_dir/known")
[ "$n" = 2 ] || echo "$n" >"$tap_dir/long"
check "a record longer than 112 bytes" "$tap_dir/long"

{
	grep -c 'Tracer discarded 42 events between \[0.403669305\] and \[4.000016000\]' \
		"$tap_dir/known-err"
	grep -c 'Tracer may have discarded events between \[5.000016001\] and \[9.000016000\]' \
		"$tap_dir/known-err"
	grep -c 'it has no format for its events of number 352' "$tap_dir/known-err"
} >"$tap_dir/losses"
printf '2\n2\n2\n' >"$tap_dir/expected"
same "losses with and without a number, and what has no format, are told" \
	"$tap_dir/expected" "$tap_dir/losses"

# Through a CTF trace and back.
bt2 "$tap_dir/known.dat" -o ctf -w "$tap_dir/ctf" >/dev/null 2>"$tap_dir/ctf-err"
bt2 --no-delta --clock-seconds "$tap_dir/ctf" >"$tap_dir/back" 2>"$tap_dir/back-err"
# CTF 1.8 has lengths as fields of their own, and of an empty string Babeltrace 2.0 prints what
# its field held before.
sed 's/filename = "", //' "$tap_dir/known" | sort >"$tap_dir/a"
sed -E 's/__[a-z]+_len = [0-9]+, //; /numbers = \[ \]/s/filename = "[^"]*", //' "$tap_dir/back" |
	sort >"$tap_dir/b"
same "the same through sink.ctf.fs and source.ctf.fs" "$tap_dir/a" "$tap_dir/b"
n=$(grep -c 'Tracer discarded 42 events' "$tap_dir/back-err")
if [ "$n" = 2 ]; then pass "losses too"; else fail "losses too" "$tap_dir/ctf-err"; fi

# A second pass, and corrected clocks.
set -- -c "in:source.waitpath.trace-dat" -p "inputs=[\"$tap_dir/known.dat\"]" -c muxer:filter.utils.muxer \
	-c out:sink.text.details
bt2 run "$@" -x in:muxer -x muxer:out >"$tap_dir/a" 2>/dev/null
bt2 run "$@" -c mirror:filter.waitpath-test.mirror -p passes=2 -x in:muxer -x muxer:mirror \
	-x mirror:out >"$tap_dir/b" 2>/dev/null
same "the same when it is sent back to its beginning" "$tap_dir/a" "$tap_dir/b"

first_time() {
	bt2 --no-delta --clock-seconds -c source.waitpath.trace-dat \
		-p "inputs=[\"$tap_dir/known.dat\"]" -p "$1" 2>/dev/null | sed -n '1s/ .*//p'
}
{
	first_time clock-class-offset-ns=-1016001
	first_time clock-class-offset-s=1000
} >"$tap_dir/got"
printf '[-0.000000001]\n[1000.001016000]\n' >"$tap_dir/expected"
same "clock-class-offset-s and -ns" "$tap_dir/expected" "$tap_dir/got"

# Each parameter wrong once, and what is no such file: refused WORDS -p PARAMETERS...
refused() {
	words=$1
	shift
	bt2 -c source.waitpath.trace-dat "$@" >"$tap_dir/out" 2>"$tap_dir/err"
	status=$?
	if [ "$status" = 1 ] && tr -s ' \n' ' ' <"$tap_dir/err" | grep -qF -e "$words"; then
		pass "refused: $words"
	else
		fail "refused: $words" "$tap_dir/err"
	fi
}
good="inputs=[\"$tap_dir/known.dat\"]"
refused "The parameter 'inputs' is needed: an array of strings." -p clock-class-offset-s=1
refused "The parameter 'inputs' must be an array of strings." -p "inputs=\"$tap_dir/known.dat\""
refused "The parameter 'inputs' must be an array of strings." -p "inputs=[3]"
refused "The parameter 'inputs' must name one file of trace-cmd, not 2." -p 'inputs=["a", "b"]'
refused "No such file or directory" -p 'inputs=["/nowhere/trace.dat"]'
refused "it is a directory, no file of trace-cmd." -p "inputs=[\"$tap_dir\"]"
refused "it is no file of trace-cmd." -p "inputs=[\"$0\"]"
refused "The parameter 'clock-class-offset-s' must be an integer." -p "$good" \
	-p 'clock-class-offset-s="1"'
refused "The parameter 'clock-class-offset-ns' must be an integer." -p "$good" \
	-p 'clock-class-offset-ns=1.5'
refused "The offset of the clock is more than 292 years." -p "$good" \
	-p 'clock-class-offset-s=9223372037'
refused "The parameter 'force-clock-class-origin-unix-epoch' must be \`yes\` or \`no\`." -p "$good" \
	-p 'force-clock-class-origin-unix-epoch=1'
refused "There is no parameter 'offset'; there are: inputs, clock-class-offset-ns" -p "$good" \
	-p 'offset=1'
head -c 1000 "$tap_dir/known.dat" >"$tap_dir/cut.dat"
refused "cut.dat: it ends within" -p "inputs=[\"$tap_dir/cut.dat\"]"

# Real files: counted, and line by line against trace-cmd.
against_report() {
	if ! command -v trace-cmd >/dev/null; then
		skip "$1: as trace-cmd report has it" "no trace-cmd"
		return
	fi
	# [SECONDS.NS] HOST EVENT: { cpu_id = N }, { ... common_pid = N }, ...
	bt2 --no-delta --clock-seconds "$2" 2>/dev/null |
		sed -E 's/^\[([0-9.]+)\] [^ ]+ ([^:]+): \{ cpu_id = ([0-9]+) \}, \{[^}]*common_pid = ([0-9]+) .*/\1 \3 \4 \2/' \
			>"$tap_dir/a"
	# COMM-PID [CPU] SECONDS.NS: EVENT: ...; a stack goes on for lines
	trace-cmd report -t "$2" 2>/dev/null |
		sed -n -E 's/^ *.*-([0-9]+) +\[0*([0-9]+)\] +([0-9.]+): ([^:]+):.*/\3 \2 \1 \4/p' \
			>"$tap_dir/b"
	sort "$tap_dir/a" >"$tap_dir/a-sorted"
	sort "$tap_dir/b" >"$tap_dir/b-sorted"
	same "$1: as trace-cmd report has it" "$tap_dir/b-sorted" "$tap_dir/a-sorted"
}

file=$traces/public/ftrace-langraph.dat
if ! has_zstd; then
	skip "ftrace-langraph.dat" "built without libzstd"
elif [ -f "$file" ]; then
	bt2 "$file" 2>/dev/null |
		awk '{ sub(/:$/, "", $4); n[$4]++ } END { for (e in n) print e, n[e] }' | sort \
		>"$tap_dir/got"
	cat >"$tap_dir/expected" <<'END'
irq_handler_entry 267
irq_handler_exit 267
kernel_stack 20700
sched_switch 2255
sched_waking 1126
softirq_entry 5595
softirq_exit 5595
softirq_raise 5595
END
	same "ftrace-langraph.dat: all events" "$tap_dir/expected" "$tap_dir/got"
	against_report ftrace-langraph.dat "$file"
else
	skip "ftrace-langraph.dat" "not here"
fi
file=$traces/recorded/xfmt-mixed/hosta/trace.dat
if ! has_zstd; then
	skip xfmt-mixed "built without libzstd"
elif [ -f "$file" ]; then
	against_report xfmt-mixed "$file"
else
	skip xfmt-mixed "not here"
fi
tap_done
