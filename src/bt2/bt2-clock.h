/* SPDX-License-Identifier: MIT */
/*
 * bt2-clock.h: times of Babeltrace's clocks, in ns since the clock's origin.
 *
 * Babeltrace takes a time out of range for an error of the thread, with which any further call
 * ends the program. Here it is an answer, and the thread goes on.
 */
#ifndef WP_BT2_CLOCK_H
#define WP_BT2_CLOCK_H

#include <babeltrace2/babeltrace.h>

#include "base/types.h"

G_BEGIN_DECLS

/* FALSE when the time is more than 292 years from the origin. */
static inline gboolean wp_bt2_snapshot_time(const bt_clock_snapshot *snapshot, WpTime *ret_time)
{
	if (G_LIKELY(bt_clock_snapshot_get_ns_from_origin(snapshot, ret_time) ==
		     BT_CLOCK_SNAPSHOT_GET_NS_FROM_ORIGIN_STATUS_OK))
		return TRUE;
	bt_current_thread_clear_error();
	return FALSE;
}

/* The time of a clock's value 0; FALSE as above. */
gboolean wp_bt2_clock_zero(const bt_clock_class *clock, gint64 *ret_time);

G_END_DECLS

#endif
