/* SPDX-License-Identifier: MIT */
/*
 * wpv-loader.h: opens traces or a saved graph by a thread, and tells how far it is.
 */
#ifndef WPV_LOADER_H
#define WPV_LOADER_H

#include "session/session.h"
#include "viewer/model/wpv-document.h"

G_BEGIN_DECLS

#define WPV_TYPE_LOADER (wpv_loader_get_type())
G_DECLARE_FINAL_TYPE(WpvLoader, wpv_loader, WPV, LOADER, GObject)

/*
 * Takes what options holds and leaves it cleared. Signal "progress": there is news. task
 * (NULL: none): what is to be looked for in it, as on the command line; begin and end
 * likewise, NULL: open.
 */
WpvLoader *wpv_loader_new(WpOptions *options, const gchar *task, const gchar *begin,
			  const gchar *end);
void wpv_loader_run_async(WpvLoader *loader, GCancellable *cancellable,
			  GAsyncReadyCallback callback, gpointer data);
/*
 * The document, owned by the caller. Errors are those of wp_session_load(), or of the
 * task or a time that was asked for.
 */
WpvDocument *wpv_loader_run_finish(WpvLoader *loader, GAsyncResult *result, GError **error);
/* The same in this thread, without progress. */
WpvDocument *wpv_loader_run(WpvLoader *loader, GCancellable *cancellable, GError **error);

/* TRUE, with the task and window that were asked for, once loaded. */
gboolean wpv_loader_get_selection(WpvLoader *loader, WpSelection *ret_selection);
/* Where it is: "tier3"; borrowed. */
const gchar *wpv_loader_get_title(WpvLoader *loader);
/* The traces as they were given: gchar *, borrowed. */
const GPtrArray *wpv_loader_get_traces(WpvLoader *loader);
void wpv_loader_get_progress(WpvLoader *loader, WpProgress *ret_progress);

G_END_DECLS

#endif
