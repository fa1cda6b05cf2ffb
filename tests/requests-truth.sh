#!/bin/sh
# SPDX-License-Identifier: MIT
#
# requests-truth.sh: requests and lock holders against what the recorded workloads wrote down.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
recorded=${WAITPATH_SHARED:-}/traces/recorded
[ -d "$recorded" ] || skip_all "no traces in \$WAITPATH_SHARED"
command -v python3 >/dev/null 2>&1 || skip_all "no python3"

for scenario in "$recorded"/rpc-* "$recorded"/tier3* "$recorded/fanout" "$recorded/local-mutex"; do
	[ -d "$scenario" ] || continue
	python3 "$top_srcdir/tests/requests-truth.py" "$top_builddir/waitpath" "$scenario" \
		>"$tap_dir/wrong" 2>&1
	check "${scenario##*/}" "$tap_dir/wrong"
done
tap_done
