#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cli-traces.sh: real traces of others (how many events each holds is known from elsewhere), flawed
# ones made of them, and the recorded ones against what their workloads wrote about themselves.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
waitpath=$top_builddir/waitpath
traces=${WAITPATH_SHARED:-}/traces
[ -d "$traces" ] || skip_all "no traces in \$WAITPATH_SHARED"

# number KEY: the sum of a key's values in JSON on stdin.
number() {
	awk -v key="\"$1\":" '$1 == key { n += $2 } END { print n + 0 }'
}

events() {
	expected=$1
	shift
	for reader in direct babeltrace; do
		"$waitpath" check --format json --reader "$reader" "$@" 2>"$tap_dir/wrong" |
			number events >"$tap_dir/n"
		[ "$(cat "$tap_dir/n")" -eq "$expected" ] ||
			echo "$(cat "$tap_dir/n") events, not $expected" >>"$tap_dir/wrong"
		check "${1##*/}: all events by the $reader reader" "$tap_dir/wrong"
	done
}

if [ -d "$traces/public" ]; then
	events 110771 "$traces/public/scp_src"
	events 85729 "$traces/public/scp_dest"
	events 28383 "$traces/public/wget-115043"
	events 17702 "$traces/public/wget-115406"
	events 240644 "$traces/public/many-threads"
	events 31556 "$traces/public/bug446190"
	events 14310 "$traces/public/flipping-endianness"
	events 50618 "$traces/public/uneven-streams"
	events 12305 "$traces/public/tracefile-rotation"
	events 9881 "$traces/public/lttng-2.0.0"
	events 1500 "$traces/public/perf-taskset2"
else
	skip "public traces" "not there"
fi

# malformed FOLDER STATUS [EVENTS]: at least so many events, and never a crash.
malformed() {
	timeout 60 "$waitpath" check --format json "$tap_dir/bad/$1"* >"$tap_dir/answer" 2>"$tap_dir/err"
	status=$?
	cp "$tap_dir/err" "$tap_dir/wrong"
	[ "$status" -ne "$2" ] || : >"$tap_dir/wrong"
	[ "$status" -eq "$2" ] || echo "exit status $status, not $2" >>"$tap_dir/wrong"
	if [ "$2" -ne 0 ] && ! grep -q '^waitpath: ' "$tap_dir/err"; then
		echo "no message" >>"$tap_dir/wrong"
	fi
	if [ -n "${3:-}" ] && [ "$(number events <"$tap_dir/answer")" -lt "$3" ]; then
		echo "$(number events <"$tap_dir/answer") events, fewer than $3" >>"$tap_dir/wrong"
	fi
	check "malformed $1" "$tap_dir/wrong"
}

if [ -f "$traces/make-malformed.py" ] && command -v python3 >/dev/null &&
	python3 "$traces/make-malformed.py" "$traces/public/wget-115406" "$traces/public/scp_src" \
		"$tap_dir/bad" >"$tap_dir/out" 2>&1; then
	malformed 00 0 17702
	malformed 02 0 12929
	malformed 03 0 12929
	malformed 04 0 12929
	malformed 05 0 13551
	malformed 06 3
	malformed 07 0 15018
	malformed 08 3
	malformed 10 1
	malformed 11 1
	malformed 12 0 11608
	malformed 13 0 11608
	malformed 14 0 11608
	for folder in 15 16 17 18 19; do malformed "$folder" 0 17702; done
	malformed 21 0 11608
	malformed 30 0 98778
	malformed 31 0 110771
	malformed 32 0 110771
	malformed 33 0 108367
	malformed 34 0 110771
	# Metadata that is cut: used as far as it goes, or refused, but no crash and no hanging.
	for folder in 09 20 35 36; do
		timeout 60 "$waitpath" check "$tap_dir/bad/$folder"* >"$tap_dir/answer" 2>"$tap_dir/err"
		case $? in 0 | 1 | 3) : >"$tap_dir/wrong" ;; *) cp "$tap_dir/err" "$tap_dir/wrong" ;; esac
		check "malformed $folder" "$tap_dir/wrong"
	done
else
	skip "malformed traces" "they can't be made"
fi

if [ -f "$traces/truth-check.py" ] && command -v python3 >/dev/null; then
	for scenario in "$traces/recorded"/*/; do
		python3 "$traces/truth-check.py" --tool "$waitpath" "$scenario" >"$tap_dir/truth" 2>&1
		status=$?
		grep -v '^ok\|^ ' "$tap_dir/truth" | grep -v ' 0 failed$' >"$tap_dir/wrong"
		[ $status -eq 0 ] || echo "exit status $status" >>"$tap_dir/wrong"
		check "truth of $(basename "$scenario")" "$tap_dir/wrong"
	done
else
	skip "recorded traces" "not there"
fi
tap_done
