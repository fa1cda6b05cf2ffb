# SPDX-License-Identifier: MIT
libwaitpath_la_SOURCES += \
	src/path/edge.h \
	src/path/path.h \
	src/path/edge.c \
	src/path/path.c
