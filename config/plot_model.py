#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the CSV of `mpigraft model` (stdin) into a file: time over bytes, a panel a collective and number of ranks."""

import csv
import sys
from collections import defaultdict

sys.dont_write_bytecode = True  # beside an installed script
from plotting import plt  # noqa: E402


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


def draw(axes, title, curves):
    for number, (name, points) in enumerate(curves.items()):
        sizes, seconds = zip(*sorted(points))
        style = {"color": "black", "linestyle": "--"} if name == "lower bound" else {"marker": "os^vDPX*"[number % 8]}
        axes.loglog(sizes, [s * 1e6 for s in seconds], label=name, markersize=4, linewidth=1.2, **style)
    axes.set_title(title)
    axes.set_xlabel("bytes")
    axes.set_ylabel("predicted us")
    axes.grid(True, which="major", alpha=0.3)
    axes.legend(fontsize=7)


def main():
    panels = read_panels(sys.stdin)
    columns = min(len(panels), 2)
    rows = -(-len(panels) // columns)
    figure, all_axes = plt.subplots(rows, columns, figsize=(6.4 * columns, 4.6 * rows), squeeze=False)
    for axes in all_axes.flat[len(panels):]:
        axes.set_visible(False)
    for axes, ((collective, ranks), curves) in zip(all_axes.flat, panels.items()):
        draw(axes, f"{collective}, {ranks} ranks (model)", curves)
    figure.tight_layout()
    figure.savefig(sys.argv[1], dpi=120)


if __name__ == "__main__":
    main()
