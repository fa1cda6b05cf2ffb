# SPDX-License-Identifier: MIT
libwaitpath_la_SOURCES += \
	src/ctf/ctf-reader.h
