# SPDX-License-Identifier: MIT
libwaitpath_la_SOURCES += \
	src/export/describe.h \
	src/export/format.h \
	src/export/format-private.h \
	src/export/json-private.h \
	src/export/report.h \
	src/export/sentence.h \
	src/export/text-private.h \
	src/export/totals.h \
	src/export/units.h \
	src/export/describe.c \
	src/export/format.c \
	src/export/format-csv.c \
	src/export/format-folded.c \
	src/export/format-json.c \
	src/export/csv-views.c \
	src/export/json-views.c \
	src/export/report.c \
	src/export/sentence.c \
	src/export/text.c \
	src/export/text-check.c \
	src/export/text-path.c \
	src/export/text-sync.c \
	src/export/text-tasks.c \
	src/export/text-views.c \
	src/export/totals.c \
	src/export/units.c
