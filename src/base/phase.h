/* SPDX-License-Identifier: MIT */
/*
 * phase.h: the program's own phases as LTTng user-space events, so that waitpath can be traced
 * and explained with waitpath.
 *
 * The events are waitpath:phase_begin and waitpath:phase_end, with the name of the phase. They
 * are made by libwaitpath-trace.so (phase-provider.c), which is there when this was built with
 * lttng-ust and is loaded with LD_PRELOAD. Without it they cost a lock and the look at a
 * pointer, and the library knows nothing of lttng-ust.
 */
#ifndef WP_BASE_PHASE_H
#define WP_BASE_PHASE_H

#include <glib.h>

G_BEGIN_DECLS

typedef const gchar *WpPhase; /* borrowed, static */

#define WP_PHASE_READ "read" /* a batch of events from a stream */
#define WP_PHASE_MODEL "model" /* the events of a host become its graph */
#define WP_PHASE_SYNC "sync" /* clocks from packets */
#define WP_PHASE_JOIN "join" /* hosts are joined, sync within */
#define WP_PHASE_PATH "path" /* the path of one task */
#define WP_PHASE_WRITE "write" /* a part of a report goes out */

/* The two are called by WP_PHASE(). */
WpPhase wp_phase_begin(WpPhase phase);
void wp_phase_end(WpPhase *phase);

/* What the provider defines, by the name of WP_PHASE_PROVIDER. */
typedef struct {
	void (*begin)(WpPhase phase);
	void (*end)(WpPhase phase);
} WpPhaseProvider;
#define WP_PHASE_PROVIDER wp_phase_provider

/* From here to the end of the block is this phase. */
#define WP_PHASE(phase)                                                                            \
	G_GNUC_UNUSED __attribute__((cleanup(wp_phase_end)))                                       \
	WpPhase wp_phase_ = wp_phase_begin(phase)

G_END_DECLS

#endif
