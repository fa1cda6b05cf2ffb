#!/bin/sh
# SPDX-License-Identifier: MIT
#
# long.sh FUZZ SEEDS WORK [TARGET...]: runs the fuzz targets one after the other, again and
# again, on CPU time that nobody else wants, until it is killed. FUZZ is the folder of the
# programs (built with --enable-fuzzing), SEEDS what write-seeds made, WORK holds a corpus and
# the inputs that broke something for each target, and cpu-TARGET, the seconds used.
# A new program of the same name is used from its next turn on.
#
#   setsid tests/fuzz/long.sh build/tests/fuzz /tmp/seeds /tmp/fuzz &
set -u
fuzz=$1
seeds=$2
work=$3
shift 3
turn=${FUZZ_TURN:-300}
here=$(dirname "$0")

# The session's own group of the scheduler, and within it the idle class.
echo 19 >"/proc/$$/autogroup" 2>/dev/null
chrt -i -p 0 $$ 2>/dev/null || renice 19 $$ >/dev/null

one_turn() {
	name=$1
	mkdir -p "$work/corpus/$name" "$work/found"
	cp "$fuzz/fuzz-$name" "$work/run-$name" || return
	for folder in "$seeds/$name" "$here/$name"; do
		[ -d "$folder" ] && set -- "$@" "$folder"
	done
	shift
	# A whole trace has a long description in front.
	length=16384
	case $name in trace | trace-dat | plugin) length=131072 ;; esac
	# Limits are of wall time, of which a run in the idle class takes much.
	# time is a program or a word of the shell; either way its lines go last.
	(
		time -p "$work/run-$name" -max_total_time="$turn" -timeout=600 \
			-rss_limit_mb=2560 -max_len="$length" -reload=0 -print_final_stats=1 \
			-artifact_prefix="$work/found/$name-" "$work/corpus/$name" "$@"
	) >"$work/log-$name" 2>&1
	awk '/^(user|sys) / { s += $2 } END { print s }' "$work/log-$name" >>"$work/cpu-$name"
	awk '/number_of_executed_units/ { print $2 }' "$work/log-$name" >>"$work/runs-$name"
	# A corpus that has grown large is cut down to what each input adds.
	if [ "$(find "$work/corpus/$name" -type f | wc -l)" -gt 2000 ]; then
		rm -rf "$work/corpus/$name.old"
		mv "$work/corpus/$name" "$work/corpus/$name.old"
		mkdir "$work/corpus/$name"
		"$work/run-$name" -merge=1 -rss_limit_mb=2560 "$work/corpus/$name" \
			"$work/corpus/$name.old" >"$work/log-merge-$name" 2>&1
		rm -rf "$work/corpus/$name.old"
	fi
}

while :; do
	for target in "${@:-all}"; do
		if [ "$target" = all ]; then
			for program in "$fuzz"/fuzz-*; do
				case $program in *.o | *.sh) continue ;; esac
				one_turn "${program##*/fuzz-}"
			done
		else
			one_turn "$target"
		fi
	done
	sleep 1
done
