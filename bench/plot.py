#!/usr/bin/env python3
"""Draws what run.py measured of scaling: plot.py results.json <folder>, SVG files by gnuplot.

ns a round against K, d and t, both axes logarithmic, with the slope fitted to the points from
`fit_from` on and the time that reading the features once takes at the bandwidth measured in the
same run: as doubles, and from `screened_from` arms on as the 16-bit copy that the argmax reads first.
"""

import json
import math
import pathlib
import subprocess
import sys

# Colours and markers are those of src/report/policy_style.cpp.
POLICIES = {"linphe": ("LinPHE", "#d55e00", 7), "lints": ("LinTS", "#0072b2", 6)}
PLOTS = {
    "K": dict(label="arms K  (d = 10)", fit_from=10_000, features=lambda k: 10 * k,
              read="argmax/read/K:1000000/d:10", memory="memory", screened_from=10_000),
    "d": dict(label="features d  (K = 1,000)", fit_from=32, features=lambda d: 1_000 * d,
              read="argmax/read/K:10000/d:10", memory="cache"),
    "t": dict(label="round t  (K = 100, d = 10)", fit_from=1_000, features=lambda t: 1_000,
              read="argmax/read/K:10000/d:10", memory="cache"),
}


def points_of(best, policy, axis):
    prefix = f"scaling/{policy}/{axis}:"
    return sorted((int(name.removeprefix(prefix)), run["ns"])
                  for name, run in best.items() if name.startswith(prefix))


def slope(points):
    """Least squares through (log x, log y)."""
    logs = [(math.log(x), math.log(y)) for x, y in points]
    mean_x, mean_y = (sum(values) / len(logs) for values in zip(*logs))
    return (sum((x - mean_x) * (y - mean_y) for x, y in logs)
            / sum((x - mean_x) ** 2 for x, _ in logs))


def y_tics(low, high):
    """Plain numbers where powers of ten alone would be one tic or two."""
    if high > 100 * low:
        return ""
    tics = (step * 10 ** power for power in range(10) for step in (1, 2, 5))
    return "set ytics (" + ", ".join(map(str, tics)) + ")\nset format y '%g'"


def script(best, axis, target):
    plot = PLOTS[axis]
    rate = best[plot["read"]]["bytes_per_second"]
    lines, data = [], []
    for policy, (name, colour, marker) in POLICIES.items():
        points = points_of(best, policy, axis)
        fitted = [point for point in points if point[0] >= plot["fit_from"]]
        if len(fitted) < 2:
            continue
        title = f"{name}: slope {slope(fitted):.2f} from {axis} = {plot['fit_from']:,} on"
        lines.append(f"'-' with linespoints lc rgb '{colour}' lw 2 pt {marker} ps 0.7 "
                     f"title '{title}'")
        data.append(points)
    xs = [x for x, _ in data[0]]
    lines.append("'-' with lines lc rgb '#666666' lw 1.5 dt 2 title "
                 f"'features read once from {plot['memory']}, {rate / 1e9:.0f} GB/s'")
    data.append([(x, 8e9 * plot["features"](x) / rate) for x in xs])
    if "screened_from" in plot:
        lines.append("'-' with lines lc rgb '#666666' lw 1.5 dt 3 title "
                     f"'their 16-bit copy, read in their place from {plot['screened_from']:,} on'")
        data.append([(x, 2e9 * plot["features"](x) / rate) for x in xs
                     if x >= plot["screened_from"]])
    ys = [y for block in data for _, y in block]
    head = f"""set terminal svg size 640,450 font 'sans-serif,13' background '#ffffff'
set output '{target}'
set logscale xy
set format xy '10^{{%T}}'
set xlabel '{plot['label']}'
set ylabel 'ns a round'
set key tmargin left reverse Left vertical maxrows 4
set grid lc rgb '#dddddd'
set border 3
set tics nomirror
set xrange [{xs[0] / 1.3}:{xs[-1] * 1.3}]
set yrange [{min(ys) / 1.5}:{max(ys) * 1.5}]
{y_tics(min(ys), max(ys))}
plot """
    blocks = ("\n".join(f"{x} {y}" for x, y in block) + "\ne\n" for block in data)
    return head + ", ".join(lines) + "\n" + "".join(blocks)


def main():
    best = json.loads(pathlib.Path(sys.argv[1]).read_text())["best"]
    for axis in PLOTS:
        target = pathlib.Path(sys.argv[2]) / f"scaling-{axis}.svg"
        subprocess.run(["gnuplot"], input=script(best, axis, target), text=True, check=True)
        print(f"bench: wrote {target}")


main()
