#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sync.sh: filter.waitpath.sync through the distribution's babeltrace2: both forms, all
# parameters, hosts hours apart, inputs that can't be read twice, and what must not change.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/lib/plugin.sh"
waitpath=$top_builddir/waitpath
lines='--clock-seconds --no-delta'

check_sync() {
	python3 "$top_srcdir/tests/lib/sync-check.py" "$@"
}

# run_form OUT PARAMETERS DIRECTORY...: each host to an input of its own.
run_form() {
	out=$1
	params=$2
	shift 2
	n=0
	for trace in "$@"; do
		shift
		set -- "$@" -c "in$n:source.ctf.fs" -p "inputs=[\"$trace\"]" -x "in$n:sync"
		n=$((n + 1))
	done
	bt2 run "$@" -c sync:filter.waitpath.sync -p "$params" -c text:sink.text.pretty \
		-p clock-seconds=yes -p no-delta=yes -x sync:text >"$out" 2>"$out-err"
}

# Two hosts and one call, always at hand: hostb's request takes 210 us, its answer 110.
"$top_builddir/tests/fixture2ctf" "$top_srcdir/tests/fixtures/net-call/events.txt" "$tap_dir/call" \
	>"$tap_dir/out" || exit 99
a=$tap_dir/call/hosta
b=$tap_dir/call/hostb
# shellcheck disable=SC2086
bt2 $lines "$tap_dir/call" >"$tap_dir/before" 2>&1
# shellcheck disable=SC2086
bt2 $lines "$tap_dir/call" -c filter.waitpath.sync >"$tap_dir/after" 2>"$tap_dir/after-err"
"$waitpath" sync --format json "$tap_dir/call" >"$tap_dir/report"
if command -v python3 >/dev/null; then
	if check_sync times "$tap_dir/before" "$tap_dir/after" "$tap_dir/report" \
		>"$tap_dir/out" 2>&1 && [ ! -s "$tap_dir/after-err" ]; then
		pass "times are those of the clock maps, all else is the same"
	else
		fail "times are those of the clock maps, all else is the same" "$tap_dir/out"
	fi
else
	skip "times are those of the clock maps, all else is the same" "no python3"
fi
run_form "$tap_dir/run" 'reference="hosta"' "$a" "$b"
same "convert and run forms give the same" "$tap_dir/after" "$tap_dir/run"

# Each way to give the clocks.
"$waitpath" sync -q --save "$tap_dir/clocks" "$tap_dir/call" >"$tap_dir/out" 2>&1
run_form "$tap_dir/file" "sync-file=\"$tap_dir/clocks\"" "$a" "$b"
same "a sync file gives what the packets give" "$tap_dir/after" "$tap_dir/file"

shift_host() {
	awk -v host="$2" -v by="$3" '{
		split(substr($1, 2, length($1) - 2), t, ".")
		ns = t[2] + ($2 == host ? by : 0)
		while (ns < 0) { ns += 1000000000; t[1]-- }
		while (ns >= 1000000000) { ns -= 1000000000; t[1]++ }
		$1 = sprintf("[%s.%09d]", t[1], ns)
		print
	}' "$1"
}
run_form "$tap_dir/offset" 'offsets={hostb=-1250}' "$a" "$b"
shift_host "$tap_dir/before" hostb -1250 | sort >"$tap_dir/x"
sort "$tap_dir/offset" >"$tap_dir/y"
same "offsets are added to the host's times" "$tap_dir/x" "$tap_dir/y"
run_form "$tap_dir/offset" 'reference="hostb",offsets={hosta=+1250}' "$a" "$b"
shift_host "$tap_dir/before" hosta 1250 | sort >"$tap_dir/x"
sort "$tap_dir/offset" >"$tap_dir/y"
same "another reference" "$tap_dir/x" "$tap_dir/y"
# Hours apart: all of one host comes before the first of the other.
run_form "$tap_dir/run" 'offsets={hostb=-36000000000000}' "$a" "$b"
# shellcheck disable=SC2086
bt2 $lines "$a" "$b" -c filter.waitpath.sync -p 'offsets={hostb=-36000000000000}' \
	>"$tap_dir/offset" 2>&1
