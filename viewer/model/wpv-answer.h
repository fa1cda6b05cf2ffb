/* SPDX-License-Identifier: MIT */
/*
 * wpv-answer.h: the path of a task over a window, computed by a thread, with all that
 * is shown of it: sums, the sentence, the pieces that lie on each row, their level of
 * detail. Immutable.
 */
#ifndef WPV_ANSWER_H
#define WPV_ANSWER_H

#include "export/totals.h"
#include "viewer/model/wpv-document.h"

G_BEGIN_DECLS

/* Which path. */
typedef struct {
	guint32 host;
	WpId task;
	WpTime begin, end; /* reference clock */
	WpPathMode mode;
} WpvQuestion;

/* The path of a row's task over its life; the row must have one (wpv_document_get_row_task()). */
WpvQuestion wpv_document_get_life(WpvDocument *document, WpvRowKey row);

#define WPV_TYPE_ANSWER (wpv_answer_get_type())
G_DECLARE_FINAL_TYPE(WpvAnswer, wpv_answer, WPV, ANSWER, GObject)

/* The window is cut to the document's span. Errors as of wp_path_compute(). */
WpvAnswer *wpv_answer_new(WpvDocument *document, const WpvQuestion *question, WpCancel *cancel,
			  GError **error);
void wpv_answer_new_async(WpvDocument *document, const WpvQuestion *question,
			  GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data);
WpvAnswer *wpv_answer_new_finish(GAsyncResult *result, GError **error);

/* All borrowed. */
const WpvQuestion *wpv_answer_get_question(WpvAnswer *answer);
const WpPath *wpv_answer_get_path(WpvAnswer *answer);
const WpTotals *wpv_answer_get_totals(WpvAnswer *answer);
const gchar *wpv_answer_get_sentence(WpvAnswer *answer);

guint wpv_answer_get_n_segments(WpvAnswer *answer);
const WpSegment *wpv_answer_get_segment(WpvAnswer *answer, guint i);
/* The segment that holds a time of the window; WP_NONE outside. */
guint32 wpv_answer_find(WpvAnswer *answer, WpTime time);

/* ns of the path on a row: on its task, its tasks, its CPU, its host. */
WpTime wpv_answer_get_time(WpvAnswer *answer, WpvRowKey key);
/* The first of the path's segments on a task; WP_NONE: none. */
guint32 wpv_answer_get_first_piece(WpvAnswer *answer, guint32 host, WpId task);

/* The whole path; times are the reference clock's. */
WpLod *wpv_answer_get_band(WpvAnswer *answer);
/* The pieces on a row; NULL when there are none. Borrowed. */
WpLod *wpv_answer_get_lod(WpvAnswer *answer, WpvRowKey key);

/*
 * The part of the path that lies in [begin, end), as a path of its own; NULL when
 * there is none, or no room for it. The caller owns it.
 */
WpPath *wpv_answer_dup_part(WpvAnswer *answer, WpTime begin, WpTime end);

G_END_DECLS

#endif
