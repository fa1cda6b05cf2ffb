# SPDX-License-Identifier: MIT
libwaitpath_la_SOURCES += \
	src/path/path.h
