#!/bin/sh
# SPDX-License-Identifier: MIT
#
# raw-events.sh: the events around a time, read out of the middle of a trace, are those that
# babeltrace2 has there when it prints all of it.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
command -v python3 >/dev/null 2>&1 || skip_all "no python3"
command -v babeltrace2 >/dev/null 2>&1 || skip_all "no babeltrace2"

# with system calls and IPv6, with user space's events, with lost ones, rotated, of other tracers
for trace in "$top_srcdir"/traces/samples/tier3/*/trace/kernel \
	"$top_srcdir"/traces/samples/itself/hosta/trace/kernel \
	"$top_srcdir"/traces/samples/itself/hosta/trace/ust/uid/0/64-bit \
	"$top_srcdir"/traces/samples/local-mutex/hosta/trace/kernel \
	"${WAITPATH_SHARED:-}"/traces/recorded/rpc-alternating-sys/hosta/trace/kernel \
	"${WAITPATH_SHARED:-}"/traces/recorded/local-lost/hosta/trace/kernel \
	"${WAITPATH_SHARED:-}"/traces/public/wget-115406 \
	"${WAITPATH_SHARED:-}"/traces/public/flipping-endianness \
	"${WAITPATH_SHARED:-}"/traces/public/perf-taskset2; do
	[ -f "$trace/metadata" ] || continue
	python3 "$top_srcdir/tests/raw-events.py" "$top_builddir/tests/raw-events" "$trace" \
		>"$tap_dir/wrong" 2>&1
	check "${trace#"$top_srcdir"/}" "$tap_dir/wrong"
done
tap_done
