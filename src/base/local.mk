# SPDX-License-Identifier: MIT
libwaitpath_la_SOURCES += \
	src/base/column.h \
	src/base/error.h \
	src/base/finding.h \
	src/base/intmap.h \
	src/base/json.h \
	src/base/out.h \
	src/base/strings.h \
	src/base/types.h \
	src/base/words.h \
	src/base/thread.h \
	src/base/types.c \
	src/base/column.c \
	src/base/intmap.c \
	src/base/json.c \
	src/base/out.c \
	src/base/strings.c \
	src/base/finding.c \
	src/base/words.c