shift_host "$tap_dir/before" hostb -36000000000000 | sort >"$tap_dir/x"
sort "$tap_dir/offset" >"$tap_dir/y"
same "ten hours" "$tap_dir/x" "$tap_dir/y"
same "ten hours, in both forms" "$tap_dir/run" "$tap_dir/offset"

# Clocks so far apart that too much would have to wait: the port is read once for each host.
"$top_builddir/tests/perf/generate" --hosts 2 --cpus 2 --packets 1500 "$tap_dir/big" \
	>"$tap_dir/out" 2>&1 || exit 99
big0=$tap_dir/big/host0/kernel
big1=$tap_dir/big/host1/kernel
run_form "$tap_dir/run" 'offsets={host1=-36000000000000}' "$big0" "$big1"
# shellcheck disable=SC2086
bt2 $lines "$big0" "$big1" -c filter.waitpath.sync -p 'offsets={host1=-36000000000000}' \
	>"$tap_dir/offset" 2>&1
same "ten hours and many events, in both forms" "$tap_dir/run" "$tap_dir/offset"
# shellcheck disable=SC2086
bt2 $lines "$big0" "$big1" >"$tap_dir/x" 2>&1
bt2 run --retry-duration=1 -c "a:source.ctf.fs" -p "inputs=[\"$big0\"]" -c "b:source.ctf.fs" -p "inputs=[\"$big1\"]" \
	-c mux:filter.utils.muxer -c live:filter.waitpath-test.live -p every=1000 -c sync:filter.waitpath.sync \
	-p 'offsets={host1=-36000000000000}' -c text:sink.text.pretty -x a:mux -x b:mux \
	-x mux:live -x live:sync -x sync:text >"$tap_dir/out" 2>"$tap_dir/err"
if tr -s ' \n' ' ' <"$tap_dir/err" | grep -q "clocks are too far apart .* connect each host to a port of its own"; then
	pass "live through one port and far apart: refused, with what to do"
else
	fail "live through one port and far apart: refused, with what to do" "$tap_dir/err"
fi

# A trace in two pieces, which one source joins: their packets are found in both, where it shows
# that there is another one; else it is told that the clocks are those of a part.
run_form "$tap_dir/whole" 'reference="host0"' "$big0" "$big1"
# pieces A B: big0 in two
pieces() {
	mkdir -p "$1" "$2"
	cp "$big0/metadata" "$1"
	cp "$big0/metadata" "$2"
	for stream in "$big0"/channel*; do
		half=$(($(wc -c <"$stream") / 524288)) # packets of 256 kB
		size=$((262144 * half))
		head -c "$size" "$stream" >"$1/${stream##*/}"
		tail -c "+$((size + 1))" "$stream" >"$2/${stream##*/}"
	done
}
# joined_form OUT A B
joined_form() {
	bt2 run -c "a:source.ctf.fs" -p "inputs=[\"$2\",\"$3\"]" -c "b:source.ctf.fs" \
		-p "inputs=[\"$big1\"]" -c sync:filter.waitpath.sync -p 'reference="host0"' \
		-c text:sink.text.pretty -p clock-seconds=yes -p no-delta=yes -x a:sync -x b:sync \
		-x sync:text >"$1" 2>"$1-err"
}
pieces "$tap_dir/archives/1/kernel" "$tap_dir/archives/2/kernel"
joined_form "$tap_dir/y" "$tap_dir/archives/1/kernel" "$tap_dir/archives/2/kernel"
same "a trace in two pieces" "$tap_dir/whole" "$tap_dir/y"
pieces "$tap_dir/one/kernel" "$tap_dir/another/place"
joined_form "$tap_dir/y" "$tap_dir/one/kernel" "$tap_dir/another/place"
if [ "$(wc -l <"$tap_dir/whole")" = "$(wc -l <"$tap_dir/y")" ] &&
	grep -q 'the clocks were found from these alone' "$tap_dir/y-err"; then
	pass "a trace in two pieces that do not know of each other"
