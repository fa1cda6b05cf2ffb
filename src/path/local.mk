# SPDX-License-Identifier: MIT
libwaitpath_la_SOURCES += \
	src/path/blockers.h \
	src/path/breakdown.h \
	src/path/compare.h \
	src/path/edge.h \
	src/path/followed.h \
	src/path/path.h \
	src/path/pollers.h \
	src/path/prefix.h \
	src/path/reasons.h \
	src/path/requests.h \
	src/path/rests.h \
	src/path/segments.h \
	src/path/split.h \
	src/path/wait.h \
	src/path/without.h \
	src/path/blockers.c \
	src/path/breakdown.c \
	src/path/compare.c \
	src/path/edge.c \
	src/path/followed.c \
	src/path/knots.c \
	src/path/path.c \
	src/path/pollers.c \
	src/path/prefix.c \
	src/path/reasons.c \
	src/path/requests.c \
	src/path/rests.c \
	src/path/segments.c \
	src/path/split-markers.c \
	src/path/split-packets.c \
	src/path/wait.c \
	src/path/waited.c \
	src/path/without.c
