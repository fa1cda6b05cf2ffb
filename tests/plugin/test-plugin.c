/* SPDX-License-Identifier: MIT */
/* test-plugin.c: the plugin waitpath-test: component classes that only tests use. */
#include "config.h"

#include "tests/plugin/test-plugin.h"

#pragma GCC visibility push(default)
BT_PLUGIN_MODULE();
#pragma GCC visibility pop

BT_PLUGIN_WITH_ID(auto, "waitpath-test");

static bt_message_iterator_class_seek_beginning_method_status
every_seek(bt_self_message_iterator *self)
{
	test_every_iterator_rewind(self);
	return BT_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHOD_STATUS_OK;
}

BT_PLUGIN_SOURCE_COMPONENT_CLASS(every, test_every_iterator_next);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_INITIALIZE_METHOD(every, test_every_init);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_FINALIZE_METHOD(every, test_every_finalize);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD(every,
									  test_every_iterator_init);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_FINALIZE_METHOD(
	every, test_every_iterator_finalize);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHODS(every, every_seek,
									       NULL);

BT_PLUGIN_FILTER_COMPONENT_CLASS(mirror, test_mirror_iterator_next);
BT_PLUGIN_FILTER_COMPONENT_CLASS_INITIALIZE_METHOD(mirror, test_mirror_init);
BT_PLUGIN_FILTER_COMPONENT_CLASS_FINALIZE_METHOD(mirror, test_mirror_finalize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD(
	mirror, test_mirror_iterator_init);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_FINALIZE_METHOD(
	mirror, test_mirror_iterator_finalize);

BT_PLUGIN_FILTER_COMPONENT_CLASS(live, test_live_iterator_next);
BT_PLUGIN_FILTER_COMPONENT_CLASS_INITIALIZE_METHOD(live, test_live_init);
BT_PLUGIN_FILTER_COMPONENT_CLASS_FINALIZE_METHOD(live, test_live_finalize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD(live,
									  test_live_iterator_init);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_FINALIZE_METHOD(
	live, test_live_iterator_finalize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHODS(
	live, test_live_iterator_seek, test_live_iterator_can_seek);
