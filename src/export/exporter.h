/* SPDX-License-Identifier: MIT */
/*
 * exporter.h: a path, and the execution around it, for other tools: a table with one
 * writer per tool's format.
 */
#ifndef WP_EXPORT_EXPORTER_H
#define WP_EXPORT_EXPORTER_H

#include "base/cancel.h"
#include "base/out.h"
#include "path/path.h"

G_BEGIN_DECLS

typedef struct {
	WpGraph *graph; /* borrowed */
	const WpPath *path; /* borrowed */
	gboolean all; /* the timelines of all tasks, not only of those on the path */
	WpCancel *cancellable; /* borrowed, NULL: looked at by save; write ends with its output */
} WpExportJob;

typedef struct {
	const gchar *name; /* of --format */
	const gchar *help; /* half a sentence: for whom */
	gboolean binary; /* nothing to look at on a terminal */
	/* One of the two: into a stream, or into a file that it makes itself. */
	void (*write)(WpOut *out, const WpExportJob *job);
	gboolean (*save)(const gchar *file, const WpExportJob *job, GError **error);
} WpExporter;

/* All of them, NULL-terminated. */
const WpExporter *const *wp_exporter_list(void);

G_END_DECLS

#endif
