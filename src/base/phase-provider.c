/* SPDX-License-Identifier: MIT */
/* phase-provider.c: the probes of phase.h's events: a library of its own, loaded to be traced. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#include "base/phase-events.h"
