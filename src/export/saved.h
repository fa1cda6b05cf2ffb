/* SPDX-License-Identifier: MIT */
/*
 * saved.h: results that were saved as JSON by `path` or `tasks`, read back to be compared
 * without their traces. Only what a comparison needs is kept.
 */
#ifndef WP_EXPORT_SAVED_H
#define WP_EXPORT_SAVED_H

#include "export/stacks.h"
#include "path/compare.h"

G_BEGIN_DECLS

typedef struct WpSaved WpSaved;

typedef enum { WP_SAVED_PATH, WP_SAVED_TASKS } WpSavedKind;

/* Whether a file looks like one: it is a plain file and begins like JSON. */
gboolean wp_saved_is(const gchar *file);
/* WP_ERROR_FAILED for what is no such result. Owned by the caller. */
WpSaved *wp_saved_read(const gchar *file, GError **error);
void wp_saved_free(WpSaved *saved);
WpSavedKind wp_saved_get_kind(const WpSaved *saved);
/*
 * Adds the result to one side of a comparison. task, TID, HOST:TID, NAME or HOST:NAME, chooses
 * among the tasks of a result of `tasks`; NULL takes all. WP_ERROR_USAGE when it fits none.
 */
gboolean wp_saved_add(const WpSaved *saved, const gchar *task, WpProfile *profile, WpStacks *stacks,
		      guint side, GError **error);

/* Adds the states of a task's path, as a row of `tasks` has them, to one side. */
void wp_profile_add_states(WpProfile *profile, WpStacks *stacks, guint side, const gchar *host,
			   const gchar *comm, const WpTime by_state[WP_STATE_N]);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpSaved, wp_saved_free)

G_END_DECLS

#endif
