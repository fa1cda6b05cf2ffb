# SPDX-License-Identifier: MIT
#
# Tests speak TAP. A C test is a line in test_programs and its sources below; a shell test
# is a line in test_scripts; data that tests read goes to EXTRA_DIST.
TEST_EXTENSIONS = .sh
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
SH_LOG_DRIVER = $(LOG_DRIVER)
# Gives viewer tests an X server of their own.
LOG_COMPILER = $(top_srcdir)/tests/run-test
# Where tests run: no other language, time zone or display than these; GTK draws by Cairo and does
# not look for OpenGL, whose drivers, where there are any, leak what they allocate to answer that.
# doc/HACKING.md says what the rest means.
AM_TESTS_ENVIRONMENT = \
	LC_ALL=C.UTF-8 TZ=UTC G_DEBUG=fatal-criticals \
	GDK_BACKEND=x11 GSK_RENDERER=cairo GDK_DEBUG=gl-disable GTK_A11Y=test \
	G_TEST_SRCDIR='$(abs_top_srcdir)/tests' G_TEST_BUILDDIR='$(abs_top_builddir)/tests' \
	top_srcdir='$(abs_top_srcdir)' top_builddir='$(abs_top_builddir)' \
	WAITPATH_SHARED="$${WAITPATH_SHARED:-$(abs_top_srcdir)/../shared}" \
	WAITPATH_SANITIZERS='$(sanitizers)' WAITPATH_CFLAGS='$(CFLAGS)'; \
	export LC_ALL TZ G_DEBUG GDK_BACKEND GSK_RENDERER GDK_DEBUG GTK_A11Y G_TEST_SRCDIR \
	G_TEST_BUILDDIR \
	top_srcdir top_builddir WAITPATH_SHARED WAITPATH_SANITIZERS WAITPATH_CFLAGS;

EXTRA_DIST += tests/run-test tests/lsan.supp tests/requests-truth.py tests/lib/tap.sh tests/lib/perfetto.proto tests/lib/stand-in tests/declined tests/fixtures tests/golden tests/lib/damaged.py tests/lib/hostile.py tests/lib/stepped-calls.awk tests/read-exports.py tests/raw-events.py

test_scripts = \
	tests/callgrind.sh \
	tests/cli-compare.sh \
	tests/cli-clocks.sh \
	tests/cli-damaged.sh \
	tests/cli-export.sh \
	tests/exports-speedscope.sh \
	tests/cli-help.sh \
	tests/cli-hostile.sh \
	tests/cli-interrupted.sh \
	tests/cli-jobs.sh \
	tests/cli-schemas.sh \
	tests/cli-traces.sh \
	tests/declined.sh \
	tests/fixture-formats.sh \
	tests/golden.sh \
	tests/late-libraries.sh \
	tests/max-memory.sh \
	tests/meta-files.sh \
	tests/meta-includes.sh \
	tests/meta-library.sh \
	tests/perf.sh \
	tests/raw-events.sh \
	tests/readme.sh \
	tests/requests-truth.sh \
	tests/path-traces.sh \
	tests/slurm.sh \
	tests/sync-traces.sh \
	tests/threads.sh
dist_check_SCRIPTS += $(test_scripts)
TESTS += $(test_scripts)

# A unit test: one line in test_programs and its sources below.
test_programs = \
	tests/test-base \
	tests/test-cancel \
	tests/test-fixtures \
	tests/test-export \
	tests/test-session \
	tests/test-clock-map \
	tests/test-ctf-decode \
	tests/test-closure \
	tests/test-envelope \
	tests/test-hull \
	tests/test-match \
	tests/test-sync \
	tests/test-ctf-random \
	tests/test-ctf-traces \
	tests/test-ctf-tsdl \
	tests/test-differential \
	tests/test-late-library \
	tests/test-layout \
	tests/test-xml \
	tests/test-merge \
	tests/test-graph-file \
	tests/test-path \
	tests/test-readers \
	tests/test-prefix \
	tests/test-blockers \
	tests/test-order \
	tests/test-requests \
	tests/test-recorded-tasks \
	tests/test-cut \
	tests/test-thinned \
	tests/test-out
check_PROGRAMS += $(test_programs)
TESTS += $(test_programs)
test_ldadd = libwaitpath.la $(GLIB_LIBS)

# What tests share: a writer of CTF traces, and fixtures in text.
check_LTLIBRARIES += tests/lib/libtest.la
tests_lib_libtest_la_SOURCES = \
	tests/lib/ctf-writer.h \
	tests/lib/ctf-writer.c \
	tests/lib/event-text.h \
	tests/lib/event-text.c \
	tests/lib/fixture.h \
	tests/lib/fixture.c \
	tests/lib/fixture-classes.h
tests_lib_libtest_la_LIBADD = $(GLIB_LIBS)

# A tool, and what the fixtures' own test runs: make tests/fixture2ctf
check_PROGRAMS += tests/fixture2ctf
tests_fixture2ctf_SOURCES = tests/fixture2ctf.c
tests_fixture2ctf_LDADD = tests/lib/libtest.la $(GLIB_LIBS)

tests_test_base_SOURCES = tests/test-base.c
tests_test_base_LDADD = $(test_ldadd)

tests_test_cancel_SOURCES = tests/test-cancel.c
tests_test_cancel_LDADD = $(test_ldadd)

tests_test_clock_map_SOURCES = tests/test-clock-map.c
tests_test_clock_map_LDADD = $(test_ldadd)

