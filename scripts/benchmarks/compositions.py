# SPDX-License-Identifier: MIT
"""Measures where the composition rules of Gorlatch and Lengauer (1997) pay: a scan and a call on its result, natively,
grafted, and as one call of mpigraft.h. Prints and draws the speed of each variant relative to the two grafted calls, and
the length up to which the paper's model of a hypercube fuses two scans.
Exit codes: 0 measured, 1 a launch failed, 2 nothing could run."""

import argparse
import sys
from pathlib import Path

from places import add_options, command, need, places  # first: it finds the modules below
from console import Failed
from launches import arms_of, run_bench
from plot import draw_panels

# Bytes up to which the model fuses two scans on the default table's machine, of 1.5 us and 10 GB/s: t_s > 2 m
MODEL_FUSES = 1.5e-6 * 10e9 / 2
BENCH = "shim/bench/mpigraft-bench"
VARIANTS = ("native", "fused", "decomposed")
SECONDS = "0.5"  # for each composition and length
RANKS = "2,4,8"
BYTES = "8,64,512,4K,32K,256K"
APART = "apart"  # the two grafted calls
NAMES = {"scan_reduce": "scan, reduce", "scan_allreduce": "scan, allreduce", "scan_scan": "scan, scan"}


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser, RANKS, "8x1")
    parser.add_argument("--plot", type=Path, metavar="FILE.png", help="draw the result into this file")
    return parser.parse_args()


def measured(launcher, bench):
    asked = ["--collectives", ",".join(NAMES), "--bytes", BYTES, "--algorithms", "all", "--time", SECONDS]
    try:
        return run_bench(launcher, bench, asked)["cells"]
    except Failed as error:
        print(f"{sys.argv[0]}: {error}", file=sys.stderr)
        return []


def ratio(cell, variant):
    """The time of the two grafted calls over that of `variant`, by the medians."""
    arms = arms_of(cell)
    arm = arms.get(variant if variant == "native" else f"{cell['collective']}/{variant}")
    return arms[f"{cell['collective']}/{APART}"]["median_us"] / arm["median_us"] if arm else None


def print_table(results):
    print("| two grafted calls / this | bytes |", *(f"{variant} |" for variant in VARIANTS))
    print("|---|---|" + "---|" * len(VARIANTS))
    for place, cells in results.items():
        for cell in cells:
            words = ("" if ratio(cell, variant) is None else f"{ratio(cell, variant):.2f}" for variant in VARIANTS)
            print(f"| {NAMES[cell['collective']]}, {place} | {cell['bytes']} |", *(f"{word} |" for word in words))


def draw(results, path):
    """Draws how many times as fast as the two calls each variant is, and for two scans where the model no longer fuses."""
    panels = {}
    for place, cells in results.items():
        for cell in cells:
            curves = panels.setdefault((NAMES[cell["collective"]], place), {})
            for variant in VARIANTS:
                if ratio(cell, variant):
                    curves.setdefault(variant, []).append((cell["bytes"], ratio(cell, variant)))
            curves.setdefault("the two calls", []).append((cell["bytes"], 1))
            if cell["collective"] == "scan_scan":
                curves["model fuses up to here"] = [(MODEL_FUSES, 0.5), (MODEL_FUSES, 2)]
    draw_panels(panels, path, "two grafted calls / this")


def main():
    options = parse()
    need(options.build, BENCH)
    bench, results = options.build / BENCH, {}
    for place in places(options, RANKS):
        print(f"measuring on {place.name}", file=sys.stderr)
        results[place.name] = measured(command(options, place, [bench])[:-1], bench)
    if not any(results.values()):
        return 2
    print_table(results)
    if options.plot:
        draw(results, options.plot)
    return 0 if all(results.values()) else 1
