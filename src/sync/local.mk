# SPDX-License-Identifier: MIT
libwaitpath_la_SOURCES += \
	src/sync/addresses.h \
	src/sync/clocks.h \
	src/sync/closure.h \
	src/sync/envelope.h \
	src/sync/hull.h \
	src/sync/island-private.h \
	src/sync/island.h \
	src/sync/match-private.h \
	src/sync/match.h \
	src/sync/pair.h \
	src/sync/points.h \
	src/sync/report.h \
	src/sync/send-index.h \
	src/sync/steps.h \
	src/sync/sync-file.h \
	src/sync/sync.h \
	src/sync/addresses.c \
	src/sync/clocks.c \
	src/sync/closure.c \
	src/sync/envelope.c \
	src/sync/hull.c \
	src/sync/island-rows.c \
	src/sync/island.c \
	src/sync/match-packet.c \
	src/sync/match-nat.c \
	src/sync/match.c \
	src/sync/pair.c \
	src/sync/points.c \
	src/sync/report.c \
	src/sync/send-index.c \
	src/sync/steps.c \
	src/sync/sync-file.c \
	src/sync/sync.c
