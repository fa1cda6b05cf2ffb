/* SPDX-License-Identifier: MIT */
/* discover.h: where traces lie below the directories that a user names. */
#ifndef WP_SESSION_DISCOVER_H
#define WP_SESSION_DISCOVER_H

#include "base/finding.h"

G_BEGIN_DECLS

typedef struct {
	gchar *path; /* owned: the directory that holds `metadata`, a trace.dat or a saved graph */
	gchar *name; /* owned: the host's name that the user gave, NULL */
	gboolean saved; /* it is a saved graph */
	guint argument; /* of the command line, from 0 */
} WpSource;

/*
 * The traces below each argument, in the order of arguments, then of names. Owned by the caller.
 * WP_ERROR_USAGE for what does not exist, WP_ERROR_FAILED where there is no trace.
 */
GPtrArray *wp_sources_find(const GPtrArray *arguments, WpFindings *findings, GError **error);

G_END_DECLS

#endif
