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
nodist_libwaitpath_la_SOURCES += $(event_made)

# In C: the schema of layouts, as a text, and the built-in layouts, as tables.
event_schema = src/event/schema.awk src/event/layouts.xsd
event_layouts = src/event/layouts.awk src/event/layouts.xml
EXTRA_DIST += $(event_schema) $(event_layouts)
event_made = src/event/layouts-built-in.h src/event/layouts-schema.h
BUILT_SOURCES += $(event_made)
CLEANFILES += $(event_made) src/event/layouts-built-in.h-t src/event/layouts-schema.h-t

src/event/layouts-schema.h: $(event_schema)
	$(AM_V_GEN)$(MKDIR_P) src/event && LC_ALL=C $(AWK) -f $(srcdir)/src/event/schema.awk \
		$(srcdir)/src/event/layouts.xsd >$@-t && mv $@-t $@
# Bytes are counted, whatever the locale.
src/event/layouts-built-in.h: $(event_layouts)
	$(AM_V_GEN)$(MKDIR_P) src/event && LC_ALL=C $(AWK) -f $(srcdir)/src/event/layouts.awk \
		$(srcdir)/src/event/layouts.xml >$@-t && mv $@-t $@
