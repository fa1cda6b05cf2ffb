#!/bin/sh
# SPDX-License-Identifier: MIT
#
# trace-dat-truth.sh: one run was recorded by LTTng and by trace-cmd at once; what its
# workload wrote down of itself must hold for the trace.dat as it does for the LTTng trace.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
traces=${WAITPATH_SHARED:-$top_srcdir/../shared}/traces
run=$traces/recorded/xfmt-mixed

if [ ! -f "$traces/truth-check.py" ] || [ ! -d "$run" ]; then
	skip_all "the recorded run is not here"
fi
command -v python3 >/dev/null || skip_all "no python3"
has_zstd || skip_all "built without libzstd, with which the recorded run is compressed"

offset=$(sed -n 's/^[[:space:]]*offset = \([0-9]*\);.*/\1/p' "$run/hosta/trace/kernel/metadata")
tool="python3 $top_srcdir/tests/lib/trace-dat-tool.py $top_builddir/waitpath $offset"
if python3 "$traces/truth-check.py" --tool "$tool" "$run" >"$tap_dir/out" 2>&1 &&
	grep -q '^7 passed, 0 failed' "$tap_dir/out"; then
	pass "seven kinds of truth about xfmt-mixed"
else
	fail "seven kinds of truth about xfmt-mixed" "$tap_dir/out"
fi
tap_done
