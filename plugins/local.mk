# SPDX-License-Identifier: MIT
#
# The Babeltrace 2 plugin: a folder for each component class, and what they share. All of
# it but the declarations is a convenience library, so that tests can link it too.
bt2plugin_LTLIBRARIES = babeltrace-plugin-waitpath.la
noinst_LTLIBRARIES += plugins/libplugin.la
bt2plugindir = @bt2plugindir@

plugins_libplugin_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir) $(BT2_CFLAGS)
plugins_libplugin_la_LIBADD = libwaitpath.la $(BT2_LIBS) $(GLIB_LIBS)
plugins_libplugin_la_SOURCES = \
	plugins/common/ask.h \
	plugins/common/ask.c \
	plugins/common/cause.h \
	plugins/common/cause.c \
	plugins/common/inputs.h \
	plugins/common/inputs.c \
	plugins/common/intake.h \
	plugins/common/intake.c \
	plugins/common/json-value.h \
	plugins/common/json-value.c \
	plugins/common/lanes.h \
	plugins/common/lanes.c \
	plugins/common/told.h \
	plugins/common/told.c \
	plugins/common/trim.h \
	plugins/common/trim.c \
	plugins/common/params.h \
	plugins/common/params.c \
	plugins/critical-path/critical-path.h \
	plugins/critical-path/critical-path.c \
	plugins/critical-path/path-ir.h \
	plugins/critical-path/path-ir.c \
	plugins/critical-path/select.h \
	plugins/critical-path/select.c \
	plugins/critical-path/tail.h \
	plugins/critical-path/tail.c \
	plugins/ctf/ctf.h \
	plugins/ctf/ctf.c \
	plugins/ctf/ctf-ir.h \
	plugins/ctf/ctf-ir.c \
	plugins/ctf/ctf-told.h \
	plugins/ctf/ctf-told.c \
	plugins/ctf/field-plan.h \
	plugins/ctf/field-plan.c \
	plugins/ctf/packets.h \
	plugins/ctf/packets.c \
	plugins/mirror/mirror.h \
	plugins/mirror/mirror-private.h \
	plugins/mirror/mirror.c \
	plugins/mirror/mirror-class.c \
	plugins/mirror/mirror-field.c \
	plugins/mirror/mirror-field-class.c \
	plugins/summary/summary.h \
	plugins/summary/summary.c \
	plugins/sync/files.h \
	plugins/sync/files.c \
	plugins/sync/sync.h \
	plugins/sync/query.c \
	plugins/sync/sync.c \
	plugins/trace-dat/trace-dat.h \
	plugins/trace-dat/trace-dat.c \
	plugins/trace-dat/trace-dat-ir.h \
	plugins/trace-dat/trace-dat-ir.c

babeltrace_plugin_waitpath_la_CPPFLAGS = $(plugins_libplugin_la_CPPFLAGS)
babeltrace_plugin_waitpath_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared \
	-no-undefined -export-symbols-regex '^__bt_'
babeltrace_plugin_waitpath_la_LIBADD = plugins/libplugin.la
babeltrace_plugin_waitpath_la_SOURCES = plugins/plugin.c
