/* SPDX-License-Identifier: MIT */
/* tree.c: builds the places of fields and finds them by name. */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "ctf/tree.h"

void wp_ctf_tree_clear(WpCtfTree *tree)
{
	g_free(tree->nodes);
	g_clear_pointer(&tree->targets, g_ptr_array_unref);
	*tree = (WpCtfTree){0};
}

/* The next of the nodes, for which there is room, and those below it; as deep as types are. */
static WpCtfNode *build(WpCtfTree *tree, const WpCtfType *type, const gchar *name,
			WpCtfNode *parent, WpCtfScope scope)
{
	WpCtfNode *node = &tree->nodes[tree->n_nodes];
	WpCtfNode **link = &node->first;

	*node = (WpCtfNode){.type = type,
			    .name = name,
			    .parent = parent,
			    .order = tree->n_nodes++,
			    .scope = (guint8)scope};
	/* Nothing can refer to what is within elements of a fixed size. */
	if (type->element && type->element->fixed == WP_CTF_DYNAMIC)
		*link = build(tree, type->element, NULL, node, scope);
	for (guint i = 0; i < type->n_fields; i++) {
		*link = build(tree, type->fields[i].type, type->fields[i].name, node, scope);
		link = &(*link)->next;
	}
	return node;
}

gboolean wp_ctf_tree_build(WpCtfTree *tree, const WpCtfType *type, WpCtfScope scope, GError **error)
{
	tree->root = NULL;
	tree->n_nodes = tree->n_targets = 0;
	if (!type)
		return TRUE;
	if (type->n_places > WP_CTF_NODES_MAX) {
		g_set_error(error, WP_ERROR, WP_ERROR_LIMIT, "has more than %u fields",
			    WP_CTF_NODES_MAX);
		return FALSE;
	}
	if (type->n_places > tree->n_room) {
		g_free(tree->nodes);
		tree->nodes = g_new(WpCtfNode, type->n_places);
		tree->n_room = type->n_places;
	}
	tree->root = build(tree, type, NULL, NULL, scope);
	return TRUE;
}

/* ---- lengths and tags ---- */

static const struct {
	const gchar *prefix;
	WpCtfScope scope;
} absolute[] = {
	{"trace.packet.header.", WP_CTF_SCOPE_PACKET_HEADER},
	{"stream.packet.context.", WP_CTF_SCOPE_PACKET_CONTEXT},
	{"stream.event.header.", WP_CTF_SCOPE_EVENT_HEADER},
	{"stream.event.context.", WP_CTF_SCOPE_STREAM_EVENT_CONTEXT},
	{"event.context.", WP_CTF_SCOPE_EVENT_CONTEXT},
	{"event.fields.", WP_CTF_SCOPE_EVENT_FIELDS},
};

gboolean wp_ctf_path_is_absolute(const gchar *path, WpCtfScope *ret_scope, const gchar **ret_rest)
{
	for (guint i = 0; i < G_N_ELEMENTS(absolute); i++)
		if (g_str_has_prefix(path, absolute[i].prefix)) {
			*ret_scope = absolute[i].scope;
			*ret_rest = path + strlen(absolute[i].prefix);
			return TRUE;
		}
	return FALSE;
}

/* The child of a struct with the name of the first part of path; before: NULL, or where to stop. */
static WpCtfNode *child_named(const WpCtfNode *parent, const gchar *path, const WpCtfNode *before)
{
	gsize length = strcspn(path, ".");

	if (parent->type->kind != WP_CTF_STRUCT)
		return NULL;
	for (WpCtfNode *child = parent->first; child && child != before; child = child->next)
		if (strlen(child->name) == length && memcmp(child->name, path, length) == 0)
			return child;
	return NULL;
}

static WpCtfNode *descend(const WpCtfNode *parent, const gchar *path, const WpCtfNode *before)
{
	WpCtfNode *node = child_named(parent, path, before);

	for (path = strchr(path, '.'); node && path; path = strchr(path + 1, '.'))
		node = child_named(node, path + 1, NULL);
	return node;
}

static WpCtfNode *find_reference(const WpCtfNode *node, WpCtfNode *const *roots)
{
	const gchar *path = node->type->path;
	WpCtfNode *found = NULL;
	const gchar *rest;
	WpCtfScope of;

	if (wp_ctf_path_is_absolute(path, &of, &rest) && roots[of])
		found = descend(roots[of], rest, NULL);
	for (const WpCtfNode *at = node; at->parent && !found; at = at->parent)
		found = descend(at->parent, path, at);
	for (gint scope = (gint)node->scope - 1; scope >= 0 && !found; scope--)
		if (roots[scope])
			found = descend(roots[scope], path, NULL);
	return found;
}

