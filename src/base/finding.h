/* SPDX-License-Identifier: MIT */
/*
 * finding.h: what is odd in a trace and worth telling: not an error, since the
 * analysis goes on. Findings of the same code, host and place are counted, not
 * repeated; a list holds at most WP_FINDINGS_MAX of them.
 */
#ifndef WP_BASE_FINDING_H
#define WP_BASE_FINDING_H

#include "base/types.h"

G_BEGIN_DECLS

#define WP_FINDINGS_MAX 10000

typedef enum { WP_SEVERITY_INFO, WP_SEVERITY_WARNING, WP_SEVERITY_ERROR } WpSeverity;

typedef struct {
	gchar *code; /* owned: "lost-events", "missing-wakeups" */
	gchar *host; /* owned, NULL when it concerns none or all */
	gchar *text; /* owned: one sentence */
	WpTime time; /* first seen, WP_TIME_MIN when it has no time */
	guint64 count;
	WpSeverity severity;
} WpFinding;

typedef struct WpFindings WpFindings;

WpFindings *wp_findings_new(void);
void wp_findings_free(WpFindings *findings);
/*
 * Adds count to the finding with this code, host and text, or makes it. code is
 * lower-case words joined by dashes. Not thread-safe: one list per host or reader.
 */
void wp_findings_add(WpFindings *findings, const gchar *code, WpSeverity severity,
		     const gchar *host, WpTime time, guint64 count, const gchar *format, ...)
	G_GNUC_PRINTF(7, 8);
guint wp_findings_n(const WpFindings *findings);
/* Borrowed, good until the list is freed. */
const WpFinding *wp_findings_get(const WpFindings *findings, guint i);
/* Appends all of other to findings; host replaces theirs when they have none. */
void wp_findings_merge(WpFindings *findings, const WpFindings *other, const gchar *host);

/* The same without those of one code, which is told otherwise. */
void wp_findings_merge_others(WpFindings *findings, const WpFindings *other, const gchar *host,
			      const gchar *code);

const gchar *wp_severity_key(WpSeverity severity);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpFindings, wp_findings_free)

G_END_DECLS

#endif
