/* SPDX-License-Identifier: MIT */
/*
 * fixture.h: text that a person can read and write, to LTTng kernel traces, one a host.
 * tests/fixtures/README.md is the language.
 */
#ifndef WP_TESTS_FIXTURE_H
#define WP_TESTS_FIXTURE_H

#include <glib.h>

G_BEGIN_DECLS

/* What time 0 of a fixture is in the trace of a host without an offset: ns since the epoch. */
#define WP_FIXTURE_EPOCH (G_GINT64_CONSTANT(1700001000) * 1000000000)

/*
 * Writes directory/HOST for each host of the text file at path. Returns the names of
 * the hosts, NULL-terminated, owned by the caller; the error names the line.
 */
gchar **wp_fixture_write(const gchar *path, const gchar *directory, GError **error);

/* "12.5", in microseconds, to ns; FALSE when the text is no such number. */
gboolean wp_fixture_parse_time(const gchar *text, gint64 *ret_ns);

G_END_DECLS

#endif
