#!/bin/sh
# SPDX-License-Identifier: MIT
#
# relayd.sh: a whole live chain: LTTng's session daemon and relay daemon, a program that replays a
# recorded kernel trace's events through lttng-ust, and filter.waitpath.critical-path behind
# source.ctf.lttng-live. Segments come while the program runs, and all of them are those that are
# found in the trace that the relay daemon has written.
# shellcheck disable=SC2317 # functions that only wait_for calls
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/lib/plugin.sh"
build=$(cd "$top_builddir" && pwd)
source=$(cd "$top_srcdir" && pwd)

for tool in lttng lttng-sessiond lttng-relayd python3 mkfifo; do
	command -v "$tool" >/dev/null || skip_all "no $tool"
done
[ -x "$build/tests/live/replay" ] || skip_all "built without lttng-ust"
# The daemons are somebody's own: nothing of the system's is touched. Root becomes nobody for them.
me=$(id -u)
live=$(mktemp -d "${TMPDIR:-/tmp}/waitpath-live-XXXXXX") || exit 99
# Only they have this environment: any other program with lttng-ust in it would be traced, too.
as_user="env HOME=$live LTTNG_HOME=$live LTTNG_UST_REGISTER_TIMEOUT=30000"
if [ "$me" = 0 ]; then
	command -v setpriv >/dev/null || skip_all "no setpriv"
	chown 65534:65534 "$live"
	as_user="$as_user setpriv --reuid=65534 --regid=65534 --clear-groups --"
fi
chmod 755 "$live"
cp "$build/tests/live/replay" "$live/replay.bin"
[ -x "$build/tests/live/.libs/replay" ] && cp "$build/tests/live/.libs/replay" "$live/replay.bin"
chmod 755 "$live/replay.bin"

pids=
finish() {
	for pid in $pids; do kill "$pid" 2>/dev/null; done
	for pid in $pids; do wait "$pid" 2>/dev/null; done
	rm -rf "$live" "$tap_dir"
}
trap finish EXIT
give_up() {
	tail -n 20 "$live"/*.log 2>/dev/null | sed 's/^/# /'
	fail "$1"
	tap_done
}

# wait_for SECONDS COMMAND...
wait_for() {
	tries=$(($1 * 5))
	shift
	while ! "$@"; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
		sleep 0.2
	done
}

# shellcheck disable=SC2046
set -- $(python3 -c 'import socket
sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(3)]
print(*(s.getsockname()[1] for s in sockets))')
control=$1 data=$2 port=$3
# shellcheck disable=SC2086
$as_user lttng-relayd -v --control-port="tcp://127.0.0.1:$control" --data-port="tcp://127.0.0.1:$data" \
	--live-port="tcp://127.0.0.1:$port" --output="$live/out" >"$live/relayd.log" 2>&1 &
pids="$pids $!"
# shellcheck disable=SC2086
$as_user lttng-sessiond --no-kernel >"$live/sessiond.log" 2>&1 &
pids="$pids $!"
answers() {
	# shellcheck disable=SC2086
	$as_user lttng --no-sessiond list >"$live/list.log" 2>&1
}
wait_for 30 answers || give_up "the session daemon answers"

lttng_do() {
	# shellcheck disable=SC2086
	$as_user lttng --no-sessiond "$@" >>"$live/lttng.log" 2>&1 || give_up "lttng $1"
}
lttng_do create replay --live=100000 --ctrl-url="tcp://127.0.0.1:$control" \
	--data-url="tcp://127.0.0.1:$data"
lttng_do enable-channel --userspace --subbuf-size=4096 --num-subbuf=64 ch
lttng_do enable-event --userspace --channel=ch 'replay:*'
lttng_do start

# The program is there, and its streams, before the viewer looks; its events come after that.
bt2 --no-delta --clock-seconds "$source/traces/samples/local-mutex" 2>/dev/null |
	python3 "$source/tests/live/replay-input.py" >"$live/input"
[ "$(wc -l <"$live/input")" -gt 1000 ] || give_up "there is something to replay"
mkfifo "$live/fifo"
# shellcheck disable=SC2086
$as_user "$live/replay.bin" 2000 <"$live/fifo" >"$live/replay.log" 2>&1 &
replay=$!
pids="$pids $replay"
exec 3>"$live/fifo"
registered() {
	# shellcheck disable=SC2086
	$as_user lttng --no-sessiond list --userspace 2>/dev/null | grep -q 'replay:sched_switch'
}
wait_for 30 registered || give_up "the program registers"

host=$(hostname)
# itself, not in a shell, so that it can be interrupted
# shellcheck disable=SC2086
env --default-signal=INT ${plugin_preload:+"LD_PRELOAD=$plugin_preload"} \
	babeltrace2 run --retry-duration=10000 -c live:source.ctf.lttng-live \
	-p "inputs=[\"net://127.0.0.1:$port/host/$host/replay\"],session-not-found-action=\"end\"" \
	-c cp:filter.waitpath.critical-path \
	-p "task=\"mx-main\",period=100,layouts=[\"$source/tests/live/replay-layout.xml\"]" \
	-c text:sink.text.pretty -p clock-seconds=yes,no-delta=yes -x live:cp -x cp:text \
	>"$live/segments" 2>"$live/babeltrace2.log" 3>&- &
viewer=$!
pids="$pids $viewer"
# A viewer is given what comes after it has attached itself.
attached() {
	grep -q 'Attach session' "$live/relayd.log"
}
wait_for 60 attached || give_up "the viewer attaches itself"
cat "$live/input" >&3
exec 3>&-
wait "$replay"

has_segments() {
	[ -s "$live/segments" ] || ! kill -0 "$viewer" 2>/dev/null
}
if wait_for 60 has_segments && [ -s "$live/segments" ]; then
	pass "segments come while the session is active"
else
	tail -n 20 "$live"/*.log | sed 's/^/# /'
	fail "segments come while the session is active"
fi
lttng_do stop
lttng_do destroy replay
# The relay daemon of LTTng 2.13 may keep telling a viewer that a stream of a session that is no
# more is quiet: then the viewer is stopped by hand, and all but the tail of the path is there.
gone() {
	! kill -0 "$viewer" 2>/dev/null
}
what=segments
if ! wait_for 20 gone; then
	what=begun
	kill -INT "$viewer"
fi
wait "$viewer" || tail -n 20 "$live/babeltrace2.log" | sed 's/^/# /'

"$build/waitpath" path -q -t mx-main --layout "$source/tests/live/replay-layout.xml" \
	--format json "$live/out" >"$live/path" 2>"$live/path.log"
bt2 --no-delta --clock-seconds "$live/out" >"$live/events" 2>/dev/null
set -- "$live/segments" "$live/path"
[ "$what" = segments ] || set -- "$@" "$live/events" 1000
if python3 "$source/tests/lib/path-check.py" "$what" "$@" >"$live/checked" 2>&1; then
	pass "the segments are those of the trace that was written ($(cat "$live/checked"))"
else
	tail -n 5 "$live/checked" "$live/path.log" >"$tap_dir/end"
	fail "the segments are those of the trace that was written ($what)" "$tap_dir/end"
fi
wc -l <"$live/events" >"$tap_dir/n"
wc -l <"$live/input" >"$tap_dir/expected"
same "no event was lost" "$tap_dir/expected" "$tap_dir/n"
tap_done
