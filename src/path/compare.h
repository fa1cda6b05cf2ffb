/* SPDX-License-Identifier: MIT */
/*
 * compare.h: what the difference in time between two runs, windows or results is made
 * of. Groups of two breakdowns are matched by their names: host, task name, state
 * and reason.
 */
#ifndef WP_PATH_COMPARE_H
#define WP_PATH_COMPARE_H

#include "path/breakdown.h"

G_BEGIN_DECLS

/* One side: the time of each group, mean or total as the caller likes. */
typedef struct {
	WpBreakdown *breakdown; /* owned */
	GArray *times; /* owned: WpTime, by group */
} WpProfile;

WpProfile *wp_profile_new(void);
void wp_profile_free(WpProfile *profile);
void wp_profile_add(WpProfile *profile, const gchar *host, const gchar *comm, WpState state,
		    const gchar *cause, WpTime time);
void wp_profile_add_path(WpProfile *profile, const WpGraph *graph, const WpPath *path);

typedef struct {
	const gchar *host, *comm, *cause; /* borrowed from the profiles */
	WpState state;
	WpTime a, b;
} WpComparisonRow;

typedef struct {
	GArray *rows; /* owned: WpComparisonRow by the size of b - a, descending */
	WpTime a, b; /* sums */
} WpComparison;

/* The profiles must outlive the result, which the caller owns. */
WpComparison *wp_compare(const WpProfile *a, const WpProfile *b);
void wp_comparison_free(WpComparison *comparison);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpProfile, wp_profile_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpComparison, wp_comparison_free)

G_END_DECLS

#endif
