# SPDX-License-Identifier: MIT
libwaitpath_la_SOURCES += \
	src/path/edge.h \
	src/path/path.h \
	src/path/prefix.h \
	src/path/wait.h \
	src/path/edge.c \
	src/path/path.c \
	src/path/prefix.c \
	src/path/wait.c
