#!/bin/sh
# SPDX-License-Identifier: MIT
#
# meta-files.sh: what every file of the project keeps to: a licence line, no path or host
# of one machine, shell that shellcheck passes, C that clang-format leaves alone.
set -u
top_srcdir=${top_srcdir:-.}
. "$top_srcdir/tests/lib/tap.sh"
cd "$top_srcdir" || exit 99

# A tarball holds files that were checked when it was made, and generated ones besides.
if ! git rev-parse --show-cdup >"$tap_dir/up" 2>/dev/null || [ -n "$(cat "$tap_dir/up")" ]; then
	skip_all "not the top of a git tree"
fi
git ls-files >"$tap_dir/all"
# What was deleted but not committed yet is still listed.
while read -r file; do [ -f "$file" ] && echo "$file"; done <"$tap_dir/all" |
	grep -v '^traces/samples/' >"$tap_dir/files"

# The line is among the first three: behind a shebang or an XML declaration.
grep -E '\.(c|h|sh|mk|ac|am|py|xml|xsd|rng|ui|css|adoc|m4)$|^bootstrap$|^\.ci/run$' "$tap_dir/files" |
	while read -r file; do
		head -n 3 "$file" | grep -q 'SPDX-License-Identifier: MIT' || echo "$file"
	done >"$tap_dir/spdx"
check "each source file begins with its SPDX line" "$tap_dir/spdx"

# Written so that these lines do not match themselves.
xargs grep -nIE '(^|[^[:alnum:]_.~}])/(wor[k]|hom[e]|User[s])/|deb[.]debia[n]|snapshot[.]debia[n]|npmj[s]|pyp[i]\.org|crate[s]\.io' \
	<"$tap_dir/files" >"$tap_dir/words"
check "no path of one machine, no host of a package registry" "$tap_dir/words"

xargs grep -nIE '[[:blank:]]+$' <"$tap_dir/files" | grep -vE '^(tests/golden/|doc/.*\.(txt|out))' \
	>"$tap_dir/blanks"
check "no blanks at the end of a line" "$tap_dir/blanks"

while read -r file; do
	case $file in
	*.sh) echo "$file" ;;
	*) head -c 64 "$file" | head -n 1 | tr -d '\0' | grep -qE '^#!.*[/ ](ba|da)?sh( |$)' && echo "$file" ;;
	esac
done <"$tap_dir/files" >"$tap_dir/scripts"
if command -v shellcheck >/dev/null; then
	xargs shellcheck -x -e SC1091 <"$tap_dir/scripts" >"$tap_dir/shellcheck" 2>&1
	check "shellcheck has nothing to say" "$tap_dir/shellcheck"
else
	skip "shellcheck has nothing to say" "no shellcheck"
fi
tap_done
