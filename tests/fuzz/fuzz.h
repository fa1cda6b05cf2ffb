/* SPDX-License-Identifier: MIT */
/*
 * fuzz.h: what the fuzz targets share. Each target is a program with libFuzzer's entry
 * point; where libFuzzer is not built in, replay.c is its main().
 */
#ifndef WP_TESTS_FUZZ_H
#define WP_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "event/reader.h"
#include "graph/host.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Writes size bytes to NAME in this run's folder in memory; returns its path, borrowed. */
const gchar *wp_fuzz_write(const gchar *name, const void *data, size_t size);
/* That folder; borrowed. */
const gchar *wp_fuzz_directory(void);

/*
 * Asks a graph for everything that the library computes: the paths of its tasks in both
 * modes. Takes the hosts.
 */
void wp_fuzz_use_hosts(WpHost **hosts, guint n_hosts);

/* Where the first packet begins in an input that has a trace's metadata in front; size: nowhere. */
size_t wp_fuzz_find_stream(const uint8_t *data, size_t size);

/* Reads a trace of one host to its end, makes its graph, and asks that as above. */
void wp_fuzz_use_trace(WpReader *reader);

#endif
