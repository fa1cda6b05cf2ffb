/* SPDX-License-Identifier: MIT */
/* whole-file.c: see whole-file.h. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "base/error.h"
#include "base/whole-file.h"

#define NAMES_MAX 100u

struct WpWholeFile {
	gchar *path; /* owned */
	gchar *temporary; /* owned, NULL: it has no name yet */
	int fd;
	gboolean in_place;
	gboolean committed;
};

static gboolean fail(const WpWholeFile *file, int number, GError **error)
{
	g_set_error(error, WP_ERROR, WP_ERROR_FAILED, "%s can't be written: %s.", file->path,
		    g_strerror(number));
	return FALSE;
}

static gboolean is_special(const gchar *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

static void open_file(WpWholeFile *file)
{
	g_autofree gchar *folder = g_path_get_dirname(file->path);

	file->in_place = is_special(file->path);
	if (file->in_place) {
		file->fd = open(file->path, O_WRONLY | O_CLOEXEC);
		return;
	}
	file->fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
	if (file->fd >= 0)
		return;
	file->temporary = g_strdup_printf("%s.XXXXXX", file->path);
	file->fd = g_mkstemp_full(file->temporary, O_RDWR | O_CLOEXEC, 0666);
	if (file->fd < 0)
		g_clear_pointer(&file->temporary, g_free);
}

WpWholeFile *wp_whole_file_new(const gchar *path, GError **error)
{
	g_autoptr(WpWholeFile) file = g_new0(WpWholeFile, 1);

	file->path = g_strdup(path);
	open_file(file);
	if (file->fd >= 0)
		return g_steal_pointer(&file);
	fail(file, errno, error);
	return NULL;
}

int wp_whole_file_get_fd(const WpWholeFile *file)
{
	return file->fd;
}

gboolean wp_whole_file_is_in_place(const WpWholeFile *file)
{
	return file->in_place;
}

/* An unnamed file gets a name beside the wanted one: a link replaces nothing, a rename does. */
static gboolean give_name(WpWholeFile *file)
{
	g_autofree gchar *self = g_strdup_printf("/proc/self/fd/%d", file->fd);

	for (guint i = 0; i < NAMES_MAX; i++) {
		g_autofree gchar *name = g_strdup_printf("%s.%06x", file->path,
							 g_random_int() & 0xffffff);

		if (linkat(AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0) {
			file->temporary = g_steal_pointer(&name);
			return TRUE;
		}
		if (errno != EEXIST)
			return FALSE;
	}
	return FALSE;
}

gboolean wp_whole_file_commit(WpWholeFile *file, gboolean durable, GError **error)
{
	const int fd = file->fd;

	if ((durable && !file->in_place && fsync(fd) != 0) ||
	    (!file->in_place && !file->temporary && !give_name(file)))
		return fail(file, errno, error);
	file->fd = -1;
	/* Some file systems tell only now that there was no room. */
	if (close(fd) != 0 || (!file->in_place && g_rename(file->temporary, file->path) != 0))
		return fail(file, errno, error);
	file->committed = TRUE;
	return TRUE;
}

void wp_whole_file_free(WpWholeFile *file)
{
	if (!file)
		return;
	if (file->fd >= 0)
		close(file->fd);
	if (file->temporary && !file->committed)
		g_unlink(file->temporary);
	g_free(file->temporary);
	g_free(file->path);
	g_free(file);
}
