/* SPDX-License-Identifier: MIT */
/*
 * wpv-loader.h: opens traces or a saved graph by a thread, and tells how far it is.
 */
#ifndef WPV_LOADER_H
#define WPV_LOADER_H

#include "session/session.h"
#include "viewer/model/wpv-answer.h"

G_BEGIN_DECLS

#define WPV_TYPE_LOADER (wpv_loader_get_type())
G_DECLARE_FINAL_TYPE(WpvLoader, wpv_loader, WPV, LOADER, GObject)

/* Which path is wanted, in the words of the command line; all borrowed. */
typedef struct {
	const gchar *task; /* NULL: none in particular */
	const gchar *begin, *end; /* NULL: as far as the task lives */
	WpPathMode mode;
} WpvWanted;

/* Takes what options holds and leaves it cleared. Signal "progress": there is news. */
WpvLoader *wpv_loader_new(WpOptions *options, const WpvWanted *wanted);
/* The same traces once more, with the same options. */
WpvLoader *wpv_loader_new_again(WpvLoader *loader);
void wpv_loader_run_async(WpvLoader *loader, GCancellable *cancellable,
			  GAsyncReadyCallback callback, gpointer data);
/*
 * The document, owned by the caller. Errors are those of wp_session_load(), or of the
 * task or a time that was asked for; WP_ERROR_CANNOT_ANSWER when that task's host lacks events.
 */
WpvDocument *wpv_loader_run_finish(WpvLoader *loader, GAsyncResult *result, GError **error);
/* The same in this thread, without progress. */
WpvDocument *wpv_loader_run(WpvLoader *loader, WpCancel *cancel, GError **error);

/* TRUE, with the path that was asked for, once loaded; FALSE: no task was named. */
gboolean wpv_loader_get_question(WpvLoader *loader, WpvQuestion *ret_question);
/* The same path of another task: within the window and in the mode that were asked for. */
void wpv_loader_bound_question(WpvLoader *loader, WpvQuestion *question);
/* Where it is: "tier3"; borrowed. */
const gchar *wpv_loader_get_title(WpvLoader *loader);
/* The traces as they were given: gchar *, borrowed. */
const GPtrArray *wpv_loader_get_traces(WpvLoader *loader);
void wpv_loader_get_progress(WpvLoader *loader, WpProgress *ret_progress);

G_END_DECLS

#endif
