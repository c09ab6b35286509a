#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the CSV of `mpigraft explain --all` (stdin) into a file: a panel a collective, which algorithm runs for how many
ranks and bytes."""

import csv
import sys
from collections import defaultdict

sys.dont_write_bytecode = True  # beside an installed script
from plotting import draw_panels, plt  # noqa: E402


def read_panels(lines):
    """{collective: {(ranks, bytes): algorithm}}"""
    panels = defaultdict(dict)
    for row in csv.DictReader(lines):
        panels[row["collective"]][int(row["ranks"]), int(row["bytes"])] = row["algorithm"]
    return panels


def label(size):
    for suffix in ("", "K", "M"):
        if size < 1024:
            return f"{size}{suffix}"
        size //= 1024
    return f"{size}G"


def draw(axes, collective, cells):
    ranks, sizes = (sorted({key[i] for key in cells}) for i in (0, 1))
    names = sorted(set(cells.values()), key=lambda name: (name != "native", name))
    colours = [(0.92, 0.92, 0.92)] + list(plt.get_cmap("tab20").colors)
    shown = {name: colours[0] if name == "native" else colours[1 + i % 20] for i, name in enumerate(names)}
    axes.imshow([[shown[cells[p, m]] for m in sizes] for p in ranks], origin="lower", aspect="auto",
                interpolation="nearest")
    axes.set_xticks(range(0, len(sizes), 5), [label(m) for m in sizes[::5]])
    axes.set_yticks(range(0, len(ranks), 2), ranks[::2])
    axes.set_title(collective)
    axes.set_xlabel("bytes")
    axes.set_ylabel("ranks")
    handles = [plt.Rectangle((0, 0), 1, 1, color=shown[name]) for name in names]
    axes.legend(handles, [name.split("/")[-1] for name in names], fontsize=7, loc="upper left",
                bbox_to_anchor=(1.01, 1))


def main():
    draw_panels(read_panels(sys.stdin), 7.6, 4.4, draw, sys.argv[1])


if __name__ == "__main__":
    main()
