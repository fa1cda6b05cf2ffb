/* SPDX-License-Identifier: MIT */
/*
 * mirror-private.h: what the mirror's three files share.
 *
 * Tables lead from each object of the upstream to its copy:
 *
 *   mirror ── traces: trace ──► MirrorTrace ── streams: stream ──► MirrorStream
 *     │                            │
 *     └── classes: MirrorClass ◄───┘  (one for each trace class and clock map)
 *             ├── stream classes ──► their copies; event classes ──► MirrorEventClass
 *             ├── selectors: field class ──► its copy
 *             └── MirrorClock (shared by all classes of one clock class and map)
 *
 * In front of the tables that are asked for every event stand small ones of what was found last.
 *
 * The keys are weak: when the upstream destroys a trace or a trace class, a listener
 * takes its entry out. A class is copied as far as it is known when its first trace
 * appears, and what is added to it later when it is first used.
 */
#ifndef WP_PLUGINS_MIRROR_PRIVATE_H
#define WP_PLUGINS_MIRROR_PRIVATE_H

#include "base/error.h"
#include "base/recent.h"
#include "plugins/mirror/mirror.h"

G_BEGIN_DECLS

typedef struct {
	const bt_clock_class *in; /* reference */
	bt_clock_class *out; /* reference */
	const WpClockMap *map; /* borrowed; NULL: values are kept as they are */
	gboolean keeps_values; /* there is no map, or the offset of out says all that it does */
	gint64 base; /* ns since the origin of value 0 of out, when values are not kept */
	guint place; /* in the map: where the last time was found */
	guint n_users; /* MirrorClasses */
} MirrorClock;

/* How to copy the fields of a structure: an entry for each member. */
typedef struct MirrorPlan MirrorPlan;

typedef struct {
	const bt_event_class *in; /* weak: the table's key */
	bt_event_class *out; /* weak: the copy's stream class owns it */
	MirrorPlan *common, *specific, *payload; /* owned; NULL: events have no such fields */
} MirrorEventClass;

typedef struct {
	WpMirror *mirror; /* weak: it owns this */
	const bt_trace_class *in; /* weak; NULL once it is destroyed */
	bt_listener_id listener;
	bt_trace_class *out; /* reference */
	const WpClockMap *map; /* borrowed or NULL */
	GHashTable *stream_classes; /* owned: const bt_stream_class * (weak) -> its copy (weak) */
	/* owned: const bt_event_class * (weak) -> MirrorEventClass * (owned) */
	GHashTable *event_classes;
	const MirrorEventClass *recent[WP_RECENT_N]; /* borrowed from event_classes, NULL */
	GHashTable *selectors; /* owned: const bt_field_class * (weak) -> its copy (weak) */
	GPtrArray *clocks; /* owned: MirrorClock *, counted in n_users */
} MirrorClass;

typedef struct MirrorTrace MirrorTrace;

typedef struct {
	const bt_stream *in; /* weak: the table's key */
	bt_stream *out; /* reference */
	MirrorClock *clock; /* borrowed from the class; NULL: no default clock */
	MirrorTrace *trace; /* weak: it owns this */
	gboolean has_packets;
	/* That its last event was of: the table need not be asked again. Weak; NULL: none. */
	const bt_packet *packet_in;
	bt_packet *packet;
} MirrorStream;

struct MirrorTrace {
	WpMirror *mirror; /* weak: it owns this */
	const bt_trace *in; /* weak: the table's key; NULL once it is destroyed */
	bt_listener_id listener;
	bt_trace *out; /* reference */
	MirrorClass *klass; /* borrowed: the original's class outlives its traces */
	GHashTable *streams; /* owned: const bt_stream * (weak) -> MirrorStream * (owned) */
};

struct WpMirror {
	bt_self_component *component; /* weak */
	WpMirrorMapFunc map_func;
	gpointer map_data; /* borrowed */
	gboolean corrected; /* to be said of the copies */
	GHashTable *traces; /* owned: const bt_trace * (weak) -> MirrorTrace * (owned) */
	MirrorStream *recent[WP_RECENT_N]; /* borrowed from the traces' tables, NULL */
	GPtrArray *classes; /* owned: MirrorClass * (owned) */
	GPtrArray *clocks; /* owned: MirrorClock * (owned) */
	/* owned: const bt_packet * (reference) -> bt_packet * (reference): those that have begun */
	GHashTable *packets;
};

/* Sets "out of memory" and returns FALSE. */
gboolean wp_mirror_no_memory(GError **error);

/* mirror-class.c: the class of a trace with this map, found or copied; NULL with an error. */
MirrorClass *wp_mirror_class_get(WpMirror *mirror, const bt_trace_class *in, const WpClockMap *map,
				 GError **error);
void wp_mirror_class_free(MirrorClass *klass);
bt_stream_class *wp_mirror_class_get_stream_class(MirrorClass *klass, const bt_stream_class *in,
						  GError **error);
const MirrorEventClass *wp_mirror_class_get_event_class(MirrorClass *klass,
							const bt_event_class *in, GError **error);
/* NULL without an error when the stream class has no default clock. */
MirrorClock *wp_mirror_class_get_clock(const MirrorClass *klass, const bt_stream_class *in);
/*
 * The value of the copied clock that belongs to a value of the original; the corrected time to
 * *ret_time (may be NULL), which is left alone where nothing is corrected.
 */
gboolean wp_mirror_clock_value(MirrorClock *clock, const bt_clock_snapshot *snapshot,
			       guint64 *ret_value, WpTime *ret_time, GError **error);

/* mirror-field-class.c: a copy for klass; the caller owns the reference. NULL: out of memory. */
bt_field_class *wp_mirror_field_class(MirrorClass *klass, const bt_event_class *event_class,
				      const bt_stream_class *stream_class,
				      const bt_field_class *in);

/* mirror-field.c: copies the value of a field whose class is a copy of in's. */
gboolean wp_mirror_field_copy(const bt_field *in, bt_field *out, GError **error);
/* The plan of a structure's class (may be NULL: then so is the plan). */
MirrorPlan *wp_mirror_plan_new(const bt_field_class *structure);
/* The same as wp_mirror_field_copy(), of fields whose class the plan is of. */
gboolean wp_mirror_plan_copy(const MirrorPlan *plan, const bt_field *in, bt_field *out,
			     GError **error);

G_END_DECLS

#endif
