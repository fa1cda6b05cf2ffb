#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cli-export.sh: each export, read back by somebody else and held against the JSON report.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
waitpath=$top_builddir/waitpath
command -v python3 >/dev/null || skip_all "no python3"

# Debian's python3 is the one that sees Debian's modules.
for python in /usr/bin/python3 python3 none; do
	"$python" -c 'import jsonschema' 2>/dev/null && break
done
# npm install -g speedscope
speedscope=$(npm root -g 2>/dev/null)/speedscope/dist/release/file-format-schema.json
if [ "$python" = none ] || [ ! -f "$speedscope" ]; then
	speedscope=
	skip "speedscope's own schema" "no npm package speedscope, or no python3 with jsonschema"
fi
cat >"$tap_dir/validate.py" <<'END'
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
for error in list(jsonschema.Draft7Validator(schema).iter_errors(json.load(open(sys.argv[2]))))[:5]:
    print("/".join(str(p) for p in error.path), error.message[:300])
END

formats=$("$waitpath" export -t x . 2>&1 | sed -n 's/^  \([a-z]*\) .*/\1/p')
[ -n "$formats" ] || fail "export lists its formats"

# Each packet is known, and each slice ends.
check_perfetto() {
	protoc --proto_path="$top_srcdir/tests/lib" --decode=Trace perfetto.proto \
		<"$1" >"$tap_dir/decoded" || echo "protoc can't decode it"
	grep -nE '^ *[0-9]' "$tap_dir/decoded" | head -n 5
	begins=$(grep -c 'type: TYPE_SLICE_BEGIN' "$tap_dir/decoded")
	[ "$begins" -gt 0 ] || echo "no slices"
	[ "$begins" -eq "$(grep -c 'type: TYPE_SLICE_END' "$tap_dir/decoded")" ] ||
		echo "slices without end"
	[ "$(grep -c ' flow_ids:' "$tap_dir/decoded")" -eq \
		"$(grep -c ' terminating_flow_ids:' "$tap_dir/decoded")" ] || echo "flows without end"
}

# export_all NAME TASK TRACE...
export_all() {
	name=$1
	task=$2
	shift 2
	"$waitpath" path -t "$task" --format json "$@" >"$tap_dir/path.json" 2>"$tap_dir/err"
	for format in $formats; do
		file=$tap_dir/export
		rm -f "$file"
		if "$waitpath" export --format "$format" -t "$task" -o "$file" "$@" \
			>"$tap_dir/wrong" 2>&1; then
			python3 "$top_srcdir/tests/read-exports.py" "$format" "$file" \
				"$tap_dir/path.json" >"$tap_dir/wrong" 2>&1
		else
			echo "$waitpath export --format $format failed" >>"$tap_dir/wrong"
		fi
		check "$name: $format" "$tap_dir/wrong"
		if [ "$format" = speedscope ] && [ -n "$speedscope" ]; then
			"$python" "$tap_dir/validate.py" "$speedscope" "$file" >"$tap_dir/wrong" 2>&1
			check "$name: speedscope against its package's schema" "$tap_dir/wrong"
		fi
		if [ "$format" = perfetto ] && command -v protoc >/dev/null; then
			check_perfetto "$file" >"$tap_dir/wrong" 2>&1
			check "$name: perfetto decoded by protoc" "$tap_dir/wrong"
		fi
		case $format in
		xml)
			if command -v xmllint >/dev/null; then
				xmllint --noout --schema "$top_srcdir/doc/schema/waitpath-path-1.xsd" "$file" \
					2>&1 | grep -v ' validates$' >"$tap_dir/wrong"
				check "$name: xml against its schema" "$tap_dir/wrong"
			fi
			;;
		sqlite) ;;
		*)
			"$waitpath" export --format "$format" -t "$task" "$@" 2>&1 |
				cmp - "$file" >"$tap_dir/wrong" 2>&1
			check "$name: $format on stdout" "$tap_dir/wrong"
			;;
		esac
	done
}

for fixture in handoff net-call nested-waits runnable-preemptors lost-while-running fork-vfork; do
	mkdir "$tap_dir/$fixture"
	"$top_builddir/tests/fixture2ctf" "$top_srcdir/tests/fixtures/$fixture/events.txt" \
		"$tap_dir/$fixture" >"$tap_dir/out" 2>&1 || fail "fixture $fixture" "$tap_dir/out"
	task=$(sed -n 's/^task \([^ ]*\).*/\1/p' "$top_srcdir/tests/fixtures/$fixture/expect" | head -n 1)
	export_all "$fixture" "$task" "$tap_dir/$fixture"
done
recorded=${WAITPATH_SHARED:-}/traces/recorded
if [ -d "$recorded" ]; then
	export_all tier3 hosta:183 "$recorded/tier3"
	export_all local-fork fk-main "$recorded/local-fork"
	export_all local-mutex mx-main "$recorded/local-mutex"
else
	skip "recorded traces" "not there"
fi

"$waitpath" export --format chrome -t x "$tap_dir/handoff" -o /nonexistent/x >"$tap_dir/out" 2>&1
"$waitpath" export --format chrome -t client "$tap_dir/handoff" -o "$tap_dir/no/x" >"$tap_dir/out" 2>&1
[ $? -eq 1 ] && grep -q 'No such file' "$tap_dir/out" && : >"$tap_dir/out"
check "a file that can't be written is told" "$tap_dir/out"
tap_done
