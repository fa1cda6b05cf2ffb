#!/bin/sh
# SPDX-License-Identifier: MIT
#
# machines.sh DIR PROGRAMS HOST ADDRESS [HOST ADDRESS...]: records calls between real machines.
#
#   DIR        where the scenario goes: HOST/trace and HOST/truth.jsonl
#   PROGRAMS   a folder with the workload `net`, built for those machines: DIR/programs of
#              record.py, or traces/workloads of the build
#   HOST       what ssh takes; the first machine calls all others, in turn
#   ADDRESS    its address, in numbers, as the first machine reaches it
#
# Each machine needs waitpath and LTTng, and a user who may trace. Two at least. Nothing is left
# on them. The true relation of their clocks is not known, so that there is no
# clock-truth.json: truth-check.py can only tell of each host alone.
set -eu
if [ $# -lt 6 ] || [ $(($# % 2)) -ne 0 ]; then
	sed -n 's/^# \{0,1\}//; 4,15p' "$0" >&2
	exit 2
fi
dir=$1
programs=$2
shift 2
port=5700
calls=${CALLS:-20}

say() {
	printf 'machines: %s\n' "$*"
}

# on HOST COMMAND: in the scenario's folder there.
on() {
	ssh -o BatchMode=yes "$1" "cd ${TMPDIR:-/tmp}/waitpath-machines && $2"
}

# each ACTION HOST ADDRESS...: runs it with each host and address behind.
each() {
	action=$1
	shift
	while [ $# -gt 0 ]; do
		"$action" "$1" "$2"
		shift 2
	done
}

prepare() {
	ssh -o BatchMode=yes "$1" "mkdir -p ${TMPDIR:-/tmp}/waitpath-machines"
	tar cf - -C "$programs" net | on "$1" "tar xmf -"
}

# The shell there becomes waitpath, so that its number is the one to stop.
start_recording() {
	on "$1" "echo \$\$ >pid && exec waitpath record -o trace >check.txt 2>record.txt" &
	until on "$1" "grep -q Ctrl record.txt" 2>/dev/null; do
		kill -0 $! 2>/dev/null || { on "$1" "tail -n 1 record.txt" >&2; exit 1; }
		sleep 0.2
	done
	say "$1 records"
}

stop_recording() {
	on "$1" "kill -INT \$(cat pid)"
}

start_server() {
	[ "$1" != "$first" ] || return 0
	on "$1" "./net serve port=$port name=machine >truth.jsonl" &
}

call() {
	[ "$1" != "$first" ] || return 0
	say "$first calls $1"
	on "$first" "./net client to=$2/$port name=machine n=$calls ms=10 alt=1 >>truth.jsonl"
}

collect() {
	mkdir -p "$dir/$1"
	on "$1" "tar cf - trace truth.jsonl check.txt" | tar xmf - -C "$dir/$1"
	ssh -o BatchMode=yes "$1" "rm -rf ${TMPDIR:-/tmp}/waitpath-machines"
}

first=$1
each prepare "$@"
each start_recording "$@"
each start_server "$@"
each call "$@"
each stop_recording "$@"
wait
each collect "$@"
say "recorded to $dir; next: waitpath path -t $first:cli-machine $dir"
