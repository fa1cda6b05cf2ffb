#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cli-schemas.sh: the machine output of every command against its schema in doc/schema.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
waitpath=$top_builddir/waitpath
schemas=$top_srcdir/doc/schema

# Debian's python3 is the one that sees Debian's modules.
for python in /usr/bin/python3 python3 none; do
	"$python" -c 'import jsonschema' 2>/dev/null && break
done
[ "$python" != none ] || skip_all "no python3 with jsonschema"

cat >"$tap_dir/validate.py" <<'END'
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft7Validator.check_schema(schema)
for error in list(jsonschema.Draft7Validator(schema).iter_errors(json.load(open(sys.argv[2]))))[:5]:
    print("/".join(str(p) for p in error.path), error.message[:300])
END

# validate NAME SCHEMA ARGUMENT...
validate() {
	name=$1
	schema=$schemas/waitpath-$2-1.json
	shift 2
	"$waitpath" "$@" --format json >"$tap_dir/answer" 2>"$tap_dir/wrong"
	case $? in
	0 | 3 | 4) "$python" "$tap_dir/validate.py" "$schema" "$tap_dir/answer" >"$tap_dir/wrong" 2>&1 ;;
	*) echo "it failed" >>"$tap_dir/wrong" ;;
	esac
	check "$name: $2" "$tap_dir/wrong"
}

# everything NAME TASK TRACE...
everything() {
	name=$1
	task=$2
	shift 2
	validate "$name" path path -t "$task" "$@"
	validate "$name" path path -t "$task" --without disk "$@"
	validate "$name" tasks tasks "$@"
	validate "$name" requests requests -t "$task" --each network "$@"
	validate "$name" requests requests -t "$task" --from 'sched_*' "$@"
	validate "$name" blockers blockers "$@"
	validate "$name" sync sync "$@"
	validate "$name" check check "$@"
}

for fixture in handoff net-call net-call-ipv6 lost-while-running work-item fork-vfork; do
	mkdir "$tap_dir/$fixture"
	"$top_builddir/tests/fixture2ctf" "$top_srcdir/tests/fixtures/$fixture/events.txt" \
		"$tap_dir/$fixture" >"$tap_dir/out" 2>&1 || fail "fixture $fixture" "$tap_dir/out"
	task=$(sed -n 's/^task \([^ ]*\).*/\1/p' "$top_srcdir/tests/fixtures/$fixture/expect" | head -n 1)
	everything "$fixture" "$task" "$tap_dir/$fixture"
done

recorded=${WAITPATH_SHARED:-}/traces/recorded
if [ -d "$recorded" ]; then
	everything tier3 hosta:183 "$recorded/tier3"
	everything local-lost hosta:499 "$recorded/local-lost"
	everything bulk-nogro hosta:373 "$recorded/bulk-nogro"
	validate rpc-alternating requests requests -t hosta:191 --each network "$recorded/rpc-alternating"
	validate rpc-alternating compare compare -t 'hosta:191' --window +1.8,+2.1 --window +2.1,+2.4 \
		"$recorded/rpc-alternating"
else
	skip "recorded traces" "not there"
fi
tap_done
