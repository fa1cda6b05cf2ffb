/* SPDX-License-Identifier: MIT */
/*
 * question.h: whose path is asked for, and over which time, as users write it: one
 * meaning for the command line and the components of a pipeline.
 */
#ifndef WP_SESSION_QUESTION_H
#define WP_SESSION_QUESTION_H

#include "session/session.h"

G_BEGIN_DECLS

typedef struct {
	const gchar *task; /* borrowed: as wp_analysis_select_task() takes it */
	const gchar *begin, *end; /* borrowed: as wp_time_parse() takes them; NULL: open */
	WpPathMode mode;
	WpCancel *cancellable; /* borrowed, NULL */
} WpQuestion;

/*
 * The window that two texts (NULL: open) give, on the reference clock; WP_TIME_MIN and _MAX
 * where it is open. WP_ERROR_USAGE.
 */
gboolean wp_analysis_parse_window(const WpAnalysis *analysis, const gchar *begin, const gchar *end,
				  WpTime *ret_begin, WpTime *ret_end, GError **error);

/*
 * The task that is asked for, and the window: that of its life where the question leaves it
 * open. WP_ERROR_USAGE when no or several tasks fit; WP_ERROR_CANNOT_ANSWER when it can't be
 * known, because events are missing.
 */
gboolean wp_question_select(const WpQuestion *question, const WpAnalysis *analysis,
			    WpSelection *ret_selection, GError **error);

/* The path. Owned by the caller. */
WpPath *wp_question_answer(const WpQuestion *question, const WpAnalysis *analysis, GError **error);

G_END_DECLS

#endif
