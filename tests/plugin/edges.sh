#!/bin/sh
# SPDX-License-Identifier: MIT
#
# edges.sh: each component class with no events at all, with a single stream, and with a user who
# stops it while it reads.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/lib/plugin.sh"
command -v python3 >/dev/null || skip_all "no python3"

"$top_builddir/tests/fixture2ctf" "$top_srcdir/tests/fixtures/net-call/events.txt" "$tap_dir/call" \
	>"$tap_dir/out" || exit 99
one=$tap_dir/call/hosta
n_events=$(sed -n '/^host hosta/,/^host hostb/p' "$top_srcdir/tests/fixtures/net-call/events.txt" |
	grep -c '^[0-9]')

# A trace of one stream that has a description and no events.
none=$tap_dir/none
cp -R "$one" "$none" && chmod -R u+w "$none"
for stream in "$none"/channel*; do
	: >"$stream"
done

# ends NAME STATUS LINES WORDS BT2...: so, with so many lines, and with words on standard error ('': none).
ends() {
	name=$1 want=$2 lines=$3 words=$4
	shift 4
	bt2 "$@" >"$tap_dir/out" 2>"$tap_dir/err"
	status=$?
	: >"$tap_dir/wrong"
	[ $status = "$want" ] || echo "status $status" >>"$tap_dir/wrong"
	[ "$(wc -l <"$tap_dir/out")" = "$lines" ] || head -n 5 "$tap_dir/out" >>"$tap_dir/wrong"
	if [ -z "$words" ]; then
		cat "$tap_dir/err" >>"$tap_dir/wrong"
	else
		tr -s ' \n' ' ' <"$tap_dir/err" | grep -qF "$words" || cat "$tap_dir/err" >>"$tap_dir/wrong"
	fi
	check "$name" "$tap_dir/wrong"
}

ours() {
	name=$1 want=$2 lines=$3 words=$4 trace=$5
	shift 5
	ends "$name" "$want" "$lines" "$words" -c source.waitpath.ctf -p "inputs=[\"$trace\"]" "$@"
}
silent='There are no events that say anything'
ours "no events: source.waitpath.ctf" 0 0 '' "$none"
ours "no events: filter.waitpath.sync" 0 0 '' "$none" -c filter.waitpath.sync
ours "no events: filter.waitpath.critical-path" 1 0 "$silent" "$none" \
	-c filter.waitpath.critical-path -p 'task="client"'
ours "no events: sink.waitpath.summary" 1 0 "$silent" "$none" \
	-c sink.waitpath.summary -p 'task="client"'
ours "one stream: source.waitpath.ctf" 0 "$n_events" '' "$one"
ours "one stream: filter.waitpath.sync" 0 "$n_events" '' "$one" -c filter.waitpath.sync
# What the client itself did on a CPU: its packet queued and sent, and twice it left the CPU.
ours "one stream: events on the path" 0 4 '' "$one" \
	-c filter.waitpath.critical-path -p 'task="client",output="select"'

# stopped NAME PARAMETERS-OF-SOURCE...: SIGINT comes when the first line is there. What is behind
# the pipe's room is then not read any more, and nothing crashes.
stopped() {
	name=$1
	shift
	python3 - "$(bt2 "$@" 2>/dev/null | wc -c)" "${plugin_preload:-}" "$@" \
		>"$tap_dir/wrong" 2>&1 <<'END'
import os, signal, subprocess, sys

whole, preload, words = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
environment = dict(os.environ, **({"LD_PRELOAD": preload} if preload else {}))
program = subprocess.Popen(["env", "--default-signal=INT", "babeltrace2"] + words,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
first = program.stdout.readline()
program.send_signal(signal.SIGINT)
rest, said = program.communicate(timeout=300)
if whole < 2 * 65536:
    print(f"only {whole} bytes, which the pipe may hold")
if not 0 < len(first) + len(rest) < whole:
    print(f"{len(first) + len(rest)} of {whole} bytes came")
if program.returncode < 0 and program.returncode != -signal.SIGINT:
    print(f"signal {-program.returncode}: {said.decode()[-500:]}")
END
	check "$name" "$tap_dir/wrong"
}
tier3=$top_srcdir/traces/samples/tier3
stopped "stopped: source.waitpath.ctf" -c source.waitpath.ctf -p "inputs=[\"$tier3\"]"
stopped "stopped: filter.waitpath.sync" "$tier3" -c filter.waitpath.sync -p 'offsets={hostb=0}'
stopped "stopped: filter.waitpath.critical-path" "$tier3" \
	-c filter.waitpath.critical-path -p 'task="cli-fe",output="select"'
file=$traces/recorded/xfmt-mixed/hosta/trace.dat
if [ ! -f "$file" ]; then
	skip "stopped: source.waitpath.trace-dat" "not here"
elif ! has_zstd; then
	skip "stopped: source.waitpath.trace-dat" "its file is compressed, and this was built without libzstd"
else
	stopped "stopped: source.waitpath.trace-dat" "$file"
fi
tap_done
