# SPDX-License-Identifier: MIT
libwaitpath_la_SOURCES += \
	src/export/describe.h \
	src/export/exporter.h \
	src/export/exporter-private.h \
	src/export/format.h \
	src/export/format-private.h \
	src/export/json-private.h \
	src/export/report.h \
	src/export/saved.h \
	src/export/sentence.h \
	src/export/stacks.h \
	src/export/flame-private.h \
	src/export/svg-private.h \
	src/export/text-private.h \
	src/export/totals.h \
	src/export/units.h \
	src/export/walk.h \
	src/export/xml-private.h \
	src/export/describe.c \
	src/export/export-chrome.c \
	src/export/export-flame.c \
	src/export/export-graphml.c \
	src/export/export-otlp.c \
	src/export/export-perfetto.c \
	src/export/export-speedscope.c \
	src/export/export-timeline.c \
	src/export/export-xml.c \
	src/export/exporter.c \
	src/export/format.c \
	src/export/format-csv.c \
	src/export/format-folded.c \
	src/export/format-json.c \
	src/export/csv-views.c \
	src/export/json-views.c \
	src/export/report.c \
	src/export/saved.c \
	src/export/sentence.c \
	src/export/stacks.c \
	src/export/flame.c \
	src/export/format-svg.c \
	src/export/text.c \
	src/export/text-check.c \
	src/export/text-path.c \
	src/export/text-sync.c \
	src/export/text-tasks.c \
	src/export/text-views.c \
	src/export/totals.c \
	src/export/svg.c \
	src/export/units.c \
	src/export/walk.c \
	src/export/xml.c

if HAVE_SQLITE
libwaitpath_la_SOURCES += src/export/export-sqlite.c
libwaitpath_la_CPPFLAGS += $(SQLITE_CFLAGS)
endif
