/* SPDX-License-Identifier: MIT */
/* wpv-cancel.c: see wpv-cancel.h. */
#include "config.h"

#include "viewer/model/wpv-cancel.h"

static void on_cancelled(G_GNUC_UNUSED GCancellable *cancellable, gpointer cancel)
{
	wp_cancel_set(cancel);
}

static void unref(gpointer cancel)
{
	wp_cancel_unref(cancel);
}

WpCancel *wpv_cancel_new(GCancellable *cancellable)
{
	WpCancel *cancel;

	if (!cancellable)
		return NULL;
	cancel = wp_cancel_new();
	g_cancellable_connect(cancellable, G_CALLBACK(on_cancelled), wp_cancel_ref(cancel), unref);
	return cancel;
}
