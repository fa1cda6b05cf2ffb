# SPDX-License-Identifier: MIT
#
# The viewer: model (no widget) and view (no analysis). Its own tests are registered here.
if HAVE_VIEWER
viewer_cppflags = $(AM_CPPFLAGS) -I$(top_srcdir) -I$(top_builddir) $(VIEWER_CPPFLAGS) \
	$(VIEWER_CFLAGS) $(XML_CFLAGS)
viewer_libs = libwpv.la libwaitpath.la $(VIEWER_LIBS) $(XML_LIBS) $(GLIB_LIBS)

noinst_LTLIBRARIES += libwpv.la
libwpv_la_CPPFLAGS = $(viewer_cppflags)
libwpv_la_SOURCES = \
	viewer/model/wpv-answer.h \
	viewer/model/wpv-arrow-index.h \
	viewer/model/wpv-breakdown.h \
	viewer/model/wpv-document.h \
	viewer/model/wpv-facts.h \
	viewer/model/wpv-flame.h \
	viewer/model/wpv-history.h \
	viewer/model/wpv-loader.h \
	viewer/model/wpv-row-list.h \
	viewer/model/wpv-row.h \
	viewer/model/wpv-search.h \
	viewer/model/wpv-segment-list.h \
	viewer/model/wpv-session-private.h \
	viewer/model/wpv-session.h \
	viewer/model/wpv-state.h \
	viewer/model/wpv-style.h \
	viewer/model/wpv-task-list.h \
	viewer/model/wpv-answer.c \
	viewer/model/wpv-arrow-index.c \
	viewer/model/wpv-breakdown.c \
	viewer/model/wpv-document.c \
	viewer/model/wpv-facts.c \
	viewer/model/wpv-flame.c \
	viewer/model/wpv-history.c \
	viewer/model/wpv-loader.c \
	viewer/model/wpv-row-list.c \
	viewer/model/wpv-search.c \
	viewer/model/wpv-segment-list.c \
	viewer/model/wpv-session-item.c \
	viewer/model/wpv-session.c \
	viewer/model/wpv-state.c \
	viewer/model/wpv-style.c \
	viewer/model/wpv-task-list.c

viewer_test_lib = tests/lib/random-graph.c tests/lib/random-graph.h tests/lib/sample-graph.c \
	tests/lib/sample-graph.h

viewer_tests = tests/test-viewer-data tests/test-viewer-model
check_PROGRAMS += $(viewer_tests)
TESTS += $(viewer_tests)
tests_test_viewer_data_SOURCES = tests/test-viewer-data.c $(viewer_test_lib)
tests_test_viewer_data_CPPFLAGS = $(viewer_cppflags)
tests_test_viewer_data_LDADD = $(viewer_libs)
tests_test_viewer_model_SOURCES = tests/test-viewer-model.c $(viewer_test_lib)
tests_test_viewer_model_CPPFLAGS = $(viewer_cppflags)
tests_test_viewer_model_LDADD = $(viewer_libs)
endif
