#!/bin/sh
# SPDX-License-Identifier: MIT
#
# viewer.sh: the viewer as a program: its command line, --dump-rows against its schema and
# against waitpath path, --render to pictures of the size that was asked for, and the files
# that a desktop reads.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
viewer=$top_builddir/waitpath-viewer
waitpath=$top_builddir/waitpath
data=$top_srcdir/viewer/data

[ -x "$viewer" ] || skip_all "the viewer was not built"

# ---- the command line ----

# expect NAME STATUS WORDS ARGUMENT...: it must end so, and say that on standard error.
expect() {
	name=$1
	status=$2
	words=$3
	shift 3
	env -u DISPLAY -u WAYLAND_DISPLAY "$viewer" "$@" >"$tap_dir/out" 2>"$tap_dir/err"
	got=$?
	: >"$tap_dir/wrong"
	[ $got -eq "$status" ] || echo "status $got instead of $status" >>"$tap_dir/wrong"
	grep -qF -- "$words" "$tap_dir/err" || cat "$tap_dir/err" >>"$tap_dir/wrong"
	check "$name" "$tap_dir/wrong"
}

expect "an option that is none" 2 "Unknown option" --nonsense
expect "--dump-rows of nothing" 2 "No TRACE was given" --dump-rows
expect "a trace that is not there" 2 "/nonexistent" --dump-rows /nonexistent
expect "a size that is none" 2 "--size takes" --render x.png --size 12 /nonexistent
expect "no display" 1 "There is no display" /nonexistent
if "$viewer" --version | grep -q '^waitpath-viewer [0-9]'; then
	pass "--version"
else
	fail "--version"
fi

# ---- --dump-rows ----

mkdir "$tap_dir/call"
"$top_builddir/tests/fixture2ctf" "$top_srcdir/tests/fixtures/net-call/events.txt" \
	"$tap_dir/call" >"$tap_dir/out" 2>&1 || fail "a fixture" "$tap_dir/out"
task=$(sed -n 's/^task \([^ ]*\).*/\1/p' "$top_srcdir/tests/fixtures/net-call/expect" | head -n 1)

for python in /usr/bin/python3 python3 none; do
	"$python" -c 'import jsonschema' 2>/dev/null && break
done

cat >"$tap_dir/compare.py" <<'END'
import json, sys, jsonschema
schema, rows, path = (json.load(open(name)) for name in sys.argv[1:4])
jsonschema.Draft7Validator.check_schema(schema)
for error in jsonschema.Draft7Validator(schema).iter_errors(rows):
    print("/".join(str(p) for p in error.path), error.message[:300])
keys = ["host", "tid", "begin", "end", "state", "depth"]
band = [[s[k] for k in keys] for s in rows["band"]]
if band != [[s[k] for k in keys] for s in path["segments"]]:
    print("the band is not the path of waitpath path")
if rows["window"] != path["window"] or rows["task"]["tid"] != path["task"]["tid"]:
    print("another task or window")
by_host = {r["host"]: r["time"] for r in rows["rows"] if r["kind"] == "host"}
if {h: t for h, t in by_host.items() if t} != path["totals"]["by_host"]:
    print("hosts", by_host, path["totals"]["by_host"])
on_path = {(t["host"], "%s %d" % (t["comm"], t["tid"])): t["time"] for t in path["totals"]["by_task"]}
threads = {(r["host"], r["name"]): r["time"] for r in rows["rows"] if r["kind"] == "thread"}
if threads != on_path:
    print("rows", threads, on_path)
END

# same NAME TASK TRACE...: the viewer's first screen shows what waitpath path tells.
same() {
	name=$1
	of=$2
	shift 2
	env -u DISPLAY "$viewer" --dump-rows -t "$of" "$@" >"$tap_dir/rows" 2>"$tap_dir/wrong" &&
		"$waitpath" path -t "$of" --format json "$@" >"$tap_dir/path" 2>/dev/null &&
		"$python" "$tap_dir/compare.py" "$top_srcdir/doc/schema/waitpath-view-1.json" \
			"$tap_dir/rows" "$tap_dir/path" >>"$tap_dir/wrong" 2>&1 ||
		echo "it failed" >>"$tap_dir/wrong"
	check "$name" "$tap_dir/wrong"
}

