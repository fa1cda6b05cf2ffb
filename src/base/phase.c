/* SPDX-License-Identifier: MIT */
/* phase.c: see phase.h. */
#include "config.h"

#include <dlfcn.h>

#include "base/phase.h"
#include "base/thread.h"

static void nothing(WpPhase phase)
{
	(void)phase;
}

/*
 * The provider, if it was loaded with the program. To link lttng-ust's tracepoints, disabled, would
 * load three libraries at each start. A lock, since phases are long and helgrind knows it.
 */
static const WpPhaseProvider *get_provider(void)
{
	static const WpPhaseProvider none = {nothing, nothing};
	static WpMutex mutex = WP_MUTEX_INIT;
	static const WpPhaseProvider *found; /* guarded by mutex; NULL: not looked for yet */
	const WpPhaseProvider *provider;

	wp_mutex_lock(&mutex);
	if (!found)
		found = dlsym(RTLD_DEFAULT, G_STRINGIFY(WP_PHASE_PROVIDER));
	if (!found)
		found = &none;
	provider = found;
	wp_mutex_unlock(&mutex);
	return provider;
}

WpPhase wp_phase_begin(WpPhase phase)
{
	get_provider()->begin(phase);
	return phase;
}

void wp_phase_end(WpPhase *phase)
{
	get_provider()->end(*phase);
}
