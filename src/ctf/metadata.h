/* SPDX-License-Identifier: MIT */
/* metadata.h: the text of a trace's metadata file, plain or in packets. */
#ifndef WP_CTF_METADATA_H
#define WP_CTF_METADATA_H

#include "base/finding.h"

G_BEGIN_DECLS

#define WP_CTF_METADATA_MAX (64u << 20) /* bytes */

/*
 * The text of the file at path (NUL-terminated, *ret_length bytes; owned by the caller). Packets of both
 * byte orders are unwrapped; of a packet that is cut what is there is taken, with a finding.
 * WP_ERROR_FAILED when it can't be read or is empty, WP_ERROR_DECLINED when it is not CTF 1.
 */
gchar *wp_ctf_metadata_read(const gchar *path, WpFindings *findings, gsize *ret_length,
			    GError **error);

G_END_DECLS

#endif
