# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154
#
# What recording costs: 1500 calls from hosta to hostb that compute nothing, so that all of
# their time is in the kernel, with and without tracing on both hosts, in turn.
./shared ppm "$ppm"
start_lttng
meet_peers
mkdir -p /tmp/out/overhead

# cost KIND ROUND: mean and quantiles of the calls in a log; the low ones are those in which the
# machine of the guests had no other work.
cost() {
	awk -F'"wait_ms":' '/"ev":"call"/ { split($2, word, ","); print word[1] }' | sort -n |
		awk -v kind="$1" -v round="$2" '{ ms[NR] = $1; sum += $1 } END {
			printf "{\"ev\":\"cost\",\"round\":%d,\"kind\":\"%s\",\"calls\":%d,\"mean_ms\":%.4f," \
				"\"p10_ms\":%.4f,\"p50_ms\":%.4f}\n", round, kind, NR, sum / NR,
				ms[int(NR / 10)], ms[int(NR / 2)]
		}'
}

for round in 1 2 3 4 5; do
	for kind in off min core "core sys"; do
		name=overhead
		[ "$kind" = off ] || start_trace "$name" "$kind"
		barrier
		case $host in
		hostb) ./net serve port=5600 name=over >/dev/null ;;
		hosta)
			sleep 0.5
			./net client to=10.0.0.2/5600 name=over n=1500 pre=0 think=0 ms=0 >/tmp/calls.jsonl
			cost "$kind" $round </tmp/calls.jsonl >>/tmp/out/overhead/cost.jsonl
			;;
		esac
		barrier
		[ "$kind" = off ] || stop_trace
		rm -rf /tmp/out/overhead/trace
	done
done
