/* SPDX-License-Identifier: MIT */
/*
 * lttng.h: the lttng command lines of a recording, in the order in which they run.
 *
 * A plan is three lists of steps: to set a session up, to end it, and to throw it
 * away when something fails between. Each step is one command line and what it
 * means when it fails. Making a plan runs nothing.
 */
#ifndef WP_CLI_LTTNG_H
#define WP_CLI_LTTNG_H

#include <glib.h>

G_BEGIN_DECLS

/* Rows of a table in options.c. */
typedef enum { LTTNG_MINIMAL, LTTNG_DEFAULT, LTTNG_FULL } LttngProfile;

typedef struct {
	gchar **arguments; /* owned, NULL-terminated */
	/* What the analysis misses without it; NULL: nothing can be recorded without it. Borrowed. */
	const gchar *missed;
	gboolean first_of_kernel; /* it fails when the kernel can't be traced at all */
} LttngStep;

typedef struct {
	const gchar *session; /* borrowed */
	const gchar *directory; /* borrowed, absolute */
	LttngProfile profile;
	const gchar *user_events; /* borrowed: as lttng enable-event takes them, NULL: none */
	const gchar *rotate; /* borrowed: a period (10m) or a size (1G), NULL: not */
	gboolean snapshot; /* keep the last of it in memory, write that at the end */
	guint64 buffer; /* bytes a CPU */
} LttngRecording;

/* Each a GPtrArray of owned LttngStep *; the caller owns it. */
GPtrArray *lttng_plan_begin(const LttngRecording *recording);
GPtrArray *lttng_plan_end(const LttngRecording *recording);
GPtrArray *lttng_plan_abandon(const LttngRecording *recording);

/* A step as it would be typed in a shell; the caller owns it. */
gchar *lttng_step_to_string(const LttngStep *step);

G_END_DECLS

#endif
