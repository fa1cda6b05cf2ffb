#!/bin/sh
# SPDX-License-Identifier: MIT
#
# valgrind.sh: every component class under memcheck, on small traces: no invalid access, nothing
# used before it is set, nothing left unfreed, whether a pipeline ends, is refused or is stopped.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/lib/plugin.sh"
command -v valgrind >/dev/null || skip_all "there is no valgrind"
[ "${WAITPATH_SANITIZERS:-no}" = no ] || skip_all "a sanitizer watches already"
# Debian 12's valgrind gives up on the debug information that its clang writes.
valgrind --tool=none "$top_builddir/waitpath" --version >"$tap_dir/out" 2>&1 ||
	skip_all "valgrind can't run what this compiler made"

# GLib's slices would hide what is used after it was freed.
G_SLICE=always-malloc
export G_SLICE
PLUGIN_WRAPPER="valgrind -q --error-exitcode=99 --leak-check=full --num-callers=30
	--show-leak-kinds=definite,indirect --errors-for-leak-kinds=definite,indirect
	--keep-debuginfo=yes --suppressions=$top_srcdir/tests/plugin/valgrind.supp
	--log-file=$tap_dir/log"

# clean NAME ends|refused|stopped WORD...: babeltrace2 run WORD... ends so, and memcheck has nothing to say.
clean() {
	name=$1 expected=$2
	shift 2
	: >"$tap_dir/log"
	bt2 run --retry-duration=1000 "$@" >"$tap_dir/out" 2>"$tap_dir/err"
	status=$?
	echo "$*" | tr ' ' '\n' | sed -n 's/.*:\([a-z]*\.waitpath\.[a-z-]*\)$/\1/p' >>"$tap_dir/covered"
	case $expected:$status in
	ends:0 | refused:1 | stopped:2) ;;
	*)
		echo "status $status" >>"$tap_dir/log"
		tail -n 3 "$tap_dir/err" >>"$tap_dir/log"
		;;
	esac
	check "$name" "$tap_dir/log"
}

"$top_builddir/tests/fixture2ctf" "$top_srcdir/tests/fixtures/net-call/events.txt" "$tap_dir/call" \
	>"$tap_dir/out" || exit 99
a=$tap_dir/call/hosta
b=$tap_dir/call/hostb
offsets='offsets={hostb=1000}'

# hosts NAME EXPECTED WORD...: the same behind two sources, a and b.
hosts() {
	name=$1 expected=$2
	shift 2
	clean "$name" "$expected" -c a:source.waitpath.ctf -p "inputs=[\"$a\"]" \
		-c b:source.waitpath.ctf -p "inputs=[\"$b\"]" "$@"
}
hosts "two passes, two sources" ends -c sync:filter.waitpath.sync -c out:sink.text.details \
	-x a:sync -x b:sync -x sync:out
hosts "one pass, a window, written as CTF" ends -c sync:filter.waitpath.sync \
	-p "$offsets,begin=\"+0.0002\",end=\"+0.0005\"" -c out:sink.ctf.fs \
	-p "path=\"$tap_dir/ctf\",quiet=yes" -x a:sync -x b:sync -x sync:out
hosts "one muxed port: an iterator for each host" ends -c mux:filter.utils.muxer \
	-c sync:filter.waitpath.sync -c out:sink.utils.dummy -x a:mux -x b:mux -x mux:sync -x sync:out
for output in segments select; do
	hosts "the path, $output" ends -c cp:filter.waitpath.critical-path \
		-p "task=\"client\",output=\"$output\"" -c out:sink.text.pretty -x a:cp -x b:cp -x cp:out
done
hosts "the path piece by piece" ends -c sync:filter.waitpath.sync -p "$offsets" \
	-c like:filter.waitpath-test.live -p every=7 -c cp:filter.waitpath.critical-path \
	-p 'task="client",period=1' -c out:sink.text.pretty -x a:sync -x b:sync -x sync:like \
	-x like:cp -x cp:out
hosts "the report" ends -c out:sink.waitpath.summary -p 'task="client",format="json"' -x a:out -x b:out
hosts "no such task" refused -c out:sink.waitpath.summary -p 'task="nobody"' -x a:out -x b:out
hosts "a wrong parameter" refused -c sync:filter.waitpath.sync -p 'reference=1' \
	-c out:sink.utils.dummy -x a:sync -x b:sync -x sync:out
hosts "live without clocks" refused -c like:filter.waitpath-test.live -p every=7 \
	-c sync:filter.waitpath.sync -c out:sink.utils.dummy -x a:like -x like:sync -x b:sync -x sync:out
clean "stopped by the user" stopped -c a:source.ctf.fs -p "inputs=[\"$a\"]" \
	-c like:filter.waitpath-test.live -p endless=1 -c cp:filter.waitpath.critical-path \
	-p 'task="client",period=1' -c out:sink.text.pretty -x a:like -x like:cp -x cp:out
clean "all kinds of fields are copied" ends -c in:source.waitpath-test.every \
	-c copy:filter.waitpath-test.mirror -p passes=2 -c out:sink.text.details -x in:copy -x copy:out
clean "events without times" refused -c in:source.waitpath-test.every -c sync:filter.waitpath.sync \
	-c out:sink.text.details -x in:sync -x sync:out

bt2_plain() {
	PLUGIN_WRAPPER='' bt2 "$@"
}
if bt2_plain list-plugins 2>/dev/null | grep -q "'source\.waitpath\.trace-dat'"; then
	"$top_builddir/tests/test-ftrace" --write "$tap_dir/known.dat" >"$tap_dir/out" 2>&1 || exit 99
	clean "a file of trace-cmd" ends -c in:source.waitpath.trace-dat \
		-p "inputs=[\"$tap_dir/known.dat\"]" -c mux:filter.utils.muxer \
		-c out:sink.text.details -x in:mux -x mux:out
fi

bt2_plain list-plugins 2>/dev/null |
	sed -n "/^waitpath:/,/^\$/s/.*'\([a-z]*\.waitpath\.[a-z-]*\)'.*/\1/p" | sort -u >"$tap_dir/classes"
sort -u "$tap_dir/covered" >"$tap_dir/ran"
same "every class was run" "$tap_dir/classes" "$tap_dir/ran"
tap_done
