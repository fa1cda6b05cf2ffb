# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154
# Three hosts: one process on hosta, whose two threads call servers on hostb and on hostc.
./shared ppm "$ppm"
start_lttng
meet_peers
together twins "core" \
	"./net twins to=10.0.0.2/5400+10.0.0.3/5400 n=12 pre=2 think=3 ms=8 ms2=20" \
	"./net serve port=5400 name=quick" "./net serve port=5400 name=slow"
