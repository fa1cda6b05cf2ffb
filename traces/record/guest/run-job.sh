#!/bin/bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC1090,SC2154
#
# run-job.sh: run in a guest by /init, in the folder of the payload, with host, ip, job, rank,
# nhosts and ppm in the environment. Results go below /tmp/out/SCENARIO/.
. ./lib.sh
echo "kernel $(uname -r) host=$host rank=$rank job=$job CPUs=$(nproc)" \
	"clock=$(cat /sys/devices/system/clocksource/clocksource0/current_clocksource)"
. "./job-$job.sh"
