# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154
# Two hosts, a trace of some millions of events: for measuring speed.
./shared ppm "$ppm"
start_lttng
meet_peers
export subbuf=2M
together big "core sys" "./local big 75 >\$out/big.jsonl &
	./net client name=fast to=10.0.0.2/5014 n=4000 pre=0.5 think=1 ms=2 bytes=2000 reply=3000
	wait" "./net serve port=5014 name=fast pool=2 &
	./local big 75 >\$out/big.jsonl
	wait"
