# SPDX-License-Identifier: MIT
libwaitpath_la_SOURCES += \
	src/event/event.h \
	src/event/layout.h \
	src/event/merge.h \
	src/event/reader.h \
	src/event/event.c \
	src/event/reader.c
