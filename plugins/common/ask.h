/* SPDX-License-Identifier: MIT */
/*
 * ask.h: the parameters by which a component is asked about a path, the same for all that
 * are: whose, when, and how the clocks relate.
 */
#ifndef WP_PLUGINS_COMMON_ASK_H
#define WP_PLUGINS_COMMON_ASK_H

#include "plugins/common/params.h"
#include "session/question.h"

G_BEGIN_DECLS

typedef struct {
	WpOptions options; /* its owned members task, reference, offsets, sync_file, layouts */
	gchar *begin, *end; /* owned, NULL */
	guint mode; /* WpPathMode */
} WpAsk;

/* Rows of a table of parameters; type is a struct whose member ask is a WpAsk. */
/* clang-format off */
#define WP_ASK_PARAM(type, name, kind, member, choices)                                            \
	{name, WP_PARAM_##kind, FALSE, G_STRUCT_OFFSET(type, ask.member), choices}
#define WP_ASK_PARAMS(type)                                                                        \
	{"task", WP_PARAM_WORD, TRUE, G_STRUCT_OFFSET(type, ask.options.task), NULL},              \
	WP_ASK_PARAM(type, "begin", TIME, begin, NULL),                                            \
	WP_ASK_PARAM(type, "end", TIME, end, NULL),                                                \
	WP_ASK_PARAM(type, "mode", CHOICE, mode, wp_ask_modes),                                    \
	WP_ASK_PARAM(type, "reference", STRING, options.reference, NULL),                          \
	WP_ASK_PARAM(type, "offsets", OFFSETS, options.offsets, NULL),                             \
	WP_ASK_PARAM(type, "sync-file", STRING, options.sync_file, NULL),                          \
	WP_ASK_PARAM(type, "layouts", STRINGS, options.layouts, NULL)
/* clang-format on */

/* "active", "causal", NULL: by WpPathMode. */
extern const gchar *const wp_ask_modes[];

void wp_ask_init(WpAsk *ask);
/* What wp_params_clear() leaves. */
void wp_ask_clear(WpAsk *ask);
/* All of it borrowed from ask. */
WpQuestion wp_ask_question(const WpAsk *ask);

G_END_DECLS

#endif
