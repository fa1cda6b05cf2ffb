/* SPDX-License-Identifier: MIT */
/* plugin.c: the Babeltrace 2 plugin: what it is and which component classes it has. */
#include <babeltrace2/babeltrace.h>

/*
 * Babeltrace finds a plugin by the functions that this macro defines, which in its version
 * 2.0 carry no export attribute: built with hidden visibility, the plugin would load and
 * show nothing.
 */
#pragma GCC visibility push(default)
BT_PLUGIN_MODULE();
#pragma GCC visibility pop

BT_PLUGIN(waitpath);
BT_PLUGIN_DESCRIPTION("Critical paths and clock synchronisation from kernel traces");
BT_PLUGIN_AUTHOR("The waitpath project");
BT_PLUGIN_LICENSE("MIT");
BT_PLUGIN_VERSION(0, 1, 0, NULL);
