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
expect "a mode that is none" 2 "active, causal" --dump-rows --mode slow /nonexistent
expect "no display" 1 "There is no display" /nonexistent
if "$viewer" --version | grep -q '^waitpath-viewer [0-9]'; then
	pass "--version"
else
	fail "--version"
fi

# ---- waitpath view ----

# It becomes the viewer that lies beside it, with the arguments as they were given.
mkdir "$tap_dir/bin"
cp "$waitpath" "$tap_dir/bin/waitpath"
cat >"$tap_dir/bin/waitpath-viewer" <<'END'
#!/bin/sh
printf '<%s>' "$@"
exit 7
END
chmod +x "$tap_dir/bin/waitpath-viewer"
"$tap_dir/bin/waitpath" view -t 'a b' --begin +1 --end=+2 --mode causal one two >"$tap_dir/out"
echo " $?" >>"$tap_dir/out"
echo '<-t><a b><--begin><+1><--end=+2><--mode><causal><one><two> 7' | diff - "$tap_dir/out" \
	>"$tap_dir/wrong"
check "waitpath view passes its arguments on" "$tap_dir/wrong"
"$tap_dir/bin/waitpath" view --format json one >"$tap_dir/out" 2>&1
status=$?
: >"$tap_dir/wrong"
[ $status -eq 2 ] || cp "$tap_dir/out" "$tap_dir/wrong"
check "waitpath view takes no option that it does not have" "$tap_dir/wrong"
rm "$tap_dir/bin/waitpath-viewer"
PATH=/usr/bin:/bin "$tap_dir/bin/waitpath" view one >"$tap_dir/out" 2>&1
status=$?
: >"$tap_dir/wrong"
[ $status -eq 1 ] || echo "status $status" >>"$tap_dir/wrong"
grep -q 'GTK 4' "$tap_dir/out" || cat "$tap_dir/out" >>"$tap_dir/wrong"
check "waitpath view without a viewer" "$tap_dir/wrong"
# Each option that it knows is one of the viewer's.
"$viewer" --help >"$tap_dir/out" 2>&1
"$waitpath" view --help | grep -oE -- '--[a-z-]+' | sort -u | while read -r option; do
	grep -q -- "$option" "$tap_dir/out" || echo "$option"
done >"$tap_dir/wrong"
check "the viewer has the options of waitpath view" "$tap_dir/wrong"

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
	same "rows and path within a window" hosta:cli-fe --begin +1.6385 --end +1.7126 \
		"$top_srcdir/traces/samples/tier3"
	same "rows and path in causal mode" hosta:cli-fe --mode causal "$top_srcdir/traces/samples/tier3"
	if [ -d "$recorded" ]; then
		same "rows and path of three hosts" hosta:183 "$recorded/tier3"
	else
		skip "rows and path of three hosts" "no recorded traces"
	fi
fi
env -u DISPLAY "$viewer" --dump-rows "$tap_dir/call" >"$tap_dir/out" 2>"$tap_dir/wrong"
grep -q '"sentence"' "$tap_dir/out" || echo "no path was chosen" >>"$tap_dir/wrong"
check "without a task one is chosen" "$tap_dir/wrong"
env -u DISPLAY "$viewer" --dump-rows --begin +1.6 --end +1.7 "$top_srcdir/traces/samples/tier3" \
	>"$tap_dir/out" 2>"$tap_dir/wrong"
sed -n 's/.*"window": {"begin": \([0-9]*\), "end": \([0-9]*\)}.*/\1 \2/p' "$tap_dir/out" |
	awk '{ n++; if ($2 - $1 != 100000000) print "from", $1, "to", $2 } END { if (n != 1) print n, "windows" }' \
	>>"$tap_dir/wrong"
check "and shown within the window" "$tap_dir/wrong"

# A saved graph in which a byte of the second host's vertices is another one; counted from the end,
# since in front of them stands the path of the trace.
"$waitpath" graph -q -o "$tap_dir/saved" "$tap_dir/call" >"$tap_dir/out" 2>&1
cp "$tap_dir/saved" "$tap_dir/damaged"
offset=$(($(wc -c <"$tap_dir/saved") - 1700))
byte=$(od -An -j"$offset" -N1 -tu1 "$tap_dir/saved" | tr -d ' ')
# shellcheck disable=SC2059
printf "\\$(printf %o $((byte ^ 255)))" | dd of="$tap_dir/damaged" bs=1 seek="$offset" conv=notrunc 2>/dev/null
"$waitpath" path -q -t "$task" "$tap_dir/damaged" 2>&1 >/dev/null | sed 's/^waitpath: //' >"$tap_dir/one"
env -u DISPLAY "$viewer" --dump-rows -t "$task" "$tap_dir/damaged" 2>&1 >"$tap_dir/out" |
	sed 's/^waitpath-viewer: //' >"$tap_dir/two"
diff "$tap_dir/one" "$tap_dir/two" >"$tap_dir/wrong"
grep -q damaged "$tap_dir/two" || echo "no word of damage" >>"$tap_dir/wrong"
[ ! -s "$tap_dir/out" ] || echo "it said more" >>"$tap_dir/wrong"
check "a damaged graph, in the words of waitpath path" "$tap_dir/wrong"

# ---- --render ----

# The width and height in a PNG's header: eight bytes from the 17th on.
png_size() {
	od -An -j16 -N8 -tu1 "$1" | awk '{ print ($1 * 256 + $2) * 65536 + $3 * 256 + $4 "x" ($5 * 256 + $6) * 65536 + $7 * 256 + $8 }'
}

if command -v xvfb-run >/dev/null; then
	: >"$tap_dir/wrong"
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
	# The pictures of README.md, as they would be drawn today: of the size of those that are there.
	# What fontconfig leaves is found now and then in spite of the suppression: C tests look for ours.
	pictures=$top_srcdir/doc/pictures
	ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 \
		sh "$pictures/make.sh" "$viewer" "$tap_dir" >"$tap_dir/out" 2>&1 || cat "$tap_dir/out" >>"$tap_dir/wrong"
	for picture in "$pictures"/*.png; do
		got=$(png_size "$tap_dir/${picture##*/}" 2>/dev/null)
		[ "$got" = "$(png_size "$picture")" ] || echo "$picture: $got" >>"$tap_dir/wrong"
		grep -q "${picture##*/}" "$top_srcdir/README.md" || echo "README.md does not show $picture" >>"$tap_dir/wrong"
	done
	check "the pictures of README.md" "$tap_dir/wrong"
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
