/* SPDX-License-Identifier: MIT */
/*
 * format.h: the formats that reports are written in: a table with one writer per
 * report, NULL where a format can't hold it.
 */
#ifndef WP_EXPORT_FORMAT_H
#define WP_EXPORT_FORMAT_H

#include "base/out.h"
#include "export/report.h"

G_BEGIN_DECLS

/* How text for people is laid out; machine formats don't look at it. */
typedef struct {
	gboolean colour; /* escape sequences for colours */
	gboolean truecolour; /* 24-bit ones, else the 256 of xterm */
	gboolean utf8; /* bars of block characters */
	guint verbose; /* 1: segments too; 2: none of them put together */
	gboolean quiet; /* no findings, no hints */
	guint top; /* rows of a table, 0: as the report likes */
} WpTextStyle;

typedef struct {
	const gchar *name; /* of --format */
	void (*path)(WpOut *out, const WpPathReport *report, const WpTextStyle *style);
	void (*tasks)(WpOut *out, const WpTasksReport *report, const WpTextStyle *style);
	void (*requests)(WpOut *out, const WpRequestsReport *report, const WpTextStyle *style);
	void (*compare)(WpOut *out, const WpCompareReport *report, const WpTextStyle *style);
	void (*blockers)(WpOut *out, const WpBlockersReport *report, const WpTextStyle *style);
	void (*sync)(WpOut *out, const WpSyncView *report, const WpTextStyle *style);
	void (*check)(WpOut *out, const WpCheckReport *report, const WpTextStyle *style);
} WpFormat;

/*
 * Whether the user's locale (LC_ALL, LC_CTYPE, LANG) writes UTF-8, be it the program's locale or
 * not: a plugin is a guest in somebody else's.
 */
gboolean wp_text_locale_is_utf8(void);

/* NULL when there is none of this name. */
const WpFormat *wp_format_find(const gchar *name);
/* All of them, NULL-terminated. */
const WpFormat *const *wp_format_list(void);

G_END_DECLS

#endif
