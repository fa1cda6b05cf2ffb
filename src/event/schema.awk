# SPDX-License-Identifier: MIT
#
# schema.awk: layouts.xsd as a text in C, for the library that validates layouts by it.

BEGIN {
	print "/* SPDX-License-Identifier: MIT */"
	print "/* Made from layouts.xsd by schema.awk. */"
	print "static const gchar layouts_schema[] ="
}

{
	line = ""
	for (i = 1; i <= length($0); i++) {
		c = substr($0, i, 1)
		line = line (c == "\\" || c == "\"" ? "\\" : "") c
	}
	print "\t\"" line "\\n\""
}

END {
	print ";"
}
