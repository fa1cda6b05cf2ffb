/* SPDX-License-Identifier: MIT */
/*
 * tree.h: the fields of one scope (packet header, event fields, ...), each once
 * for each place where it occurs: types are shared, places are not.
 *
 * Lengths and tags are found here by their paths, and so are the fields that an
 * event layout names; what was found is noted at the node, for the code generator.
 */
#ifndef WP_CTF_TREE_H
#define WP_CTF_TREE_H

#include "ctf/program.h"

G_BEGIN_DECLS

#define WP_CTF_NODES_MAX 65536u /* of one scope */

typedef enum {
	WP_CTF_SCOPE_PACKET_HEADER,
	WP_CTF_SCOPE_PACKET_CONTEXT,
	WP_CTF_SCOPE_EVENT_HEADER,
	WP_CTF_SCOPE_STREAM_EVENT_CONTEXT,
	WP_CTF_SCOPE_EVENT_CONTEXT,
	WP_CTF_SCOPE_EVENT_FIELDS,
	WP_CTF_SCOPE_N
} WpCtfScope;

typedef enum {
	WP_CTF_TARGET_VALUE, /* an integer */
	WP_CTF_TARGET_TEXT,
	WP_CTF_TARGET_LABEL,
	WP_CTF_TARGET_ADDRESS,
	WP_CTF_TARGET_UUID,
	WP_CTF_TARGET_CLOCK
} WpCtfTargetKind;

/* Where a field's value goes. */
typedef struct WpCtfTarget WpCtfTarget;
struct WpCtfTarget {
	WpCtfTarget *next; /* owned by the tree */
	WpCtfTargetKind kind;
	guint8 bank, slot;
	guint8 priority; /* lower wins */
	gboolean shared; /* other fields go to the same slot: priority counts */
};

typedef struct WpCtfNode WpCtfNode;
struct WpCtfNode {
	const WpCtfType *type; /* borrowed of the trace */
	const gchar *name; /* borrowed of the trace; NULL: root or element */
	WpCtfNode *parent, *first, *next; /* owned by the tree */
	WpCtfNode *reference; /* node of the length or tag; in this or an outer tree */
	WpCtfTarget *targets; /* owned by the tree */
	guint32 order; /* of all nodes of its tree, from the outside in */
	guint16 reg; /* register plus 1, 0: none */
	guint8 scope; /* WpCtfScope */
	gboolean outside; /* a field of another scope refers to it */
	gboolean needed; /* it or a node below has a register or targets */
};

/* All zeros are an empty scope. A tree that is built again takes the memory that it has. */
typedef struct {
	WpCtfNode *nodes; /* owned, with room for n_room; each before those below it */
	guint n_nodes, n_room;
	GPtrArray *targets; /* owned: WpCtfTarget, the first n_targets in use; NULL: none */
	guint n_targets;
	WpCtfNode *root; /* NULL: the scope is empty */
} WpCtfTree;

static inline guint wp_ctf_tree_n_nodes(const WpCtfTree *tree)
{
	return tree->n_nodes;
}

static inline WpCtfNode *wp_ctf_tree_node(const WpCtfTree *tree, guint i)
{
	return &tree->nodes[i];
}

void wp_ctf_tree_clear(WpCtfTree *tree);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(WpCtfTree, wp_ctf_tree_clear)

/*
 * For a path that names its scope, "event.fields.n": TRUE, with the scope and what follows its
 * name (borrowed of path).
 */
gboolean wp_ctf_path_is_absolute(const gchar *path, WpCtfScope *ret_scope, const gchar **ret_rest);

/* Makes the nodes of type (NULL: none), instead of those before. FALSE with WP_ERROR_DECLINED when they are too many. */
gboolean wp_ctf_tree_build(WpCtfTree *tree, const WpCtfType *type, WpCtfScope scope,
			   GError **error);

/*
 * Finds the length or tag of each node of tree; roots are the roots of all scopes, NULL where
 * there is none; registers[2] count those in use of outer scopes and of the event's.
 */
gboolean wp_ctf_tree_resolve(WpCtfTree *tree, WpCtfNode *const *roots, guint *registers,
			     GError **error);

/*
 * The node with a path of names joined by slashes, NULL if there is none. A leading
 * underscore of a name in the trace is not part of it. *ret_always (may be NULL) tells
 * that every event has it: it lies in no variant.
 */
WpCtfNode *wp_ctf_node_find(WpCtfNode *root, const gchar *path, gboolean *ret_always);

void wp_ctf_tree_add_target(WpCtfTree *tree, WpCtfNode *node, WpCtfTargetKind kind, WpCtfBank bank,
			    guint slot, guint priority, gboolean shared);
/* Forgets all targets (registers stay). */
void wp_ctf_tree_drop_targets(WpCtfTree *tree);
/* Sets needed at all nodes. */
void wp_ctf_tree_mark(WpCtfTree *tree);

G_END_DECLS

#endif
