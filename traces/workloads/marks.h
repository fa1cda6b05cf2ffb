/* SPDX-License-Identifier: MIT */
/* marks.h: user-space events of the workloads: a phase or request begins and ends. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER waitpath_workload

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "marks.h"

#if !defined(WORKLOADS_MARKS_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define WORKLOADS_MARKS_H

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT_CLASS(waitpath_workload, phase,
	LTTNG_UST_TP_ARGS(const char *, what),
	LTTNG_UST_TP_FIELDS(lttng_ust_field_string(what, what)))

LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(waitpath_workload, phase, waitpath_workload, begin,
	LTTNG_UST_TP_ARGS(const char *, what))

LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(waitpath_workload, phase, waitpath_workload, end,
	LTTNG_UST_TP_ARGS(const char *, what))

#endif

#include <lttng/tracepoint-event.h>
