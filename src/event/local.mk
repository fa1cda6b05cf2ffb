# SPDX-License-Identifier: MIT
libwaitpath_la_SOURCES += \
	src/event/event.h \
	src/event/lane.h \
	src/event/layout.h \
	src/event/merge.h \
	src/event/raw-event.h \
	src/event/reader.h \
	src/event/tournament.h \
	src/event/event.c \
	src/event/lane.c \
	src/event/layout.c \
	src/event/merge.c \
	src/event/raw-event.c \
	src/event/reader.c \
	src/event/tournament.c
nodist_libwaitpath_la_SOURCES += \
	src/event/layouts-resource.c \
	src/event/layouts-resource.h

# The built-in layouts and their schema, as a resource in the library.
event_layouts = \
	src/event/layouts.gresource.xml \
	src/event/layouts.xml \
	src/event/layouts.xsd
EXTRA_DIST += $(event_layouts)
BUILT_SOURCES += src/event/layouts-resource.h
CLEANFILES += src/event/layouts-resource.c src/event/layouts-resource.h
event_compile_layouts = $(AM_V_GEN)$(MKDIR_P) src/event && \
	$(GLIB_COMPILE_RESOURCES) --sourcedir=$(srcdir)/src/event --internal \
	--c-name=wp_layouts --target=$@ $(srcdir)/src/event/layouts.gresource.xml

src/event/layouts-resource.c: $(event_layouts)
	$(event_compile_layouts) --generate-source
src/event/layouts-resource.h: $(event_layouts)
	$(event_compile_layouts) --generate-header
