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
	viewer/model/wpv-document.h \
	viewer/model/wpv-history.h \
	viewer/model/wpv-row-list.h \
	viewer/model/wpv-row.h \
	viewer/model/wpv-session-private.h \
	viewer/model/wpv-session.h \
	viewer/model/wpv-style.h \
	viewer/model/wpv-answer.c \
	viewer/model/wpv-arrow-index.c \
	viewer/model/wpv-document.c \
	viewer/model/wpv-history.c \
	viewer/model/wpv-row-list.c \
	viewer/model/wpv-session-item.c \
	viewer/model/wpv-session.c \
	viewer/model/wpv-style.c

viewer_test_lib = tests/lib/random-graph.c tests/lib/random-graph.h tests/lib/sample-graph.c \
	tests/lib/sample-graph.h

check_PROGRAMS += tests/test-viewer-model
TESTS += tests/test-viewer-model
tests_test_viewer_model_SOURCES = tests/test-viewer-model.c $(viewer_test_lib)
tests_test_viewer_model_CPPFLAGS = $(viewer_cppflags)
tests_test_viewer_model_LDADD = $(viewer_libs)
endif
