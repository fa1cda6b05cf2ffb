/* SPDX-License-Identifier: MIT */
/*
 * view.c: `waitpath view`: becomes the viewer, which takes the same arguments. They are read
 * here first, so that what is wrong with them is said as for every other command.
 */
#include "config.h"

#include <errno.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/cli.h"

#define VIEWER "waitpath-viewer"

/* The one that was built or installed with this program, or else that of the PATH. */
static gchar *find_viewer(void)
{
	g_autofree gchar *self = g_file_read_link("/proc/self/exe", NULL);
	g_autofree gchar *folder = self ? g_path_get_dirname(self) : NULL;
	g_autofree gchar *beside = folder ? g_build_filename(folder, VIEWER, NULL) : NULL;

	if (beside && g_file_test(beside, G_FILE_TEST_IS_EXECUTABLE))
		return g_steal_pointer(&beside);
	return g_find_program_in_path(VIEWER);
}

gint cli_view(CliOptions *options, GError **error)
{
	g_autofree gchar *viewer = find_viewer();
	g_autoptr(GPtrArray) arguments = g_ptr_array_new(); /* borrowed texts */

	if (!viewer) {
		g_set_error(error, WP_ERROR, WP_ERROR_FAILED,
			    "There is no " VIEWER " beside this program or in the PATH: it is "
			    "built where GTK 4 is.");
		return -1;
	}
	g_ptr_array_add(arguments, viewer);
	for (gchar **argument = options->arguments; *argument; argument++)
		g_ptr_array_add(arguments, *argument);
	g_ptr_array_add(arguments, NULL);
	execv(viewer, (gchar **)arguments->pdata);
	g_set_error(error, WP_ERROR, WP_ERROR_FAILED, "%s can't be started: %s.", viewer,
		    g_strerror(errno));
	return -1;
}
