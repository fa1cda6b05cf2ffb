/* SPDX-License-Identifier: MIT */
/*
 * model.h: the state of one host, event by event: CPUs, tasks, interrupt stacks,
 * wake-ups, packets, disk requests; its product is a WpHost.
 *
 * Events must come in time order (merge.h). One model per host; not thread-safe.
 */
#ifndef WP_KERNEL_MODEL_H
#define WP_KERNEL_MODEL_H

#include "event/reader.h"
#include "graph/host.h"

G_BEGIN_DECLS

typedef struct WpModel WpModel;

/* Leaves out of a layout what no rule looks at, so that it need not be decoded. */
void wp_model_trim_layout(WpLayout *layout);
/* Fills host (borrowed, new). infos: of the traces that will be read, for versions and event names. */
WpModel *wp_model_new(WpHost *host, const WpTraceInfo *const *infos, guint n_infos);
void wp_model_free(WpModel *model);
/* Several at once, which costs less. are_far: another thread made them. */
gboolean wp_model_events(WpModel *model, const WpEvent *const *events, guint n, gboolean are_far,
			 GError **error);
/* A WpEventFunc (merge.h); data is the model. */
gboolean wp_model_event(const WpEvent *event, gpointer model, GError **error);
/*
 * The time before which no closed segment, and no cause of one, will change any more, unless
 * events turn out to be lost: the latest event's, but for wake-ups whose waker is not known yet.
 */
WpTime wp_model_get_settled(const WpModel *model);
/* After the last event: closes what is open. */
gboolean wp_model_finish(WpModel *model, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpModel, wp_model_free)

G_END_DECLS

#endif
