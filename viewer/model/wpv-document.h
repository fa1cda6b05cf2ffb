/* SPDX-License-Identifier: MIT */
/*
 * wpv-document.h: what has been opened: a joined graph with all that is found about it,
 * immutable; its processes; and the levels of detail of its rows, made when a row is
 * first shown, by a thread when the row is long, and dropped, the least used first,
 * when they take more than WPV_DOCUMENT_LOD_BYTES.
 *
 * Used from the main thread; the graph itself may be read from any.
 */
#ifndef WPV_DOCUMENT_H
#define WPV_DOCUMENT_H

#include <gio/gio.h>

#include "session/events.h"
#include "sync/sync.h"
#include "timeline/lod.h"
#include "viewer/model/wpv-row.h"

G_BEGIN_DECLS

/* A name from a trace may hold any bytes: what is no UTF-8 is replaced. Takes the text. */
static inline gchar *wpv_take_text(gchar *text)
{
	gchar *valid;

	if (!text || g_utf8_validate(text, -1, NULL))
		return text;
	valid = g_utf8_make_valid(text, -1);
	g_free(text);
	return valid;
}

#define WPV_DOCUMENT_LOD_BYTES (G_GUINT64_CONSTANT(1) << 30)

/* The threads of one process, as far as the trace knows them. */
typedef struct {
	gint32 pid; /* -1: unknown, the task stands for itself */
	WpId leader; /* the task whose tid is the pid, or the first seen */
	guint32 first, n; /* its threads: where they lie in wpv_document_get_thread() */
} WpvProcess;

#define WPV_TYPE_DOCUMENT (wpv_document_get_type())
G_DECLARE_FINAL_TYPE(WpvDocument, wpv_document, WPV, DOCUMENT, GObject)

/*
 * graph, findings and sync (NULL: none) belong to owner, which is freed with free_owner
 * when the document is; at least one host. Signals "lod-ready": a row that was asked for
 * can be drawn now; "damaged" with a GError, once, when a saved graph turns out to be.
 */
WpvDocument *wpv_document_new(const gchar *title, WpGraph *graph, const WpFindings *findings,
			      const WpSyncReport *sync, gpointer owner, GDestroyNotify free_owner);

/* All borrowed. */
const gchar *wpv_document_get_title(WpvDocument *document);
WpGraph *wpv_document_get_graph(WpvDocument *document);
const WpFindings *wpv_document_get_findings(WpvDocument *document);
const WpSyncReport *wpv_document_get_sync(WpvDocument *document);
WpHost *wpv_document_get_host(WpvDocument *document, guint host);
/* For wp_event_source_read(), from any thread. */
WpEventSource *wpv_document_get_event_source(WpvDocument *document);
/* First and last event of all hosts, reference clock; end > begin. */
void wpv_document_get_span(WpvDocument *document, WpTime *ret_begin, WpTime *ret_end);
/* A name for these traces that stays the same wherever they are stored. Borrowed. */
const gchar *wpv_document_get_identity(WpvDocument *document);

/* The host's processes of user space, by the pid and first appearance. */
const GArray *wpv_document_get_processes(WpvDocument *document, guint host); /* WpvProcess */
const WpvProcess *wpv_document_get_process(WpvDocument *document, guint host, guint process);
/* The task at place i of the host's threads, sorted by process. */
WpId wpv_document_get_thread(WpvDocument *document, guint host, guint32 i);
/* The index of the process that a task belongs to; WP_NONE for a kernel thread. */
guint32 wpv_document_find_process(WpvDocument *document, guint host, WpId task);
/* The host's kernel threads (WpId), in the order of their tid. */
const GArray *wpv_document_get_kernel_threads(WpvDocument *document, guint host);

/* The task whose states a row shows: itself, a process's leader; WP_NONE for other rows. */
WpId wpv_document_get_row_task(WpvDocument *document, WpvRowKey key);
/* "client 183", "CPU 0": owned by the caller. */
gchar *wpv_document_dup_row_name(WpvDocument *document, WpvRowKey key);

/*
 * The level of detail of a row; its times are the host's. NULL for a row without states of
 * its own, and, unless wait, until "lod-ready". Good until the main loop runs again.
 */
WpLod *wpv_document_get_lod(WpvDocument *document, WpvRowKey key, gboolean wait);
/*
 * To be called after reading the graph: should what was read be damaged, "damaged" is told in
 * the main loop.
 */
void wpv_document_note_damage(WpvDocument *document);
/* Bytes that levels of detail take. */
guint64 wpv_document_get_lod_bytes(WpvDocument *document);

G_END_DECLS

#endif
