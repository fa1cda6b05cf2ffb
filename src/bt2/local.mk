# SPDX-License-Identifier: MIT
libwaitpath_la_SOURCES += \
	src/bt2/bt2-reader.h
