# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154
#
# A node of Erlang on hosta calls one on hostb. There others want the CPUs: four processes that
# compute, on two CPUs, and with more weight.
./shared ppm "$ppm"
start_lttng
meet_peers
cp local cpu-hog
epmd -daemon
if [ "$host" = hostb ]; then
	erl -noshell -sname server -setcookie case &
	node=$!
	until epmd -names | grep -q server; do sleep 0.2; done
fi
barrier
# The first calls are slow: programs are read from disk.
[ "$host" != hosta ] || escript ./case-erlang.escript server@hostb 2
barrier

# Four of them, until the calls are over.
hog_cpus() {
	local hogs=()
	for _ in 1 2 3 4; do
		nice -n -5 ./cpu-hog burn 60000 >/dev/null &
		hogs+=($!)
	done
	barrier
	kill "${hogs[@]}"
	wait "${hogs[@]}"
}

together case-erlang "core" "escript ./case-erlang.escript server@hostb 12; barrier" hog_cpus
[ "$host" != hostb ] || kill "$node"
