#!/bin/bash
# SPDX-License-Identifier: MIT
#
# exports-speedscope.sh: exports opened in speedscope's own page, in a browser without a window.
# What its importers made of them stands in the table of the page's sandwich view, which is held
# against the JSON report. SPEEDSCOPE is the folder of the npm package (default: the global one).
set -u
top_srcdir=${top_srcdir:-.}
top_builddir=${top_builddir:-.}
. "$top_srcdir/tests/lib/tap.sh"
waitpath=$top_builddir/waitpath
page=${SPEEDSCOPE:-$(npm root -g 2>/dev/null)/speedscope}/dist/release/index.html
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
command -v python3 >/dev/null || skip_all "no python3"
[ -n "$browser" ] || skip_all "no chromium"
[ -f "$page" ] || skip_all "no npm package speedscope (npm install -g speedscope)"

cat >"$tap_dir/script.py" <<'END'
"""
A script that gives a page the file: pages that lie in files may not fetch others. The page looks how
high its table is before it has been laid out, and then at each change of the window's size only.
"""
import base64, sys
data = base64.b64encode(open(sys.argv[1], "rb").read()).decode()
print(f'speedscope.loadFileFromBase64("export", "{data}")')
print('setInterval(() => window.dispatchEvent(new Event("resize")), 200)')
END

cat >"$tap_dir/compare.py" <<'END'
"""compare.py FORMAT PAGE.html PATH.json: the page's table of symbols and the report."""
import collections, html, json, re, sys

form, page, report = sys.argv[1], open(sys.argv[2]).read(), json.load(open(sys.argv[3]))
UNITS = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9, "": 1}

def ns(text):
    value, unit = re.match(r"([\d.,]+)\s*([a-zµ]*)", text).groups()
    # Half of the last digit that is shown.
    digits = len(value.partition(".")[2])
    return (float(value.replace(",", "")) * UNITS[unit], UNITS[unit] * 0.51 * 10 ** -digits)

found = {}
for row in re.findall(r"<tr.*?</tr>", page, re.S):
    cells = [html.unescape(re.sub(r"<[^>]*>", "", c)) for c in re.findall(r"<td.*?</td>", row, re.S)]
    if len(cells) == 3 and "%" in cells[0]:
        found[cells[2]] = (ns(cells[0]), ns(cells[1]))
own, total = collections.Counter(), collections.Counter()
if form == "chrome":
    # The path is the first process; its slices lie side by side.
    for s in report["segments"]:
        own[f'{s["comm"]}@{s["host"]}: {s["state"]}'] += s["end"] - s["begin"]
    merged = collections.defaultdict(lambda: [0, 0])
    for name, (_, (time, error)) in found.items():
        key = re.sub(r" \{.*\}$", "", name)
        merged[key][0] += time
        merged[key][1] += error
    found = {name: (tuple(v), tuple(v)) for name, v in merged.items()}
    total = own
else:
    own.update(report["totals"]["by_state"])
    for name, time in report["totals"]["by_state"].items():
        total[name] += time
    task = report["task"]
    whole = report["window"]["end"] - report["window"]["begin"]
    name = f'{task["comm"]}@{task["host"]}' if form == "folded" else \
        f'{task["comm"]} ({task["tid"]}) @ {task["host"]}'
    total[name] = whole
    for name, (_, (time, _)) in found.items():
        if name not in own and time:
            print("a task with time of its own:", name, time)
for name, right in own.items():
    time, error = found.get(name, ((0, 0), (0, 0)))[1]
    if abs(time - right) > error:
        print(f"{name}: {time} ns, not {right}")
for name, right in total.items():
    time, error = found.get(name, ((0, 0), (0, 0)))[0]
    if abs(time - right) > error:
        print(f"{name}: {time} ns in all, not {right}")
if not own:
    print("nothing to compare")
END

# take_page SCRIPT: a page may be taken before it has read its file: then once more, with more of its
# own time. The window is high enough for all rows: only those that can be seen are made. The profile
# is new: the browser before may not have gone yet.
take_page() {
	for budget in 10000 40000 160000; do
		timeout 60 "$browser" --headless=new --no-sandbox --disable-gpu \
			--disable-dev-shm-usage --window-size=1000,20000 \
			--user-data-dir="$(mktemp -d "$tap_dir/profile-XXXXXX")" \
			--virtual-time-budget="$budget" --dump-dom \
			"file://$page#localProfilePath=$1&view=sandwich" \
			>"$tap_dir/page.html" 2>"$tap_dir/browser.log" </dev/null
		grep -q '<td' "$tap_dir/page.html" && return
	done
}

# open_export NAME TASK TRACE
open_export() {
	"$waitpath" path -q -t "$2" --format json "$3" >"$tap_dir/path.json" 2>/dev/null
	for format in speedscope chrome folded; do
		"$waitpath" export -q --format "$format" -t "$2" -o "$tap_dir/export" "$3" &&
			python3 "$tap_dir/script.py" "$tap_dir/export" >"$tap_dir/export.js"
		take_page "$tap_dir/export.js"
		python3 "$tap_dir/compare.py" "$format" "$tap_dir/page.html" "$tap_dir/path.json" \
			>"$tap_dir/wrong" 2>&1
		check "$1: $format" "$tap_dir/wrong"
	done
}

# Whether browser and page work at all.
echo 'main;work 5' >"$tap_dir/export"
python3 "$tap_dir/script.py" "$tap_dir/export" >"$tap_dir/export.js"
take_page "$tap_dir/export.js"
grep -q '<td' "$tap_dir/page.html" || skip_all "the browser does not show speedscope's page"

open_export "three hosts" cli-fe "$top_srcdir/traces/samples/tier3"
tap_done
