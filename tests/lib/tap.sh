# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# tap.sh: the few words with which a shell test speaks TAP. A test sources it, calls
# pass, fail, check or skip any number of times, and tap_done at the end.

tap_n=0
# What the libraries under the viewer leak.
LSAN_OPTIONS=suppressions=$(cd "${top_srcdir:-.}" && pwd)/tests/lsan.supp:print_suppressions=0
export LSAN_OPTIONS

pass() {
	tap_n=$((tap_n + 1))
	echo "ok $tap_n - $1"
}

# fail NAME [FILE]: FILE is shown as diagnostics, at most 40 lines of it.
fail() {
	tap_n=$((tap_n + 1))
	echo "not ok $tap_n - $1"
	if [ -n "${2:-}" ] && [ -f "$2" ]; then
		sed -n -e 's/^/# /' -e '1,40p' "$2"
	fi
}

skip() {
	tap_n=$((tap_n + 1))
	echo "ok $tap_n - $1 # SKIP ${2:-}"
}

# check NAME FILE: passes when FILE, a list of what is wrong, is empty.
check() {
	if [ -s "$2" ]; then fail "$1" "$2"; else pass "$1"; fi
}

# Whether this build reads trace-cmd files that are compressed with zstd.
has_zstd() {
	grep -q '^#define HAVE_ZSTD 1' "${top_builddir:-.}/config.h"
}

# skip_all WHY: instead of all checks.
skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

tap_done() {
	echo "1..$tap_n"
	exit 0
}

# A folder of the test's own below the build tree, removed at its end.
tap_dir=$(mktemp -d "${G_TEST_BUILDDIR:-${TMPDIR:-/tmp}}/tmp-XXXXXX") || exit 99
trap 'rm -rf "$tap_dir"' EXIT
trap 'exit 99' HUP INT TERM
