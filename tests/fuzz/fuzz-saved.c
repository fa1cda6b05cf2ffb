/* SPDX-License-Identifier: MIT */
/*
 * fuzz-saved.c: any bytes as a saved result (JSON), of which compare makes a side: refused with
 * a sentence, or compared with itself.
 */
#include "config.h"

#include <stdlib.h>

#include "export/saved.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const gchar *path = wp_fuzz_write("result", data, size);
	g_autoptr(GError) error = NULL;
	g_autoptr(WpSaved) saved = NULL;

	wp_saved_is(path);
	saved = wp_saved_read(path, &error);
	if ((saved != NULL) == (error != NULL))
		abort();
	for (guint side = 0; saved && side < 2; side++) {
		g_autoptr(GError) problem = NULL;
		WpProfile *profile = wp_profile_new();
		WpStacks *stacks = wp_stacks_new();

		if (wp_saved_add(saved, side ? "hosta:*" : NULL, profile, stacks, side, &problem) ==
		    (problem != NULL))
			abort();
		wp_stacks_free(stacks);
		wp_profile_free(profile);
	}
	return 0;
}
