# SPDX-License-Identifier: MIT
bin_PROGRAMS += waitpath
waitpath_SOURCES = \
	src/cli/cli.h \
	src/cli/blockers.c \
	src/cli/check.c \
	src/cli/common.c \
	src/cli/export.c \
	src/cli/compare.c \
	src/cli/graph.c \
	src/cli/lttng.c \
	src/cli/lttng.h \
	src/cli/main.c \
	src/cli/options.c \
	src/cli/path.c \
	src/cli/record.c \
	src/cli/requests.c \
	src/cli/sync.c \
	src/cli/tasks.c \
	src/cli/view.c
waitpath_LDADD = libwaitpath.la $(GLIB_LIBS)

# Shells find these when the prefix is one that they look into.
bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = src/cli/completion/waitpath
zshcompletiondir = $(datadir)/zsh/site-functions
dist_zshcompletion_DATA = src/cli/completion/_waitpath

EXTRA_DIST += \
	doc/schema/waitpath-blockers-1.json \
	doc/schema/waitpath-check-1.json \
	doc/schema/waitpath-compare-1.json \
	doc/schema/waitpath-path-1.json \
	doc/schema/waitpath-path-1.xsd \
	doc/schema/waitpath-requests-1.json \
	doc/schema/waitpath-sync-1.json \
	doc/schema/waitpath-tasks-1.json