static gboolean give_register(WpCtfNode *node, guint *registers)
{
	guint *used = &registers[node->scope > WP_CTF_SCOPE_EVENT_HEADER];

	if (node->reg)
		return TRUE;
	if (*used >= WP_CTF_REGISTERS)
		return FALSE;
	node->reg = (guint16)++ * used;
	return TRUE;
}

static gboolean resolve_node(WpCtfNode *node, WpCtfNode *const *roots, guint *registers,
			     GError **error)
{
	gboolean variant = node->type->kind == WP_CTF_VARIANT;
	WpCtfNode *found = node->type->path ? find_reference(node, roots) : NULL;
	const gchar *name = node->name ? node->name : "";

	if (!found || (found->scope == node->scope && found->order >= node->order)) {
		g_set_error(error, WP_ERROR, WP_ERROR_DECLINED,
			    "has a %s \"%s\" whose %s \"%s\" does not stand before it",
			    variant ? "variant" : "sequence", name, variant ? "tag" : "length",
			    node->type->path ? node->type->path : "");
		return FALSE;
	}
	if (found->type->kind != WP_CTF_ENUM && (variant || found->type->kind != WP_CTF_INTEGER)) {
		g_set_error(error, WP_ERROR, WP_ERROR_DECLINED, "has a %s \"%s\" whose %s is no %s",
			    variant ? "variant" : "sequence", name, variant ? "tag" : "length",
			    variant ? "enumeration" : "integer");
		return FALSE;
	}
	if (!give_register(found, registers)) {
		g_set_error(error, WP_ERROR, WP_ERROR_DECLINED, "has more than %u lengths and tags",
			    WP_CTF_REGISTERS);
		return FALSE;
	}
	node->reference = found;
	found->outside |= found->scope != node->scope;
	return TRUE;
}

gboolean wp_ctf_tree_resolve(WpCtfTree *tree, WpCtfNode *const *roots, guint *registers,
			     GError **error)
{
	for (guint i = 0; i < wp_ctf_tree_n_nodes(tree); i++) {
		WpCtfNode *node = wp_ctf_tree_node(tree, i);
		WpCtfKind kind = node->type->kind;

		if ((kind == WP_CTF_VARIANT || kind == WP_CTF_SEQUENCE) &&
		    !resolve_node(node, roots, registers, error))
			return FALSE;
	}
	return TRUE;
}

/* ---- fields by name ---- */

static const gchar *plain_name(const gchar *name)
{
	return *name == '_' ? name + 1 : name;
}

WpCtfNode *wp_ctf_node_find(WpCtfNode *root, const gchar *path, gboolean *ret_always)
{
	gboolean always = TRUE;
	WpCtfNode *node = root;

	while (node && *path) {
		gsize length = strcspn(path, "/");
		WpCtfNode *child = node->first;

		if (node->type->kind == WP_CTF_VARIANT)
			always = FALSE;
		else if (node->type->kind != WP_CTF_STRUCT)
			return NULL;
		while (child && (strlen(plain_name(child->name)) != length ||
				 memcmp(plain_name(child->name), path, length) != 0))
			child = child->next;
		node = child;
		path += length;
		path += *path == '/';
	}
	if (node && ret_always)
		*ret_always = always;
	return node != root ? node : NULL;
}

/* One that was used before, if there is one. */
static WpCtfTarget *new_target(WpCtfTree *tree)
{
	if (!tree->targets)
		tree->targets = g_ptr_array_new_with_free_func(g_free);
	if (tree->n_targets == tree->targets->len)
		g_ptr_array_add(tree->targets, g_new(WpCtfTarget, 1));
	return g_ptr_array_index(tree->targets, tree->n_targets++);
}

void wp_ctf_tree_add_target(WpCtfTree *tree, WpCtfNode *node, WpCtfTargetKind kind, WpCtfBank bank,
			    guint slot, guint priority, gboolean shared)
{
	WpCtfTarget *target = new_target(tree);

	*target = (WpCtfTarget){
		.next = node->targets,
		.kind = kind,
		.bank = (guint8)bank,
		.slot = (guint8)slot,
		.priority = (guint8)MIN(priority, G_MAXUINT8),
		.shared = shared,
	};
	node->targets = target;
}

void wp_ctf_tree_drop_targets(WpCtfTree *tree)
{
	for (guint i = 0; tree->n_targets && i < tree->n_nodes; i++)
		tree->nodes[i].targets = NULL;
	tree->n_targets = 0;
}

void wp_ctf_tree_mark(WpCtfTree *tree)
{
	for (guint i = wp_ctf_tree_n_nodes(tree); i-- > 0;) {
		WpCtfNode *node = wp_ctf_tree_node(tree, i);

		node->needed = node->reg || node->targets;
		for (const WpCtfNode *child = node->first; child; child = child->next)
			node->needed |= child->needed;
	}
}