tests_test_ctf_decode_SOURCES = tests/test-ctf-decode.c
tests_test_ctf_decode_LDADD = $(test_ldadd)

tests_test_ctf_tsdl_SOURCES = tests/test-ctf-tsdl.c
tests_test_ctf_tsdl_LDADD = $(test_ldadd)

tests_test_closure_SOURCES = tests/test-closure.c
tests_test_closure_LDADD = $(test_ldadd)

# Hosts that hold packets only.
packet_sources = tests/lib/packet-host.c tests/lib/packet-host.h

tests_test_match_SOURCES = tests/test-match.c $(packet_sources)
tests_test_match_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_test_match_LDADD = $(test_ldadd)

tests_test_sync_SOURCES = tests/test-sync.c $(packet_sources)
tests_test_sync_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_test_sync_LDADD = $(test_ldadd)

tests_test_hull_SOURCES = tests/test-hull.c
tests_test_hull_LDADD = $(test_ldadd)

tests_test_envelope_SOURCES = tests/test-envelope.c
tests_test_envelope_LDADD = $(test_ldadd)

tests_test_ctf_random_SOURCES = tests/test-ctf-random.c
tests_test_ctf_random_LDADD = $(test_ldadd)

tests_test_ctf_traces_SOURCES = tests/test-ctf-traces.c
tests_test_ctf_traces_LDADD = $(test_ldadd)

tests_test_differential_SOURCES = tests/test-differential.c
tests_test_differential_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_test_differential_LDADD = tests/lib/libtest.la $(test_ldadd)

tests_test_late_library_SOURCES = tests/test-late-library.c
tests_test_late_library_LDADD = $(test_ldadd)

tests_test_xml_SOURCES = tests/test-xml.c
tests_test_xml_LDADD = $(test_ldadd)

tests_test_layout_SOURCES = tests/test-layout.c
tests_test_layout_LDADD = $(test_ldadd)

tests_test_merge_SOURCES = tests/test-merge.c
tests_test_merge_LDADD = $(test_ldadd)

tests_test_export_SOURCES = tests/test-export.c $(hand_sources)
tests_test_export_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_test_export_LDADD = $(test_ldadd)

tests_test_session_SOURCES = tests/test-session.c
tests_test_session_LDADD = $(test_ldadd)
tests_test_out_SOURCES = tests/test-out.c
tests_test_out_LDADD = $(test_ldadd)

tests_test_graph_file_SOURCES = tests/test-graph-file.c tests/lib/random-graph.c \
	tests/lib/random-graph.h
tests_test_graph_file_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_test_graph_file_LDADD = $(test_ldadd)

# Random executions, and the path told a second time.
random_sources = tests/lib/path-oracle.c tests/lib/path-oracle.h \
	tests/lib/random-graph.c tests/lib/random-graph.h

# Small graphs written by hand.
hand_sources = tests/lib/hand-graph.c tests/lib/hand-graph.h

tests_test_path_SOURCES = tests/test-path.c $(random_sources) $(hand_sources)
tests_test_path_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_test_path_LDADD = $(test_ldadd)

tests_test_readers_SOURCES = tests/test-readers.c
tests_test_readers_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_test_readers_LDADD = tests/lib/libtest.la $(test_ldadd)

# A helper of tests that compare the readers.
check_PROGRAMS += tests/dump-events
tests_dump_events_SOURCES = tests/dump-events.c
tests_dump_events_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_dump_events_LDADD = tests/lib/libtest.la $(test_ldadd)

# What tests/raw-events.sh compares with babeltrace2.
check_PROGRAMS += tests/raw-events
tests_raw_events_SOURCES = tests/raw-events.c
tests_raw_events_LDADD = $(test_ldadd)

tests_test_prefix_SOURCES = tests/test-prefix.c $(random_sources) $(hand_sources)
tests_test_prefix_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_test_prefix_LDADD = $(test_ldadd)

tests_test_order_SOURCES = tests/test-order.c $(hand_sources)
tests_test_order_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_test_order_LDADD = $(test_ldadd)

tests_test_blockers_SOURCES = tests/test-blockers.c $(random_sources) $(hand_sources)
tests_test_blockers_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_test_blockers_LDADD = $(test_ldadd)

tests_test_requests_SOURCES = tests/test-requests.c $(random_sources) $(hand_sources)
tests_test_requests_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_test_requests_LDADD = $(test_ldadd)

tests_test_fixtures_SOURCES = tests/test-fixtures.c
tests_test_fixtures_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_test_fixtures_LDADD = tests/lib/libtest.la $(test_ldadd)

tests_test_recorded_tasks_SOURCES = tests/test-recorded-tasks.c
tests_test_recorded_tasks_LDADD = $(test_ldadd)

tests_test_cut_SOURCES = tests/test-cut.c tests/lib/random-graph.c tests/lib/random-graph.h
tests_test_cut_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_test_cut_LDADD = tests/lib/libtest.la $(test_ldadd)

tests_test_thinned_SOURCES = tests/test-thinned.c
tests_test_thinned_LDADD = $(test_ldadd)

# make soak: random commands, options, windows and damaged traces, each answer checked in itself.
EXTRA_DIST += tests/soak/soak.py
SOAK_RUNS = 1000
soak: waitpath
	/usr/bin/python3 '$(srcdir)/tests/soak/soak.py' --tool '$(abs_top_builddir)/waitpath' \
		--schemas '$(srcdir)/doc/schema' --runs $(SOAK_RUNS) '$(srcdir)/traces/samples' $(SOAK)

include $(top_srcdir)/tests/perf/local.mk
