# SPDX-License-Identifier: MIT
#
# What measures: a generator of traces of any size, and make bench.
check_PROGRAMS += tests/perf/generate
tests_perf_generate_SOURCES = \
	tests/perf/generate.c \
	tests/perf/machine.c \
	tests/perf/machine.h \
	tests/perf/machine-emit.c \
	tests/perf/machine-private.h
tests_perf_generate_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_perf_generate_LDADD = tests/lib/libtest.la $(GLIB_LIBS)

check_PROGRAMS += tests/perf/measure
tests_perf_measure_SOURCES = tests/perf/measure.c
tests_perf_measure_LDADD = $(test_ldadd)

# make bench: the table of what is to be reached and what was; BENCH_LARGE=1 goes up to 100 M
# events (20 GB of disk, half an hour), BENCH_ONLY names rows by a pattern.
BENCH_DIR = $(abs_top_builddir)/bench
BENCH_LARGE =
BENCH_ONLY =
EXTRA_DIST += tests/perf/bench.py tests/perf/sync-filter.sh
bench: all tests/perf/generate tests/perf/measure $(bench_programs)
	$(AM_TESTS_ENVIRONMENT) /usr/bin/python3 '$(srcdir)/tests/perf/bench.py' \
		--dir '$(BENCH_DIR)' --builddir '$(abs_top_builddir)' \
		--srcdir '$(abs_top_srcdir)' --only '$(BENCH_ONLY)' $(if $(BENCH_LARGE),--large)
clean-local: bench-clean
bench-clean:
	rm -rf '$(abs_top_builddir)/bench'
