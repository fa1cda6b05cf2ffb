/* SPDX-License-Identifier: MIT */
/* phase.c: see phase.h. */
#include "config.h"

#include "base/phase.h"

#ifdef HAVE_UST
/* The provider is found when it is loaded; without it both events are never enabled. */
#define LTTNG_UST_TRACEPOINT_DEFINE
#define LTTNG_UST_TRACEPOINT_PROBE_DYNAMIC_LINKAGE
#include "base/phase-events.h"
#endif

WpPhase wp_phase_begin(WpPhase phase)
{
#ifdef HAVE_UST
	lttng_ust_tracepoint(waitpath, phase_begin, phase);
#endif
	return phase;
}

void wp_phase_end(WpPhase *phase)
{
#ifdef HAVE_UST
	lttng_ust_tracepoint(waitpath, phase_end, *phase);
#else
	(void)phase;
#endif
}
