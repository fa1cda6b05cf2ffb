/* SPDX-License-Identifier: MIT */
/*
 * wpv-flame.c: the tree is grown while the path is read backwards: a segment at depth d
 * lies in the wait of the task that goes on behind it at a lower depth, so that the
 * chain in force is always the branch that the last segments grew.
 */
#include "config.h"

#include "export/describe.h"
#include "viewer/model/wpv-flame.h"

/* A frame is named by its parent and what it is. */
typedef struct {
	guint32 parent, host;
	WpId task;
	guint8 state;
} Key;

typedef struct {
	GArray *frames; /* owned: WpvFrame in the order in which they were found */
	GHashTable *by_key; /* owned: owned Key -> index + 1 */
	guint32 chain[WPV_FLAME_DEPTH_MAX]; /* frames of the branch in force, by depth */
	guint n_chain;
} Growth;

static guint key_hash(gconstpointer data)
{
	const Key *key = data;

	return ((key->parent * 31 + key->host) * 31 + key->task) * 31 + key->state;
}

static gboolean key_equal(gconstpointer a, gconstpointer b)
{
	const Key *x = a, *y = b;

	return x->parent == y->parent && x->host == y->host && x->task == y->task &&
	       x->state == y->state;
}

static WpvFrame *frame_at(GArray *frames, guint32 i)
{
	return &g_array_index(frames, WpvFrame, i);
}

/* The frame of a task, or of a state under one; made when it is not there. */
static guint32 find_frame(Growth *growth, guint32 parent, const WpSegment *segment, guint8 state)
{
	Key key = {parent, segment->host, segment->task, state};
	guint32 found = GPOINTER_TO_UINT(g_hash_table_lookup(growth->by_key, &key));
	WpvFrame frame = {.host = segment->host,
			  .task = segment->task,
			  .state = state,
			  .depth = parent == WP_NONE ? 0
						     : frame_at(growth->frames, parent)->depth + 1,
			  .parent = parent};

	if (found)
		return found - 1;
	g_array_append_val(growth->frames, frame);
	g_hash_table_insert(growth->by_key, g_memdup2(&key, sizeof(key)),
			    GUINT_TO_POINTER(growth->frames->len));
	return growth->frames->len - 1;
}

static void grow(Growth *growth, const WpSegment *segment)
{
	guint depth = MIN(segment->depth, WPV_FLAME_DEPTH_MAX - 2u);
	guint32 frame, parent;

	/* A depth at which the path never was: who waits there is not known, so it is left out. */
	while (growth->n_chain < depth) {
		growth->chain[growth->n_chain] = growth->n_chain
							 ? growth->chain[growth->n_chain - 1]
							 : WP_NONE;
		growth->n_chain++;
	}
	parent = depth ? growth->chain[depth - 1] : WP_NONE;
	frame = growth->chain[depth] = find_frame(growth, parent, segment, WP_SERIES_EMPTY);
	growth->n_chain = depth + 1;

	frame = find_frame(growth, frame, segment, segment->state);
	while (frame != WP_NONE) {
		WpvFrame *f = frame_at(growth->frames, frame);

		f->time += segment->end - segment->begin;
		f->first = segment->begin;
		frame = f->parent;
	}
}

static gint compare_frames(gconstpointer a, gconstpointer b)
{
	const WpvFrame *x = a, *y = b;

	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	return (x->first > y->first) - (x->first < y->first);
}

/*
 * Sorts level by level: once a level's frames have their final places, those of the next
 * can be sorted by their parents' places.
 */
static void lay_out(WpvFlame *flame, GArray *found)
{
	g_autofree guint32 *place = g_new(guint32, found->len + 1);
	g_autofree WpTime *next = g_new0(WpTime, found->len + 1);
	WpTime top = 0;

	for (guint depth = 0; flame->frames->len < found->len; depth++) {
		g_autoptr(GArray) level = g_array_new(FALSE, FALSE, sizeof(WpvFrame));

		for (guint32 i = 0; i < found->len; i++) {
			WpvFrame frame = *frame_at(found, i);

			if (frame.depth != depth)
				continue;
			/* The frame's own index rides along where its place will be noted. */
			frame.begin = i;
			if (depth)
				frame.parent = place[frame.parent];
			g_array_append_val(level, frame);
		}
		g_array_sort(level, compare_frames);
		for (guint i = 0; i < level->len; i++) {
			WpvFrame *frame = frame_at(level, i);
			WpTime *at = depth ? &next[frame->parent] : &top;

			place[frame->begin] = flame->frames->len;
			frame->begin = *at;
			*at += frame->time;
			next[flame->frames->len] = frame->begin;
			g_array_append_val(flame->frames, *frame);
		}
		flame->n_levels = depth + 1;
	}
}

WpvFlame *wpv_flame_new(const WpPath *path)
{
	WpvFlame *flame = g_new0(WpvFlame, 1);
	Growth *growth = g_new0(Growth, 1);

	growth->frames = g_array_new(FALSE, FALSE, sizeof(WpvFrame));
	growth->by_key = g_hash_table_new_full(key_hash, key_equal, g_free, NULL);
	for (guint i = path->segments.n; i-- > 0;)
		grow(growth, wp_path_segment(path, i));
	flame->frames = g_array_new(FALSE, FALSE, sizeof(WpvFrame));
	flame->time = path->end - path->begin;
	lay_out(flame, growth->frames);
	g_array_unref(growth->frames);
	g_hash_table_destroy(growth->by_key);
	g_free(growth);
	return flame;
}

static void flame_thread(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
	const WpTime *range = data;
	g_autoptr(WpPath) part = wpv_answer_dup_part(WPV_ANSWER(source), range[0], range[1]);

	g_task_return_pointer(task, part ? wpv_flame_new(part) : NULL,
			      (GDestroyNotify)wpv_flame_free);
}

void wpv_flame_new_async(WpvAnswer *answer, WpTime begin, WpTime end, GCancellable *cancellable,
			 GAsyncReadyCallback callback, gpointer data)
{
	g_autoptr(GTask) task = g_task_new(answer, cancellable, callback, data);
	WpTime range[2] = {begin, end};

	g_task_set_task_data(task, g_memdup2(range, sizeof(range)), g_free);
	g_task_run_in_thread(task, flame_thread);
}

WpvFlame *wpv_flame_new_finish(GAsyncResult *result)
{
	return g_task_propagate_pointer(G_TASK(result), NULL);
}

void wpv_flame_free(WpvFlame *flame)
{
	if (!flame)
		return;
	g_array_unref(flame->frames);
	g_free(flame);
}

guint32 wpv_flame_find(const WpvFlame *flame, guint depth, WpTime at)
{
	guint low = 0, high = flame->frames->len;

	/* The last frame that is not behind (depth, at). */
	while (low < high) {
		guint middle = low + (high - low) / 2;
		const WpvFrame *frame = frame_at(flame->frames, middle);

		if (frame->depth < depth || (frame->depth == depth && frame->begin <= at))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return WP_NONE;
	const WpvFrame *frame = frame_at(flame->frames, low - 1);

	return frame->depth == depth && at < frame->begin + frame->time ? low - 1 : WP_NONE;
}

gchar *wpv_flame_dup_name(const WpvFlame *flame, guint32 i, WpGraph *graph)
{
	const WpvFrame *frame = frame_at(flame->frames, i);
	WpActor actor;

	if (frame->state != WP_SERIES_EMPTY)
		return g_strdup(wp_state_words(frame->state));
	wp_actor_init(&actor, graph, frame->host, frame->task, WP_TIME_MAX);
	return wpv_take_text(wp_actor_dup_text(&actor, graph));
}
