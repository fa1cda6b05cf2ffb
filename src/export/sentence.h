/* SPDX-License-Identifier: MIT */
/* sentence.h: the answer in one sentence, the first line of every report and of the viewer. */
#ifndef WP_EXPORT_SENTENCE_H
#define WP_EXPORT_SENTENCE_H

#include "export/totals.h"

G_BEGIN_DECLS

/*
 * "client spent 71 % of 566 ms waiting for back@hostc, which was running for 402 ms; then
 * front@hostb (14 %) and the network (9.0 %)." Owned by the caller.
 */
gchar *wp_path_dup_sentence(const WpPath *path, WpGraph *graph, const WpTotals *totals);

G_END_DECLS

#endif
