# SPDX-License-Identifier: MIT
libwaitpath_la_SOURCES += \
	src/base/arena.h \
	src/base/bus.h \
	src/base/cancel.h \
	src/base/column.h \
	src/base/error.h \
	src/base/finding.h \
	src/base/interrupt.h \
	src/base/intmap.h \
	src/base/json.h \
	src/base/json-reader.h \
	src/base/late-library.h \
	src/base/out.h \
	src/base/phase.h \
	src/base/recent.h \
	src/base/strings.h \
	src/base/types.h \
	src/base/whole-file.h \
	src/base/words.h \
	src/base/thread.h \
	src/base/types.c \
	src/base/arena.c \
	src/base/bus.c \
	src/base/cancel.c \
	src/base/whole-file.c \
	src/base/column.c \
	src/base/interrupt.c \
	src/base/intmap.c \
	src/base/json.c \
	src/base/json-reader.c \
	src/base/late-library.c \
	src/base/out.c \
	src/base/phase.c \
	src/base/strings.c \
	src/base/finding.c \
	src/base/words.c

# What is loaded to trace waitpath itself.
EXTRA_DIST += src/base/phase-events.h src/base/phase-provider.c
if HAVE_UST
pkglib_LTLIBRARIES += libwaitpath-trace.la
libwaitpath_trace_la_SOURCES = src/base/phase-events.h src/base/phase-provider.c
libwaitpath_trace_la_CPPFLAGS = $(AM_CPPFLAGS) $(UST_CFLAGS)
libwaitpath_trace_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -no-undefined
libwaitpath_trace_la_LIBADD = $(UST_LIBS)
endif
