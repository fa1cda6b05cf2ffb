# SPDX-License-Identifier: MIT
libwaitpath_la_SOURCES += \
	src/sync/sync.h
