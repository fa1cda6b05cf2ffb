/* SPDX-License-Identifier: MIT */
/*
 * fuzz-layout.c: any bytes as an event layout: refused with a sentence, or taken.
 *
 *   ./configure CC=clang --enable-fuzzing && make tests/fuzz/fuzz-layout
 *   tests/fuzz/fuzz-layout -max_len=4096 CORPUS   (src/event/layouts.xml is a good begin)
 */
#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "event/layout.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* A new one every so often: to make it takes longer than a small file. */
	static WpLayout *layout;
	static guint n_added;
	g_autoptr(GError) error = NULL;
	gint fd = memfd_create("layout", MFD_CLOEXEC);
	g_autofree gchar *path = g_strdup_printf("/proc/self/fd/%d", fd);

	if (n_added % 100 == 0) {
		wp_layout_unref(layout);
		layout = wp_layout_new(NULL);
	}
	if (!layout || fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	if (wp_layout_add_file(layout, path, &error) == (error != NULL))
		abort();
	n_added++;
	wp_layout_find(layout, "sched_switch", NULL);
	close(fd);
	return 0;
}
