#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sync-filter.sh: what filter.waitpath.sync costs against a muxer alone, in CPU, on a generated
# trace of two hosts: in one pass with a sync file, and in two when it finds the clocks itself. Prints
# lines of WHAT, TARGET, REACHED, yes|no, with tabs between; bench.py calls it. SYNC_PACKETS=N sets
# the size of the trace.
set -u
top_builddir=${top_builddir:-.}
dir=$(mktemp -d "${TMPDIR:-/tmp}/sync-filter-XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM

# The filter looks beside a trace for pieces of it: not as far up as to where another bench may be.
trace=$dir/bench/two/hosts
mkdir -p "$dir/bench/two"
if ! "$top_builddir/tests/perf/generate" --hosts 2 --cpus 4 \
	--packets "${SYNC_PACKETS:-20000}" "$trace" >"$dir/log" 2>&1 ||
	! "$top_builddir/waitpath" sync -q --save "$dir/clocks" "$trace" >>"$dir/log" 2>&1; then
	cat "$dir/log" >&2
	exit 1
fi
BABELTRACE_PLUGIN_PATH=$(cd "$top_builddir" && pwd)/.libs
export BABELTRACE_PLUGIN_PATH

python3 - "$dir" <<'END'
import glob
import os
import resource
import subprocess
import sys

DIRECTORY = sys.argv[1]
TRACES = sorted(os.path.dirname(name)
                for name in glob.glob(DIRECTORY + '/bench/**/metadata', recursive=True))
MIDDLES = {
    'muxer': ['-c', 'm:filter.utils.muxer'],
    'one': ['-c', 'm:filter.waitpath.sync', '-p', 'sync-file="%s/clocks"' % DIRECTORY],
    'two': ['-c', 'm:filter.waitpath.sync'],
}


def command(middle):
    words = ['babeltrace2', 'run']
    for i, trace in enumerate(TRACES):
        words += ['-c', 'in%d:source.ctf.fs' % i, '-p', 'inputs=["%s"]' % trace,
                  '-x', 'in%d:m' % i]
    return words + MIDDLES[middle] + ['-c', 'out:sink.utils.dummy', '-x', 'm:out']


def cost(middle):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command(middle), check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


assert len(TRACES) == 2
# one after the other, and the least of each: so a busy machine says the same
costs = {middle: [] for middle in MIDDLES}
for _ in range(3):
    for middle in MIDDLES:
        costs[middle].append(cost(middle))
for middle, what, target in (
        ('one', 'filter.waitpath.sync with a sync file, CPU against a muxer only', 1.35),
        ('two', 'filter.waitpath.sync that finds the clocks, CPU against a muxer only', 2.4)):
    ratio = min(costs[middle]) / min(costs['muxer'])
    print('%s\t<= %.2f\t%.2f\t%s' % (what, target, ratio, 'yes' if ratio <= target else 'no'))
END
