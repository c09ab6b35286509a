# SPDX-License-Identifier: MIT
"""Draws what scripts/bench measured: time over bytes, a panel for every collective and place, and a map of the ratios
native / grafted. The lower bound is ceil(log2 p) latencies and all bytes at full bandwidth, both from the fastest broadcast
between two ranks in the same file; it is left out where ranks share cores. For `scripts/bench applications` it draws
speed-ups of prefix sums over ranks (Huang 2007, figure 11), and ratios. It needs no screen."""

import argparse
import math
import os
import sys
from collections import defaultdict
from pathlib import Path

from places import in_folder, refuse  # first: it finds the modules below
from console import size_text
from jobs import Failed, Results

try:
    import matplotlib
except ImportError:
    # Debian's package serves Debian's interpreter, which need not be the first on PATH.
    if os.path.realpath(sys.executable) != os.path.realpath("/usr/bin/python3") and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.orig_argv[1:]])
    refuse("matplotlib is missing: apt-get install python3-matplotlib")
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

LANES = {"native": "natively", "preloaded": "with mpigraft"}
BOUND = "lower bound"
DASHED = (BOUND, "apart", "sequential")  # curves to compare with


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path, help="results.jsonl of scripts/bench")
    parser.add_argument("--out", type=in_folder, default=Path("."), help="folder for time.png and ratio.png")
    return parser.parse_args()


def save(figure, file):
    figure.tight_layout()
    figure.savefig(file, dpi=100)
    plt.close(figure)
    print(f"drawn: {file}")


def floor_of(runs):
    """(microseconds, microseconds per byte) of the fastest broadcasts between two ranks that have cores of their own;
    None for fewer than two sizes."""
    pairs = [(cell["bytes"], arm["min_us"]) for run in runs if run["ranks"] == 2 and not run["more_ranks_than_cores"]
             for cell in run["cells"] if cell["collective"] == "bcast" for arm in cell["arms"]]
    if len({size for size, _ in pairs}) < 2:
        return None
    return min(us for _, us in pairs), min((us / size for size, us in pairs if size), default=0)


def panels_of(runs):
    """{(collective, place): {curve: [(bytes, microseconds)]}}, except for barriers and other calls without bytes, which
    have no place on a logarithmic axis; time is the best of each arm's medians."""
    panels, floor = defaultdict(lambda: defaultdict(list)), floor_of(runs)
    for run in runs:
        for cell in run["cells"]:
            size, curves = cell["bytes"], panels[cell["collective"], run["place"]]
            for arm in cell["arms"] if size else ():
                if arm["arm"] != "null":
                    name = "mpigraft" if arm["arm"] == "default" else arm["arm"].split("/")[-1]
                    curves[name].append((size, arm["median_us"]))
            if size and floor and not run["more_ranks_than_cores"] and run["place"].endswith("ranks"):
                curves[BOUND].append((size, max(math.ceil(math.log2(run["ranks"])) * floor[0], size * floor[1])))
    return {key: curves for key, curves in panels.items() if curves}


def draw_curves(axes, curves):
    for number, (name, points) in enumerate(curves.items()):
        style = {"marker": "os^vDPX*"[number % 8], "markersize": 4}
        if name == "native":
            style = {"color": "black", "linewidth": 2}
        elif name in DASHED:
            style = {"color": "black", "linewidth": 1, "linestyle": "--"}
        axes.loglog(*zip(*sorted(points)), label=name, **style)
    axes.grid(True, which="major", alpha=0.3)
    if curves:
        axes.legend(fontsize=7)


def draw_panels(panels, file):
    """Draws {(collective, place): {curve: [(bytes, microseconds)]}}."""
    if not panels:  # only barriers were measured
        return
    collectives, places = (list(dict.fromkeys(names)) for names in zip(*panels))
    figure, grid = plt.subplots(len(collectives), len(places), squeeze=False,
                                figsize=(4.4 * len(places), 3.4 * len(collectives)))
    for row, collective in zip(grid, collectives):
        for axes, place in zip(row, places):
            axes.set_title(f"{collective}, {place}", fontsize=10)
            draw_curves(axes, panels.get((collective, place), {}))
            axes.set_xlabel("bytes")
            axes.set_ylabel("us (median)")
    save(figure, file)


