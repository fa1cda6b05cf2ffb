/* SPDX-License-Identifier: MIT */
/*
 * fixture2ctf FILE DIRECTORY: writes the hosts of a fixture (tests/fixtures/README.md) as
 * CTF traces below DIRECTORY, which it makes if need be, and prints the path of each.
 */
#include "config.h"

#include <glib.h>
#include <glib/gstdio.h>

#include "lib/fixture.h"

int main(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	g_auto(GStrv) hosts = NULL;

	if (argc != 3) {
		g_printerr("usage: fixture2ctf FILE DIRECTORY\n");
		return 2;
	}
	if (g_mkdir_with_parents(argv[2], 0777) != 0) {
		g_printerr("fixture2ctf: %s can't be made\n", argv[2]);
		return 1;
	}
	hosts = wp_fixture_write(argv[1], argv[2], &error);
	if (!hosts) {
		g_printerr("fixture2ctf: %s\n", error->message);
		return 1;
	}
	for (guint i = 0; hosts[i]; i++)
		g_print("%s/%s\n", argv[2], hosts[i]);
	return 0;
}
