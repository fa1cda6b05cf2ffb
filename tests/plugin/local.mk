# SPDX-License-Identifier: MIT
#
# Tests of the Babeltrace 2 plugin, and a plugin of component classes that only they use.
EXTRA_DIST += tests/lib/plugin.sh tests/lib/path-check.py tests/lib/ctf-strict.py \
	tests/lib/same-fields.py tests/lib/sync-check.py tests/lib/trace-dat-tool.py tests/live/live-server.py \
	tests/live/replay-input.py tests/live/replay-layout.xml tests/live/replay-events.h \
	tests/live/replay.c tests/plugin/valgrind.supp

plugin_test_scripts = \
	tests/live/relayd.sh \
	tests/live/stand-in.sh \
	tests/plugin/classes.sh \
	tests/plugin/critical-path.sh \
	tests/plugin/ctf.sh \
	tests/plugin/documented.sh \
	tests/plugin/edges.sh \
	tests/plugin/mirror.sh \
	tests/plugin/summary.sh \
	tests/plugin/sync.sh \
	tests/plugin/trace-dat.sh \
	tests/plugin/valgrind.sh \
	tests/trace-dat-truth.sh
dist_check_SCRIPTS += $(plugin_test_scripts)
TESTS += $(plugin_test_scripts)

check_LTLIBRARIES += tests/babeltrace-plugin-waitpath-test.la
tests_babeltrace_plugin_waitpath_test_la_CPPFLAGS = $(plugins_libplugin_la_CPPFLAGS)
tests_babeltrace_plugin_waitpath_test_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared \
	-no-undefined -rpath /nowhere
tests_babeltrace_plugin_waitpath_test_la_LIBADD = plugins/libplugin.la
tests_babeltrace_plugin_waitpath_test_la_SOURCES = \
	tests/plugin/test-plugin.h \
	tests/plugin/test-plugin.c \
	tests/plugin/every.c \
	tests/plugin/test-live.c \
	tests/plugin/test-mirror.c

if HAVE_UST
check_PROGRAMS += tests/live/replay
tests_live_replay_SOURCES = tests/live/replay-events.h tests/live/replay.c tests/plugin/valgrind.supp
tests_live_replay_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir) $(UST_CFLAGS)
tests_live_replay_LDADD = $(GLIB_LIBS) $(UST_LIBS)
endif

test_programs += tests/test-ftrace
tests_test_ftrace_SOURCES = tests/test-ftrace.c
tests_test_ftrace_CPPFLAGS = $(AM_CPPFLAGS) $(TRACECMD_CFLAGS) $(ZLIB_CFLAGS) $(ZSTD_CFLAGS)
tests_test_ftrace_LDADD = $(test_ldadd) $(TRACECMD_LIBS) $(ZLIB_LIBS) $(ZSTD_LIBS)
