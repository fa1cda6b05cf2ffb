# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154
# Two hosts whose clocks run 900 ppm apart.
./shared ppm $((rank ? -450 : 450))
start_lttng
meet_peers
serve="./net serve name=rpc"
call="./net client name=rpc pre=4 think=6"
b=10.0.0.2
together rpc-drift "core" "$call to=$b/5020 n=60 ms=20 alt=1" "$serve port=5020"
together rpc-minimal "min" "$call to=$b/5021 n=12 ms=20 alt=1" "$serve port=5021"
