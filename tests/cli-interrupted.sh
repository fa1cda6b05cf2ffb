#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cli-interrupted.sh: what ends a run early (an interrupt, a full disk, a closed pipe, too little
# memory) ends it clearly: with a sentence, with nothing half written under a file's own name,
# and with nothing left behind.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
waitpath=$(cd "$top_builddir" && pwd)/waitpath
viewer=$(cd "$top_builddir" && pwd)/waitpath-viewer
trace=$(cd "$top_srcdir" && pwd)/traces/samples/tier3
task=hosta:144
work=$tap_dir/work
cache=$tap_dir/cache
mkdir "$work" "$cache"

# Not all at once: a run has one line of its own on stderr.
leaves_nothing() {
	[ "$(wc -l <"$tap_dir/err")" -le 1 ] || cat "$tap_dir/err" >>"$tap_dir/wrong"
	find "$work" "$cache" -type f >>"$tap_dir/wrong"
	rm -rf "${work:?}"/* "${cache:?}"/*
}

# look NAME STATUS WORDS: the last run's status, its message, and nothing left in the folders.
look() {
	[ "$status" -eq "$2" ] || echo "$1: status $status, not $2" >>"$tap_dir/wrong"
	[ -z "$3" ] || grep -q "$3" "$tap_dir/err" || {
		echo "$1: nothing of \"$3\""
		cat "$tap_dir/err"
	} >>"$tap_dir/wrong"
	leaves_nothing
}

# expect NAME STATUS WORDS: the same as a test.
expect() {
	: >"$tap_dir/wrong"
	look "$@"
	check "$1" "$tap_dir/wrong"
}

# Every command that reports, in every format that it has; every exporter to stdout. A line each.
reports() {
	for format in text json csv folded; do
		echo "path -v -t $task --format $format $trace"
		echo "compare -t $task --format $format $trace $trace"
	done
	for format in text json csv; do
		echo "tasks --format $format $trace"
		echo "requests -t hosta:cli-fe --each network --format $format $trace"
		echo "blockers --format $format $trace"
	done
	for format in text json; do
		echo "sync --format $format $trace"
		echo "check --format $format $trace"
	done
	for format in $exporters; do
		[ "$format" = sqlite ] || echo "export --format $format -t $task $trace"
	done
}

# Every command that writes a file, FILE; a line each.
writers() {
	echo "graph -o $1 $trace"
	echo "sync -q --save $1 $trace"
	for format in $exporters; do
		echo "export --format $format -o $1 -t $task $trace"
	done
}
exporters="perfetto chrome speedscope folded svg timeline graphml xml csv otlp"
grep -q '^#define HAVE_SQLITE 1' "$top_builddir/config.h" && exporters="$exporters sqlite"

# ---- full disks ----

if [ -c /dev/full ]; then
	: >"$tap_dir/wrong"
	{
		reports
		echo "help"
		echo "help path"
		echo "--version"
		echo "record --dry-run -o $work/run"
	} >"$tap_dir/list"
	while read -r line; do
		# shellcheck disable=SC2086
		"$waitpath" $line >/dev/full 2>"$tap_dir/err" </dev/null
		status=$?
		look "$line" 1 'No space left'
	done <"$tap_dir/list"
	check "a full disk behind stdout, $(wc -l <"$tap_dir/list") reports" "$tap_dir/wrong"

	writers /dev/full | grep -v sqlite >"$tap_dir/list"
	: >"$tap_dir/wrong"
	while read -r line; do
		# shellcheck disable=SC2086
		"$waitpath" $line >/dev/null 2>"$tap_dir/err" </dev/null
		status=$?
		look "$line" 1 'No space left'
	done <"$tap_dir/list"
	# A database is a file or nothing: what is neither is not put aside for one.
	[ "${exporters##* }" != sqlite ] || {
		"$waitpath" export --format sqlite -o /dev/full -t "$task" "$trace" 2>"$tap_dir/err"
		status=$?
		look "a database on a device" 1 'no ordinary file'
		[ -c /dev/full ] || echo "/dev/full has gone" >>"$tap_dir/wrong"
	}
	check "a full device, $(wc -l <"$tap_dir/list") files" "$tap_dir/wrong"
else
	skip "a full disk" "no /dev/full"
fi

# A file may not grow beyond 1 KiB; this needs no rights.
: >"$tap_dir/wrong"
writers "$work/file" >"$tap_dir/list"
while read -r line; do
	# shellcheck disable=SC2086
	(ulimit -f 2; exec "$waitpath" $line) >/dev/null 2>"$tap_dir/err" </dev/null
	status=$?
	look "$line" 1 '[Tt]oo large\|disk is full\|disk I/O error'
done <"$tap_dir/list"
check "no room for a file, $(wc -l <"$tap_dir/list") of them" "$tap_dir/wrong"
(ulimit -f 8; exec "$waitpath" path -t "$task" --max-memory 1 --cache-dir "$cache" \
	"$trace") >/dev/null 2>"$tap_dir/err"
status=$?
expect "no room in the cache" 1 'memory limit is reached'

# A file system of 32 KiB that is nearly full.
if mount -t tmpfs -o size=32k waitpath "$work" 2>/dev/null; then
	trap 'umount "$work"; rm -rf "$tap_dir"' EXIT
	: >"$tap_dir/wrong"
	mkdir "$work/files"
	head -c 28672 /dev/zero >"$work/.full"
	writers "$work/files/file" >"$tap_dir/list"
	while read -r line; do
		# shellcheck disable=SC2086
		"$waitpath" $line >/dev/null 2>"$tap_dir/err" </dev/null
		status=$?
		case $status in
		# What fits is there; nothing else is.
		0) rm "$work/files/file" ;;
		1) grep -q 'No space left\|disk is full' "$tap_dir/err" || cat "$tap_dir/err" ;;
		*) echo "$line: status $status" ;;
		esac >>"$tap_dir/wrong"
		echo $status >>"$tap_dir/all"
		find "$work/files" -type f >>"$tap_dir/wrong"
	done <"$tap_dir/list"
	grep -c 1 "$tap_dir/all" >"$tap_dir/n"
	[ "$(cat "$tap_dir/n")" -ge 8 ] || echo "only $(cat "$tap_dir/n") did not fit" >>"$tap_dir/wrong"
	"$waitpath" path -t "$task" --max-memory 1 --cache-dir "$work/files" "$trace" >/dev/null \
		2>"$tap_dir/err"
	status=$?
	[ $status -eq 1 ] || echo "the cache: status $status" >>"$tap_dir/wrong"
	grep -q 'No space left' "$tap_dir/err" || cat "$tap_dir/err" >>"$tap_dir/wrong"
	find "$work/files" -type f >>"$tap_dir/wrong"
	check "a full file system, $(cat "$tap_dir/n") of $(wc -l <"$tap_dir/list") files" "$tap_dir/wrong"
	umount "$work"
	trap 'rm -rf "$tap_dir"' EXIT
else
	skip "a full file system" "it can't be mounted"
fi

# ---- closed pipes ----

: >"$tap_dir/wrong"
reports >"$tap_dir/list"
while read -r line; do
	# A pipe whose reader has gone before anything is written.
	# shellcheck disable=SC2086
	{
		"$waitpath" $line 2>"$tap_dir/err" </dev/null
		echo $? >"$tap_dir/status"
	} | :
	status=$(cat "$tap_dir/status")
	# It says what it would have said: some of these are answers of little worth.
	case $status in 0 | 3 | 4) ;; *) echo "$line: status $status" >>"$tap_dir/wrong" ;; esac
	grep -v 'not joined' "$tap_dir/err" >>"$tap_dir/wrong"
done <"$tap_dir/list"
check "a closed pipe" "$tap_dir/wrong"

# ---- memory ----

# Not of POSIX, but of every shell that is anybody's sh.
# shellcheck disable=SC3045
limit_memory() {
	ulimit -v "$1"
}

# Too little address space for the tables; ASan needs more than anybody has.
if [ "${WAITPATH_SANITIZERS:-no}" = no ]; then
	(limit_memory 300000; exec "$waitpath" path -t "$task" "$trace") >/dev/null 2>"$tap_dir/err"
	status=$?
	expect "too little memory" 1 'Out of memory'
else
	skip "too little memory" "built with sanitizers"
fi

# ---- interrupts ----

# Runs it so that the signal is there from the start; no matter when it is looked for. Shells let
# their background ignore SIGINT, which stays ignored: hence env.
# The signal comes first; the inner shell is to expand.
# shellcheck disable=SC2016
signalled() {
	env --default-signal=INT,TERM,HUP --block-signal="$1" \
		sh -c 'signal=$1; shift; kill -"$signal" $$; exec "$@"' sh "$@"
}

# interrupted STATUS SIGNAL PROGRAM ARGUMENT...
interrupted() {
	of_signal=$1
	shift
	signalled "$@" >"$tap_dir/out" 2>"$tap_dir/all" </dev/null
	status=$?
	# The shell has words of its own for some signals.
	grep '^waitpath' "$tap_dir/all" >"$tap_dir/err"
	shift 2
	look "$*" "$of_signal" '^waitpath[a-z-]*: interrupted; nothing was written.$'
	[ ! -s "$tap_dir/out" ] || echo "$*: it wrote" >>"$tap_dir/wrong"
}

if env --default-signal=INT --block-signal=INT true 2>/dev/null; then
	: >"$tap_dir/wrong"
	{
		reports
		writers "$work/file"
	} >"$tap_dir/list"
	while read -r line; do
		# shellcheck disable=SC2086
		interrupted 130 INT "$waitpath" $line --max-memory 1 --cache-dir "$cache"
	done <"$tap_dir/list"
	check "Ctrl+C, $(wc -l <"$tap_dir/list") commands" "$tap_dir/wrong"
	: >"$tap_dir/wrong"
	interrupted 143 TERM "$waitpath" path -t "$task" "$trace"
	interrupted 129 HUP "$waitpath" path -t "$task" "$trace"
	interrupted 130 INT "$waitpath" path -t "$task" --reader babeltrace "$trace"
	[ ! -x "$viewer" ] || interrupted 130 INT "$viewer" --dump-rows -t "$task" "$trace"
	check "other signals and ways" "$tap_dir/wrong"

	sh -c 'trap "" INT; kill -INT $$; exec "$@"' sh "$waitpath" path -t "$task" "$trace" \
		>/dev/null 2>"$tap_dir/err"
	status=$?
	expect "an interrupt that is ignored" 0 ''

	# While it waits for a reader: some of the report is out, and more than a pipe holds is left.
	mkfifo "$tap_dir/pipe"
	exec 3<>"$tap_dir/pipe"
	env --default-signal=INT "$waitpath" path -v --format json -t "$task" "$trace" \
		>"$tap_dir/pipe" 2>"$tap_dir/err" 3<&- &
	pid=$!
	dd bs=1 count=1 <&3 >/dev/null 2>&1
	kill -INT $pid
	wait $pid
	status=$?
	exec 3<&-
	expect "Ctrl+C while it writes" 130 'interrupted; the output is not complete.$'

	# A recording: what is there after an interrupt, and that no session is left behind. The
	# stand-in for lttng is told in which of its steps Ctrl+C is pressed.
	mkdir "$tap_dir/bin" "$tap_dir/record"
	cat >"$tap_dir/bin/lttng" <<-'END'
		#!/bin/sh
		case "$*" in $LTTNG_INTERRUPT) kill -INT $PPID ;; esac
		exec "$LTTNG_STAND_IN" "$@"
	END
	chmod +x "$tap_dir/bin/lttng"
	stand_in=$(cd "$top_srcdir" && pwd)/tests/lib/stand-in/lttng
	# record STEP STATUS WORDS
	record() {
		: >"$tap_dir/wrong"
		(
			cd "$tap_dir/record" || exit
			PATH=$tap_dir/bin:$PATH LTTNG_INTERRUPT=$1 LTTNG_STAND_IN=$stand_in \
				LTTNG_TRACE=$top_srcdir/traces/samples/local-chain/hosta/trace \
				env --default-signal=INT "$waitpath" record -q -o run -- true
		) >"$tap_dir/out" 2>"$tap_dir/err"
		status=$?
		look "$1" "$2" "$3"
		[ "$(tail -n 1 "$tap_dir/record/lttng.log")" = "destroy waitpath" ] ||
			tail -n 1 "$tap_dir/record/lttng.log" >>"$tap_dir/wrong"
		check "Ctrl+C while lttng does: $1" "$tap_dir/wrong"
		rm -rf "$tap_dir/record"/* "$tap_dir/record/.lttng-output"
	}
	top_srcdir=$(cd "$top_srcdir" && pwd)
	record 'create *' 130 'interrupted; nothing was recorded.$'
	record 'enable-event *' 130 'interrupted; nothing was recorded.$'
	record 'start *' 130 'interrupted; nothing was recorded.$'
	record 'stop *' 130 'interrupted; the recording in .*/run is whole, but not checked.$'
else
	skip "interrupts" "an env that knows no --block-signal"
fi

# Interrupted anywhere: the file is there and good, or it is not there.
: >"$tap_dir/wrong"
for i in 0 1 2 3 4 5 6 7 8 9; do
	env --default-signal=INT "$waitpath" graph -o "$work/graph" --max-memory 1 \
		--cache-dir "$cache" "$trace" >/dev/null 2>&1 &
	pid=$!
	# Not a time that anything depends on: a different place each time.
	sleep "0.0$i"
	kill -INT $pid 2>/dev/null
	wait $pid
	if [ -e "$work/graph" ]; then
		"$waitpath" path -t "$task" --check "$work/graph" >>"$tap_dir/out" 2>>"$tap_dir/wrong" ||
			echo "a graph that is none" >>"$tap_dir/wrong"
		rm "$work/graph"
	fi
	find "$work" "$cache" -type f >>"$tap_dir/wrong"
done
check "interrupted anywhere" "$tap_dir/wrong"
tap_done
