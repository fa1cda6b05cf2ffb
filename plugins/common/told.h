/* SPDX-License-Identifier: MIT */
/*
 * told.h: what our own source knows of a trace and trace IR has no words for: where in a stream a
 * tracer lost events (which follows from the bytes that its packets have left), and what is odd
 * in the files. It travels in user attributes, under a name of our own, to our own sink and filters,
 * which then say of a pipeline what they would say of the files. Others pay no heed to it.
 *
 *     trace:  waitpath = { corrected = yes, findings = [ [ code, severity, time, count, text ], ... ] }
 *     stream: waitpath = { losses = [ begin, end, events, packets, ... ] }
 */
#ifndef WP_PLUGINS_COMMON_TOLD_H
#define WP_PLUGINS_COMMON_TOLD_H

#include <babeltrace2/babeltrace.h>

#include "base/finding.h"
#include "base/types.h"

G_BEGIN_DECLS

/* A record of a loss, as event/event.h has them; times are ns since the clock's origin. */
typedef struct {
	WpTime begin, end;
	guint64 n_events, n_packets;
} WpToldLoss;

/* A stream with more losses than this is not told of; so is a trace with more findings. */
#define WP_TOLD_LOSSES_MAX 100000u

/* All setters keep what else the attributes hold. FALSE: out of memory. */
gboolean wp_told_set_losses(bt_stream *stream, const GArray *losses);
/* An owned array of WpToldLoss, in the order of the stream; NULL: not told. */
GArray *wp_told_get_losses(const bt_stream *stream);
gboolean wp_told_set_findings(bt_trace *trace, const WpFindings *findings);
/* Adds what a trace is told to be like. */
void wp_told_get_findings(const bt_trace *trace, WpFindings *findings);
/* That times are corrected. */
gboolean wp_told_set_corrected(bt_trace *trace);
gboolean wp_told_is_corrected(const bt_trace *trace);

G_END_DECLS

#endif
