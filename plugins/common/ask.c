/* SPDX-License-Identifier: MIT */
/* ask.c: the parameters by which a component is asked about a path. */
#include "config.h"

#include "plugins/common/ask.h"

const gchar *const wp_ask_modes[] = {
	[WP_PATH_ACTIVE] = "active", [WP_PATH_CAUSAL] = "causal", NULL};

void wp_ask_init(WpAsk *ask)
{
	*ask = (WpAsk){.mode = WP_PATH_ACTIVE};
	wp_options_init(&ask->options);
}

void wp_ask_clear(WpAsk *ask)
{
	wp_options_clear(&ask->options);
}

WpQuestion wp_ask_question(const WpAsk *ask)
{
	return (WpQuestion){.task = ask->options.task,
			    .begin = ask->begin,
			    .end = ask->end,
			    .mode = (WpPathMode)ask->mode};
}
