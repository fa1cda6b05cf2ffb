#!/bin/sh
# SPDX-License-Identifier: MIT
#
# callgrind.sh: instructions an event, which unlike times are the same on every machine of one
# architecture and however busy it is. What a run costs whatever the trace is taken out: it is the
# difference between two traces of one kind. The bounds are one and a half times what it takes built
# with gcc and -O2.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"

command -v valgrind >/dev/null 2>&1 || skip_all "there is no valgrind"
[ "${WAITPATH_SANITIZERS:-no}" = no ] || skip_all "sanitizers cost instructions"
[ "$(uname -m)" = x86_64 ] || skip_all "the bounds are of x86-64"
case " ${WAITPATH_CFLAGS:-} " in
*coverage* | *' -O0 '*) skip_all "not built for speed" ;;
*' -O'*) ;;
*) skip_all "not built for speed" ;;
esac
# Debian 12's valgrind gives up on the debug information that its clang writes.
valgrind --tool=none "$top_builddir/waitpath" --version >"$tap_dir/out" 2>&1 ||
	skip_all "valgrind can't run what this compiler made"

less=10000
more=30000
for n in $less $more; do
	"$top_builddir/tests/perf/generate" --events "$n" --cpus 4 --hosts 2 "$tap_dir/$n" \
		>"$tap_dir/out" 2>&1 || {
		fail "a trace is generated" "$tap_dir/out"
		tap_done
	}
	"$top_builddir/waitpath" graph -q -o "$tap_dir/$n.wpg" "$tap_dir/$n"
done

# instructions PROGRAM ARGUMENT...: that it takes.
instructions() {
	program=$1
	shift
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$top_builddir/$program" "$@" \
		2>"$tap_dir/log" >/dev/null
	sed -n 's/^==[0-9]*== Collected : \([0-9]*\)$/\1/p' "$tap_dir/log"
}

# each NAME BOUND SUFFIX PROGRAM ARGUMENT...: the trace and the suffix are added.
each() {
	name=$1
	bound=$2
	suffix=$3
	shift 3
	few=$(instructions "$@" "$tap_dir/$less$suffix")
	many=$(instructions "$@" "$tap_dir/$more$suffix")
	if [ -z "$few" ] || [ -z "$many" ]; then
		fail "$name" "$tap_dir/log"
		return
	fi
	n=$(((many - few) / (more - less)))
	: >"$tap_dir/wrong"
	[ $n -le "$bound" ] || echo "$n instructions an event" >"$tap_dir/wrong"
	check "$name: at most $bound instructions an event" "$tap_dir/wrong"
	echo "# $name: $n"
}

# One of two hosts: half of the events.
each "reading and putting in order, of half the events" 170 /host0/kernel tests/perf/measure decode
each "from a trace to a path" 630 "" waitpath path -q --jobs 1 -t host0:101
each "from a saved graph to all tasks" 420 .wpg waitpath tasks -q --top 1
tap_done
