#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cli-hostile.sh: traces that no tracer writes: types nested a thousand deep, a million event
# classes, strings without end, packets of 2^62 bits, times that jump by centuries or stand still,
# tids beyond 2^22, 100,000 CPUs, wake-ups in circles at one instant, one event, ten thousand
# stream files. Each is read, or refused with a sentence, with bounded memory and CPU time.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
waitpath=$top_builddir/waitpath
python3=/usr/bin/python3
[ -x "$python3" ] || skip_all "no $python3"
"$python3" "$top_srcdir/tests/lib/hostile.py" "$tap_dir/traces" || fail "the traces are written"

# Bounds that nothing comes near, but what grows without end runs into: 3 GiB of addresses, of
# which tables take some hundred MiB from the start; two minutes of CPU.
# shellcheck disable=SC3045
bounded() {
	[ "${WAITPATH_SANITIZERS:-no}" != no ] || ulimit -v 3145728
	ulimit -t 120
	exec "$@"
}

# hostile NAME STATUS [WORDS]: check and tasks end like that, and say so in a sentence.
hostile() {
	: >"$tap_dir/wrong"
	for command in check "tasks --top 3"; do
		# shellcheck disable=SC2086
		(bounded "$waitpath" $command --format json --jobs 2 "$tap_dir/traces/$1") \
			>"$tap_dir/out" 2>"$tap_dir/err"
		status=$?
		case " $2 " in
		*" $status "*) ;;
		*) echo "$command: status $status, not $2" >>"$tap_dir/wrong" ;;
		esac
		# What check has to say against a trace is its answer.
		if [ $status -ne 0 ] && [ ! -s "$tap_dir/out" ] && ! grep -q '^waitpath: .*\.$' "$tap_dir/err"; then
			cat "$tap_dir/err" >>"$tap_dir/wrong"
			echo "$command: no sentence" >>"$tap_dir/wrong"
		fi
		[ -z "${3:-}" ] || cat "$tap_dir/out" "$tap_dir/err" | grep -q "$3" ||
			echo "$command: nothing of \"$3\"" >>"$tap_dir/wrong"
	done
	[ ! -s "$tap_dir/wrong" ] || head -n 5 "$tap_dir/err" >>"$tap_dir/wrong"
	check "$1" "$tap_dir/wrong"
}

hostile nested 1 nest
hostile classes 1 "more than"
hostile options 0
hostile many-options 1 "fields and labels in all"
hostile square 1 "too many options"
hostile doubled 1 "fields and labels in all"
hostile endless 0
hostile huge-packet 0
hostile centuries 0 "outside the packet"
hostile farthest 3 "same time"
hostile standing 3 "same time"
hostile cycles 3 "same time"
hostile tids 0
hostile far-tids 0
hostile cpus 0 "more than 65534 CPUs"
hostile one-event 3 "same time"
hostile no-event 3
hostile files 0

# Babeltrace reads what it can of the same, or says why not; its own checks would end the program.
for folder in "$tap_dir"/traces/*/; do
	name=$(basename "$folder")
	case $name in classes | files | large) continue ;; esac # it takes its time
	: >"$tap_dir/wrong"
	(bounded "$waitpath" check --format json --reader babeltrace "$folder") \
		>"$tap_dir/out" 2>"$tap_dir/err"
	status=$?
	[ $status -le 4 ] || echo "status $status" >>"$tap_dir/wrong"
	[ -s "$tap_dir/out" ] || grep -q '^waitpath: .*\.$' "$tap_dir/err" || echo "no sentence" >>"$tap_dir/wrong"
	case $name in
	endless) grep -q "Babeltrace can't read" "$tap_dir/out" ;;
	farthest) grep -q time-overflow "$tap_dir/out" ;;
	esac || echo "nothing is said of what could not be read" >>"$tap_dir/wrong"
	[ ! -s "$tap_dir/wrong" ] || head -n 5 "$tap_dir/err" >>"$tap_dir/wrong"
	check "$name, by Babeltrace" "$tap_dir/wrong"
done

# The path through wake-ups in a circle, all at one time, comes to its end, as does that of others.
: >"$tap_dir/wrong"
(bounded "$waitpath" path -t hosta:101 --format json "$tap_dir/traces/standing") \
	>"$tap_dir/out" 2>>"$tap_dir/wrong"
[ $? -le 3 ] && : >"$tap_dir/wrong"
check "a path in no time" "$tap_dir/wrong"

# Four times the events take no more than some four times the work: instructions, not time.
if valgrind --tool=none "$waitpath" --version >/dev/null 2>&1 && [ "${WAITPATH_SANITIZERS:-no}" = no ]; then
	for size in small large; do
		valgrind --tool=lackey --basic-counts=yes --log-file="$tap_dir/$size" "$waitpath" \
			tasks --top 3 --jobs 1 "$tap_dir/traces/$size" >/dev/null 2>&1
	done
	: >"$tap_dir/wrong"
	count() { sed -n 's/.*guest instrs: *\([0-9,]*\).*/\1/p' "$tap_dir/$1" | tr -d ,; }
	awk -v s="$(count small)" -v l="$(count large)" 'BEGIN {
		if (s + 0 == 0 || l + 0 == 0 || l > 5 * s) print s " and " l " instructions" }' \
		>"$tap_dir/wrong"
	check "work in proportion to events" "$tap_dir/wrong"
else
	skip "work in proportion to events" "no valgrind, or one that cannot read what the compiler made"
fi
tap_done
