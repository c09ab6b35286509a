#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the JSON of `mpigraft report` (stdin) into a file: time and calls over the size of a call, by collective."""

import json
import sys

sys.dont_write_bytecode = True  # beside an installed script
from plotting import draw_panels, plt  # noqa: E402
from report_page import CHARTS, by_size, names_of  # noqa: E402


def draw(axes, title, panel):
    bars, shown, collectives = panel
    below = [0] * len(bars)
    for collective in collectives:
        heights = [parts.get(collective, 0) for parts in bars.values()]
        if any(heights):
            axes.bar(list(bars), heights, bottom=below, label=collective)
        below = [sum(pair) for pair in zip(below, heights)]
    axes.set_title(title, fontsize=11)
    axes.yaxis.set_major_formatter(plt.FuncFormatter(lambda value, _: shown(value)))
    axes.tick_params(axis="x", rotation=45)
    axes.grid(True, axis="y", alpha=0.3)
    axes.legend(fontsize=8)


def main():
    report = json.load(sys.stdin)
    rows = [row for row in report["rows"] if row["calls"] > 0]
    if not rows:
        sys.exit("mpigraft: the report has no calls to draw")
    panels = {title: (by_size(rows, value), shown, names_of(report)) for title, (value, shown) in CHARTS.items()}
    draw_panels(panels, 6.4, 4.4, draw, sys.argv[1], f"{report['program']:.100}")


if __name__ == "__main__":
    main()
