#!/bin/sh
# SPDX-License-Identifier: MIT
#
# make.sh VIEWER DIR: draws the pictures of README.md and of the manual page to DIR, from the
# sample traces. make screenshots calls it, and so does a test, to have them drawn at least.
set -eu
viewer=$1
to=$2
samples=$(dirname "$0")/../../traces/samples

# picture NAME ARGUMENT...
picture() {
	name=$1
	shift
	LC_ALL=C.UTF-8 TZ=UTC GDK_BACKEND=x11 GSK_RENDERER=cairo DBUS_SESSION_BUS_ADDRESS=disabled: \
		xvfb-run -a "$viewer" --render "$to/$name" "$@"
}

# The whole path of a client of three hosts, and one of its calls.
picture viewer.png --size 1200x700 -t hosta:cli-fe "$samples/tier3"
picture viewer-call.png --size 1200x600 --dark -t hosta:cli-fe --begin +1.6385 --end +1.7126 \
	"$samples/tier3"
