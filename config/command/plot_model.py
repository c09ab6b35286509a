#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the CSV of `mpigraft model` (stdin) into a file: time over bytes, in a panel for each collective and number of
ranks."""

import csv
import sys
from collections import defaultdict

sys.dont_write_bytecode = True  # beside an installed script
from plotting import draw_panels, legend_beside, plt, size_label  # noqa: E402


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
    for number, name in enumerate(sorted(curves, key=lambda name: (name == "lower bound", name))):
        sizes, seconds = zip(*sorted(curves[name]))
        # Seven markers and ten colours make as many pairs as there may be algorithms.
        style = ({"color": "black", "linestyle": "--"} if name == "lower bound" else
                 {"marker": "os^vDPX"[number % 7], "color": f"C{number % 10}"})
        axes.loglog(sizes, [s * 1e6 for s in seconds], label=name, markersize=4, linewidth=1.2, **style)
    handles, names = zip(*sorted(zip(*axes.get_legend_handles_labels()), key=lambda pair: -pair[0].get_ydata()[-1]))
    legend_beside(axes, handles, names)  # from top to bottom as the curves end
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter(plt.FuncFormatter(lambda size, _: size_label(round(size))))
    axes.yaxis.set_major_formatter(plt.FuncFormatter(lambda us, _: f"{us:g}"))
    axes.set_title(f"{collective}, {ranks} ranks (model)")
    axes.set_xlabel("bytes")
    axes.set_ylabel("predicted us")
    axes.grid(True, which="major", alpha=0.3)


def main():
    draw_panels(read_panels(sys.stdin), 7.8, 4.6, draw, sys.argv[1])


if __name__ == "__main__":
    main()
