#!/bin/sh
# SPDX-License-Identifier: MIT
#
# demo.sh: one question, answered from a recorded trace of three hosts. For ./bootstrap demo;
# also: sh traces/demo.sh [WAITPATH], with the program to use.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
waitpath=${1:-$here/../waitpath}
run=$here/samples/tier3

cat <<'END'

A client on hosta calls a frontend on hostb, which calls a backend on hostc. The hosts' clocks
are 39 seconds and eleven hours apart. Where did the client's time go?

    waitpath path -t hosta:cli-fe traces/samples/tier3

END
"$waitpath" path -q -t hosta:cli-fe "$run"
cat <<'END'

The programs wrote down what they did, in traces/samples/tier3/HOST/truth.jsonl. More:

    ./waitpath tasks traces/samples/tier3       every task, and what its time went to
    ./waitpath sync traces/samples/tier3        how the clocks relate
    ./waitpath help                             all that it can do
END
