# SPDX-License-Identifier: MIT
libwaitpath_la_SOURCES += \
	src/graph/clock-map.h \
	src/graph/ends.h \
	src/graph/graph.h \
	src/graph/host.h \
	src/graph/clock-map.c \
	src/graph/ends.c \
	src/graph/graph.c \
	src/graph/host.c \
	src/graph/check.c \
	src/graph/check.h \
	src/graph/file.c \
	src/graph/file.h