def draw_ratios(runs, file):
    """Draws a map. Rows: place and collective; columns: bytes; colour: log2 of native / grafted."""
    ratios = {(run["place"], cell["collective"], cell["bytes"]): arm["ratio"] for run in runs for cell in run["cells"]
              for arm in cell["arms"] if arm["arm"] == "default"}
    if not ratios:  # only forced algorithms were measured
        return
    rows = list(dict.fromkeys(key[:2] for key in ratios))
    sizes = sorted({key[2] for key in ratios})
    values = [[ratios.get((*row, size), math.nan) for size in sizes] for row in rows]
    figure, axes = plt.subplots(figsize=(1.6 + 1.1 * len(sizes), 1.2 + 0.36 * len(rows)))
    axes.imshow([[math.log2(value) if value == value else value for value in row] for row in values], cmap="RdYlGn",
                vmin=-4, vmax=4, aspect="auto")
    axes.set_xticks(range(len(sizes)), [size_text(size) if size else "none" for size in sizes])
    axes.set_yticks(range(len(rows)), [f"{collective}, {place}" for place, collective in rows])
    for y in range(1, len(rows)):
        if rows[y][0] != rows[y - 1][0]:
            axes.axhline(y - 0.5, color="white", linewidth=4)
    for y, row in enumerate(values):
        for x, value in enumerate(row):
            if value == value:
                axes.text(x, y, f"{value:.3g}", ha="center", va="center", fontsize=9,
                          color="white" if abs(math.log2(value)) > 3 else "black")
    axes.set_xlabel("bytes")
    axes.set_title("How many times as fast calls are with mpigraft\n(1: no difference, below 1: slower; "
                   f"{runs[0]['cores']} cores, {runs[0]['date'][:10]})", fontsize=10)
    save(figure, file)


def draw_speedups(axes, curves, arm):
    """Draws curves: {method: {arm: [(ranks, speed-up)]}}."""
    ranks = [n for n, _ in next(iter(curves.values()))[arm]]
    draw_curves(axes, {method: points[arm] for method, points in curves.items()} | {"sequential": [(n, 1) for n in ranks]})
    axes.set_xscale("log", base=2)
    axes.set_xticks(ranks, map(str, ranks))
    axes.set_xlabel("ranks")
    axes.set_ylabel("sequential time / time")
    axes.set_title(f"prefix sums {LANES[arm]}", fontsize=10)


def draw_bars(axes, ratios, titles):
    """Draws ratios: {application: [native / preloaded, a bar for each title; None for no bar]}."""
    height = 0.8 / len(titles)
    for number, title in enumerate(titles):
        bars = [(y + (number - (len(titles) - 1) / 2) * height, row[number]) for y, row in enumerate(ratios.values())
                if row[number] is not None]
        axes.barh([y for y, _ in bars], [ratio - 1 for _, ratio in bars], height, left=1, label=title)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_yticks(range(len(ratios)), list(ratios), fontsize=8)
    axes.invert_yaxis()
    axes.set_xlabel("native / preloaded")
    axes.legend(fontsize=7)


def draw_applications(file, curves, ratios, titles):
    arms = [arm for arm in LANES if curves and all(points[arm] for points in curves.values())]
    figure, grid = plt.subplots(1, len(arms) + 1, figsize=(4.6 * (len(arms) + 1.2), 1.5 + 0.33 * max(10, len(ratios))),
                                width_ratios=[1] * len(arms) + [1.2], squeeze=False)
    for axes, arm in zip(grid[0], arms):
        draw_speedups(axes, curves, arm)
    limits = [axes.get_ylim() for axes in grid[0][:len(arms)]]
    for axes in grid[0][:len(arms)]:
        axes.set_ylim(min(low for low, _ in limits), max(high for _, high in limits))
    draw_bars(grid[0][-1], ratios, titles)
    save(figure, file)


def main():
    options = parse()
    try:
        runs = Results(options.results).runs
    except Failed as failed:
        refuse(failed)
    if not runs or any("cells" not in run for run in runs):
        refuse(f"{options.results}: no results of scripts/bench calls")
    options.out.mkdir(exist_ok=True)
    draw_panels(panels_of(runs), options.out / "time.png")
    draw_ratios(runs, options.out / "ratio.png")
