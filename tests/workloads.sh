#!/bin/sh
# SPDX-License-Identifier: MIT
#
# workloads.sh: each workload runs for a moment, and leaves a log that truth-check.py can read. What
# a machine does not let it do (real-time priorities, cgroups, io_uring) is skipped.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
checker=$top_srcdir/traces/truth-check.py
programs=$top_builddir/traces/workloads

python3=/usr/bin/python3
[ -x "$python3" ] || skip_all "no $python3"
[ -x "$programs/local" ] || skip_all "the workloads are not built"

# read_log NAME LOG...: what was left can be read.
read_log() {
	name=$1
	shift
	if "$python3" "$checker" --log "$@" >"$tap_dir/told" 2>&1; then
		pass "$name: its log can be read"
	else
		fail "$name: its log can be read" "$tap_dir/told"
	fi
}

# local_one NAME [ARGUMENT]
local_one() {
	if "$programs/local" "$@" >"$tap_dir/log" 2>"$tap_dir/err"; then
		read_log "local $1" "$tap_dir/log"
	elif grep -q -e 'Operation not permitted' -e 'Permission denied' -e 'Read-only file system' \
		-e 'No such file or directory' -e 'not implemented' -e 'Invalid argument' \
		-e 'real-time priorities' "$tap_dir/err"; then
		skip "local $1" "$(head -n 1 "$tap_dir/err")"
	else
		fail "local $1 runs" "$tap_dir/err"
	fi
}

for name in pingpong mutex condvar chain timer contention fork rwlock inversion inheritance quota \
	spin softirq; do
	local_one "$name"
done
for name in disk aio uring mixed; do
	local_one "$name" "$tap_dir"
done
local_one big 0.3

# All that `local` knows was run; "burn" is what the children of "fork" do.
"$programs/local" 2>&1 | sed -n 's/^workloads: *//p' | tr ' ' '\n' | grep -v '^burn$' >"$tap_dir/known"
grep -c . "$tap_dir/known" >"$tap_dir/n"
echo "$tap_n" | cmp - "$tap_dir/n" >"$tap_dir/wrong" 2>&1
check "each workload of local was run" "$tap_dir/wrong"

# Ports of this process's own.
port=$((20000 + $$ % 10000))
server=

serve() {
	port=$((port + 1))
	"$programs/net" serve port=$port name=test "$@" >"$tap_dir/server" 2>"$tap_dir/err" &
	server=$!
	# What is sent over UDP to nobody is answered with an error.
	hex=$(printf ':%04X ' "$port")
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		! grep -q "$hex" /proc/net/udp6 2>/dev/null || break
		sleep 0.1
	done
}

# call NAME ARGUMENT...: with the server started before; both logs can be read.
call() {
	name=$1
	shift
	if "$programs/net" "$@" >"$tap_dir/log" 2>>"$tap_dir/err" && wait "$server"; then
		read_log "net $name" "$tap_dir/log" "$tap_dir/server"
	else
		fail "net $name runs" "$tap_dir/err"
		kill "$server" 2>/dev/null
	fi
}

here=127.0.0.1
serve
call "client" client to=$here/$port n=3 pre=1 think=1 ms=2 alt=1
serve
call "client, UDP" client to=$here/$port n=3 pre=1 think=1 ms=2 proto=udp
serve epoll=1 pool=2
call "client, epoll and workers" client to=$here/$port n=3 pre=1 think=1 ms=2 reply=9000
serve fsync="$tap_dir/file"
call "client, fsync" client to=$here/$port n=2 pre=1 think=1 ms=1 flags=1 reconnect=1
serve pool=3
call "pooled" pooled to=$here/$port n=3 threads=4 connections=2 pre=1 think=1 ms=3
serve
call "bulk" bulk to=$here/$port n=2 kb=200

serve
backend_server=$server
backend_port=$port
mv "$tap_dir/server" "$tap_dir/backend"
serve backend=$here/$backend_port
"$programs/net" client to=$here/$port n=2 pre=1 think=1 ms=1,2,1 flags=4 >"$tap_dir/log" &&
	"$programs/net" client to=$here/$backend_port n=0 >"$tap_dir/quit"
wait "$server" "$backend_server"
read_log "net, three tiers" "$tap_dir/log" "$tap_dir/server" "$tap_dir/backend" "$tap_dir/quit"

# two_servers KIND ARGUMENT...
two_servers() {
	serve
	other_server=$server
	other_port=$port
	mv "$tap_dir/server" "$tap_dir/backend"
	serve
	kind=$1
	shift
	"$programs/net" "$kind" to=$here/$port+$here/$other_port "$@" >"$tap_dir/log"
	wait "$server" "$other_server"
	read_log "net $kind of two servers, $1" "$tap_dir/log" "$tap_dir/server" "$tap_dir/backend"
}

two_servers client n=2 pre=1 think=1 ms=1 ms2=3
two_servers twins n=2 pre=1 think=1 ms=1 ms2=3
# So many that both threads often write at the same moment.
two_servers twins n=2000 pre=0 think=0 ms=0 ms2=0

port=$((port + 1))
for rank in 0 1 2; do
	"$programs/net" barrier rank=$rank n=3 iters=3 fast=1 slow=3 root=$here port=$port \
		>"$tap_dir/rank$rank" &
done
wait
read_log "net barrier" "$tap_dir/rank0" "$tap_dir/rank1" "$tap_dir/rank2"

# The reader of logs itself: it finds what no check could use.
printf '%s\n' '{"ev":"start","what":"x","pid":1,"mono":1,"real":1,"args":"x"}' \
	'{"ev":"task","role":"x","pid":1,"tid":1,"mono":1}' \
	'{"ev":"phase","tid":1,"what":"idling","asked_ms":1,"begin":1,"end":2,"ms":1}' \
	'{"ev":"phase","tid":2,"what":"cpu","asked_ms":1,"begin":3,"end":2,"ms":1}' \
	'{"ev":"phase"' >"$tap_dir/log"
if "$python3" "$checker" --log "$tap_dir/log" >"$tap_dir/told" 2>&1; then
	fail "a log with faults is refused" "$tap_dir/told"
else
	pass "a log with faults is refused"
fi
for words in 'line 5' 'no check knows the phase idling' 'phase of 2, which is no task' \
	'times out of order'; do
	grep -q "$words" "$tap_dir/told" || echo "$words"
done >"$tap_dir/wrong"
check "and each of its faults is named" "$tap_dir/wrong"
tap_done
