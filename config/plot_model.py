#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the CSV of `mpigraft model` (stdin) into a file: time over bytes, a panel a collective and number of ranks."""

import csv
import sys
from collections import defaultdict

sys.dont_write_bytecode = True  # beside an installed script
from plotting import draw_panels  # noqa: E402


def read_panels(lines):
    """{(collective, ranks): {curve: [(bytes, seconds)]}}, the bound as a curve of its own."""
    panels = defaultdict(lambda: defaultdict(list))
    for row in csv.DictReader(lines):
        panel = panels[row["collective"], int(row["ranks"])]
        size = int(row["bytes"])
        if row["predicted_s"]:  # priced
            panel[row["algorithm"].split("/")[1]].append((size, float(row["predicted_s"])))
        bound = (size, float(row["lower_bound_s"]))
        if bound not in panel["lower bound"]:
            panel["lower bound"].append(bound)
    return panels


def draw(axes, panel, curves):
    collective, ranks = panel
    for number, (name, points) in enumerate(curves.items()):
        sizes, seconds = zip(*sorted(points))
        style = {"color": "black", "linestyle": "--"} if name == "lower bound" else {"marker": "os^vDPX*"[number % 8]}
        axes.loglog(sizes, [s * 1e6 for s in seconds], label=name, markersize=4, linewidth=1.2, **style)
    axes.set_title(f"{collective}, {ranks} ranks (model)")
    axes.set_xlabel("bytes")
    axes.set_ylabel("predicted us")
    axes.grid(True, which="major", alpha=0.3)
    axes.legend(fontsize=7)


def main():
    draw_panels(read_panels(sys.stdin), 6.4, 4.6, draw, sys.argv[1])


if __name__ == "__main__":
    main()
