#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the JSON of `mpigraft report` (stdin) into a file: calls and bytes over the size of a call, by collective."""

import json
import sys
from collections import defaultdict

sys.dont_write_bytecode = True  # beside an installed script
from plotting import plt  # noqa: E402


def size_of(row):
    """The power of two at or below the sizes of the row's calls."""
    return 1 << max(row["bytes_min"].bit_length() - 1, 0)


def draw(axes, rows, key, title):
    sizes = sorted({size_of(row) for row in rows})
    below = defaultdict(int)
    for collective in ("scan", "exscan", "bcast", "reduce"):
        total = defaultdict(int)
        for row in rows:
            if row["collective"] == collective:
                total[size_of(row)] += row[key]
        if total:
            axes.bar([str(size) for size in sizes], [total[size] for size in sizes],
                     bottom=[below[size] for size in sizes], label=collective)
        for size in sizes:
            below[size] += total[size]
    axes.set_title(title)
    axes.set_xlabel("bytes of a call, from")
    axes.tick_params(axis="x", rotation=45)
    axes.grid(True, axis="y", alpha=0.3)
    axes.legend(fontsize=7)


def main():
    report = json.load(sys.stdin)
    rows = [row for row in report["rows"] if row["calls"] > 0]
    if not rows:
        sys.exit("mpigraft: the report has no calls to draw")
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 4.6))
    draw(left, rows, "calls", f"{report['program']}: calls")
    draw(right, rows, "total_bytes", f"{report['program']}: bytes")
    figure.tight_layout()
    figure.savefig(sys.argv[1], dpi=120)


if __name__ == "__main__":
    main()
