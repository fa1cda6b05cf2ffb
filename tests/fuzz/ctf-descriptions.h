/* SPDX-License-Identifier: MIT */
/*
 * ctf-descriptions.h: a few descriptions of CTF traces that hold every construct between them,
 * of whose streams tests/fuzz/ctf-packets has some: the first byte there, modulo their number,
 * chooses the description, the rest is the stream.
 */
#ifndef WP_TESTS_FUZZ_CTF_DESCRIPTIONS_H
#define WP_TESTS_FUZZ_CTF_DESCRIPTIONS_H

#include <glib.h>

#define TYPES                                                                                      \
	"typealias integer { size = 8; align = 8; } := u8;"                                        \
	"typealias integer { size = 16; align = 8; } := u16;"                                      \
	"typealias integer { size = 32; align = 8; } := u32;"                                      \
	"typealias integer { size = 64; align = 8; } := u64;"                                      \
	"typealias integer { size = 32; align = 8; signed = 1; } := s32;"                          \
	"typealias integer { size = 8; align = 8; encoding = UTF8; } := ch;"                       \
	"clock { name = c; freq = 1000000000; offset = 1000; };"
#define TRACE(order)                                                                               \
	"trace { major = 1; minor = 8; byte_order = " order ";"                                    \
	" packet.header := struct { u32 magic; u32 stream_id; u64 stream_instance_id; }; };"
#define CONTEXT                                                                                    \
	" packet.context := struct { integer { size = 64; map = clock.c.value; } timestamp_begin;" \
	" integer { size = 64; map = clock.c.value; } timestamp_end; u64 content_size;"            \
	" u64 packet_size; u64 packet_seq_num; u64 events_discarded; u32 cpu_id; };"
#define HEADER(size, last, escape, time)                                                           \
	" event.header := struct { enum : integer { size = " size "; }"                            \
	" { compact = 0 ... " last ", extended = " escape " } id;"                                 \
	" variant <id> { struct { integer { size = " time "; align = 1; map = clock.c.value; }"    \
	" timestamp; } compact; struct { u32 id; integer { size = 64; align = 8;"                  \
	" map = clock.c.value; } timestamp; } extended; } v; } align(8);"
#define EVENTS                                                                                     \
	"event { name = sched_switch; id = 1; fields := struct { ch _prev_comm[16]; s32 "          \
	"_prev_tid;"                                                                               \
	" s32 _prev_prio; u64 _prev_state; ch _next_comm[16]; s32 _next_tid; s32 _next_prio; }; "  \
	"};"                                                                                       \
	"event { name = net_dev_queue; id = 2; fields := struct { u64 _skbaddr; u32 _len;"         \
	" string _name; enum : u8 { \"_unknown\" = 0, \"_ipv4\" = 1, \"_ipv6\" = 2 }"              \
	" _network_header_type; variant <_network_header_type> { struct { } _unknown; struct {"    \
	" integer { size = 4; align = 4; byte_order = be; } _version;"                             \
	" integer { size = 4; align = 4; byte_order = be; } _ihl; u8 _saddr[4]; u16 n;"            \
	" u8 _daddr[n]; } _ipv4; struct { integer { size = 16; byte_order = be; } _saddr[8];"      \
	" } _ipv6; } _network_header; }; };"                                                       \
	"event { name = irq_handler_entry; id = 3; fields := struct { s32 _irq; u8 n;"             \
	" struct { string s; u8 m; u16 x[m]; integer { size = 3; align = 1; } b;"                  \
	" struct { } align(32) e; } l[n]; string _name; }; };"                                     \
	"event { name = irq_handler_exit; id = 4; fields := struct { u64 n; struct { } x[n];"      \
	" floating_point { exp_dig = 8; mant_dig = 24; } f; integer { size = 13; align = 1; } "    \
	"_irq;"                                                                                    \
	" }; };"                                                                                   \
	"event { name = syscall_entry_read; id = 5; fields := struct { u16 n; ch _text[n]; }; };"  \
	"event { name = other; id = 6; fields := struct { u16 n; string x[n][2]; }; };"            \
	"event { name = fixed; id = 7; fields := struct { integer { size = 32; align = 32; } a; "  \
	"}; };"

static const gchar *const descriptions[] = {
	TYPES TRACE("le") "stream { id = 0;" CONTEXT HEADER("5", "30", "31", "27") "};" EVENTS,
	TYPES TRACE("be") "stream { id = 0;" CONTEXT HEADER("5", "30", "31", "27") "};" EVENTS,
	TYPES TRACE("le") "stream { id = 0;" CONTEXT HEADER("16", "65534", "65535",
							    "32") "};" EVENTS,
	/* Without sizes and times; an event's own CPU; an event of no size. */
	TYPES
	"trace { major = 1; minor = 8; byte_order = le; };"
	"stream { event.header := struct { u8 id; }; event.context := struct { u8 n; }; };" EVENTS
	"event { name = timer_start; id = 8; context := struct { u32 perf_cpu; };"
	" fields := struct { u64 _timer[stream.event.context.n]; }; };",
};

#define N_DESCRIPTIONS G_N_ELEMENTS(descriptions)

#endif
