/* SPDX-License-Identifier: MIT */
/* wpv-history.c: an array of views and the place of the present one in it. */
#include "config.h"

#include "viewer/model/wpv-history.h"

struct WpvHistory {
	GArray *views; /* owned: WpvView; never empty */
	guint at; /* the present one */
	WpvStep last; /* how it came there */
};

void wpv_view_clear(WpvView *view)
{
	wpv_row_filter_clear(&view->filter);
}

void wpv_view_copy(WpvView *to, const WpvView *from)
{
	to->begin = from->begin;
	to->end = from->end;
	to->dimmed = from->dimmed;
	wpv_row_filter_copy(&to->filter, &from->filter);
}

static void append(WpvHistory *history, const WpvView *view)
{
	WpvView copy = {0};

	wpv_view_copy(&copy, view);
	g_array_append_val(history->views, copy);
}

static void view_clear(gpointer view)
{
	wpv_view_clear(view);
}

WpvHistory *wpv_history_new(const WpvView *first)
{
	WpvHistory *history = g_new0(WpvHistory, 1);

	history->views = g_array_new(FALSE, TRUE, sizeof(WpvView));
	g_array_set_clear_func(history->views, view_clear);
	append(history, first);
	return history;
}

void wpv_history_free(WpvHistory *history)
{
	if (!history)
		return;
	g_array_unref(history->views);
	g_free(history);
}

static const WpvView *view_at(const WpvHistory *history, guint i)
{
	return &g_array_index(history->views, WpvView, i);
}

void wpv_history_push(WpvHistory *history, const WpvView *view, WpvStep step)
{
	g_array_set_size(history->views, history->at + 1);
	/* Never over the bottom: there is always a way back to the beginning. */
	if (step != WPV_STEP_ALONE && step == history->last && history->at > 0) {
		wpv_view_copy(&g_array_index(history->views, WpvView, history->at), view);
		return;
	}
	append(history, view);
	if (history->views->len > WPV_HISTORY_MAX)
		g_array_remove_index(history->views, 1);
	history->at = history->views->len - 1;
	history->last = step;
}

static const WpvView *go_to(WpvHistory *history, guint at)
{
	history->at = at;
	history->last = WPV_STEP_ALONE;
	return view_at(history, at);
}

const WpvView *wpv_history_undo(WpvHistory *history)
{
	return wpv_history_can_undo(history) ? go_to(history, history->at - 1) : NULL;
}

const WpvView *wpv_history_redo(WpvHistory *history)
{
	return wpv_history_can_redo(history) ? go_to(history, history->at + 1) : NULL;
}

const WpvView *wpv_history_zoom_back(WpvHistory *history)
{
	const WpvView *now = view_at(history, history->at);

	for (guint i = history->at; i-- > 0;)
		if (view_at(history, i)->begin != now->begin ||
		    view_at(history, i)->end != now->end)
			return go_to(history, i);
	return NULL;
}

gboolean wpv_history_can_undo(const WpvHistory *history)
{
	return history->at > 0;
}

gboolean wpv_history_can_redo(const WpvHistory *history)
{
	return history->at + 1 < history->views->len;
}
