# SPDX-License-Identifier: MIT
libwaitpath_la_SOURCES += \
	src/ctf/bits.h \
	src/ctf/codegen.h \
	src/ctf/ctf-reader.h \
	src/ctf/excerpt.h \
	src/ctf/field-text.h \
	src/ctf/index.h \
	src/ctf/lttng-index.h \
	src/ctf/machine.h \
	src/ctf/metadata.h \
	src/ctf/program.h \
	src/ctf/tree.h \
	src/ctf/tsdl-lex.h \
	src/ctf/tsdl-parser.h \
	src/ctf/tsdl.h \
	src/ctf/codegen.c \
	src/ctf/ctf-reader.c \
	src/ctf/excerpt.c \
	src/ctf/field-text.c \
	src/ctf/index.c \
	src/ctf/lttng-index.c \
	src/ctf/machine.c \
	src/ctf/metadata.c \
	src/ctf/program.c \
	src/ctf/tree.c \
	src/ctf/tsdl-lex.c \
	src/ctf/tsdl-type.c \
	src/ctf/tsdl.c
