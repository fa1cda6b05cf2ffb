# SPDX-License-Identifier: MIT
libwaitpath_la_SOURCES += \
	src/session/session.h \
	src/session/session-private.h \
	src/session/discover.c \
	src/session/discover.h \
	src/session/events.c \
	src/session/events.h \
	src/session/feed.c \
	src/session/feed.h \
	src/session/hosts.c \
	src/session/load.c \
	src/session/making.c \
	src/session/needs.c \
	src/session/question.c \
	src/session/question.h \
	src/session/select.c \
	src/session/session.c \
	src/session/time.c
