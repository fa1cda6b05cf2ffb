/* SPDX-License-Identifier: MIT */
/*
 * params.h: initialisation parameters of component classes: a table says which there are,
 * of which type, and where their values go.
 *
 * Babeltrace hands over whatever the user wrote. An unknown name or a wrong type is an
 * error that says what is allowed.
 */
#ifndef WP_PLUGINS_COMMON_PARAMS_H
#define WP_PLUGINS_COMMON_PARAMS_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>

G_BEGIN_DECLS

typedef enum {
	WP_PARAM_BOOLEAN, /* gboolean */
	WP_PARAM_INTEGER, /* gint64; signed or unsigned */
	WP_PARAM_STRING, /* gchar *, owned */
	WP_PARAM_CHOICE, /* guint: index of the word in choices */
	WP_PARAM_TIME, /* gchar *, owned: a string, or an integer (ns) as text */
	WP_PARAM_WORD, /* gchar *, owned: a string, or an integer as text */
	WP_PARAM_STRINGS, /* GPtrArray *, owned, of owned gchar * */
	WP_PARAM_OFFSETS /* GPtrArray *, owned, of owned gchar * "NAME=NUMBER": a map of integers */
} WpParamType;

typedef struct {
	const gchar *name;
	WpParamType type;
	gboolean needed;
	gsize offset; /* of the member that takes the value, in the options */
	const gchar *const *choices; /* NULL-terminated */
} WpParam;

/*
 * Reads params (a map) into options. Members of parameters that were not given keep what they
 * have. FALSE with WP_ERROR_USAGE; what was read by then is cleared by wp_params_clear().
 */
gboolean wp_params_read(const bt_value *params, const WpParam *table, guint n_table,
			gpointer options, GError **error);
/* Frees what the members own. */
void wp_params_clear(const WpParam *table, guint n_table, gpointer options);

G_END_DECLS

#endif
