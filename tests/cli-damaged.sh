#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cli-damaged.sh: saved graphs damaged in many ways, through every command and the viewer: each is
# refused with one sentence, or the answer is the right one. DAMAGED_RUNS is how many (24).
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
waitpath=$top_builddir/waitpath
viewer=$top_builddir/waitpath-viewer
python3=/usr/bin/python3
[ -x "$python3" ] || skip_all "no $python3"
[ -x "$viewer" ] || viewer=
runs=${DAMAGED_RUNS:-24}

# sample NAME TASK
sample() {
	rm -rf "$tap_dir/folder"
	mkdir "$tap_dir/folder"
	: >"$tap_dir/counts"
	if "$waitpath" graph -o "$tap_dir/graph" "$top_srcdir/traces/samples/$1" 2>"$tap_dir/wrong"; then
		"$python3" "$top_srcdir/tests/lib/damaged.py" "$waitpath" "$viewer" \
			"$tap_dir/graph" "$2" "$tap_dir/folder" "$runs" \
			>"$tap_dir/wrong" 2>"$tap_dir/counts" || cat "$tap_dir/counts" >>"$tap_dir/wrong"
	fi
	check "$1, damaged in $runs ways: $(tail -n 1 "$tap_dir/counts")" "$tap_dir/wrong"
}

sample rpc-minimal hosta:183

# What the window shows of one that is refused, and of one that is sound but for a part.
if [ -n "$viewer" ] && command -v xvfb-run >/dev/null; then
	: >"$tap_dir/wrong"
	size=$(wc -c <"$tap_dir/graph")
	for at in 8 $((size / 3)) $((size / 2)) $((size - 9)); do
		cp "$tap_dir/graph" "$tap_dir/one"
		printf '\377\376\375' | dd of="$tap_dir/one" bs=1 seek="$at" conv=notrunc 2>/dev/null
		DBUS_SESSION_BUS_ADDRESS=disabled: xvfb-run -a "$viewer" \
			--render "$tap_dir/folder/view.png" -t hosta:183 "$tap_dir/one" \
			>/dev/null 2>"$tap_dir/err"
		status=$?
		case $status in
		0) [ -s "$tap_dir/folder/view.png" ] || echo "at $at: no picture" ;;
		1) grep -q '^waitpath-viewer: .*\.$' "$tap_dir/err" || cat "$tap_dir/err" ;;
		*) echo "at $at: status $status" && cat "$tap_dir/err" ;;
		esac >>"$tap_dir/wrong"
	done
	check "--render of damaged graphs" "$tap_dir/wrong"
else
	skip "--render of damaged graphs" "no viewer, or no xvfb-run"
fi
tap_done
