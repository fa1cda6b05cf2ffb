/* SPDX-License-Identifier: MIT */
/*
 * check.h: what each element of a host's tables must hold to be safe to use: every
 * index in range, every enumeration known, links that only go back.
 */
#ifndef WP_GRAPH_CHECK_H
#define WP_GRAPH_CHECK_H

#include "graph/host.h"

G_BEGIN_DECLS

/*
 * Each returns NULL when element i is sound, else what is wrong with it. They look at the
 * sizes of the host's other tables, not into them.
 */
const gchar *wp_check_vertex(const WpHost *host, const WpVertex *vertex, guint64 i);
const gchar *wp_check_base(WpTime base);
const gchar *wp_check_far_time(const WpHost *host, const WpFarTime *far);
const gchar *wp_check_cause(const WpHost *host, const WpCause *cause);
const gchar *wp_check_detail(const WpHost *host, const WpCauseDetail *detail);
const gchar *wp_check_deferral(const WpHost *host, const WpDeferral *deferral);
const gchar *wp_check_task(const WpHost *host, const WpTask *task);
const gchar *wp_check_comm(const WpHost *host, const WpCommChange *change, guint64 i);
const gchar *wp_check_flow(const WpHost *host, const WpFlow *flow);
const gchar *wp_check_packet(const WpHost *host, const WpPacket *packet, guint64 i);
const gchar *wp_check_loss(const WpHost *host, const WpLoss *loss);
const gchar *wp_check_marker(const WpHost *host, const WpMarker *marker);

G_END_DECLS

#endif
