# SPDX-License-Identifier: MIT
libwaitpath_la_SOURCES += \
	src/session/session.h
