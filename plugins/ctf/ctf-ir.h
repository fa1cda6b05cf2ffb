/* SPDX-License-Identifier: MIT */
/*
 * ctf-ir.h: a CTF trace, opened, and what it is as trace IR.
 *
 * All classes are made when the trace is opened. For each stream class there are plans
 * (field-plan.h) of what is in front of an event, for each event class of what it consists of.
 */
#ifndef WP_PLUGINS_CTF_CTF_IR_H
#define WP_PLUGINS_CTF_CTF_IR_H

#include "ctf/index.h"
#include "plugins/ctf/field-plan.h"

G_BEGIN_DECLS

typedef struct {
	bt_event_class *klass; /* borrowed from the stream class */
	WpFieldPlan *context, *payload; /* owned; NULL: none */
} WpCtfEventIr;

typedef struct {
	bt_stream_class *klass; /* reference */
	WpFieldPlan *header, *context; /* owned: of packets; NULL: none */
	WpFieldPlan *event_header; /* owned: NULL: nothing behind it refers to it */
	WpFieldPlan *event_context; /* owned: that all events have; NULL: none */
	WpCtfEventIr *events; /* owned, n_events: as the plans of the program */
	guint n_events;
	gboolean has_clock, has_begin, has_end, has_discarded, has_numbers;
} WpCtfStreamIr;

typedef struct {
	gchar *directory; /* owned */
	WpTime shift; /* ns: by how much its clocks were moved */
	gboolean told; /* ctf-told.h */
	WpCtfTrace *trace; /* owned */
	WpCtfProgram *program; /* owned */
	WpCtfIndex *index; /* owned */
	bt_trace_class *trace_class; /* reference */
	bt_trace *ir; /* reference */
	WpCtfStreamIr *classes; /* owned, one for each stream of the program */
	GPtrArray *streams; /* owned: bt_stream * (reference), one for each stream of the index */
} WpCtfTraceIr;

typedef struct {
	gint64 offset_s, offset_ns; /* added to the offset of all clocks */
	gboolean force_epoch; /* the clocks' origin is the Unix epoch whatever the trace says */
} WpCtfClockOptions;

/*
 * Opens the trace in directory; component owns its IR. What is odd becomes a finding.
 * WP_ERROR_DECLINED for what our reader does not know, WP_ERROR_FAILED.
 */
WpCtfTraceIr *wp_ctf_trace_ir_new(bt_self_component *component, const gchar *directory,
				  const WpCtfClockOptions *options, WpFindings *findings,
				  GError **error);
void wp_ctf_trace_ir_free(WpCtfTraceIr *ir);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpCtfTraceIr, wp_ctf_trace_ir_free)

G_END_DECLS

#endif
