# SPDX-License-Identifier: MIT
bin_PROGRAMS += waitpath
waitpath_SOURCES = \
	src/cli/cli.h \
	src/cli/check.c \
	src/cli/common.c \
	src/cli/graph.c \
	src/cli/main.c \
	src/cli/options.c \
	src/cli/path.c \
	src/cli/sync.c \
	src/cli/tasks.c
waitpath_LDADD = libwaitpath.la $(GLIB_LIBS)
