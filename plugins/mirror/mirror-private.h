/* SPDX-License-Identifier: MIT */
/*
 * mirror-private.h: what the mirror's three files share.
 *
 * Tables lead from each object of the upstream to its copy:
 *
 *   mirror ── traces: trace ──► MirrorTrace ── streams: stream ──► MirrorStream
 *     │                            │
 *     └── classes: MirrorClass ◄───┘  (one for each trace class and clock map)
 *             ├── stream classes, event classes ──► their copies
 *             ├── selectors: field class ──► its copy
 *             └── MirrorClock (shared by all classes of one clock class and map)
 *
 * The keys are weak: when the upstream destroys a trace or a trace class, a listener
 * takes its entry out. A class is copied as far as it is known when its first trace
 * appears, and what is added to it later when it is first used.
 */
#ifndef WP_PLUGINS_MIRROR_PRIVATE_H
#define WP_PLUGINS_MIRROR_PRIVATE_H

#include "base/error.h"
#include "plugins/mirror/mirror.h"

G_BEGIN_DECLS

typedef struct {
	const bt_clock_class *in; /* reference */
	bt_clock_class *out; /* reference */
	const WpClockMap *map; /* borrowed; NULL: values are kept as they are */
	gint64 base; /* ns since the origin of value 0 of out, when there is a map */
	guint n_users; /* MirrorClasses */
} MirrorClock;

typedef struct {
	WpMirror *mirror; /* weak: it owns this */
	const bt_trace_class *in; /* weak; NULL once it is destroyed */
	bt_listener_id listener;
	bt_trace_class *out; /* reference */
	const WpClockMap *map; /* borrowed or NULL */
	GHashTable *stream_classes; /* owned: const bt_stream_class * (weak) -> its copy (weak) */
	GHashTable *event_classes; /* owned: const bt_event_class * (weak) -> its copy (weak) */
	GHashTable *selectors; /* owned: const bt_field_class * (weak) -> its copy (weak) */
	GPtrArray *clocks; /* owned: MirrorClock *, counted in n_users */
} MirrorClass;

typedef struct MirrorTrace MirrorTrace;

typedef struct {
	bt_stream *out; /* reference */
	const MirrorClock *clock; /* borrowed from the class; NULL: no default clock */
	MirrorTrace *trace; /* weak: it owns this */
	/* What its last event was of: the tables need not be asked again. All weak; NULL: none. */
	const bt_packet *packet_in;
	bt_packet *packet;
	const bt_event_class *event_in;
	const bt_event_class *event_class;
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
	const bt_stream *last_in; /* weak: the last stream, NULL once its trace is destroyed */
	MirrorStream *last; /* weak: its copy */
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
bt_event_class *wp_mirror_class_get_event_class(MirrorClass *klass, const bt_event_class *in,
						GError **error);
/* NULL without an error when the stream class has no default clock. */
const MirrorClock *wp_mirror_class_get_clock(const MirrorClass *klass, const bt_stream_class *in);
/* The value of the copied clock that belongs to a value of the original. */
gboolean wp_mirror_clock_value(const MirrorClock *clock, const bt_clock_snapshot *snapshot,
			       guint64 *ret_value, GError **error);

/* mirror-field-class.c: a copy for klass; the caller owns the reference. NULL: out of memory. */
bt_field_class *wp_mirror_field_class(MirrorClass *klass, const bt_event_class *event_class,
				      const bt_stream_class *stream_class,
				      const bt_field_class *in);

/* mirror-field.c: copies the value of a field whose class is a copy of in's. */
gboolean wp_mirror_field_copy(const bt_field *in, bt_field *out, GError **error);

G_END_DECLS

#endif
