/* SPDX-License-Identifier: MIT */
/* replay-events.h: the events of replay.c, for lttng-ust, which reads this more than once. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER replay

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "tests/live/replay-events.h"

#if !defined(TESTS_LIVE_REPLAY_EVENTS_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define TESTS_LIVE_REPLAY_EVENTS_H

#include <lttng/tracepoint.h>

/* clang-format off */
LTTNG_UST_TRACEPOINT_EVENT(replay, sched_switch,
	LTTNG_UST_TP_ARGS(const char *, prev_comm, int, prev_tid, long, prev_state,
			  const char *, next_comm, int, next_tid),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_string(prev_comm, prev_comm)
		lttng_ust_field_integer(int, prev_tid, prev_tid)
		lttng_ust_field_integer(long, prev_state, prev_state)
		lttng_ust_field_string(next_comm, next_comm)
		lttng_ust_field_integer(int, next_tid, next_tid)))

LTTNG_UST_TRACEPOINT_EVENT(replay, sched_waking,
	LTTNG_UST_TP_ARGS(const char *, comm, int, tid, int, target_cpu),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_string(comm, comm)
		lttng_ust_field_integer(int, tid, tid)
		lttng_ust_field_integer(int, target_cpu, target_cpu)))

LTTNG_UST_TRACEPOINT_EVENT_CLASS(replay, number,
	LTTNG_UST_TP_ARGS(int, number),
	LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(int, number, number)))

LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(replay, number, replay, irq_entry,
	LTTNG_UST_TP_ARGS(int, number))
LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(replay, number, replay, irq_exit,
	LTTNG_UST_TP_ARGS(int, number))
LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(replay, number, replay, softirq_entry,
	LTTNG_UST_TP_ARGS(int, number))
LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(replay, number, replay, softirq_exit,
	LTTNG_UST_TP_ARGS(int, number))
/* clang-format on */

#endif

#include <lttng/tracepoint-event.h>
