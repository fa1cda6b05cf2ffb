/* SPDX-License-Identifier: MIT */
/*
 * replay.c: main() of the fuzz targets where libFuzzer is not built in: runs each file
 * given, and N changes of it that are the same in every run.
 *
 *   fuzz-trace [-n N] FILE...
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

/* The generator of Marsaglia's "Xorshift RNGs": repeatable everywhere, good enough. */
static guint64 next_random(guint64 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* A few bytes changed, bits flipped, a piece cut out, or the end cut off. */
static void change(GByteArray *bytes, guint64 *state)
{
	const guint n = 1 + (guint)(next_random(state) % 4);

	for (guint i = 0; i < n && bytes->len > 0; i++) {
		const guint at = (guint)(next_random(state) % bytes->len);
		const guint64 what = next_random(state);

		switch (what % 8) {
		case 0:
			g_byte_array_set_size(bytes, at);
			break;
		case 1:
			g_byte_array_remove_range(bytes, at,
						  MIN((guint)(what >> 8) % 64, bytes->len - at));
			break;
		case 2:
			bytes->data[at] = 0xff;
			break;
		case 3:
		case 4:
			bytes->data[at] = (guint8)(what >> 8);
			break;
		default:
			bytes->data[at] ^= (guint8)(1u << (what >> 8) % 8);
			break;
		}
	}
}

static void run_file(const gchar *path, guint n_changes)
{
	g_autofree gchar *data = NULL;
	g_autoptr(GError) error = NULL;
	gsize size;
	guint64 state = 88172645463325252u;

	g_file_get_contents(path, &data, &size, &error);
	g_assert_no_error(error);
	LLVMFuzzerTestOneInput((const uint8_t *)data, size);
	for (guint i = 0; i < n_changes; i++) {
		g_autoptr(GByteArray) bytes = g_byte_array_new();

		g_byte_array_append(bytes, (const guint8 *)data, (guint)size);
		change(bytes, &state);
		LLVMFuzzerTestOneInput(bytes->data, bytes->len);
	}
}

int main(int argc, char **argv)
{
	guint n_changes = 0;
	int first = 1;

	if (argc > 2 && strcmp(argv[1], "-n") == 0) {
		n_changes = (guint)strtoul(argv[2], NULL, 10);
		first = 3;
	}
	for (int i = first; i < argc; i++)
		run_file(argv[i], n_changes);
	return 0;
}
