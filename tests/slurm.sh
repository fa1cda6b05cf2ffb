#!/bin/sh
# SPDX-License-Identifier: MIT
#
# slurm.sh: what waitpath-graph(1) shows, done: three recorded hosts, each reduced to a graph by a
# task of an array job under Slurm (its controller and a node's daemon on this machine alone, as
# the user who runs this, with a munge of their own), then by GNU parallel; the graphs joined give
# the answers that the traces give.
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
PATH=$(cd "$top_builddir" && pwd):$PATH:/usr/sbin:/sbin
page=$(cd "$top_srcdir" && pwd)/man/waitpath-graph.1.adoc
task=hosta:cli-fe
dir=$tap_dir
daemons=
pid=

# The daemon that was started last goes first; none outlives this script.
trap 'for pid in $daemons; do kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null; done
	rm -rf "$dir" "$tap_dir"' EXIT

# Names of sockets must be short.
dir=$(mktemp -d /tmp/waitpath-XXXXXX) || exit 99
for host in hosta hostb hostc; do
	cp -R "$top_srcdir/traces/samples/tier3/$host" "$dir/$host" || exit 99
done
chmod -R u+w "$dir"
cd "$dir" || exit 99

# What differs rightly between traces and saved graphs: findings, and whence.
strip() {
	sed -e '/"code":/d' -e '/"findings"/d'
}
waitpath path -q -t "$task" --format json host? | strip >answer.path
waitpath sync -q --format json host? | strip >answer.sync

# joined NAME: the graphs that there are give the answers of the traces; then they are removed.
joined() {
	: >wrong
	for host in hosta hostb hostc; do
		[ -s $host.wpg ] || echo "there is no $host.wpg" >>wrong
	done
	[ -s answer.path ] || echo "the traces have no path" >>wrong
	waitpath path -q -t "$task" --format json host?.wpg 2>>wrong | strip | cmp - answer.path >>wrong 2>&1
	waitpath sync -q --format json host?.wpg 2>>wrong | strip | cmp - answer.sync >>wrong 2>&1
	[ ! -s wrong ] || cat job.log daemon.log >>wrong 2>/dev/null
	check "$1" wrong
	rm -f host?.wpg
}

# ---- GNU parallel ----

if parallel --version 2>/dev/null | grep -q '^GNU parallel'; then
	command=$(sed -n 's/^\(parallel waitpath .*\)$/\1/p' "$page")
	HOME=$dir sh -c "$command" >job.log 2>&1 </dev/null
	joined "three hosts by GNU parallel, as the manual page has it"
else
	skip "three hosts by GNU parallel" "there is no GNU parallel"
fi

# ---- Slurm ----

name="three hosts by an array job of Slurm, as the manual page has it"
for program in munged mungekey slurmctld slurmd sbatch; do
	command -v $program >/dev/null 2>&1 || {
		skip "$name" "there is no $program"
		tap_done
	}
done

# start COMMAND...: in the background, to be ended by clean.
start() {
	"$@" >>daemon.log 2>&1 </dev/null &
	daemons="$! $daemons"
}

# until_true COMMAND...: for a minute at most.
until_true() {
	for _ in $(seq 300); do
		"$@" >>daemon.log 2>&1 && return
		sleep 0.2
	done
	return 1
}

# Two ports that nobody listens at.
ports=$(/usr/bin/python3 -c '
import socket
sockets = [socket.socket() for _ in range(2)]
for s in sockets:
    s.bind(("127.0.0.1", 0))
print(*(s.getsockname()[1] for s in sockets))')
node=$(hostname -s)
mkdir state spool
cat >slurm.conf <<EOF2
ClusterName=waitpath
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=${ports% *}
SlurmdPort=${ports#* }
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$dir/munge.socket
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/daemon.log
SlurmdLogFile=$dir/daemon.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
SlurmdParameters=config_overrides
NodeName=$node NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=5 State=UP
EOF2
echo "CgroupPlugin=cgroup/v1" >cgroup.conf
export SLURM_CONF="$dir/slurm.conf"

mungekey --create --keyfile "$dir/munge.key" >>daemon.log 2>&1
start munged --foreground --force --key-file="$dir/munge.key" --socket="$dir/munge.socket" \
	--pid-file="$dir/munged.pid" --log-file="$dir/munged.log" --seed-file="$dir/munged.seed"
until_true test -S munge.socket || {
	fail "munged starts" daemon.log
	tap_done
}
start slurmctld -D -i
start slurmd -D -N "$node"
until_true sh -c 'sinfo -h -o %T | grep -q idle' || {
	fail "Slurm has a node that is idle" daemon.log
	tap_done
}

# The listing that begins with the line of the array.
sed -n '/^#!\/bin\/sh$/,/^----$/p' "$page" | sed '$d' >reduce.sh
grep -q '^#SBATCH --array=1-3$' reduce.sh || fail "the manual page has an array job"
timeout 120 sbatch --wait --output=job.log --open-mode=append reduce.sh >>daemon.log 2>&1
joined "$name"
tap_done
