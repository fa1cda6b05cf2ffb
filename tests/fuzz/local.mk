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
EXTRA_DIST += tests/fuzz/replay.c

check_PROGRAMS += \
	tests/fuzz/fuzz-ctf-metadata \
	tests/fuzz/fuzz-ctf-packets \
	tests/fuzz/fuzz-graph \
	tests/fuzz/fuzz-layout \
	tests/fuzz/fuzz-trace \
	tests/fuzz/write-seeds

tests_fuzz_fuzz_ctf_metadata_SOURCES = tests/fuzz/fuzz-ctf-metadata.c $(fuzz_sources)
tests_fuzz_fuzz_ctf_metadata_LDADD = $(test_ldadd)
tests_fuzz_fuzz_ctf_metadata_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_ctf_packets_SOURCES = tests/fuzz/fuzz-ctf-packets.c $(fuzz_sources)
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
	tests/fuzz/ctf-packets/large

tests_fuzz_fuzz_graph_SOURCES = tests/fuzz/fuzz-graph.c $(fuzz_sources)
tests_fuzz_fuzz_graph_LDADD = $(test_ldadd)
tests_fuzz_fuzz_graph_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_layout_SOURCES = tests/fuzz/fuzz-layout.c $(fuzz_sources)
tests_fuzz_fuzz_layout_LDADD = $(test_ldadd)
tests_fuzz_fuzz_layout_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_fuzz_trace_SOURCES = tests/fuzz/fuzz-trace.c $(fuzz_sources)
tests_fuzz_fuzz_trace_LDADD = $(test_ldadd)
tests_fuzz_fuzz_trace_LDFLAGS = $(fuzz_ldflags)

tests_fuzz_write_seeds_SOURCES = tests/fuzz/write-seeds.c \
	tests/lib/random-graph.c tests/lib/random-graph.h
tests_fuzz_write_seeds_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_fuzz_write_seeds_LDADD = tests/lib/libtest.la $(test_ldadd)

dist_check_SCRIPTS += tests/fuzz.sh
TESTS += tests/fuzz.sh