else
	fail "a trace in two pieces that do not know of each other" "$tap_dir/y-err"
fi

# Two traces of one host, whose sessions measured its clock's offset 5 us apart: after it the same
# events, which both have, are at the same times, on any clock.
if command -v python3 >/dev/null; then
	sed "s/^host hosta.*/host hosta clock=01234567-89ab-cdef-0123-456789abcdef/" \
		"$top_srcdir/tests/fixtures/net-call/events.txt" >"$tap_dir/text"
	"$top_builddir/tests/fixture2ctf" "$tap_dir/text" "$tap_dir/apart" >"$tap_dir/out" || exit 99
	cp -r "$tap_dir/apart/hosta" "$tap_dir/apart/again"
	python3 - "$tap_dir/apart/again" <<'END'
import os, re, sys, uuid

directory = sys.argv[1]
text = re.search(rb'uuid = "([^"]*)"', open(directory + '/metadata', 'rb').read()).group(1)
old = uuid.UUID(text.decode()).bytes
new = bytes([old[0] ^ 1]) + old[1:]
for name in os.listdir(directory):
    data = open(os.path.join(directory, name), 'rb').read().replace(old, new)
    if name == 'metadata':
        data = data.replace(text, str(uuid.UUID(bytes=new)).encode(), 1)
        data = re.sub(rb'offset = (\d+);', lambda m: b'offset = %d;' % (int(m.group(1)) + 5000),
                      data, count=1)
    open(os.path.join(directory, name), 'wb').write(data)
END
	for params in 'reference="hosta"' 'reference="hostb"' 'reference="hostb",offsets={hosta=+7}'; do
		# shellcheck disable=SC2086
		bt2 $lines "$tap_dir/apart" -c filter.waitpath.sync -p "$params" 2>"$tap_dir/err" |
			grep ' hosta ' | sort | uniq -c | awk '{ print $1 }' | uniq >"$tap_dir/y"
		echo 2 >"$tap_dir/x"
		same "traces of one host are on one clock ($params)" "$tap_dir/x" "$tap_dir/y"
	done
else
	skip "traces of one host are on one clock" "no python3"
fi

# A source that shifts a clock: the messages count, not the files.
bt2 run -c "a:source.ctf.fs" -p "inputs=[\"$a\"],clock-class-offset-s=5" -c "b:source.ctf.fs" \
	-p "inputs=[\"$b\"]" -c sync:filter.waitpath.sync -p 'reference="hostb"' -c text:sink.text.pretty \
	-p clock-seconds=yes -p no-delta=yes -x a:sync -x b:sync -x sync:text >"$tap_dir/x" 2>&1
run_form "$tap_dir/y" 'reference="hostb"' "$a" "$b"
same "a source that shifts a clock" "$tap_dir/y" "$tap_dir/x"
# Our own source, whose clocks are found in the files, too.
bt2 run -c "a:source.waitpath.ctf" -p "inputs=[\"$a\",\"$b\"]" -c sync:filter.waitpath.sync \
	-c text:sink.text.pretty -p clock-seconds=yes -p no-delta=yes -x a:sync -x sync:text \
	>"$tap_dir/x" 2>&1
same "behind source.waitpath.ctf" "$tap_dir/after" "$tap_dir/x"

