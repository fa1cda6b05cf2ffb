#!/bin/sh
# SPDX-License-Identifier: MIT
#
# meta-includes.sh: includes go one way, and each thing from outside is seen only where it
# belongs. The order of folders is the one of doc/HACKING.md.
set -u
top_srcdir=${top_srcdir:-.}
. "$top_srcdir/tests/lib/tap.sh"
cd "$top_srcdir" || exit 99

# FOLDER RANK: a file may include headers of its own folder and of folders of a lower rank.
cat >"$tap_dir/ranks" <<END
base 0
event 1
ctf 2
bt2 2
ftrace 2
graph 3
kernel 4
sync 5
path 6
timeline 7
export 8
session 9
cli 10
plugins 10
viewer 10
END

# FILE LINE HEADER of every include of a header of this project (a folder is in its name).
find src plugins viewer -name '*.[ch]' | sort | xargs grep -nE '^[[:space:]]*#[[:space:]]*include' |
	sed -E 's/:([0-9]+):[[:space:]]*#[[:space:]]*include[[:space:]]*/ \1 /' >"$tap_dir/includes"

awk -v ranks="$tap_dir/ranks" '
BEGIN { while ((getline line < ranks) > 0) { split(line, f, " "); rank[f[1]] = f[2] } }
$3 ~ /^"/ && $3 != "\"config.h\"" {
	n = split($1, path, "/")
	from = path[1] == "src" ? path[2] : path[1]
	header = substr($3, 2, length($3) - 2)
	m = split(header, part, "/")
	to = m > 1 ? part[1] : from
	if (!(from in rank)) print $1 ": folder " from " has no rank in tests/meta-includes.sh"
	else if (!(to in rank)) print $1 ":" $2 ": includes \"" header "\", not by its folder"
	else if (to != from && rank[to] >= rank[from]) print $1 ":" $2 ": " from " may not include " header
}' "$tap_dir/includes" >"$tap_dir/order"
check "folders include only folders below them" "$tap_dir/order"

awk '$3 ~ /<babeltrace2/ && $1 !~ /^(src\/bt2|src\/session|plugins)\// { print $1 ":" $2 ": " $3 }' \
	"$tap_dir/includes" >"$tap_dir/bt2"
check "only src/bt2, src/session and plugins see babeltrace2" "$tap_dir/bt2"

awk '$3 ~ /<(gtk|gdk|gsk|graphene|pango|cairo)/ && $1 !~ /^viewer\// { print $1 ":" $2 ": " $3 }' \
	"$tap_dir/includes" >"$tap_dir/gtk"
check "only the viewer sees GTK" "$tap_dir/gtk"

awk '$3 ~ /<(gio|glib-object|gobject)/ && $1 !~ /^viewer\// { print $1 ":" $2 ": " $3 }' \
	"$tap_dir/includes" >"$tap_dir/gio"
check "only the viewer sees GIO and GObject" "$tap_dir/gio"

# In the library nothing prints and nothing exits: only the faces do. Comments and
# strings are taken out first.
for file in $(find src -name '*.[ch]' ! -path 'src/cli/*' | sort); do
	awk -v file="$file" '
	{
		line = $0; out = ""
		gsub(/\\["\\]/, "", line)
		gsub(/"[^"]*"/, "\"\"", line)
		while (line != "") {
			if (comment) {
				at = index(line, "*/")
				if (!at) break
				line = substr(line, at + 2); comment = 0
			} else {
				at = index(line, "/*")
				if (!at) { out = out line; break }
				out = out substr(line, 1, at - 1) " "
				line = substr(line, at + 2); comment = 1
			}
		}
		sub(/\/\/.*/, "", out)
		if (out ~ /(^|[^_[:alnum:]])(g_print|g_printerr|g_message|g_warning|g_critical|g_error|g_debug|g_info|g_log|printf|vprintf|puts|putchar|perror|exit|_exit|abort)\(/ ||
		    out ~ /(^|[^_[:alnum:]])(stdout|stderr)([^_[:alnum:]]|$)/)
			print file ":" NR ": " $0
	}' "$file"
done >"$tap_dir/prints"
check "the library does not print, log or exit" "$tap_dir/prints"
tap_done
