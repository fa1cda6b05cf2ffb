# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154
#
# Redis on hostb; on hosta a process whose threads use it. One of them has the server run a
# script: the others wait for that.
./shared ppm "$ppm"
start_lttng
meet_peers
[ "$host" != hostb ] || redis-server --bind 10.0.0.2 --protected-mode no --save '' --daemonize yes \
	--logfile /tmp/out/redis.log
sleep 2
together case-redis "core" "python3 ./case-client.py redis 10.0.0.2" "sleep 4"
