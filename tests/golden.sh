#!/bin/sh
# SPDX-License-Identifier: MIT
#
# golden.sh: what the programs print, byte by byte. Each folder tests/golden/AREA/CASE has
#   cmd      shell commands, run in an empty folder; the programs of the build come first in
#            PATH; `fixture NAME` makes the traces of tests/fixtures/NAME here, and prints
#            nothing; $samples is traces/samples
#   stdout   what they must print; no file: nothing
#   stderr   the same
#   status   exit status of the last command; no file: 0
# In all of it the source tree is written @SOURCE@, the build tree @BUILD@, the folder in which
# the commands run @HERE@, and the version of waitpath @VERSION@.
#
# UPDATE=1 in the environment rewrites the three files instead: read them before they are
# committed. CASE=AREA/CASE runs one alone. A cmd that exits with 77 is skipped.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
case $top_srcdir in /*) ;; *) top_srcdir=$PWD/$top_srcdir ;; esac
case $top_builddir in /*) ;; *) top_builddir=$PWD/$top_builddir ;; esac
golden=$top_srcdir/tests/golden
version=$(sed -n 's/^#define PACKAGE_VERSION "\(.*\)"$/\1/p' "$top_builddir/config.h")

PATH=$top_builddir:$PATH
samples=$top_srcdir/traces/samples
export PATH samples
# What a person has set up must not show.
HOME=$tap_dir/home
XDG_CACHE_HOME=$tap_dir/cache
export HOME XDG_CACHE_HOME
unset COLUMNS NO_COLOR COLORTERM
TERM=dumb
export TERM

# Before each cmd: the words that it may use.
cat >"$tap_dir/words" <<'END'
fixture() {
	"$top_builddir/tests/fixture2ctf" "$top_srcdir/tests/fixtures/$1/events.txt" . >/dev/null
}
END
export top_srcdir top_builddir

normalise() {
	sed -e "s|$2|@HERE@|g" -e "s|$top_builddir|@BUILD@|g" -e "s|$top_srcdir|@SOURCE@|g" \
		-e "s|waitpath $version|waitpath @VERSION@|g" "$1"
}

# keep FILE GOLDEN: writes a golden file, or removes it when there is nothing to write.
keep() {
	if [ -s "$1" ]; then cp "$1" "$2"; else rm -f "$2"; fi
}

run_case() {
	folder=$golden/$1
	here=$tap_dir/here
	rm -rf "$here"
	mkdir -p "$here" "$HOME" "$XDG_CACHE_HOME"
	cat "$tap_dir/words" "$folder/cmd" >"$tap_dir/cmd"
	(cd "$here" && sh "$tap_dir/cmd" >"$tap_dir/out" 2>"$tap_dir/err" </dev/null)
	echo $? >"$tap_dir/got-status"
	if [ "$(cat "$tap_dir/got-status")" -eq 77 ]; then
		skip "$1" "$(head -n 1 "$tap_dir/err")"
		return
	fi
	normalise "$tap_dir/out" "$here" >"$tap_dir/got-stdout"
	normalise "$tap_dir/err" "$here" >"$tap_dir/got-stderr"
	if [ "${UPDATE:-0}" = 1 ]; then
		keep "$tap_dir/got-stdout" "$folder/stdout"
		keep "$tap_dir/got-stderr" "$folder/stderr"
		grep -v '^0$' "$tap_dir/got-status" >"$tap_dir/not-zero"
		keep "$tap_dir/not-zero" "$folder/status"
		pass "$1 (rewritten)"
		return
	fi
	for what in stdout stderr status; do
		expected=$folder/$what
		if [ ! -f "$expected" ]; then
			expected=$tap_dir/absent
			case $what in status) echo 0 ;; *) : ;; esac >"$expected"
		fi
		diff -u --label "$what expected" --label "$what got" "$expected" "$tap_dir/got-$what"
	done >"$tap_dir/wrong" 2>&1
	check "$1" "$tap_dir/wrong"
}

for cmd in "$golden"/*/*/cmd; do
	[ -f "$cmd" ] || skip_all "no golden files"
	name=${cmd%/cmd}
	name=${name#"$golden/"}
	case ${CASE:-$name} in "$name") run_case "$name" ;; esac
done
tap_done
