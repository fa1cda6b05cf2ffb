# SPDX-License-Identifier: MIT
libwaitpath_la_SOURCES += \
	src/kernel/model.h \
	src/kernel/model-private.h \
	src/kernel/context.c \
	src/kernel/lost.c \
	src/kernel/model.c \
	src/kernel/network.c \
	src/kernel/state.c \
	src/kernel/tasks.c \
	src/kernel/order.c
