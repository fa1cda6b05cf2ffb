/* SPDX-License-Identifier: MIT */
/* bt2-clock.c: see bt2-clock.h. */
#include "config.h"

#include "bt2/bt2-clock.h"

gboolean wp_bt2_clock_zero(const bt_clock_class *clock, gint64 *ret_time)
{
	if (bt_clock_class_cycles_to_ns_from_origin(clock, 0, ret_time) ==
	    BT_CLOCK_CLASS_CYCLES_TO_NS_FROM_ORIGIN_STATUS_OK)
		return TRUE;
	bt_current_thread_clear_error();
	return FALSE;
}
