#!/bin/sh
# SPDX-License-Identifier: MIT
#
# late-libraries.sh: libxml2, SQLite, zlib and libzstd are loaded by what needs them alone. A file
# that is no library takes the place of each: what needs it says so in a sentence, and all else works.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
waitpath=$top_builddir/waitpath
grep -q '^#define WP_LATE_LIBRARIES 1' "$top_builddir/config.h" || skip_all "libraries are linked"

# soname NAME: what configure found it is called.
soname() {
	sed -n "s/^#define WP_SONAME_$1 \"\\(.*\\)\"/\\1/p" "$top_builddir/config.h"
}
xml=$(soname XML)
sqlite=$(soname SQLITE)
zlib=$(soname ZLIB)
zstd=$(soname ZSTD)

if command -v objdump >/dev/null; then
	for file in waitpath .libs/babeltrace-plugin-waitpath.so; do
		objdump -p "$top_builddir/$file" | grep 'NEEDED.*\(libxml2\|libsqlite3\|libz\.\|libzstd\|lttng\)' >"$tap_dir/wrong"
		check "$file needs none of them to start" "$tap_dir/wrong"
		objdump -T "$top_builddir/$file" | grep -E '\*UND\*.* (xml[A-Z]|sqlite3_|inflate|ZSTD_)' >"$tap_dir/wrong"
		check "$file calls none of their functions by name" "$tap_dir/wrong"
	done
else
	skip "what programs need to start" "no objdump"
fi

mkdir "$tap_dir/broken"
for name in "$xml" "$sqlite" "$zlib" "$zstd"; do
	[ -z "$name" ] || : >"$tap_dir/broken/$name"
done
"$top_builddir/tests/fixture2ctf" "$top_srcdir/tests/fixtures/handoff/events.txt" "$tap_dir/trace" \
	>"$tap_dir/wrong" 2>&1 || fail "a trace is made" "$tap_dir/wrong"
echo '<layouts/>' >"$tap_dir/layout.xml"

# broken ARGUMENT...: waitpath where none can be loaded.
broken() {
	LD_LIBRARY_PATH=$tap_dir/broken${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "$waitpath" "$@"
}

# says STATUS WORDS ARGUMENT...: ends like that with one sentence, which holds the words.
says() {
	status=$1
	words=$2
	shift 2
	"$@" >"$tap_dir/out" 2>"$tap_dir/err"
	got=$?
	[ $got -eq "$status" ] || echo "status $got"
	grep -q "^waitpath: .*$words.*\\.\$" "$tap_dir/err" || cat "$tap_dir/err"
	[ "$(wc -l <"$tap_dir/err")" -eq 1 ] || echo "$(wc -l <"$tap_dir/err") lines"
}

"$waitpath" path -q -t client "$tap_dir/trace" >"$tap_dir/with" 2>&1
broken path -q -t client "$tap_dir/trace" >"$tap_dir/without" 2>&1
cmp "$tap_dir/with" "$tap_dir/without" >"$tap_dir/wrong" 2>&1
check "a path needs none" "$tap_dir/wrong"
"$waitpath" export --format graphml -t client "$tap_dir/trace" >"$tap_dir/with" 2>&1
broken export --format graphml -t client "$tap_dir/trace" >"$tap_dir/without" 2>&1
cmp "$tap_dir/with" "$tap_dir/without" >"$tap_dir/wrong" 2>&1
check "nor does XML that is written" "$tap_dir/wrong"

"$waitpath" tasks -q --layout "$tap_dir/layout.xml" "$tap_dir/trace" >"$tap_dir/out" 2>"$tap_dir/wrong"
check "a layout is read" "$tap_dir/wrong"
says 1 "An event layout needs $xml, which could not be loaded: .*; install it (Debian: libxml2)" \
	broken tasks -q --layout "$tap_dir/layout.xml" "$tap_dir/trace" >"$tap_dir/wrong"
check "a layout needs libxml2, and says so" "$tap_dir/wrong"
if [ -n "$sqlite" ]; then
	"$waitpath" export --format sqlite -o "$tap_dir/db" -t client "$tap_dir/trace" 2>"$tap_dir/wrong"
	[ -s "$tap_dir/db" ] || echo "nothing was written" >>"$tap_dir/wrong"
	check "a database is written" "$tap_dir/wrong"
	says 1 "A database needs $sqlite, which could not be loaded: .*; install it (Debian: libsqlite3-0)" \
		broken export --format sqlite -o "$tap_dir/none" -t client "$tap_dir/trace" >"$tap_dir/wrong"
	ls "$tap_dir"/none* >>"$tap_dir/wrong" 2>/dev/null
	check "a database needs SQLite, and says so" "$tap_dir/wrong"
else
	skip "a database needs SQLite" "built without"
fi

# unpacks NAME FILE SONAME PACKAGE: of a trace.dat that is compressed.
unpacks() {
	"$waitpath" tasks -q "$2" >"$tap_dir/out" 2>"$tap_dir/wrong"
	cmp "$tap_dir/plain" "$tap_dir/out" >>"$tap_dir/wrong" 2>&1
	check "what $1 compressed is read" "$tap_dir/wrong"
	says 1 "A file of trace-cmd that $1 compressed needs $3, which could not be loaded: .*; install it (Debian: $4)" \
		broken tasks -q "$2" >"$tap_dir/wrong"
	check "what $1 compressed needs it, and says so" "$tap_dir/wrong"
}

files=$top_srcdir/tests/fuzz/trace-dat
broken tasks -q "$files/plain" >"$tap_dir/plain" 2>"$tap_dir/wrong"
check "a trace.dat needs none" "$tap_dir/wrong"
unpacks zlib "$files/packed" "$zlib" zlib1g
if [ -n "$zstd" ]; then
	unpacks zstd "$files/packed-zstd" "$zstd" libzstd1
else
	skip "what zstd compressed is read" "built without"
fi
tap_done
