/* SPDX-License-Identifier: MIT */
/* test-xml.c: what the writer of XML makes of elements, and of texts that XML can't hold as they are. */
#include "config.h"

#include "export/xml-private.h"

static void test_document(void)
{
	g_autoptr(GString) string = g_string_new(NULL);
	g_autoptr(WpOut) out = wp_out_new_string(string);
	WpXml *xml = wp_xml_new(out);

	wp_xml_begin(xml, "a");
	wp_xml_begin(xml, "b");
	wp_xml_attribute(xml, "n", "%d%%", 7);
	wp_xml_attribute(xml, "m", "%s", "");
	wp_xml_end(xml);
	wp_xml_begin(xml, "c");
	wp_xml_text(xml, "one ");
	wp_xml_text(xml, "two");
	wp_xml_end(xml);
	wp_xml_begin(xml, "d");
	wp_xml_text(xml, "");
	wp_xml_end(xml);
	wp_xml_begin(xml, "e");
	wp_xml_begin(xml, "f");
	wp_xml_free(xml);
	g_assert_true(wp_out_finish(out, NULL));
	g_assert_cmpstr(string->str, ==,
			"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
			"<a>\n"
			" <b n=\"7%\" m=\"\"/>\n"
			" <c>one two</c>\n"
			" <d></d>\n"
			" <e>\n"
			"  <f/>\n"
			" </e>\n"
			"</a>\n");
}

/* A text, and how it is written in an attribute and in an element. */
static const struct {
	const gchar *text, *attribute, *element;
} text_rows[] = {
	{"plain", "plain", "plain"},
	{"<a b=\"c\" & 'd'>", "&lt;a b=&quot;c&quot; &amp; 'd'&gt;",
	 "&lt;a b=&quot;c&quot; &amp; 'd'&gt;"},
	{"&amp;", "&amp;amp;", "&amp;amp;"},
	{"]]>", "]]&gt;", "]]&gt;"},
	{"\ttab\nline", "&#9;tab&#10;line", "\ttab\nline"},
	/* Letters beyond ASCII as they are, with two, three and four bytes. */
	{"\303\244\342\202\254\360\237\230\200", "\303\244\342\202\254\360\237\230\200",
	 "\303\244\342\202\254\360\237\230\200"},
	/* What no XML may hold: U+FFFD each. */
	{"a\001b\rc\033", "a\357\277\275b\357\277\275c\357\277\275",
	 "a\357\277\275b\357\277\275c\357\277\275"},
	{"\357\277\276\357\277\277", "\357\277\275\357\277\275", "\357\277\275\357\277\275"},
	{"\377x\303", "\357\277\275x\357\277\275", "\357\277\275x\357\277\275"},
};

static void test_texts(void)
{
	for (guint i = 0; i < G_N_ELEMENTS(text_rows); i++) {
		g_autoptr(GString) string = g_string_new(NULL);
		g_autoptr(WpOut) out = wp_out_new_string(string);
		g_autofree gchar *wanted = g_strdup_printf(
			"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
			"<e a=\"%s\">%s</e>\n",
			text_rows[i].attribute, text_rows[i].element);
		WpXml *xml = wp_xml_new(out);

		wp_xml_begin(xml, "e");
		wp_xml_attribute(xml, "a", "%s", text_rows[i].text);
		wp_xml_text(xml, text_rows[i].text);
		wp_xml_end(xml);
		wp_xml_free(xml);
		g_assert_true(wp_out_finish(out, NULL));
		g_assert_cmpstr(string->str, ==, wanted);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/xml/document", test_document);
	g_test_add_func("/xml/texts", test_texts);
	return g_test_run();
}