recorded=${WAITPATH_SHARED:-}/traces/recorded
if [ "$python" = none ]; then
	skip "rows and path" "no python3 with jsonschema"
else
	same "rows and path of a fixture" "$task" "$tap_dir/call"
	if [ -d "$recorded" ]; then
		same "rows and path of three hosts" hosta:183 "$recorded/tier3"
	else
		skip "rows and path of three hosts" "no recorded traces"
	fi
fi
env -u DISPLAY "$viewer" --dump-rows "$tap_dir/call" >"$tap_dir/out" 2>"$tap_dir/wrong"
grep -q '"sentence"' "$tap_dir/out" || echo "no path was chosen" >>"$tap_dir/wrong"
check "without a task one is chosen" "$tap_dir/wrong"

# ---- --render ----

# The width and height in a PNG's header: eight bytes from the 17th on.
png_size() {
	od -An -j16 -N8 -tu1 "$1" | awk '{ print ($1 * 256 + $2) * 65536 + $3 * 256 + $4 "x" ($5 * 256 + $6) * 65536 + $7 * 256 + $8 }'
}

if command -v xvfb-run >/dev/null; then
	for case in "1200x700" "1000x600 --dark"; do
		size=${case%% *}
		# shellcheck disable=SC2086
		DBUS_SESSION_BUS_ADDRESS=disabled: xvfb-run -a "$viewer" --render "$tap_dir/view.png" \
			--size $case -t "$task" "$tap_dir/call" >"$tap_dir/out" 2>&1
		got=$(png_size "$tap_dir/view.png" 2>/dev/null)
		[ "$got" = "$size" ] && : >"$tap_dir/out" || echo "a picture of $got" >>"$tap_dir/out"
		check "--render --size $case" "$tap_dir/out"
		rm -f "$tap_dir/view.png"
	done
	DBUS_SESSION_BUS_ADDRESS=disabled: xvfb-run -a "$viewer" --render "$tap_dir/view.png" \
		/nonexistent >"$tap_dir/out" 2>&1
	status=$?
	: >"$tap_dir/wrong"
	[ $status -ne 0 ] || echo "it went well" >>"$tap_dir/wrong"
	grep -q /nonexistent "$tap_dir/out" || cat "$tap_dir/out" >>"$tap_dir/wrong"
	check "--render of what is not there" "$tap_dir/wrong"
else
	skip "--render" "no xvfb-run"
fi

# ---- what a desktop reads ----

# valid NAME PROGRAM ARGUMENT...
valid() {
	name=$1
	shift
	if ! command -v "$1" >/dev/null; then
		skip "$name" "no $1"
	elif "$@" >"$tap_dir/out" 2>&1; then
		pass "$name"
	else
		fail "$name" "$tap_dir/out"
	fi
}
valid "desktop file" desktop-file-validate "$data/org.waitpath.Viewer.desktop"
valid "AppStream metadata" appstreamcli validate --no-net "$data/org.waitpath.Viewer.metainfo.xml"
valid "MIME type" xmllint --noout "$data/org.waitpath.Viewer.mime.xml"
valid "icon" xmllint --noout "$data/org.waitpath.Viewer.svg"
valid "window" xmllint --noout "$data/wpv-window.ui"

# Each option stands in the manual page.
"$viewer" --help 2>/dev/null | grep -oE '^ +(-[a-z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+' | sort -u | while read -r option; do
	grep -qF -- "*$option*" "$top_srcdir/man/waitpath-viewer.1.adoc" || echo "$option"
done >"$tap_dir/wrong"
check "each option is in the manual page" "$tap_dir/wrong"
tap_done
