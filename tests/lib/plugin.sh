# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034,SC2154
#
# plugin.sh: for tests that run the distribution's babeltrace2 with the plugins of the build
# tree. Sourced behind tap.sh.

command -v babeltrace2 >/dev/null || skip_all "no babeltrace2"

BABELTRACE_PLUGIN_PATH=$top_builddir/.libs:$top_builddir/tests/.libs
export BABELTRACE_PLUGIN_PATH
traces=${WAITPATH_SHARED:-$top_srcdir/../shared}/traces

# A plugin with AddressSanitizer needs its runtime in front of all else; what babeltrace2
# itself leaves unfreed is not ours to report.
plugin_preload=
case ${WAITPATH_SANITIZERS:-no} in
*address*)
	plugin_preload=$(${CC:-cc} -print-file-name=libasan.so)
	ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
	export ASAN_OPTIONS
	;;
esac

bt2() {
	# A shell without a terminal has its background jobs ignore SIGINT, which tests send.
	# PLUGIN_WRAPPER may run it under another program (valgrind).
	# shellcheck disable=SC2086
	timeout -k 5 300 env --default-signal=INT ${plugin_preload:+"LD_PRELOAD=$plugin_preload"} \
		${PLUGIN_WRAPPER:-} babeltrace2 "$@"
}

# same NAME A B: passes when the two files are equal and not empty.
same() {
	if [ ! -s "$2" ]; then
		echo "$2 is empty" >"$tap_dir/same"
		fail "$1" "$tap_dir/same"
	elif diff "$2" "$3" >"$tap_dir/same" 2>&1; then
		pass "$1"
	else
		fail "$1" "$tap_dir/same"
	fi
}
