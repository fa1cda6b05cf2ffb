#!/bin/sh
# SPDX-License-Identifier: MIT
#
# fuzz.sh: each fuzz target on good inputs and on some hundred changes of each: the same in
# every run. With --enable-fuzzing libFuzzer runs as many, new ones each time.
# FUZZ_RUNS is their number.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
runs=${FUZZ_RUNS:-300}
fuzz=$top_builddir/tests/fuzz

"$fuzz/write-seeds" "$tap_dir/seeds" >"$tap_dir/log" 2>&1 || {
	fail "the seeds are written" "$tap_dir/log"
	tap_done
}
for folder in "$top_srcdir"/tests/fuzz/*/; do
	cp -R "$folder" "$tap_dir/seeds"
done
chmod -R u+w "$tap_dir/seeds"
for target in trace graph layout ctf-metadata ctf-packets index plugin saved sync-file trace-dat view-state; do
	[ -x "$fuzz/fuzz-$target" ] || continue
	if nm "$fuzz/fuzz-$target" 2>/dev/null | grep -q LLVMFuzzerRunDriver; then
		mkdir "$tap_dir/crashes"
		"$fuzz/fuzz-$target" -runs="$runs" -artifact_prefix="$tap_dir/crashes/" \
			"$tap_dir/seeds/$target"
	else
		"$fuzz/fuzz-$target" -n "$runs" "$tap_dir/seeds/$target"/*
	fi >"$tap_dir/log" 2>&1
	status=$?
	if [ $status -eq 0 ]; then
		pass "fuzz-$target survives"
	else
		tail -n 40 "$tap_dir/log" >"$tap_dir/tail"
		fail "fuzz-$target survives (status $status)" "$tap_dir/tail"
	fi
done
tap_done
