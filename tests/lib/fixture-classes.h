/* SPDX-License-Identifier: MIT */
/*
 * fixture-classes.h: the events of two generations of lttng-modules, with their fields
 * as those give them (Linux 6.1 with lttng-modules 2.13, Linux 3.10 with 2.5).
 */
#ifndef WP_TESTS_FIXTURE_CLASSES_H
#define WP_TESTS_FIXTURE_CLASSES_H

#include "ctf-writer.h"

#define TASK_FIELDS "comm:text tid:i32 prio:i32"
#define PACKET_FIELDS "skbaddr:ptr len:u32 name:str packet:packet"
/* clang-format off */
#define VECTOR(name)                                                                               \
	{"x86_irq_vectors_" name "_entry", "vector:i32"},                                          \
	{"x86_irq_vectors_" name "_exit", "vector:i32"}
/* clang-format on */

static const WpCtfClass wp_fixture_new_classes[] = {
	{"sched_switch", "prev_comm:text prev_tid:i32 prev_prio:i32 prev_state:long "
			 "next_comm:text next_tid:i32 next_prio:i32"},
	{"sched_waking", TASK_FIELDS " target_cpu:i32"},
	{"sched_wakeup", TASK_FIELDS " target_cpu:i32"},
	{"sched_wakeup_new", TASK_FIELDS " target_cpu:i32"},
	{"sched_process_fork", "parent_comm:text parent_tid:i32 parent_pid:i32 parent_ns_inum:u32 "
			       "child_comm:text child_tid:i32 vtids:ints child_pid:i32 "
			       "child_ns_inum:u32"},
	{"sched_process_exec", "filename:str tid:i32 old_tid:i32"},
	{"sched_process_exit", TASK_FIELDS},
	{"sched_process_free", TASK_FIELDS},
	{"sched_process_wait", TASK_FIELDS},
	{"sched_migrate_task", TASK_FIELDS " orig_cpu:i32 dest_cpu:i32"},
	{"sched_pi_setprio", "comm:text tid:i32 oldprio:i32 newprio:i32"},
	{"irq_handler_entry", "irq:i32 name:str"},
	{"irq_handler_exit", "irq:i32 ret:i32"},
	{"irq_softirq_entry", "vec:u32"},
	{"irq_softirq_exit", "vec:u32"},
	{"irq_softirq_raise", "vec:u32"},
	VECTOR("local_timer"),
	VECTOR("reschedule"),
	VECTOR("irq_work"),
	VECTOR("call_function"),
	VECTOR("call_function_single"),
	{"timer_hrtimer_start", "hrtimer:ptr function:ptr expires:i64 softexpires:i64 mode:u32"},
	{"timer_hrtimer_cancel", "hrtimer:ptr"},
	{"timer_hrtimer_expire_entry", "hrtimer:ptr now:i64 function:ptr"},
	{"timer_hrtimer_expire_exit", "hrtimer:ptr"},
	{"timer_start", "timer:ptr function:ptr expires:ulong now:ulong flags:u32"},
	{"timer_expire_entry", "timer:ptr now:ulong function:ptr baseclk:ulong"},
	{"timer_expire_exit", "timer:ptr"},
	{"workqueue_queue_work", "work:ptr function:ptr req_cpu:i32"},
	{"workqueue_activate_work", "work:ptr"},
	{"workqueue_execute_start", "work:ptr function:ptr"},
	{"workqueue_execute_end", "work:ptr function:ptr"},
	{"signal_generate", "sig:i32 errno:i32 code:i32 comm:text pid:i32 group:i32 result:i32"},
	{"block_rq_insert",
	 "dev:u32 sector:u64 nr_sector:u32 bytes:u32 tid:i32 rwbs:u32 comm:text"},
	{"block_rq_issue", "dev:u32 sector:u64 nr_sector:u32 bytes:u32 tid:i32 rwbs:u32 comm:text"},
	{"block_rq_complete", "dev:u32 sector:u64 nr_sector:u32 error:i32 rwbs:u32"},
	{"napi_poll", "napi:ptr dev_name:str work:i32 budget:i32"},
	{"net_dev_queue", PACKET_FIELDS},
	{"net_if_receive_skb", PACKET_FIELDS},
	{"net_if_rx", PACKET_FIELDS},
	{"net_dev_xmit", "skbaddr:ptr rc:i32 len:u32 name:str"},
	{"net_napi_gro_receive_entry", "skbaddr:ptr"},
	{"net_napi_gro_receive_exit", "ret:i32"},
	{"net_if_receive_skb_entry", "skbaddr:ptr"},
	{"net_if_receive_skb_exit", "ret:i32"},
	{"net_if_receive_skb_list_entry", "skbaddr:ptr"},
	{"net_if_receive_skb_list_exit", "ret:i32"},
	{"lttng_statedump_start", ""},
	{"lttng_statedump_end", ""},
	{"lttng_statedump_process_state",
	 "tid:i32 pid:i32 ppid:i32 name:text type:i32 mode:i32 submode:i32 status:i32 cpu:u32 "
	 "file_table_address:ptr"},
	{"lttng_statedump_interrupt", "irq:u32 name:str action:str tid:i32"},
	{"lttng_statedump_block_device", "dev:u32 diskname:str"},
	{"lttng_statedump_network_interface", "name:str address_ipv4:be32"},
	{"syscall_entry_read", "fd:u32 count:ulong"},
	{"syscall_exit_read", "ret:long buf:ulong"},
	{"syscall_entry_write", "fd:u32 buf:ulong count:ulong"},
	{"syscall_exit_write", "ret:long"},
	{"syscall_entry_futex", "uaddr:ulong op:i32 val:u32 utime:ulong uaddr2:ulong val3:u32"},
	{"syscall_exit_futex", "ret:long uaddr:ulong uaddr2:ulong"},
	{"syscall_entry_clock_nanosleep", "which_clock:i32 flags:i32 rqtp:ulong"},
	{"syscall_exit_clock_nanosleep", "ret:long rmtp:ulong"},
	{"syscall_entry_fsync", "fd:u32"},
	{"syscall_exit_fsync", "ret:long"},
	{"syscall_entry_wait4", "upid:i32 options:i32"},
	{"syscall_exit_wait4", "ret:long stat_addr:ulong ru:ulong"},
};

