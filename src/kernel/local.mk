# SPDX-License-Identifier: MIT
libwaitpath_la_SOURCES += \
	src/kernel/model.h
