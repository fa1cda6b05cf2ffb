/* SPDX-License-Identifier: MIT */
/* marks.c: the probes of marks.h. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#include "marks.h"
