/* SPDX-License-Identifier: MIT */
/* json-private.h: members that several JSON reports have. */
#ifndef WP_EXPORT_JSON_PRIVATE_H
#define WP_EXPORT_JSON_PRIVATE_H

#include "base/json.h"
#include "export/describe.h"
#include "export/format-private.h"

G_BEGIN_DECLS

/* {"host", "tid", "comm"}. */
void wp_json_put_actor(WpJson *json, const gchar *key, const WpActor *actor);
/* host, tid, pid where known and asked for, comm: of a task's row. */
void wp_json_put_task_members(WpJson *json, const WpGraph *graph, guint32 host, WpId task,
			      gboolean with_pid);
void wp_json_put_window(WpJson *json, WpTime begin, WpTime end);
/* "by_state": those that have time, the most first. */
void wp_json_put_states(WpJson *json, const WpTime by_state[WP_STATE_N]);
/* "quality", as far as it concerns the traces as a whole. */
void wp_json_put_trace_quality(WpJson *json, const WpGraph *graph, const WpFindings *findings);

G_END_DECLS

#endif
