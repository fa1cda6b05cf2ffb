/* SPDX-License-Identifier: MIT */
/* exporter-private.h: the writers that exporter.c puts into its table. */
#ifndef WP_EXPORT_EXPORTER_PRIVATE_H
#define WP_EXPORT_EXPORTER_PRIVATE_H

#include "export/describe.h"
#include "export/exporter.h"
#include "export/walk.h"

G_BEGIN_DECLS

void wp_chrome_write(WpOut *out, const WpExportJob *job);
void wp_perfetto_write(WpOut *out, const WpExportJob *job);
void wp_speedscope_write(WpOut *out, const WpExportJob *job);
void wp_otlp_write(WpOut *out, const WpExportJob *job);
void wp_flame_write(WpOut *out, const WpExportJob *job);
void wp_timeline_write(WpOut *out, const WpExportJob *job);
void wp_graphml_write(WpOut *out, const WpExportJob *job);
void wp_xml_write(WpOut *out, const WpExportJob *job);
gboolean wp_sqlite_save(const gchar *file, const WpExportJob *job, GError **error);

/* "client@hosta (183)": a title for the whole. Owned by the caller. */
gchar *wp_export_dup_title(const WpExportJob *job);

G_END_DECLS

#endif
