/* SPDX-License-Identifier: MIT */
/*
 * wpv-state.h: what is kept between sessions, as XML: for each trace its last view, task,
 * marks and pins; for the user the window, palette and colours.
 *
 * A view is named by its document's identity, so that it is found again wherever the
 * traces are moved. What is damaged or of another version is ignored: nothing depends
 * on it.
 */
#ifndef WPV_STATE_H
#define WPV_STATE_H

#include "viewer/model/wpv-session.h"

G_BEGIN_DECLS

/* What the session does not hold of the user's choices. */
typedef enum { WPV_SCHEME_SYSTEM, WPV_SCHEME_LIGHT, WPV_SCHEME_DARK, WPV_SCHEME_N } WpvScheme;

#define WPV_RECENT_MAX 10

typedef struct {
	gint width, height;
	gboolean maximized;
	WpvScheme scheme;
	GPtrArray *
		recent; /* owned: owned GStrv, the traces that were opened together; the latest first */
} WpvSettings;

void wpv_settings_init(WpvSettings *settings);
void wpv_settings_clear(WpvSettings *settings);
/* Puts these traces first. */
void wpv_settings_add_recent(WpvSettings *settings, const gchar *const *traces);

const gchar *wpv_scheme_key(WpvScheme scheme);

/* Where they are by default: below the user's state and configuration folders. Owned. */
gchar *wpv_state_dup_view_path(WpvDocument *document);
gchar *wpv_state_dup_settings_path(void);

/* Of the session's document. Both fail with WP_ERROR_FAILED. */
gboolean wpv_state_save_view(WpvSession *session, const gchar *path, GError **error);
/* ret_question, with has_question: the path to ask for. TRUE when there was a view. */
gboolean wpv_state_load_view(WpvSession *session, const gchar *path, WpvQuestion *ret_question,
			     gboolean *ret_has_question);

gboolean wpv_state_save_settings(const WpvSettings *settings, WpvSession *session,
				 const gchar *path, GError **error);
/* Leaves alone what the file does not hold. */
void wpv_state_load_settings(WpvSettings *settings, WpvSession *session, const gchar *path);

G_END_DECLS

#endif
