# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154
# Two hosts: hosta calls hostb.
./shared ppm "$ppm"
start_lttng
meet_peers
serve="./net serve name=rpc"
call="./net client name=rpc pre=4 think=6"
b=10.0.0.2
together rpc-alternating "core" "$call to=$b/5000 n=16 ms=20 alt=1" "$serve port=5000"
together rpc-alternating-sys "core sys" "$call to=$b/5000 n=12 ms=20 alt=1" "$serve port=5000"
together rpc-reconnect "core" "$call to=$b/5001 n=10 ms=12 reconnect=1" "$serve port=5001"
together rpc-large "core" "$call to=$b/5002 n=10 ms=12 bytes=50000 reply=100000" "$serve port=5002"
together rpc-pool-lock "core sys" "./net client name=one to=$b/5003 n=10 pre=3 think=2 ms=15 flags=2 keep=1 &
	./net client name=two to=$b/5003 n=10 pre=5 think=2 ms=15 flags=2 keep=1
	wait
	./net client name=quit to=$b/5003 n=0" "$serve port=5003 pool=2"
together rpc-fsync "core sys work" "$call to=$b/5004 n=12 ms=5 flags=1" "$serve port=5004 fsync=/data/db.bin"
together rpc-sleep "core vec" "$call to=$b/5005 n=10 ms=15 flags=8" "$serve port=5005"
together rpc-udp "core" "$call to=$b/5006 n=14 ms=15 alt=1 proto=udp" "$serve port=5006"
together rpc-ipv6 "core" "$call to=fd00::2/5007 n=12 ms=15 alt=1" "$serve port=5007"
together rpc-epoll-pool "core" "$call to=$b/5009 n=12 ms=10 alt=1" "$serve port=5009 epoll=1 pool=3"
together rpc-pooled "core" "./net pooled to=$b/5010 n=8 threads=4 connections=2 pre=2 think=4 ms=10" "$serve port=5010 pool=3"
together bulk-tcp "core" "./net bulk to=$b/5008 kb=2048 n=3" "$serve port=5008"
# Both sides lose 8 % of the packets, after they were traced as sent.
tc qdisc replace dev eth0 root netem loss 8%
together rpc-lossy "core" "./net client name=lossy to=$b/5016 n=40 pre=1 think=2 ms=4 reply=6000" "$serve port=5016"
# 6 ms on the way there, 1 ms back.
tc qdisc replace dev eth0 root netem delay $((rank ? 1 : 6))ms
together rpc-asym-delay "core" "./net client name=asym to=$b/5017 n=25 pre=2 think=3 ms=6" "$serve port=5017"
tc qdisc replace dev eth0 root pfifo