# A window: the events in it, and streams that begin and end properly.
begin=$(sed -n '10s/^\[\([0-9.]*\)\].*/\1/p' "$tap_dir/after")
end=$(sed -n '20s/^\[\([0-9.]*\)\].*/\1/p' "$tap_dir/after")
to_ns() {
	echo "$1" | tr -d .
}
run_form "$tap_dir/window" "begin=$(to_ns "$begin"),end=+$(to_ns "$end")" "$a" "$b"
sed -n 10,20p "$tap_dir/after" >"$tap_dir/x"
same "begin and end in nanoseconds, both in" "$tap_dir/x" "$tap_dir/window"
run_form "$tap_dir/window" 'begin="+0.0003"' "$a" "$b"
first=$(to_ns "$(sed -n '1s/^\[\([0-9.]*\)\].*/\1/p' "$tap_dir/after")")
while read -r time rest; do
	ns=${time#?}
	[ "$(to_ns "${ns%?}")" -lt $((first + 300000)) ] || echo "$time $rest"
done <"$tap_dir/after" >"$tap_dir/x"
same "begin as seconds from the first event" "$tap_dir/x" "$tap_dir/window"
run_form "$tap_dir/window" 'begin="+5"' "$a" "$b"
if [ ! -s "$tap_dir/window" ] && [ ! -s "$tap_dir/window-err" ]; then
	pass "a window behind the last event"
else
	fail "a window behind the last event" "$tap_dir/window-err"
fi
bt2 "$a" "$b" -c filter.waitpath.sync -p "begin=$(to_ns "$begin"),end=$(to_ns "$end")" \
	-o ctf -w "$tap_dir/ctf" >"$tap_dir/out" 2>&1
# shellcheck disable=SC2086
bt2 $lines "$tap_dir/ctf" >"$tap_dir/back" 2>&1
sed -n 10,20p "$tap_dir/after" >"$tap_dir/x"
same "a window through sink.ctf.fs and back" "$tap_dir/x" "$tap_dir/back"

# All of it into a CTF trace, which says of the hosts what the originals said.
bt2 "$a" "$b" -c filter.waitpath.sync -o ctf -w "$tap_dir/all" >"$tap_dir/out" 2>&1
# shellcheck disable=SC2086
bt2 $lines "$tap_dir/all" >"$tap_dir/back" 2>&1
same "through sink.ctf.fs and back" "$tap_dir/after" "$tap_dir/back"
"$waitpath" path -t client --format json "$tap_dir/all" >"$tap_dir/y" 2>&1
if grep -q '"host": "hostb", "tid": 201, "comm": "server"' "$tap_dir/y"; then
	pass "and waitpath finds the path in it"
else
	fail "and waitpath finds the path in it" "$tap_dir/y"
fi

# One host only: nothing to correct, no second pass, so anything will do as input.
# shellcheck disable=SC2086
bt2 $lines "$a" >"$tap_dir/x" 2>&1
# shellcheck disable=SC2086
bt2 $lines "$a" -c filter.waitpath.sync >"$tap_dir/y" 2>&1
same "one host" "$tap_dir/x" "$tap_dir/y"

# live_form OUT LIVE-PARAMETERS PARAMETERS: two hosts behind what is like a live source.
live_form() {
	bt2 run --retry-duration=1000 -c "a:source.ctf.fs" -p "inputs=[\"$a\"]" -c "b:source.ctf.fs" \
		-p "inputs=[\"$b\"]" -c la:filter.waitpath-test.live -p "$2" \
		-c lb:filter.waitpath-test.live -p "$2" -c sync:filter.waitpath.sync -p "$3" \
		-c text:sink.text.pretty -p clock-seconds=yes -p no-delta=yes -x a:la -x b:lb \
		-x la:sync -x lb:sync -x sync:text >"$1" 2>"$1-err"
}
for live in every=7 every=1,inactivity=1; do
	live_form "$tap_dir/live" "$live" "sync-file=\"$tap_dir/clocks\""
	same "live with a sync file ($live)" "$tap_dir/after" "$tap_dir/live"
done
bt2 run --retry-duration=1000 -c "a:source.ctf.fs" -p "inputs=[\"$a\"]" -c "b:source.ctf.fs" \
	-p "inputs=[\"$b\"]" -c mux:filter.utils.muxer -c live:filter.waitpath-test.live \
	-p every=3,inactivity=1 -c sync:filter.waitpath.sync -p "sync-file=\"$tap_dir/clocks\"" \
	-c text:sink.text.pretty -p clock-seconds=yes -p no-delta=yes -x a:mux -x b:mux -x mux:live \
	-x live:sync -x sync:text >"$tap_dir/live" 2>"$tap_dir/live-err"
same "live hosts through one port" "$tap_dir/after" "$tap_dir/live"
live_form "$tap_dir/live" every=7 'begin="+0"'
if tr -s ' \n' ' ' <"$tap_dir/live-err" | grep -q "What comes in can't be read twice .* give a 'sync-file'"; then
	pass "live without clocks is refused, with what to do"
else
	fail "live without clocks is refused, with what to do" "$tap_dir/live-err"
fi

for live in seek=1 seek=1,every=1,inactivity=1; do
	live_form "$tap_dir/live" "$live" 'reference="hosta"'
	same "two passes of an input that has nothing now and then ($live)" "$tap_dir/after" \
		"$tap_dir/live"
done

# An end that never comes: what is known is given when the user stops it.
bt2 run --retry-duration=1000 -c "a:source.ctf.fs" -p "inputs=[\"$a\"]" -c la:filter.waitpath-test.live -p endless=1 \
	-c sync:filter.waitpath.sync -c text:sink.text.pretty -p clock-seconds=yes -p no-delta=yes \
	-x a:la -x la:sync -x sync:text >"$tap_dir/endless" 2>"$tap_dir/endless-err"
same "an endless input, stopped by the user" "$tap_dir/x" "$tap_dir/endless"
live_form "$tap_dir/endless" seek=1,endless=1 'reference="hosta"'
if [ ! -s "$tap_dir/endless" ]; then
	pass "stopped by the user in the first pass"
else
	fail "stopped by the user in the first pass" "$tap_dir/endless"
fi

# Each parameter wrong once: refused WORDS PARAMETERS
refused() {
	run_form "$tap_dir/out" "$2" "$a" "$b"
	if [ ! -s "$tap_dir/out" ] && tr -s ' \n' ' ' <"$tap_dir/out-err" | grep -qF -e "$1"; then
		pass "refused: $1"
	else
		fail "refused: $1" "$tap_dir/out-err"
	fi
}
refused "There is no parameter 'task'; there are: reference, offsets, sync-file, layouts, begin, end." task=1
refused "The parameter 'reference' must be a string." reference=1
refused "The parameter 'offsets' must be a map of integers, as {hosta=-1200}." 'offsets="hostb=1"'
refused "The parameter 'offsets' must be a map of integers, as {hosta=-1200}." 'offsets={hostb="x"}'
refused "The parameter 'sync-file' must be a string." sync-file=yes
refused "The parameter 'begin' must be a time:" begin=1.5
refused "The parameter 'end' must be a time:" end=yes
refused "No host is called hostx; the traces are of hosta, hostb." 'reference="hostx"'
refused "No host is called hostx; the traces are of hosta, hostb." 'offsets={hostb=1,hostx=2}'
refused "/nowhere" 'sync-file="/nowhere"'
refused '"soon" is no time' 'begin="soon"'
refused "The window ends (1) before it begins (2)." 'begin=2,end=1'

# The query gives the report of the command line.
bt2 query filter.waitpath.sync sync -p "inputs=[\"$tap_dir/call\"]" >"$tap_dir/query" 2>&1
if grep -q 'schema: waitpath-sync/1' "$tap_dir/query" && grep -q 'a_to_b: 1' "$tap_dir/query" &&
	grep -q 'quality: both-ways' "$tap_dir/query"; then
	pass "the query object sync"
else
	fail "the query object sync" "$tap_dir/query"
fi
bt2 query filter.waitpath.sync sync >"$tap_dir/query" 2>&1
if tr -s ' \n' ' ' <"$tap_dir/query" | grep -q "The parameter 'inputs' is needed: an array of strings"; then
	pass "the query without inputs"
else
	fail "the query without inputs" "$tap_dir/query"
fi
bt2 query filter.waitpath.sync nothing >"$tap_dir/query" 2>&1
if grep -qi "unknown query object" "$tap_dir/query"; then
	pass "the query of something else"
else
	fail "the query of something else" "$tap_dir/query"
fi

# Recorded hosts, with clocks up to eleven hours apart and 900 ppm of drift.
for scenario in rpc-drift:100 tier3:100 rpc-udp:30 rpc-ipv6:30; do
	least=${scenario#*:}
	scenario=${scenario%:*}
	if [ ! -d "$traces/recorded/$scenario" ] || ! command -v python3 >/dev/null; then
		skip "$scenario" "not here"
		continue
	fi
	# shellcheck disable=SC2046
	set -- $(ls -d "$traces/recorded/$scenario"/host*/trace/kernel)
	# shellcheck disable=SC2086
	bt2 $lines "$@" >"$tap_dir/before" 2>&1
	# shellcheck disable=SC2086
	bt2 $lines "$@" -c filter.waitpath.sync >"$tap_dir/after" 2>&1
	"$waitpath" sync --format json "$@" >"$tap_dir/report" 2>&1
	if check_sync times "$tap_dir/before" "$tap_dir/after" "$tap_dir/report" \
		>"$tap_dir/out" 2>&1; then
		pass "$scenario: times are those of the clock maps"
	else
		fail "$scenario: times are those of the clock maps" "$tap_dir/out"
	fi
	if check_sync packets "$tap_dir/after" "$least" >"$tap_dir/out" 2>&1; then
		pass "$scenario: no packet arrives before it was sent"
	else
		fail "$scenario: no packet arrives before it was sent" "$tap_dir/out"
	fi
	run_form "$tap_dir/run" 'reference="hosta"' "$@"
	same "$scenario: both forms" "$tap_dir/after" "$tap_dir/run"
done

# Hosts that are not joined: their times stay, and a word on it.
if [ -d "$traces/recorded/bulk-nogro" ]; then
	set -- "$traces/recorded/bulk-nogro/hosta/trace" "$traces/recorded/bulk-nogro/hostb/trace"
	# shellcheck disable=SC2086
	bt2 $lines "$@" >"$tap_dir/x" 2>&1
	# shellcheck disable=SC2086
	bt2 $lines "$@" -c filter.waitpath.sync >"$tap_dir/y" 2>"$tap_dir/err"
	same "hosts that are not joined keep their times" "$tap_dir/x" "$tap_dir/y"
	if grep -q 'No packets join host hostb to hosta' "$tap_dir/err"; then
		pass "hosts that are not joined are told of"
	else
		fail "hosts that are not joined are told of" "$tap_dir/err"
	fi
else
	skip "hosts that are not joined" "not here"
fi

# Ten inputs, hosts that no packet joins: all of their events. Always at hand, of one fixture.
set --
for i in 0 1 2 3 4 5 6 7 8 9; do
	sed "s/^host hosta/host host$i/" "$top_srcdir/tests/fixtures/handoff/events.txt" >"$tap_dir/text"
	"$top_builddir/tests/fixture2ctf" "$tap_dir/text" "$tap_dir/ten$i" >"$tap_dir/out" || exit 99
	set -- "$@" "$(dirname "$(find "$tap_dir/ten$i" -name metadata)")"
done
[ $# = 10 ] || exit 99
run_form "$tap_dir/many" 'reference="host0"' "$@"
# shellcheck disable=SC2086
bt2 $lines "$@" 2>"$tap_dir/err" | sort >"$tap_dir/x"
sort "$tap_dir/many" >"$tap_dir/y"
same "ten inputs" "$tap_dir/x" "$tap_dir/y"
[ "$(wc -l <"$tap_dir/x")" -eq $((10 * $(bt2 "$1" 2>/dev/null | wc -l))) ] || wc -l "$tap_dir/x" >"$tap_dir/wrong"
touch "$tap_dir/wrong"
check "and all ten are there" "$tap_dir/wrong"
if [ -d "$traces/recorded/bsp" ]; then
	# shellcheck disable=SC2046
	set -- $(ls -d "$traces"/recorded/local-*/hosta/trace/kernel) "$traces/recorded/bsp/hosta/trace/kernel"
	run_form "$tap_dir/many" 'reference="hosta"' "$@"
	bt2 "$@" 2>/dev/null | wc -l >"$tap_dir/x"
	wc -l <"$tap_dir/many" >"$tap_dir/y"
	same "$# recorded inputs" "$tap_dir/x" "$tap_dir/y"
else
	skip "many recorded inputs" "not here"
fi
tap_done
