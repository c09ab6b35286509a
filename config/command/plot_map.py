#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the CSV of `mpigraft explain --all` (stdin) into a file: for each collective a panel that shows which algorithm
runs for how many ranks and bytes."""

import csv
import sys
from collections import defaultdict

sys.dont_write_bytecode = True  # beside an installed script
from plotting import draw_panels, legend_beside, plt, size_label  # noqa: E402


def read_panels(lines):
    """{title: {(ranks, bytes): algorithm}}"""
    panels = defaultdict(dict)
    for row in csv.DictReader(lines):
        panels[row["title"]][int(row["ranks"]), int(row["bytes"])] = row["algorithm"].split("/")[-1]
    return panels


def colours_of(panels):
    """{algorithm: colour}, the same in all panels."""
    names = sorted({name for cells in panels.values() for name in cells.values()} - {"native"})
    pairs = plt.get_cmap("tab20").colors  # dark and light
    colours = pairs[::2] + pairs[1::2]
    return {"native": (0.92, 0.92, 0.92)} | {name: colours[i % 20] for i, name in enumerate(names)}


def draw(axes, title, panel):
    cells, shown = panel
    ranks, sizes = (sorted({key[i] for key in cells}) for i in (0, 1))
    axes.imshow([[shown[cells[p, m]] for m in sizes] for p in ranks], origin="lower", aspect="auto",
                interpolation="nearest")
    axes.set_xticks(range(0, len(sizes), 5), [size_label(m) for m in sizes[::5]])
    axes.set_yticks(range(0, len(ranks), 2), ranks[::2])
    axes.set_title(title)
    axes.set_xlabel("bytes")
    axes.set_ylabel("ranks")
    names = [name for name in shown if name in cells.values()]
    legend_beside(axes, [plt.Rectangle((0, 0), 1, 1, color=shown[name]) for name in names], names)


def main():
    panels = read_panels(sys.stdin)
    shown = colours_of(panels)
    draw_panels({title: (cells, shown) for title, cells in panels.items()}, 7.6, 4.4, draw, sys.argv[1])


if __name__ == "__main__":
    main()
