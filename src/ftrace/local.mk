# SPDX-License-Identifier: MIT
libwaitpath_la_SOURCES += \
	src/ftrace/ftrace-reader.h \
	src/ftrace/trace-dat.h \
	src/ftrace/trace-dat-private.h \
	src/ftrace/cursor.c \
	src/ftrace/event-format.c \
	src/ftrace/ftrace-reader.c \
	src/ftrace/inflate.c \
	src/ftrace/trace-dat.c
