/* SPDX-License-Identifier: MIT */
/*
 * layout.h: event layouts: which tracer's event and field fills which slot of
 * which kind. Written in XML; a user's file is read and validated with libxml2. Those
 * for LTTng (old and new names), perf's CTF export and ftrace are built in and apply
 * together, so that a trace may mix generations.
 *
 * A layout file:
 *   <layouts>
 *     <cpu field="cpu_id perf_cpu"/>
 *     <event kind="sched-switch" name="sched_switch sched:sched_switch">
 *       <slot name="prev-tid" field="prev_tid prev_pid"/>
 *       <slot name="prev-state-label" field="prev_state" as="label"/>
 *     </event>
 *     <event kind="vector-entry" name="x86_irq_vectors_*_entry">
 *       <slot name="name" match="1"/>        what the * matched
 *     </event>
 *   </layouts>
 *
 * `field` lists alternatives, the first that the event has fills the slot.
 * A path through structures and variants is written with slashes
 * ("network_header/ipv4/transport_header/tcp/source_port"); one leading
 * underscore of a name in the trace is not part of it. `value` gives a constant.
 * Where several alternatives exist at once (options of a variant), the one that
 * is selected in the event at hand fills the slot. Fields are those of the
 * payload; only a marker's may lie in the event's contexts too.
 *
 * `beside` names a field that the event must have as well, or the slot stays
 * empty: the kernel's sched_process_fork has a child_pid that is a thread, that of
 * LTTng has child_tid too. `<slots name="packet">` holds slots for several events of
 * its file, which ask for them with slots="packet". An exact name wins over a
 * pattern, a pattern over later ones of its file.
 */
#ifndef WP_EVENT_LAYOUT_H
#define WP_EVENT_LAYOUT_H

#include "event/event.h"

G_BEGIN_DECLS

typedef enum {
	WP_LAYOUT_FIELD, /* the field's value */
	WP_LAYOUT_LABEL, /* the label of an enumeration's value */
	WP_LAYOUT_CONSTANT /* text: `value`, or what the pattern matched */
} WpLayoutSource;

typedef struct {
	guint slot; /* of the kind */
	WpSlotType type;
	WpLayoutSource source;
	gchar **paths; /* owned by the layout, ends with NULL: alternatives; NULL for a constant */
	const gchar *beside; /* owned by the layout: path of a field that the class must have too */
	const gchar *constant; /* owned by the layout; decimal when the slot is an integer */
} WpLayoutSlot;

/* What to do with one event class of a trace. */
typedef struct {
	WpEventKind kind;
	guint n_slots;
	const WpLayoutSlot *slots;
} WpLayoutEvent;

typedef struct WpLayout WpLayout;

/* The built-in layouts; never fails unless the build is broken. */
WpLayout *wp_layout_new(GError **error);
WpLayout *wp_layout_ref(WpLayout *layout);
void wp_layout_unref(WpLayout *layout);

/*
 * Adds a file's events, which win over those already there. The file is
 * validated against the schema (no network, no external entities, at most 1 MiB);
 * the error names the line.
 */
gboolean wp_layout_add_file(WpLayout *layout, const gchar *path, GError **error);

/*
 * All events called name (a pattern may hold one *) become markers with id from
 * id_field (a path, or NULL), a number or text. vtid comes from a field or context
 * of that name.
 */
void wp_layout_add_marker(WpLayout *layout, const gchar *name, const gchar *id_field);

/*
 * What this layout makes of an event name; NULL: nothing, skip it. A marker may
 * stand beside an ordinary kind: ret_marker (may be NULL) gets it or NULL.
 * The result is good until the layout is freed or added to. Thread-safe as long
 * as nothing is added.
 */
const WpLayoutEvent *wp_layout_find(WpLayout *layout, const gchar *event_name,
				    const WpLayoutEvent **ret_marker);

/*
 * Nobody will look at this slot: readers that are opened later need not fill it. For the time after
 * a layout was made; not thread-safe.
 */
void wp_layout_leave_out(WpLayout *layout, WpEventKind kind, guint slot);
gboolean wp_layout_is_left_out(const WpLayout *layout, WpEventKind kind, guint slot);

/* NULL-terminated names of fields that may hold the CPU: of the packet's context, else the event's. */
const gchar *const *wp_layout_get_cpu_fields(WpLayout *layout);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpLayout, wp_layout_unref)

G_END_DECLS

#endif
