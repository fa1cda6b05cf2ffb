/* SPDX-License-Identifier: MIT */
/* phase-provider.c: phase.h's events for lttng-ust: a library of its own, loaded to be traced. */
#include "config.h"

#include "base/phase.h"

#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "base/phase-events.h"

extern const WpPhaseProvider WP_PHASE_PROVIDER;

static void begin(WpPhase phase)
{
	lttng_ust_tracepoint(waitpath, phase_begin, phase);
}

static void end(WpPhase phase)
{
	lttng_ust_tracepoint(waitpath, phase_end, phase);
}

const WpPhaseProvider WP_PHASE_PROVIDER = {begin, end};
