#!/bin/sh
# SPDX-License-Identifier: MIT
#
# max-memory.sh [MB MILLIONS]: --max-memory holds. In a memory cgroup of 64 MB more, which is for
# the program itself and for the pages of files that it reads, a trace whose graph is larger than
# both gives the same answers as without a limit. make bench does it with 256 MB.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
waitpath=$top_builddir/waitpath
limit=${1:-64}
millions=${2:-6}
group=

# As tap.sh does, and without the cgroup.
trap '[ -z "$group" ] || rmdir "$group"; rm -rf "$tap_dir"' EXIT

[ "${WAITPATH_SANITIZERS:-no}" = no ] || skip_all "sanitizers take memory"

# make_group BYTES: a cgroup of version 1 or 2; fails where that is not allowed.
make_group() {
	if [ -d /sys/fs/cgroup/memory ]; then
		group=/sys/fs/cgroup/memory/waitpath-test.$$
		mkdir "$group" || {
			group=
			return 1
		}
		echo "$1" >"$group/memory.limit_in_bytes" || return 1
		# Not everywhere is there anything to say about swap.
		[ ! -f "$group/memory.memsw.limit_in_bytes" ] ||
			echo "$1" >"$group/memory.memsw.limit_in_bytes" || return 1
	else
		group=/sys/fs/cgroup/waitpath-test.$$
		mkdir "$group" || {
			group=
			return 1
		}
		echo "$1" >"$group/memory.max" || return 1
		[ ! -f "$group/memory.swap.max" ] || echo 0 >"$group/memory.swap.max" || return 1
	fi
}
make_group $(((limit + 64) * 1048576)) 2>"$tap_dir/why" ||
	skip_all "a memory cgroup can't be made: $(cat "$tap_dir/why")"
sh -c "echo \$\$ >'$group/cgroup.procs'" 2>"$tap_dir/why" ||
	skip_all "nothing can be run in a cgroup: $(cat "$tap_dir/why")"

# limited COMMAND...: in the cgroup.
limited() {
	sh -c "echo \$\$ >'$group/cgroup.procs'; exec \"\$@\"" sh "$@"
}

# same NAME STATUS: of what is in the files free and held.
same() {
	: >"$tap_dir/wrong"
	[ "$2" -eq 0 ] || echo "exit status $2" >"$tap_dir/wrong"
	cat "$tap_dir/err" >>"$tap_dir/wrong"
	cmp "$tap_dir/free" "$tap_dir/held" >>"$tap_dir/wrong" 2>&1
	check "$1" "$tap_dir/wrong"
	rm -f "$tap_dir/free" "$tap_dir/held"
}

# graph_bytes: what the graph takes, as a file.
"$top_builddir/tests/perf/generate" --events "${millions}000000" --cpus 8 --mix sched \
	"$tap_dir/trace" >"$tap_dir/out" 2>&1 || {
	fail "a trace is generated" "$tap_dir/out"
	tap_done
}
"$waitpath" graph -q -o "$tap_dir/free" "$tap_dir/trace" 2>"$tap_dir/out"
: >"$tap_dir/wrong"
[ "$(wc -c <"$tap_dir/free")" -gt $(((limit + 64) * 1048576)) ] ||
	echo "it has $(wc -c <"$tap_dir/free") bytes" >"$tap_dir/wrong"
check "the graph of $millions M events is larger than the cgroup" "$tap_dir/wrong"

limited "$waitpath" graph -q --max-memory "${limit}M" --cache-dir "$tap_dir" -o "$tap_dir/held" \
	"$tap_dir/trace" 2>"$tap_dir/err"
status=$?
cp "$tap_dir/free" "$tap_dir/saved"
same "waitpath graph --max-memory ${limit}M in $((limit + 64)) MB" $status

# answers INPUT COMMAND...: with and without a limit, byte by byte.
answers() {
	input=$1
	shift
	"$waitpath" "$@" -q --format json "$tap_dir/$input" >"$tap_dir/free" 2>"$tap_dir/out"
	limited "$waitpath" "$@" -q --format json --max-memory "${limit}M" --cache-dir "$tap_dir" \
		"$tap_dir/$input" >"$tap_dir/held" 2>"$tap_dir/err"
	same "waitpath $1 from a $input --max-memory ${limit}M in $((limit + 64)) MB" $?
}

# A path's segments alone: two tasks on one CPU hand it to each other, two events for each segment,
# which takes 48 bytes.
"$top_builddir/tests/perf/generate" --events "${millions}000000" --cpus 1 --tasks 2 --mix sched \
	"$tap_dir/long" >"$tap_dir/out" 2>&1
"$waitpath" path -t 101 "$tap_dir/long" >"$tap_dir/free" 2>"$tap_dir/out"
segments=$(sed -n 's/^\([0-9]*\) segments; .*/\1/p' "$tap_dir/free")
: >"$tap_dir/wrong"
[ $((${segments:-0} * 48)) -gt $(((limit + 64) * 1048576)) ] ||
	echo "it has ${segments:-no} segments" >"$tap_dir/wrong"
check "the segments of a path are larger than the cgroup" "$tap_dir/wrong"
limited "$waitpath" path -t 101 --max-memory "${limit}M" --cache-dir "$tap_dir" "$tap_dir/long" \
	>"$tap_dir/held" 2>"$tap_dir/err"
status=$?
same "waitpath path of so many segments --max-memory ${limit}M in $((limit + 64)) MB" $status

answers trace path -t 101
answers trace tasks --top 1
answers saved path -t 101
answers saved tasks --top 1

tap_done
