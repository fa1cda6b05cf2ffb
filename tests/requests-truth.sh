#!/bin/sh
# SPDX-License-Identifier: MIT
#
# requests-truth.sh: requests, lock holders and pollers against what the recorded workloads wrote
# down.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
recorded=${WAITPATH_SHARED:-}/traces/recorded
command -v python3 >/dev/null 2>&1 || skip_all "no python3"

[ -d "$recorded" ] || skip "all but samples" "no traces in \$WAITPATH_SHARED"
for scenario in "$recorded"/rpc-* "$recorded"/tier3* "$recorded/fanout" "$recorded/local-mutex" \
	"$top_srcdir/traces/samples/local-spin"; do
	[ -d "$scenario" ] || continue
	python3 "$top_srcdir/tests/requests-truth.py" "$top_builddir/waitpath" "$scenario" \
		>"$tap_dir/wrong" 2>&1
	check "${scenario##*/}" "$tap_dir/wrong"
done
tap_done
