/* SPDX-License-Identifier: MIT */
/* phase.c: see phase.h. */
#include "config.h"

#include <dlfcn.h>
#include <stdatomic.h>

#include "base/phase.h"

static void nothing(WpPhase phase)
{
	(void)phase;
}

/*
 * The provider, if it was loaded with the program. To link lttng-ust's tracepoints, disabled, would
 * load three libraries at each start.
 */
static const WpPhaseProvider *get_provider(void)
{
	static const WpPhaseProvider none = {nothing, nothing};
	static _Atomic(const WpPhaseProvider *) found;
	const WpPhaseProvider *provider = atomic_load_explicit(&found, memory_order_acquire);

	if (G_LIKELY(provider))
		return provider;
	/* Whichever threads look first find the same. */
	provider = dlsym(RTLD_DEFAULT, G_STRINGIFY(WP_PHASE_PROVIDER));
	if (!provider)
		provider = &none;
	atomic_store_explicit(&found, provider, memory_order_release);
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
