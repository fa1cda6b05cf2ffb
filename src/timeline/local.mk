# SPDX-License-Identifier: MIT
libwaitpath_la_SOURCES += \
	src/timeline/lod.h \
	src/timeline/series.h \
	src/timeline/lod.c \
	src/timeline/series-host.c \
	src/timeline/series.c

# Tests of this folder are registered here, beside its sources.
check_PROGRAMS += tests/test-timeline
TESTS += tests/test-timeline
tests_test_timeline_SOURCES = tests/test-timeline.c
tests_test_timeline_LDADD = libwaitpath.la $(GLIB_LIBS)