#define OLD_BLOCK_FIELDS                                                                           \
	"dev:u32 sector:u64 nr_sector:u32 bytes:u32 rwbs:u32 tid:i32 comm:text cmd:bytes"
#define OLD_PACKET_FIELDS "skbaddr:ptr len:u32 name:str"
#define SOCK_FIELDS "sk:ptr seq:be32 ack_seq:be32 check:be16 window:be16 flags:be16"

static const WpCtfClass wp_fixture_old_classes[] = {
	{"sched_switch", "prev_comm:text prev_tid:i32 prev_prio:i32 prev_state:long "
			 "next_comm:text next_tid:i32 next_prio:i32"},
	{"sched_wakeup", TASK_FIELDS " success:i32 target_cpu:i32"},
	{"sched_wakeup_new", TASK_FIELDS " success:i32 target_cpu:i32"},
	{"sched_process_fork", "parent_comm:text parent_tid:i32 parent_pid:i32 child_comm:text "
			       "child_tid:i32 child_pid:i32"},
	{"sched_process_exec", "filename:str tid:i32 old_tid:i32"},
	{"sched_process_exit", TASK_FIELDS},
	{"sched_process_free", TASK_FIELDS},
	{"sched_migrate_task", TASK_FIELDS " orig_cpu:i32 dest_cpu:i32"},
	{"irq_handler_entry", "irq:i32 name:str"},
	{"irq_handler_exit", "irq:i32 ret:i32"},
	{"softirq_entry", "vec:u32"},
	{"softirq_exit", "vec:u32"},
	{"softirq_raise", "vec:u32"},
	{"hrtimer_start", "hrtimer:ptr function:ptr expires:i64 softexpires:i64"},
	{"hrtimer_cancel", "hrtimer:ptr"},
	{"hrtimer_expire_entry", "hrtimer:ptr now:i64 function:ptr"},
	{"hrtimer_expire_exit", "hrtimer:ptr"},
	{"timer_start", "timer:ptr function:ptr expires:ulong now:ulong"},
	{"timer_expire_entry", "timer:ptr now:ulong function:ptr"},
	{"timer_expire_exit", "timer:ptr"},
	{"workqueue_queue_work", "work:ptr function:ptr req_cpu:u32"},
	{"workqueue_execute_start", "work:ptr function:ptr"},
	{"workqueue_execute_end", "work:ptr"},
	{"signal_generate", "sig:i32 errno:i32 code:i32 comm:text pid:i32 group:i32 result:i32"},
	{"block_rq_insert", OLD_BLOCK_FIELDS},
	{"block_rq_issue", OLD_BLOCK_FIELDS},
	{"block_rq_complete", "dev:u32 sector:u64 nr_sector:u32 errors:i32 rwbs:u32 cmd:bytes"},
	{"napi_poll", "napi:ptr dev_name:str"},
	{"net_dev_queue", OLD_PACKET_FIELDS},
	{"netif_receive_skb", OLD_PACKET_FIELDS},
	{"netif_rx", OLD_PACKET_FIELDS},
	{"net_dev_xmit", "skbaddr:ptr len:u32 rc:i32 name:str"},
	{"inet_sock_local_in", SOCK_FIELDS},
	{"inet_sock_local_out", SOCK_FIELDS},
	{"lttng_statedump_start", ""},
	{"lttng_statedump_end", ""},
	{"lttng_statedump_process_state",
	 "tid:i32 vtid:i32 pid:i32 vpid:i32 ppid:i32 vppid:i32 name:text type:i32 mode:i32 "
	 "submode:i32 status:i32 ns_level:i32"},
	{"lttng_statedump_interrupt", "irq:u32 name:str action:str"},
	{"lttng_statedump_block_device", "dev:u32 diskname:str"},
	{"lttng_statedump_network_interface", "name:str address_ipv4:be32"},
	{"sys_read", "fd:u32 buf:ptr count:ulong"},
	{"sys_write", "fd:u32 buf:ptr count:ulong"},
	{"exit_syscall", "ret:long"},
};

#undef VECTOR

#endif
