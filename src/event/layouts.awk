# SPDX-License-Identifier: MIT
#
# layouts.awk: the elements of layouts.xml as tables in C (see layout-elements.h), so that the
# built-in layouts need no XML at run time. Knows of XML what that file uses (tags, attributes in
# double quotes, comments) and refuses all else; that both readings agree is tested.

function refuse(why) {
	print FILENAME ":" NR ": " why | "cat >&2"
	failed = 1
	exit 1
}

# Where a text stands in the table of texts; each is there once. Offset 0 is no text.
function offset_of(text) {
	if (!(text in offsets)) {
		offsets[text] = size
		texts[n_texts++] = text
		size += length(text) + 1
	}
	return offsets[text]
}

# A whole tag, without < and >.
function take(tag,    name, attribute, line) {
	if (tag ~ /^[\/?]/)
		return
	if (!match(tag, /^[a-z]+/))
		refuse("no element: <" tag ">")
	name = substr(tag, 1, RLENGTH)
	tag = substr(tag, RLENGTH + 1)
	line = "\t{WP_ELEMENT_" toupper(name) ", " tag_line ", {"
	while (match(tag, /^[ \t]+[a-z]+="[^"&\\]*"/)) {
		attribute = substr(tag, 1, RLENGTH - 1)
		tag = substr(tag, RLENGTH + 1)
		sub(/^[ \t]+/, "", attribute)
		line = line "[WP_ATTRIBUTE_" toupper(substr(attribute, 1, index(attribute, "=") - 1)) \
			"] = " offset_of(substr(attribute, index(attribute, "\"") + 1)) ", "
	}
	if (tag !~ /^[ \t]*\/?$/)
		refuse("more than attributes in double quotes: " tag)
	# The root has nothing to tell.
	if (name != "layouts")
		elements[n_elements++] = line "}},"
}

BEGIN {
	size = 1
	n_texts = n_elements = 0
}

{
	rest = $0
	while (rest != "") {
		if (in_comment) {
			at = index(rest, "-->")
			in_comment = !at
			rest = at ? substr(rest, at + 3) : ""
		} else if (in_tag) {
			at = index(rest, ">")
			in_tag = !at
			tag = tag " " (at ? substr(rest, 1, at - 1) : rest)
			rest = at ? substr(rest, at + 1) : ""
			if (at)
				take(substr(tag, 2))
		} else if (rest ~ /^[ \t]*<!--/) {
			in_comment = 1
			sub(/^[ \t]*<!--/, "", rest)
		} else if (rest ~ /^[ \t]*</) {
			in_tag = 1
			tag = ""
			tag_line = NR
			sub(/^[ \t]*</, "", rest)
		} else if (rest ~ /[^ \t]/) {
			refuse("text between tags: " rest)
		} else {
			rest = ""
		}
	}
}

END {
	if (failed)
		exit 1
	print "/* SPDX-License-Identifier: MIT */"
	print "/* Made from layouts.xml by layouts.awk. */"
	print "static const gchar built_in_texts[] =\n\t\"\\0\""
	for (i = 0; i < n_texts; i++)
		print "\t\"" texts[i] "\\0\""
	print ";\n\nstatic const WpLayoutElement built_in_elements[] = {"
	for (i = 0; i < n_elements; i++)
		print elements[i]
	print "};"
}
