# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154
# Three hosts: hosta the client, hostb the frontend, hostc the backend.
./shared ppm "$ppm"
start_lttng
meet_peers
b=10.0.0.2
c=10.0.0.3
quit="sleep 0.1; ./net client name=quit to=$c/5300 n=0"
front="./net serve port=5200 name=front backend=$c/5300"
together tier3 "core" \
	"./net client name=fe to=$b/5200 n=14 pre=3 think=5 ms=6,15,4 alt=1 flags=4; $quit" \
	"$front" "./net serve port=5300 name=back"
together tier3-pool "core vec" \
	"./net client name=fe to=$b/5200 n=10 pre=3 think=5 ms=8,12,2 flags=4; $quit" \
	"$front pool=2" "./net serve port=5300 name=back pool=2"
together fanout "core" \
	"./net client name=fan to=$b/5201+$c/5301 n=14 pre=3 think=5 ms=10 ms2=25" \
	"./net serve port=5201 name=left" "./net serve port=5301 name=right"
together bsp "core" "./net barrier rank=0 iters=15" "./net barrier rank=1 iters=15" \
	"./net barrier rank=2 iters=15"
