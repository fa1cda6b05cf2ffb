#!/bin/sh
# SPDX-License-Identifier: MIT
#
# classes.sh: the plugin as a whole: babeltrace2 lists it with each class that it declares,
# and the file shows and needs no more than it must.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/lib/plugin.sh"
plugin=$top_builddir/.libs/babeltrace-plugin-waitpath.so

bt2 list-plugins >"$tap_dir/list" 2>&1
sed -n '/^waitpath:/,/^$/p' "$tap_dir/list" >"$tap_dir/ours"
if [ -s "$tap_dir/ours" ]; then
	pass "babeltrace2 lists the plugin"
else
	fail "babeltrace2 lists the plugin" "$tap_dir/list"
fi

# BT_PLUGIN_FILTER_COMPONENT_CLASS_WITH_ID(auto, sync, "sync", ...), or without _WITH_ID.
sed -n -E 's/^BT_PLUGIN_(SOURCE|FILTER|SINK)_COMPONENT_CLASS_WITH_ID\([^"]*"([^"]*)".*/\1 \2/p
	s/^BT_PLUGIN_(SOURCE|FILTER|SINK)_COMPONENT_CLASS\(([^,]*),.*/\1 \2/p' \
	"$top_srcdir/plugins/plugin.c" | tr '[:upper:]' '[:lower:]' >"$tap_dir/declared"
while read -r type name; do
	if grep -q "'$type\.waitpath\.$name'" "$tap_dir/ours"; then
		pass "$type.waitpath.$name is listed"
	else
		fail "$type.waitpath.$name is listed" "$tap_dir/ours"
	fi
done <"$tap_dir/declared"

if command -v nm >/dev/null; then
	nm -D --defined-only "$plugin" | awk '$3 !~ /^__bt_get_|^__(a|ub)san|^_(init|fini)$/ { print $3 }' \
		>"$tap_dir/symbols"
	check "no symbols but those that Babeltrace looks for" "$tap_dir/symbols"
else
	skip "no symbols but those that Babeltrace looks for" "no nm"
fi
ldd "$plugin" 2>/dev/null | grep -E 'gtk|gdk|pango|cairo' >"$tap_dir/gtk"
check "no GTK in the plugin" "$tap_dir/gtk"
tap_done
