/* SPDX-License-Identifier: MIT */
/*
 * bus.h: mapped files that become shorter while they are read.
 *
 * Traces and graphs are mapped, not read. Should somebody cut one meanwhile, the system has
 * nothing to give behind the new end and sends SIGBUS. A program that has called
 * wp_bus_guard() goes on with zeros there, and is told by wp_bus_n_faults() that what it has
 * read is not what the file held. Programs call it, the library never does: signals belong to
 * the process.
 */
#ifndef WP_BASE_BUS_H
#define WP_BASE_BUS_H

#include <glib.h>

G_BEGIN_DECLS

/* To be called once, before threads are started. */
void wp_bus_guard(void);
/* Pages that were not there so far; always 0 without the guard. */
guint wp_bus_n_faults(void);
/* FALSE with WP_ERROR_FAILED when there were more than n_before: a mapped file was cut. */
gboolean wp_bus_check(guint n_before, GError **error);

G_END_DECLS

#endif
