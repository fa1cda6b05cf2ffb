/* SPDX-License-Identifier: MIT */
/*
 * reasons.h: what slow requests have that fast ones don't: the difference of their
 * mean paths, by who, in which state and why, with how sure it is.
 */
#ifndef WP_PATH_REASONS_H
#define WP_PATH_REASONS_H

#include "path/requests.h"

G_BEGIN_DECLS

/* At most as many reasons, those of the largest differences. */
#define WP_REASONS_MAX 100

typedef struct {
	guint32 group; /* of the requests' breakdown */
	gdouble slow, fast; /* ns: mean of each class */
	gdouble difference; /* ns: slow minus fast */
	gdouble share; /* of the difference of mean durations */
	gdouble low, high; /* ns: 95 % bootstrap interval of the difference */
} WpReason;

typedef struct {
	WpTime split; /* requests that last longer are slow */
	guint64 n_slow, n_fast;
	gdouble difference; /* ns: of mean durations */
	GArray *reasons; /* owned: WpReason by the size of their difference, descending */
} WpReasons;

/*
 * The duration that parts slow from fast best: which leaves the least variance within
 * the two classes (Otsu, "A threshold selection method from gray-level histograms",
 * IEEE Trans. SMC 1979). FALSE when all requests last equally long.
 */
gboolean wp_requests_find_split(const WpRequests *requests, WpTime *ret_split);

/*
 * Explains the difference between requests longer than split and the others; NULL when
 * there are none of either. The same requests give the same numbers. The caller owns
 * the result.
 */
WpReasons *wp_reasons_compute(const WpRequests *requests, WpTime split);
void wp_reasons_free(WpReasons *reasons);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpReasons, wp_reasons_free)

G_END_DECLS

#endif
