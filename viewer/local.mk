# SPDX-License-Identifier: MIT
#
# The viewer: model (no widget) and view (no analysis). Its own tests are registered here.
viewer_desktop_files = \
	viewer/data/org.waitpath.Viewer.desktop \
	viewer/data/org.waitpath.Viewer.metainfo.xml \
	viewer/data/org.waitpath.Viewer.mime.xml
EXTRA_DIST += \
	$(viewer_desktop_files) \
	doc/pictures/make.sh \
	doc/pictures/viewer.png \
	doc/pictures/viewer-call.png \
	doc/schema/waitpath-view-1.json \
	tests/golden/viewer/band.node \
	tests/golden/viewer/marks.node \
	tests/golden/viewer/rows.node \
	viewer/data/org.waitpath.Viewer.svg \
	viewer/data/wpv-shortcuts.ui \
	viewer/data/wpv-style.css \
	viewer/data/wpv-window.ui \
	viewer/data/wpv.gresource.xml

dist_check_SCRIPTS += tests/viewer.sh
TESTS += tests/viewer.sh

.PHONY: screenshots
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
	viewer/model/wpv-cancel.h \
	viewer/model/wpv-document.h \
	viewer/model/wpv-dump.h \
	viewer/model/wpv-events.h \
	viewer/model/wpv-facts.h \
	viewer/model/wpv-flame.h \
	viewer/model/wpv-history.h \
	viewer/model/wpv-loader.h \
	viewer/model/wpv-requests.h \
	viewer/model/wpv-row.h \
	viewer/model/wpv-row-list.h \
	viewer/model/wpv-search.h \
	viewer/model/wpv-segment-list.h \
	viewer/model/wpv-session.h \
	viewer/model/wpv-session-private.h \
	viewer/model/wpv-state.h \
	viewer/model/wpv-style.h \
	viewer/model/wpv-task-list.h \
	viewer/model/wpv-answer.c \
	viewer/model/wpv-arrow-index.c \
	viewer/model/wpv-breakdown.c \
	viewer/model/wpv-cancel.c \
	viewer/model/wpv-document.c \
	viewer/model/wpv-dump.c \
	viewer/model/wpv-events.c \
	viewer/model/wpv-facts.c \
	viewer/model/wpv-flame.c \
	viewer/model/wpv-history.c \
	viewer/model/wpv-loader.c \
	viewer/model/wpv-requests.c \
	viewer/model/wpv-row-list.c \
	viewer/model/wpv-search.c \
	viewer/model/wpv-segment-list.c \
	viewer/model/wpv-session.c \
	viewer/model/wpv-session-item.c \
	viewer/model/wpv-state.c \
	viewer/model/wpv-style.c \
	viewer/model/wpv-task-list.c \
	viewer/view/wpv-application.h \
	viewer/view/wpv-band.h \
	viewer/view/wpv-breakdown-pane.h \
	viewer/view/wpv-canvas.h \
	viewer/view/wpv-columns.h \
	viewer/view/wpv-details.h \
	viewer/view/wpv-events-view.h \
	viewer/view/wpv-export.h \
	viewer/view/wpv-findings-pane.h \
	viewer/view/wpv-flame-view.h \
	viewer/view/wpv-header.h \
	viewer/view/wpv-legend.h \
	viewer/view/wpv-painter.h \
	viewer/view/wpv-painter-private.h \
	viewer/view/wpv-range-button.h \
	viewer/view/wpv-requests-pane.h \
	viewer/view/wpv-ruler.h \
	viewer/view/wpv-scheme.h \
	viewer/view/wpv-search-line.h \
	viewer/view/wpv-segments-pane.h \
	viewer/view/wpv-task-chooser.h \
	viewer/view/wpv-window.h \
	viewer/view/wpv-window-private.h \
	viewer/view/wpv-application.c \
	viewer/view/wpv-band.c \
	viewer/view/wpv-breakdown-pane.c \
	viewer/view/wpv-canvas.c \
	viewer/view/wpv-columns.c \
	viewer/view/wpv-details.c \
	viewer/view/wpv-events-view.c \
	viewer/view/wpv-export.c \
	viewer/view/wpv-findings-pane.c \
	viewer/view/wpv-flame-view.c \
	viewer/view/wpv-header.c \
	viewer/view/wpv-legend.c \
	viewer/view/wpv-painter.c \
	viewer/view/wpv-painter-bars.c \
	viewer/view/wpv-painter-labels.c \
	viewer/view/wpv-painter-marks.c \
	viewer/view/wpv-range-button.c \
	viewer/view/wpv-requests-pane.c \
	viewer/view/wpv-ruler.c \
	viewer/view/wpv-scheme.c \
	viewer/view/wpv-search-line.c \
	viewer/view/wpv-segments-pane.c \
	viewer/view/wpv-task-chooser.c \
	viewer/view/wpv-window.c \
	viewer/view/wpv-window-actions.c \
	viewer/view/wpv-window-status.c
nodist_libwpv_la_SOURCES = viewer/wpv-resource.c viewer/wpv-resource.h

viewer_resource = viewer/data/wpv.gresource.xml
viewer_resource_files = \
	viewer/data/org.waitpath.Viewer.svg \
	viewer/data/wpv-shortcuts.ui \
	viewer/data/wpv-style.css \
	viewer/data/wpv-window.ui
