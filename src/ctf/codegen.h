/* SPDX-License-Identifier: MIT */
/* codegen.h: from the fields of a scope (tree.h) to operations (program.h). */
#ifndef WP_CTF_CODEGEN_H
#define WP_CTF_CODEGEN_H

#include "ctf/tree.h"

G_BEGIN_DECLS

#define WP_CTF_OPS_MAX (1u << 24) /* of a program */

typedef struct {
	WpCtfOrder native; /* of the trace */
	WpCtfOp *ops; /* owned, with room for n_room */
	guint32 n_ops, n_room;
	GArray *tables; /* owned: WpCtfTable */
	GPtrArray *enums; /* owned; borrowed WpCtfType */
	guint32 known; /* the position is a multiple of this many bits */
	guint32 run; /* index of the open run plus 1, 0: none */
	guint32 run_align; /* bits that its begin is a multiple of */
	guint64 run_size; /* bits so far */
	guint loops; /* that are open */
	const gchar *failure; /* static: why it failed, NULL */
	gboolean is_too_much; /* because of a limit: no other reader should try */
} WpCtfCodegen;

void wp_ctf_codegen_init(WpCtfCodegen *gen, WpCtfOrder native);
/* Clears what was not stolen. */
void wp_ctf_codegen_clear(WpCtfCodegen *gen);

/* The index of the next operation, behind whatever run is open. */
guint32 wp_ctf_codegen_begin(WpCtfCodegen *gen);
/* Operations for a root and all below it; NULL gives none. After wp_ctf_tree_mark(). */
gboolean wp_ctf_codegen_node(WpCtfCodegen *gen, const WpCtfNode *node);
void wp_ctf_codegen_constant(WpCtfCodegen *gen, guint slot, guint64 value);
gboolean wp_ctf_codegen_end(WpCtfCodegen *gen);

G_END_DECLS

#endif
