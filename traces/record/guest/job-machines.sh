# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154
#
# machines.sh with two guests as the machines, and the first of them as the place where it runs:
# record.py with --add traces/record/machines.sh --add PATH/TO/waitpath.
./shared ppm "$ppm"
meet_peers
start_lttng
install -m 755 waitpath /usr/bin/waitpath
mkdir -p /run/sshd /root/.ssh
passwd -q -d root
echo "StrictHostKeyChecking no" >/root/.ssh/config
/usr/sbin/sshd -o PermitRootLogin=yes -o PermitEmptyPasswords=yes -o UsePAM=no
barrier
if [ "$host" = hosta ]; then
	mkdir programs
	cp net programs/
	sh ./machines.sh /tmp/out/machines programs hosta 10.0.0.1 hostb 10.0.0.2
	say "machines: status $?"
fi
barrier
