#!/bin/sh
# SPDX-License-Identifier: MIT
#
# documented.sh: each component class has a manual page that tells its parameters, and no
# others; and each command line of these pages does what it is there for, with the plugin of the
# build tree and with one that was installed.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/lib/plugin.sh"
man=$top_srcdir/man

bt2 list-plugins 2>/dev/null |
	sed -n "/^waitpath:/,/^\$/s/.*'\(s[a-z]*\|filter\)\.waitpath\.\([a-z-]*\)'.*/\1 \2/p" >"$tap_dir/classes"
grep -q . "$tap_dir/classes" || fail "babeltrace2 lists the classes"
while read -r type name; do
	page=$man/babeltrace2-$type.waitpath.$name.7.adoc
	if [ ! -f "$page" ]; then
		fail "$type.waitpath.$name has a page"
		continue
	fi
	sed -n 's/^include::\(.*\)\[\]$/\1/p' "$page" | while read -r part; do cat "$man/$part"; done >"$tap_dir/page"
	cat "$page" >>"$tap_dir/page"
	sed -n 's/^\*\([a-z-]*\)\*=.*::$/\1/p' "$tap_dir/page" | sort >"$tap_dir/told"
	# what an unknown parameter is answered with
	case $type in
	source) set -- -c "x:source.waitpath.$name" -p no-such=1 -c out:sink.utils.dummy -x x:out ;;
	filter)
		set -- -c in:source.waitpath-test.every -c "x:filter.waitpath.$name" -p no-such=1 \
			-c out:sink.utils.dummy -x in:x -x x:out
		;;
	*) set -- -c in:source.waitpath-test.every -c "x:sink.waitpath.$name" -p no-such=1 -x in:x ;;
	esac
	bt2 run "$@" >"$tap_dir/err" 2>&1
	tr -s ' \n' ' ' <"$tap_dir/err" |
		sed -n "s/.*There is no parameter 'no-such'; there are: \([^.]*\)\..*/\1/p" |
		tr -d ' ' | tr , '\n' | sort >"$tap_dir/there"
	same "the page of $type.waitpath.$name tells its parameters" "$tap_dir/there" "$tap_dir/told"
	if bt2 help "$type.waitpath.$name" 2>&1 | tr -s ' \n' ' ' |
		grep -qF "babeltrace2-$type.waitpath.$name(7)"; then
		pass "its help names the page"
	else
		fail "its help names the page"
	fi
	grep -q "$type.waitpath.$name" "$man/babeltrace2-plugin-waitpath.7.adoc" || echo "$name" >>"$tap_dir/unnamed"
done <"$tap_dir/classes"
touch "$tap_dir/unnamed"
check "the plugin's page names all classes" "$tap_dir/unnamed"

# The command lines, one a line: in blocks between ----, behind a prompt.
for page in "$man"/babeltrace2-*.7.adoc; do
	awk '/^----$/ { inside = !inside; next }
	     inside && /^\$ / { if (line) print line; line = substr($0, 3); next }
	     inside && line { line = line "\n" $0 }
	     !inside && line { print line; line = "" }
	     END { if (line) print line }' "$page" | sed -e ':a' -e '/\\$/N; s/\\\n *//; ta'
done >"$tap_dir/commands"
[ "$(wc -l <"$tap_dir/commands")" -ge 10 ] || fail "the pages have command lines" "$tap_dir/commands"

# run_all WHAT PLUGIN-DIRECTORY PROGRAM-DIRECTORY
run_all() {
	mkdir -p "$tap_dir/$1/bin"
	ln -s "$(cd "$top_srcdir" && pwd)/traces" "$tap_dir/$1/traces"
	cat >"$tap_dir/$1/bin/babeltrace2" <<END
#!/bin/sh
exec env ${plugin_preload:+LD_PRELOAD="$plugin_preload"} "$(command -v babeltrace2)" "\$@"
END
	chmod +x "$tap_dir/$1/bin/babeltrace2"
	while IFS= read -r line; do
		(
			cd "$tap_dir/$1" || exit 99
			BABELTRACE_PLUGIN_PATH=$2
			PATH=$tap_dir/$1/bin:$3:$PATH
			export PATH BABELTRACE_PLUGIN_PATH
			timeout -k 5 300 sh -c "$line"
		) >"$tap_dir/out" 2>"$tap_dir/err" </dev/null
		status=$?
		case $line in
		*path=\"*) ;; # it writes to a file
		*) [ -s "$tap_dir/out" ] || status=nothing ;;
		esac
		if [ "$status" = 0 ] && ! grep -q 'ERROR' "$tap_dir/err"; then
			pass "$1: $line"
		else
			echo "status $status" >>"$tap_dir/err"
			fail "$1: $line" "$tap_dir/err"
		fi
	done <"$tap_dir/commands"
}

build=$(cd "$top_builddir" && pwd)
run_all build "$build/.libs" "$build"

# Installed below a directory of its own; whatever make is running this is not to interfere.
if (unset MAKEFLAGS MFLAGS MAKELEVEL; ${MAKE:-make} -C "$build" install DESTDIR="$tap_dir/root") \
	>"$tap_dir/log" 2>&1; then
	plugin=$(find "$tap_dir/root" -name 'babeltrace-plugin-waitpath.so')
	program=$(find "$tap_dir/root" -name waitpath -type f -path '*/bin/*')
	run_all installed "${plugin%/*}" "${program%/*}"
	find "$tap_dir/root" -name '*.so' -exec ldd {} + 2>/dev/null | grep "=> $build" >"$tap_dir/wrong"
	check "what is installed needs nothing of the build tree" "$tap_dir/wrong"
else
	tail -n 5 "$tap_dir/log" >"$tap_dir/err"
	fail "make install" "$tap_dir/err"
fi
tap_done
