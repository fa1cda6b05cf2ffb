/* SPDX-License-Identifier: MIT */
/*
 * ctf-reader.h: our own reader of CTF 1.8, on the mapped stream files.
 */
#ifndef WP_CTF_READER_H
#define WP_CTF_READER_H

#include "event/reader.h"

G_BEGIN_DECLS

/*
 * Opens the trace whose metadata file lies in directory. WP_ERROR_DECLINED with
 * the reason when the metadata holds what this reader does not know (the caller
 * then asks Babeltrace), WP_ERROR_LIMIT when it describes more than any reader should
 * try, WP_ERROR_FAILED when it can't be read at all. A cut or flawed trace opens, with
 * findings. The layout gets a reference.
 */
WpReader *wp_ctf_reader_open(const gchar *directory, WpLayout *layout, GError **error);
/*
 * Whether another reader may try the trace: FALSE, with WP_ERROR_LIMIT, when what of its
 * metadata is known here describes too much, as by a type of types of types.
 */
gboolean wp_ctf_reader_may_try(const gchar *directory, GError **error);

G_END_DECLS

#endif
