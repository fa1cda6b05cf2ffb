# SPDX-License-Identifier: MIT
libwaitpath_la_SOURCES += \
	src/bt2/bt2-clock.h \
	src/bt2/bt2-decode.h \
	src/bt2/bt2-graph.h \
	src/bt2/bt2-metadata.h \
	src/bt2/bt2-reader.h \
	src/bt2/bt2-stream.c \
	src/bt2/bt2-stream.h \
	src/bt2/bt2-clock.c \
	src/bt2/bt2-decode.c \
	src/bt2/bt2-graph.c \
	src/bt2/bt2-metadata.c \
	src/bt2/bt2-reader.c
