/* SPDX-License-Identifier: MIT */
/*
 * units.h: durations, shares and times as people read them. Each writes into
 * the caller's buffer and returns the text in it, to stand in a printf's arguments.
 */
#ifndef WP_EXPORT_UNITS_H
#define WP_EXPORT_UNITS_H

#include "base/types.h"
#include "sync/sync.h"

G_BEGIN_DECLS

/* Room for any of the texts below. */
typedef struct {
	gchar text[64];
} WpText;

/* Three significant digits and a unit, rounded half up: "566 ms", "1.20 us", "0 ns". */
const gchar *wp_duration_text(WpText *buffer, WpTime duration);
/* "71.0 %"; a whole of 0 gives "0.0 %". */
const gchar *wp_share_text(WpText *buffer, WpTime part, WpTime whole);
/* For a sentence: "71 %", "7.1 %", "99.6 %", "0.42 %". */
const gchar *wp_share_words(WpText *buffer, WpTime part, WpTime whole);
/* Seconds with nine decimals, with its sign: "+0.000200000". */
const gchar *wp_offset_text(WpText *buffer, WpTime offset);
/*
 * "drift +60.012 ppm +-0.016", or of a drift whose bound is too wide to give it a figure "drift not
 * known (-212 to +212 ppm)", without a range when that is beyond all that clocks do.
 */
const gchar *wp_drift_text(WpText *buffer, const WpHostReport *host);
/* "09:00:49.100000000" in the local time zone. */
const gchar *wp_clock_text(WpText *buffer, WpTime time);
/* "2026-03-02 09:00:49.100000000" in the local time zone. */
const gchar *wp_date_text(WpText *buffer, WpTime time);
/* A number with its thousands apart: "158,681". */
const gchar *wp_count_text(WpText *buffer, guint64 count);

G_END_DECLS

#endif
