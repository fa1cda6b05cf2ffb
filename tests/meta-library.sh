#!/bin/sh
# SPDX-License-Identifier: MIT
#
# meta-library.sh: what the built library must not hold: variables that any part of it
# could change. Variables inside a function (a GQuark, a g_once) have a dot in their
# symbol and are allowed. What each start has to load; and what the plug-in shows to the program
# that loads it.
set -u
top_srcdir=${top_srcdir:-.}
. "$top_srcdir/tests/lib/tap.sh"
library=${top_builddir:-.}/.libs/libwaitpath.a

[ "${WAITPATH_SANITIZERS:-no}" = no ] || skip_all "sanitizers add variables of their own"
[ -f "$library" ] || skip_all "no $library"
command -v objdump >/dev/null || skip_all "no objdump"

# objdump's symbol lines: address, flags, section, size, name.
objdump -t "$library" |
	awk '/^[^ ]+\.o:/ { object = $1 }
	     $(NF - 2) ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)($|\.[^r])/ && $0 !~ / d  / && $NF !~ /[.]/ {
		print object " " $NF " in " $(NF - 2)
	     }' >"$tap_dir/variables"
check "no variables of file or global scope" "$tap_dir/variables"

objdump -t "$library" |
	awk '/ g / && $(NF - 2) == ".text" && $NF !~ /^(\.hidden )?wp_/ { print $NF }' >"$tap_dir/names"
check "all functions that other files see begin with wp_" "$tap_dir/names"

# The two and what is behind them (libmount, libselinux, libblkid, libffi, libz) took a third of
# the time of a start, for a flag and a few files.
plugin=${top_builddir:-.}/.libs/babeltrace-plugin-waitpath.so
for file in "${top_builddir:-.}/waitpath" "$plugin"; do
	[ -f "$file" ] || continue
	objdump -p "$file" | grep -E 'NEEDED.*lib(gio|gobject)-' >"$tap_dir/linked"
	objdump -T "$file" | grep -E '\*UND\*.* g_(object|cancellable|type|file_new)_' >>"$tap_dir/linked"
	check "${file##*/} needs neither GIO nor GObject" "$tap_dir/linked"
done
if [ -f "$plugin" ]; then
	nm -D --defined-only "$plugin" | awk '$NF !~ /^__bt_/ { print $NF }' >"$tap_dir/exported"
	check "the plug-in exports nothing but what Babeltrace asks for" "$tap_dir/exported"
	ldd "$plugin" | grep -E 'libgtk|libgdk|libcairo|libpango' >"$tap_dir/linked"
	check "the plug-in needs no GTK" "$tap_dir/linked"
else
	skip "the plug-in exports nothing but what Babeltrace asks for" "no plug-in"
fi
tap_done
