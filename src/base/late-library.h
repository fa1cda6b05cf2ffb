/* SPDX-License-Identifier: MIT */
/*
 * late-library.h: libraries that few commands need, loaded by the first that does. Linked, they
 * cost every command a third of the time that it takes to begin: libxml2 brings ICU and the C++
 * library along.
 *
 * Who needs one lists the functions that are called as an X-macro, and gets a table of pointers,
 * typed as the library's own header declares them:
 *
 *   #define XML_FUNCTIONS(F) F(xmlFreeDoc) F(xmlParseMemory)
 *   WP_LATE_FUNCTIONS(XmlFunctions, get_xml, XML_FUNCTIONS, WP_SONAME_XML, "libxml2", "A layout")
 *
 * makes `const XmlFunctions *get_xml(GError **error)`, NULL with WP_ERROR_FAILED when the library
 * isn't there; then `xml->xmlFreeDoc(document)`. Where configure found no names of files to load, or
 * was told not to (--disable-late-libraries), the table's entries are linked as ever.
 */
#ifndef WP_BASE_LATE_LIBRARY_H
#define WP_BASE_LATE_LIBRARY_H

#include <glib.h>

#include "base/thread.h"

G_BEGIN_DECLS

typedef struct {
	const gchar *soname; /* borrowed: what the loader is asked for */
	const gchar *package; /* borrowed: Debian's, for the message */
	const gchar *user; /* borrowed: what needs it, as the message begins */
	const gchar *const *names; /* borrowed: of the functions */
	gpointer functions; /* borrowed: gets a pointer for each name */
	gsize n;
	WpMutex mutex; /* guards what follows and, until it is loaded, functions */
	gboolean is_loaded;
} WpLateLibrary;

/*
 * Whether the functions are there; from then on they stay, for a library is never unloaded. The
 * error, WP_ERROR_FAILED, says what needs the library and what to install. Thread-safe.
 */
gboolean wp_late_library_load(WpLateLibrary *library, GError **error);

#define WP_LATE_MEMBER(name) __typeof__(name) *name;
#define WP_LATE_TYPE(Type, FUNCTIONS)                                                              \
	typedef struct {                                                                           \
		FUNCTIONS(WP_LATE_MEMBER)                                                          \
	} Type;
#define WP_LATE_LINKED(name) .name = (name),
#define WP_LATE_NAME(name) #name,

#ifdef WP_LATE_LIBRARIES
#define WP_LATE_FUNCTIONS(Type, get, FUNCTIONS, soname_, package_, user_)                          \
	WP_LATE_TYPE(Type, FUNCTIONS)                                                              \
	static const Type *get(GError **error)                                                     \
	{                                                                                          \
		static const gchar *const names[] = {FUNCTIONS(WP_LATE_NAME)};                     \
		static Type functions;                                                             \
		static WpLateLibrary library = {                                                   \
			.soname = (soname_),                                                       \
			.package = (package_),                                                     \
			.user = (user_),                                                           \
			.names = names,                                                            \
			.functions = &functions,                                                   \
			.n = G_N_ELEMENTS(names),                                                  \
			.mutex = WP_MUTEX_INIT,                                                    \
		};                                                                                 \
                                                                                                   \
		G_STATIC_ASSERT(sizeof(functions) == sizeof(gpointer) * G_N_ELEMENTS(names));      \
		return wp_late_library_load(&library, error) ? &functions : NULL;                  \
	}
#else
#define WP_LATE_FUNCTIONS(Type, get, FUNCTIONS, soname_, package_, user_)                          \
	WP_LATE_TYPE(Type, FUNCTIONS)                                                              \
	static const Type *get(GError **error)                                                     \
	{                                                                                          \
		static const Type functions = {FUNCTIONS(WP_LATE_LINKED)};                         \
                                                                                                   \
		(void)error;                                                                       \
		return &functions;                                                                 \
	}
#endif

G_END_DECLS

#endif
