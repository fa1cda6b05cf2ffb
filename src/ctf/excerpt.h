/* SPDX-License-Identifier: MIT */
/*
 * excerpt.h: the events of a CTF trace that lie nearest to a time, whole and in words.
 *
 * The packets' own times say where to look: of each stream the packet that holds the time is
 * passed over, and its neighbours only where that does not give enough events. So the work
 * does not depend on the size of the trace.
 */
#ifndef WP_CTF_EXCERPT_H
#define WP_CTF_EXCERPT_H

#include "base/cancel.h"
#include "event/layout.h"
#include "event/raw-event.h"

G_BEGIN_DECLS

/* Events of one stream that are looked at on each side of a time. */
#define WP_EXCERPT_LOOKS_MAX 256u
/* Packets of one stream that are read on each side of the one that holds the time. */
#define WP_EXCERPT_PACKETS_MAX 4u

typedef struct WpCtfExcerpt WpCtfExcerpt;

/*
 * Opens the trace whose metadata file lies in directory; layout (borrowed during the call) says
 * how CPUs are called. WP_ERROR_DECLINED, WP_ERROR_FAILED as of wp_ctf_reader_open().
 */
WpCtfExcerpt *wp_ctf_excerpt_open(const gchar *directory, WpLayout *layout, GError **error);
void wp_ctf_excerpt_free(WpCtfExcerpt *excerpt);
/* The UUID of its first clock, NULL. Borrowed. */
const gchar *wp_ctf_excerpt_get_clock_uuid(const WpCtfExcerpt *excerpt);
/* ns: value 0 of that clock is this after the epoch. */
gint64 wp_ctf_excerpt_get_clock_offset(const WpCtfExcerpt *excerpt);

/*
 * Appends to events (owned WpRawEvent), stream by stream, of each at most n events at or
 * before time and n behind it (trace clock; n: up to WP_EXCERPT_LOOKS_MAX), the nearest. A
 * damaged packet gives what stands before the damage. FALSE with WP_ERROR_CANCELLED.
 */
gboolean wp_ctf_excerpt_read(WpCtfExcerpt *excerpt, WpTime time, guint n, GPtrArray *events,
			     WpCancel *cancellable, GError **error);
/* Packets that were read so far. */
guint64 wp_ctf_excerpt_get_n_packets(const WpCtfExcerpt *excerpt, guint64 *ret_n_all);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpCtfExcerpt, wp_ctf_excerpt_free)

G_END_DECLS

#endif
