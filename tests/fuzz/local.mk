# SPDX-License-Identifier: MIT
#
# Fuzz targets: one program each, with libFuzzer when configured so, else with a main()
# that replays files.
if FUZZING
fuzz_main =
else
fuzz_main = tests/fuzz/replay.c
endif
fuzz_sources = tests/fuzz/fuzz.c tests/fuzz/fuzz.h $(fuzz_main)
fuzz_ldflags = $(AM_LDFLAGS) $(FUZZER_LDFLAGS)
EXTRA_DIST += tests/fuzz/replay.c tests/fuzz/long.sh

check_PROGRAMS += \
	tests/fuzz/fuzz-ctf-metadata \
	tests/fuzz/fuzz-ctf-packets \
	tests/fuzz/fuzz-graph \
	tests/fuzz/fuzz-index \
	tests/fuzz/fuzz-layout \
	tests/fuzz/fuzz-plugin \
	tests/fuzz/fuzz-saved \
	tests/fuzz/fuzz-sync-file \
	tests/fuzz/fuzz-trace \
	tests/fuzz/fuzz-trace-dat \
	tests/fuzz/write-seeds

tests_fuzz_fuzz_ctf_metadata_SOURCES = tests/fuzz/fuzz-ctf-metadata.c $(fuzz_sources)
tests_fuzz_fuzz_ctf_metadata_LDADD = $(test_ldadd)
tests_fuzz_fuzz_ctf_metadata_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_ctf_packets_SOURCES = tests/fuzz/fuzz-ctf-packets.c \
	tests/fuzz/ctf-descriptions.h $(fuzz_sources)
tests_fuzz_fuzz_ctf_packets_LDADD = $(test_ldadd)
tests_fuzz_fuzz_ctf_packets_LDFLAGS = $(fuzz_ldflags)

# Seeds that are kept: small traces that hold every construct.
EXTRA_DIST += \
	tests/fuzz/ctf-metadata/lttng \
	tests/fuzz/ctf-metadata/packet \
	tests/fuzz/ctf-metadata/words \
	tests/fuzz/ctf-packets/bare \
	tests/fuzz/ctf-packets/compact-be \
	tests/fuzz/ctf-packets/compact-le \
	tests/fuzz/ctf-packets/large \
	tests/fuzz/graph/far-splits \
	tests/fuzz/index/one \
	tests/fuzz/index/three \
	tests/fuzz/plugin/same-member \
	tests/fuzz/plugin/time-overflow \
	tests/fuzz/saved/empty \
	tests/fuzz/saved/path \
	tests/fuzz/saved/tasks \
	tests/fuzz/sync-file/empty \
	tests/fuzz/sync-file/saved \
	tests/fuzz/sync-file/words \
	tests/fuzz/trace-dat/empty \
	tests/fuzz/trace-dat/offset \
	tests/fuzz/trace-dat/packed \
	tests/fuzz/trace-dat/packed-zstd \
	tests/fuzz/trace-dat/plain \
	tests/fuzz/view-state/settings \
	tests/fuzz/view-state/view

tests_fuzz_fuzz_graph_SOURCES = tests/fuzz/fuzz-graph.c $(fuzz_sources)
tests_fuzz_fuzz_graph_LDADD = $(test_ldadd)
tests_fuzz_fuzz_graph_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_index_SOURCES = tests/fuzz/fuzz-index.c $(fuzz_sources)
tests_fuzz_fuzz_index_LDADD = $(test_ldadd)
tests_fuzz_fuzz_index_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_layout_SOURCES = tests/fuzz/fuzz-layout.c $(fuzz_sources)
tests_fuzz_fuzz_layout_LDADD = $(test_ldadd)
tests_fuzz_fuzz_layout_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_plugin_SOURCES = tests/fuzz/fuzz-plugin.c $(fuzz_sources)
tests_fuzz_fuzz_plugin_CPPFLAGS = $(plugins_libplugin_la_CPPFLAGS)
tests_fuzz_fuzz_plugin_LDADD = plugins/libplugin.la $(test_ldadd)
tests_fuzz_fuzz_plugin_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_saved_SOURCES = tests/fuzz/fuzz-saved.c $(fuzz_sources)
tests_fuzz_fuzz_saved_LDADD = $(test_ldadd)
tests_fuzz_fuzz_saved_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_sync_file_SOURCES = tests/fuzz/fuzz-sync-file.c $(fuzz_sources)
tests_fuzz_fuzz_sync_file_LDADD = $(test_ldadd)
tests_fuzz_fuzz_sync_file_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_trace_SOURCES = tests/fuzz/fuzz-trace.c $(fuzz_sources)
tests_fuzz_fuzz_trace_LDADD = $(test_ldadd)
tests_fuzz_fuzz_trace_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_trace_dat_SOURCES = tests/fuzz/fuzz-trace-dat.c $(fuzz_sources)
tests_fuzz_fuzz_trace_dat_LDADD = $(test_ldadd)
tests_fuzz_fuzz_trace_dat_LDFLAGS = $(fuzz_ldflags)

if HAVE_VIEWER
check_PROGRAMS += tests/fuzz/fuzz-view-state
tests_fuzz_fuzz_view_state_SOURCES = tests/fuzz/fuzz-view-state.c $(fuzz_sources) \
	$(viewer_test_lib)
tests_fuzz_fuzz_view_state_CPPFLAGS = $(viewer_cppflags) -I$(top_srcdir)/tests
tests_fuzz_fuzz_view_state_LDADD = $(viewer_libs)
tests_fuzz_fuzz_view_state_LDFLAGS = $(fuzz_ldflags)
endif

tests_fuzz_write_seeds_SOURCES = tests/fuzz/write-seeds.c \
	tests/fuzz/ctf-descriptions.h \
	tests/lib/random-graph.c tests/lib/random-graph.h
tests_fuzz_write_seeds_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_fuzz_write_seeds_LDADD = tests/lib/libtest.la $(test_ldadd)

dist_check_SCRIPTS += tests/fuzz.sh
TESTS += tests/fuzz.sh