viewer_compile_resource = $(AM_V_GEN)$(MKDIR_P) viewer && $(GLIB_COMPILE_RESOURCES) \
	--sourcedir=$(srcdir)/viewer/data --c-name wpv --manual-register --target=$@ \
	$(srcdir)/$(viewer_resource)
viewer/wpv-resource.c: $(viewer_resource) $(viewer_resource_files)
	$(viewer_compile_resource) --generate-source
viewer/wpv-resource.h: $(viewer_resource) $(viewer_resource_files)
	$(viewer_compile_resource) --generate-header
BUILT_SOURCES += viewer/wpv-resource.h
viewer/view/libwpv_la-wpv-application.lo viewer/view/libwpv_la-wpv-window.lo: \
	viewer/wpv-resource.h
CLEANFILES += viewer/wpv-resource.c viewer/wpv-resource.h

bin_PROGRAMS += waitpath-viewer
waitpath_viewer_CPPFLAGS = $(viewer_cppflags)
waitpath_viewer_SOURCES = viewer/main.c
waitpath_viewer_LDADD = $(viewer_libs)

applicationsdir = $(datadir)/applications
applications_DATA = viewer/data/org.waitpath.Viewer.desktop
metainfodir = $(datadir)/metainfo
metainfo_DATA = viewer/data/org.waitpath.Viewer.metainfo.xml
mimedir = $(datadir)/mime/packages
mime_DATA = viewer/data/org.waitpath.Viewer.mime.xml
iconsdir = $(datadir)/icons/hicolor/scalable/apps
icons_DATA = viewer/data/org.waitpath.Viewer.svg

# The pictures of README.md and the manual page, drawn anew.
screenshots: waitpath-viewer
	sh '$(srcdir)/doc/pictures/make.sh' ./waitpath-viewer '$(srcdir)/doc/pictures'

viewer_test_lib = tests/lib/random-graph.c tests/lib/random-graph.h tests/lib/sample-graph.c \
	tests/lib/sample-graph.h

viewer_driver = tests/lib/viewer-driver.c tests/lib/viewer-driver.h
viewer_cases = tests/lib/viewer-cases.c tests/lib/viewer-cases.h

viewer_tests = tests/test-viewer-choices tests/test-viewer-data tests/test-viewer-dialogs \
	tests/test-viewer-events \
	tests/test-viewer-model tests/test-viewer-scheme tests/test-viewer-select \
	tests/test-viewer-time tests/test-viewer-window
check_PROGRAMS += $(viewer_tests)
TESTS += $(viewer_tests)
tests_test_viewer_data_SOURCES = tests/test-viewer-data.c $(viewer_test_lib)
tests_test_viewer_data_CPPFLAGS = $(viewer_cppflags)
tests_test_viewer_data_LDADD = $(viewer_libs)
tests_test_viewer_events_SOURCES = tests/test-viewer-events.c $(viewer_test_lib)
tests_test_viewer_events_CPPFLAGS = $(viewer_cppflags)
tests_test_viewer_events_LDADD = $(viewer_libs)
tests_test_viewer_choices_SOURCES = tests/test-viewer-choices.c $(viewer_test_lib) \
	$(viewer_driver) $(viewer_cases)
tests_test_viewer_choices_CPPFLAGS = $(viewer_cppflags)
tests_test_viewer_choices_LDADD = $(viewer_libs)
tests_test_viewer_dialogs_SOURCES = tests/test-viewer-dialogs.c $(viewer_test_lib) \
	$(viewer_driver) $(viewer_cases)
tests_test_viewer_dialogs_CPPFLAGS = $(viewer_cppflags)
tests_test_viewer_dialogs_LDADD = $(viewer_libs)
tests_test_viewer_select_SOURCES = tests/test-viewer-select.c $(viewer_test_lib) \
	$(viewer_driver) $(viewer_cases)
tests_test_viewer_select_CPPFLAGS = $(viewer_cppflags)
tests_test_viewer_select_LDADD = $(viewer_libs)
tests_test_viewer_time_SOURCES = tests/test-viewer-time.c $(viewer_test_lib) \
	$(viewer_driver) $(viewer_cases)
tests_test_viewer_time_CPPFLAGS = $(viewer_cppflags)
tests_test_viewer_time_LDADD = $(viewer_libs)
tests_test_viewer_model_SOURCES = tests/test-viewer-model.c $(viewer_test_lib)
tests_test_viewer_model_CPPFLAGS = $(viewer_cppflags)
tests_test_viewer_model_LDADD = $(viewer_libs)
tests_test_viewer_scheme_SOURCES = tests/test-viewer-scheme.c
tests_test_viewer_scheme_CPPFLAGS = $(viewer_cppflags)
tests_test_viewer_scheme_LDADD = $(viewer_libs)
tests_test_viewer_window_SOURCES = tests/test-viewer-window.c $(viewer_test_lib) \
	$(viewer_driver)
tests_test_viewer_window_CPPFLAGS = $(viewer_cppflags)
tests_test_viewer_window_LDADD = $(viewer_libs)

# What measures frames: built when it is asked for, as make bench does.
EXTRA_PROGRAMS += tests/perf/viewer-frames
bench_programs += tests/perf/viewer-frames
CLEANFILES += tests/perf/viewer-frames
tests_perf_viewer_frames_SOURCES = tests/perf/viewer-frames.c $(viewer_test_lib)
tests_perf_viewer_frames_CPPFLAGS = $(viewer_cppflags)
tests_perf_viewer_frames_LDADD = $(viewer_libs)
endif
