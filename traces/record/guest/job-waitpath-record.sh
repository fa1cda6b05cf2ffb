# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154
#
# `waitpath record` itself, in each of its ways, and waitpath tracing itself; record.py with
# --add PATH/TO/waitpath --add PATH/TO/libwaitpath-trace.so.
start_lttng

# record_with NAME OPTION...: the pingpong workload.
record_with() {
	out=/tmp/out/record-$1
	shift
	mkdir -p "$out"
	./waitpath record "$@" -o "$out/trace" -- sh -c "./local pingpong >$out/truth.jsonl" \
		>"$out/stdout.txt" 2>"$out/stderr.txt"
	echo "status $?" >>"$out/stderr.txt"
	say "record $*: $(tail -n 1 "$out/stderr.txt"), $(du -sk "$out/trace" | cut -f1) KiB"
}

record_with minimal --profile minimal
record_with default
record_with full --profile full
record_with snapshot --snapshot --buffer 1M
record_with rotate --rotate 200ms

# Itself, at work on what was just recorded: its phases beside what the kernel did.
out=/tmp/out/record-itself
mkdir -p "$out"
./waitpath record --ust 'waitpath:*' -o "$out/trace" -- \
	env LD_PRELOAD="$PWD/libwaitpath-trace.so" ./waitpath path -t pp-parent \
	/tmp/out/record-default/trace >"$out/stdout.txt" 2>"$out/stderr.txt"
say "itself: status $?"

out=/tmp/out/record-ctrl-c
mkdir -p "$out"
./waitpath record -o "$out/trace" >"$out/stdout.txt" 2>"$out/stderr.txt" &
pid=$!
until grep -q Ctrl "$out/stderr.txt"; do sleep 0.1; done
./local pingpong >"$out/truth.jsonl"
kill -INT $pid
wait $pid
say "Ctrl+C: status $?"

# One without the rights.
out=/tmp/out/record-nobody
mkdir -p "$out"
chmod 777 "$out"
setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/tmp ./waitpath record -o "$out/trace" -- true \
	>"$out/stdout.txt" 2>"$out/stderr.txt"
say "nobody: status $?"
rm -rf "$out/trace"

# A kernel without the modules: they are taken away.
out=/tmp/out/record-no-modules
mkdir -p "$out"
pkill lttng-sessiond
sleep 2
mv "/lib/modules/$(uname -r)/extra" /lib/modules/away
depmod
lsmod | awk '/^lttng/ { print $1 }' | xargs -r rmmod 2>/dev/null
for module in $(lsmod | awk '/^lttng/ { print $1 }'); do rmmod "$module" 2>/dev/null; done
for module in $(lsmod | awk '/^lttng/ { print $1 }'); do rmmod "$module" 2>/dev/null; done
./waitpath record -o "$out/trace" -- true >"$out/stdout.txt" 2>"$out/stderr.txt"
say "no modules: status $?"
