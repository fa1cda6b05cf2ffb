/* SPDX-License-Identifier: MIT */
/* phase-events.h: the events of phase.h, for lttng-ust, which reads this more than once. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER waitpath

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "base/phase-events.h"

#if !defined(WP_BASE_PHASE_EVENTS_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define WP_BASE_PHASE_EVENTS_H

#include <lttng/tracepoint.h>

/* clang-format off */
LTTNG_UST_TRACEPOINT_EVENT_CLASS(waitpath, phase,
	LTTNG_UST_TP_ARGS(const char *, name),
	LTTNG_UST_TP_FIELDS(lttng_ust_field_string(name, name)))

LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(waitpath, phase, waitpath, phase_begin,
	LTTNG_UST_TP_ARGS(const char *, name))

LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(waitpath, phase, waitpath, phase_end,
	LTTNG_UST_TP_ARGS(const char *, name))
/* clang-format on */

#endif

#include <lttng/tracepoint-event.h>
