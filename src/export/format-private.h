/* SPDX-License-Identifier: MIT */
/* format-private.h: the writers that format.c puts into its table. */
#ifndef WP_EXPORT_FORMAT_PRIVATE_H
#define WP_EXPORT_FORMAT_PRIVATE_H

#include "export/format.h"

G_BEGIN_DECLS

void wp_text_write_path(WpOut *out, const WpPathReport *report, const WpTextStyle *style);
void wp_json_write_path(WpOut *out, const WpPathReport *report, const WpTextStyle *style);
void wp_csv_write_path(WpOut *out, const WpPathReport *report, const WpTextStyle *style);
void wp_text_write_tasks(WpOut *out, const WpTasksReport *report, const WpTextStyle *style);
void wp_text_write_sync(WpOut *out, const WpSyncView *report, const WpTextStyle *style);
void wp_text_write_check(WpOut *out, const WpCheckReport *report, const WpTextStyle *style);
void wp_json_write_tasks(WpOut *out, const WpTasksReport *report, const WpTextStyle *style);
void wp_json_write_sync(WpOut *out, const WpSyncView *report, const WpTextStyle *style);
void wp_json_write_check(WpOut *out, const WpCheckReport *report, const WpTextStyle *style);
void wp_csv_write_tasks(WpOut *out, const WpTasksReport *report, const WpTextStyle *style);
void wp_text_write_requests(WpOut *out, const WpRequestsReport *report, const WpTextStyle *style);
void wp_text_write_compare(WpOut *out, const WpCompareReport *report, const WpTextStyle *style);
void wp_text_write_blockers(WpOut *out, const WpBlockersReport *report, const WpTextStyle *style);
void wp_json_write_requests(WpOut *out, const WpRequestsReport *report, const WpTextStyle *style);
void wp_json_write_compare(WpOut *out, const WpCompareReport *report, const WpTextStyle *style);
void wp_json_write_blockers(WpOut *out, const WpBlockersReport *report, const WpTextStyle *style);
void wp_csv_write_requests(WpOut *out, const WpRequestsReport *report, const WpTextStyle *style);
void wp_csv_write_compare(WpOut *out, const WpCompareReport *report, const WpTextStyle *style);
void wp_csv_write_blockers(WpOut *out, const WpBlockersReport *report, const WpTextStyle *style);
/* A field of a CSV record, behind a comma unless it is the first one; NULL: empty. */
void wp_csv_put_text(WpOut *out, gboolean first, const gchar *text);
void wp_csv_put_int(WpOut *out, gint64 value);
void wp_folded_write_path(WpOut *out, const WpPathReport *report, const WpTextStyle *style);
void wp_folded_write_compare(WpOut *out, const WpCompareReport *report, const WpTextStyle *style);
void wp_svg_write_compare(WpOut *out, const WpCompareReport *report, const WpTextStyle *style);

G_END_DECLS

#endif
