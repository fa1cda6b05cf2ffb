/* SPDX-License-Identifier: MIT */
/* late-library.c: see late-library.h. */
#include "config.h"

#include <dlfcn.h>
#include <string.h>

#include "base/error.h"
#include "base/late-library.h"

static gboolean fail(const WpLateLibrary *library, const gchar *why, GError **error)
{
	g_set_error(error, WP_ERROR, WP_ERROR_FAILED,
		    "%s needs %s, which could not be loaded: %s; install it (Debian: %s).",
		    library->user, library->soname, why ? why : "the loader says nothing more",
		    library->package);
	return FALSE;
}

static gboolean load(const WpLateLibrary *library, GError **error)
{
	void *handle = dlopen(library->soname, RTLD_LAZY | RTLD_LOCAL);

	if (!handle)
		return fail(library, dlerror(), error);
	for (gsize i = 0; i < library->n; i++) {
		void *function = dlsym(handle, library->names[i]);

		if (!function)
			return fail(library, dlerror(), error);
		/* POSIX lets an object's pointer hold a function's; C has no assignment for it. */
		memcpy((gchar *)library->functions + i * sizeof(function), &function,
		       sizeof(function));
	}
	return TRUE;
}

gboolean wp_late_library_load(WpLateLibrary *library, GError **error)
{
	gboolean is_loaded;

	wp_mutex_lock(&library->mutex);
	if (!library->is_loaded)
		library->is_loaded = load(library, error);
	is_loaded = library->is_loaded;
	wp_mutex_unlock(&library->mutex);
	return is_loaded;
}
