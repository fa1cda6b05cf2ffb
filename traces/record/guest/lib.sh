# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154
#
# lib.sh: the words that jobs are made of.
step=0

say() {
	echo "[$(cut -d' ' -f1 /proc/uptime)] $*"
	echo "GUEST $host: $*" >/dev/console
}

# All guests wait for each other.
barrier() {
	step=$((step + 1))
	[ "$nhosts" -le 1 ] || ./shared barrier "$rank" "$nhosts" $step
}

# Measures the relation of the clocks, for the scenario that is being recorded.
measure_clocks() {
	step=$((step + 1))
	[ "$nhosts" -le 1 ] || ./shared clock "$rank" "$nhosts" $step 500 >>"$out/clock-truth.jsonl"
}

sched=sched_switch,sched_waking,sched_wakeup,sched_wakeup_new,sched_process_fork
sched=$sched,sched_process_exec,sched_process_exit,sched_process_free,sched_process_wait
sched=$sched,sched_migrate_task,sched_pi_setprio
irq=irq_handler_entry,irq_handler_exit,irq_softirq_entry,irq_softirq_exit,irq_softirq_raise
timer=timer_hrtimer_start,timer_hrtimer_cancel,timer_hrtimer_expire_entry
timer=$timer,timer_hrtimer_expire_exit,timer_expire_entry,timer_expire_exit
net=net_dev_queue,net_if_receive_skb,net_dev_xmit
block=block_rq_issue,block_rq_complete,block_rq_insert
work=workqueue_queue_work,workqueue_execute_start,workqueue_execute_end

start_lttng() {
	lttng-sessiond --daemonize
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		lttng list --kernel >/tmp/out/kernel-events.txt 2>&1 && break
		sleep 0.5
	done
	say "lttng knows $(wc -l </tmp/out/kernel-events.txt) lines of kernel events"
}

# start_trace SCENARIO KINDS: words of core (always), sys, vec, work, ctx, min.
start_trace() {
	session=$1
	shift
	out=/tmp/out/$session
	mkdir -p "$out"
	uname -a >"$out/uname.txt"
	local events=$sched,$irq,$timer,$net,$block,'lttng_statedump_*' kinds=" $* "
	case $kinds in *" work "*) events=$events,$work ;; esac
	case $kinds in
	*" min "*)
		events=sched_switch,sched_wakeup,sched_wakeup_new,sched_process_fork
		events=$events,sched_process_exit,net_dev_queue,net_if_receive_skb
		;;
	esac
	{
		lttng create "$session" --output="$out/trace"
		lttng enable-channel --kernel --subbuf-size="${subbuf:-512K}" \
			--num-subbuf="${n_subbuf:-8}" ch
		lttng enable-event --kernel --channel=ch "$events"
		case $kinds in *" sys "*) lttng enable-event --kernel --channel=ch --syscall --all ;; esac
		case $kinds in *" vec "*) lttng enable-event --kernel --channel=ch 'x86_irq_vectors_*' ;; esac
		case $kinds in
		*" ctx "*) lttng add-context --kernel --channel=ch -t pid -t tid -t procname ;;
		esac
		lttng start
	} >"$out/lttng.log" 2>&1 || say "starting $session failed"
}

stop_trace() {
	{
		lttng stop
		lttng destroy
	} >>"$out/lttng.log" 2>&1
	say "$session: $(du -sk "$out/trace" | cut -f1) KiB"
}

# one SCENARIO "KINDS" WORKLOAD [ARGUMENT]: of one host.
one() {
	local name=$1 kinds=$2
	shift 2
	# shellcheck disable=SC2086
	start_trace "$name" $kinds
	sleep 0.05
	./local "$@" >"$out/truth.jsonl" 2>"$out/err.txt"
	sleep 0.05
	stop_trace
}

# together SCENARIO "KINDS" "COMMAND on hosta" "COMMAND on hostb" ["COMMAND on hostc"]
together() {
	local name=$1 kinds=$2
	shift 2
	out=/tmp/out/$name
	mkdir -p "$out"
	measure_clocks
	# shellcheck disable=SC2086
	start_trace "$name" $kinds
	barrier
	# Servers first.
	sleep "$(awk "BEGIN { print 0.05 + 0.3 * ($nhosts - 1 - $rank) }")"
	shift "$rank"
	eval "${1:-:}" >"$out/truth.jsonl" 2>"$out/err.txt"
	barrier
	stop_trace
	barrier
	measure_clocks
}

meet_peers() {
	for n in 1 2 3; do
		[ "$n" -gt "$nhosts" ] || ping -c1 -W2 "10.0.0.$n" >/dev/null
	done
}
