/* SPDX-License-Identifier: MIT */
/* fuzz-graph.c: any bytes as a saved graph, and the paths of what opens. */
#include "config.h"

#include "fuzz.h"
#include "graph/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const gchar *path = wp_fuzz_write("graph", data, size);
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) hosts = NULL;

	wp_graph_file_probe(path);
	hosts = wp_graph_file_open(path, &error);
	if (!hosts) {
		g_assert_nonnull(error);
		return 0;
	}
	/* A flaw may be found here, or not; reading on must be safe either way. */
	for (guint i = 0; i < hosts->len; i++)
		wp_host_check(hosts->pdata[i], NULL);
	if (hosts->len > 0)
		wp_fuzz_use_hosts((WpHost **)hosts->pdata, hosts->len);
	return 0;
}
