# SPDX-License-Identifier: MIT
libwaitpath_la_SOURCES += \
	src/event/event.h \
	src/event/lane.h \
	src/event/layout.h \
	src/event/layout-elements.h \
	src/event/merge.h \
	src/event/raw-event.h \
	src/event/reader.h \
	src/event/tournament.h \
	src/event/event.c \
	src/event/lane.c \
	src/event/layout.c \
	src/event/layout-xml.c \
	src/event/merge.c \
	src/event/raw-event.c \
	src/event/reader.c \
	src/event/tournament.c
nodist_libwaitpath_la_SOURCES += \
	src/event/layouts-built-in.h \
	src/event/layouts-resource.c \
	src/event/layouts-resource.h

# The schema of layouts, as a resource in the library, and the built-in layouts, as tables in C.
event_schema = src/event/layouts.gresource.xml src/event/layouts.xsd
event_layouts = src/event/layouts.awk src/event/layouts.xml
EXTRA_DIST += $(event_schema) $(event_layouts)
event_made = src/event/layouts-built-in.h src/event/layouts-resource.c src/event/layouts-resource.h
BUILT_SOURCES += src/event/layouts-built-in.h src/event/layouts-resource.h
CLEANFILES += $(event_made) src/event/layouts-built-in.h-t
event_compile_schema = $(AM_V_GEN)$(MKDIR_P) src/event && \
	$(GLIB_COMPILE_RESOURCES) --sourcedir=$(srcdir)/src/event --internal \
	--c-name=wp_layouts --target=$@ $(srcdir)/src/event/layouts.gresource.xml

src/event/layouts-resource.c: $(event_schema)
	$(event_compile_schema) --generate-source
src/event/layouts-resource.h: $(event_schema)
	$(event_compile_schema) --generate-header
# Bytes are counted, whatever the locale.
src/event/layouts-built-in.h: $(event_layouts)
	$(AM_V_GEN)$(MKDIR_P) src/event && LC_ALL=C $(AWK) -f $(srcdir)/src/event/layouts.awk \
		$(srcdir)/src/event/layouts.xml >$@-t && mv $@-t $@
