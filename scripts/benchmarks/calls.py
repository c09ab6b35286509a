# SPDX-License-Identifier: MIT
"""Times native and grafted calls over ranks, collectives and sizes with mpigraft-bench, prints a table of ratios, and
draws them. Each cell is written as soon as it is measured, so you can stop a run at any time: the same
command resumes it."""

import argparse
import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from places import ROOT, add_options, command, need, places, refuse, words_of  # first: it finds the modules below
from console import Failed, Progress, environment
from jobs import Results
from launcher import VARIABLE
from launches import arms_of, run_bench
from plan import Command

BENCH, COMMAND = "shim/bench/mpigraft-bench", "config/mpigraft"
RESULTS = "results.jsonl"


@dataclass(frozen=True)
class Preset:
    """An experiment of a paper."""
    what: str
    collectives: tuple
    algorithms: tuple  # all if there are none
    bytes: tuple
    options: tuple = ()
    base: str = ""  # the algorithm to which others are compared (default: native)


PRESETS = {
    "exscan-2025": Preset(
        "Traeff 2025, Figure 1 and Table 1: MPI_Exscan of 0 to 100 000 MPI_LONG, MPI_BXOR", ("exscan",),
        ("doubling_two_op", "doubling_1", "doubling_123"), ("0", "8", "80", "800", "8000", "80000", "800000"),
        ("--op", "bxor")),
    "scan-2006": Preset(
        "Sanders, Traeff 2006, Figure 3: scans on 31 nodes; --cluster 8x4 for its SMP trees", ("scan",),
        ("binomial", "hillis_steele", "binary_tree", "pipelined_binary_tree", "doubly_pipelined_binary_tree",
         "smp_tree_a", "smp_tree_b"), ("8", "8K", "80K", "256K", "1M", "4M")),
    "two-tree-2009": Preset(
        "Sanders, Speck, Traeff 2009, Figure 9: scans on 27 nodes", ("scan",),
        ("hillis_steele", "doubly_pipelined_binary_tree", "two_tree", "linear_pipeline"),
        ("8", "8K", "80K", "256K", "1M", "4M")),
    "compositions": Preset(
        "Gorlatch, Lengauer 1997: a scan and a call on its result, against both as one call; by the paper's model it pays to "
        "fuse two scans up to 7500 bytes on a machine of 1.5 us and 10 GB/s", ("scan_reduce", "scan_allreduce", "scan_scan"),
        (), ("8", "64", "512", "4K", "32K", "256K"), base="apart"),
}


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only 2, 8 and 16 ranks, and short cells; under 5 minutes")
    add_options(parser, "2,4,8,16; quick: 2,8,16", "36x1,8x4")
    parser.add_argument("--collectives", type=words_of, help="collectives to measure (default: all)")
    parser.add_argument("--bytes", type=words_of, default=["8", "8K", "80K", "800K", "8M"],
                        help="sizes of one rank's data (default: 8,8K,80K,800K,8M)")
    parser.add_argument("--algorithms", type=words_of, default=["default"], help="default (the default), all, or full names")
    parser.add_argument("--op", help="operator, as mpigraft-bench names it; matrix is a user operator")
    parser.add_argument("--back-to-back", action="store_true",
                        help="time rows of calls instead of one at a time: ranks can run ahead of others")
    parser.add_argument("--preset", choices=PRESETS, help="; ".join(f"{n}: {p.what}" for n, p in PRESETS.items()))
    parser.add_argument("--out", type=Path, help="folder of results.jsonl, table.md and plots (default: BUILD/bench)")
    parser.add_argument("--fresh", action="store_true", help="ignore results.jsonl, as if it were of another version")
    options = parser.parse_args()
    options.out = options.out or options.build / "bench" / (options.preset or "back_to_back" * options.back_to_back)
    need(options.build, BENCH, COMMAND)
    catalogue = Command(options.build / COMMAND)
    options.collectives = options.collectives or catalogue.collectives
    options.without_data, options.version = catalogue.without_data, catalogue.version
    return options


def cells(options):
    """(place, collective, bytes), in the order in which they are measured."""
    options.more = ("--op", options.op) if options.op else ()
    if options.preset:
        preset = PRESETS[options.preset]
        options.collectives, options.bytes = preset.collectives, preset.bytes
        forced = [f"{collective}/{name}" for collective in preset.collectives for name in preset.algorithms]
        options.algorithms = ["default", *forced] if forced else ["all"]
        options.more = preset.options
    options.more += ("--back-to-back",) * options.back_to_back
    everywhere = places(options, "2,8,16" if options.quick else "2,4,8,16")
    return [(place, collective, size) for place in everywhere for collective in options.collectives
            if algorithms_of(options, collective)
            for size in (["0"] if collective in options.without_data else options.bytes)]


def algorithms_of(options, collective):
    return [name for name in options.algorithms if name in ("default", "all") or name.startswith(collective + "/")]


def measure(options, place, collective, size):
    more = ["--min-reps", "6", "--time", "0"] if place.hosts else ["--quick"] if options.quick else []
    bench = options.build / BENCH
    named = os.environ.get(VARIABLE, "")
    is_template = "{n}" in named and not place.hosts
    launcher = shlex.split(named.replace("{n}", str(place.ranks))) if is_template else command(options, place, [bench])[:-1]
    return run_bench(launcher, bench, ["--collectives", collective, "--bytes", size, "--algorithms",
                                       ",".join(algorithms_of(options, collective)), *options.more, *more],
                     environment(lambda name, _: name == VARIABLE))


def measure_all(options):
    wanted = cells(options) or refuse("nothing to run")
    options.out.mkdir(parents=True, exist_ok=True)
    results = Results(options.out / RESULTS, options.fresh)
    if any(run["asked"][:1] != [options.version] for run in results.runs):
        print(f"scripts/bench: {results.path} is of another version: all is measured again", file=sys.stderr)
        results = Results(results.path, fresh=True)
    how = [*options.more, *["quick"] * options.quick]
    asked = {cell: [options.version, *cell[1:], *algorithms_of(options, cell[1]), *how] for cell in wanted}
    left = [cell for cell in asked if not results.find(cell[0].name, asked[cell])]
    progress = Progress("cells")
    for number, (place, collective, size) in enumerate(left, len(asked) - len(left)):
        progress.show(number, len(asked), f"{place.name}: {collective} {size}")
        results.add(place.name, asked[place, collective, size], measure(options, place, collective, size))
    progress.show(len(asked), len(asked))
    return results.runs


def ratios_of(cell, base):
    """{row of the table: how many times as fast as the base it is, in words}"""
    arms, texts = arms_of(cell), {}
    compared = arms.get(f"{cell['collective']}/{base}", arms["native"])
    for name, arm in arms.items():
        if name != "null" and arm is not compared:
            text = f"{arm['ratio'] / compared['ratio']:.3g}"
            marked = {"faster": f"**{text}**", "slower": f"{text} slower"} if compared is arms["native"] else {}
            row = name if "/" in name else cell["collective"] + ", native" * (name == "native")
            texts[row] = marked.get(arm["verdict"], text)
    return texts


def table(runs, base):
    sizes = sorted({cell["bytes"] for run in runs for cell in run["cells"]})
    rows = {}
    for run in runs:
        for cell in run["cells"]:
            for row, text in ratios_of(cell, base).items():
                rows.setdefault((run["place"], row), {})[cell["bytes"]] = text
    lines = ["| | |" + "|".join(f" {size} " for size in sizes) + "|", "|---|---|" + "---|" * len(sizes)]
    for (place, name), row in rows.items():
        lines.append(f"| {place} | {name} | " + " | ".join(row.get(size, "") for size in sizes) + " |")
    first, nulls = runs[0], sorted(arms_of(cell)["null"]["ratio"] for run in runs for cell in run["cells"])
    where = f"{first['date'][:10]}, {first['cores']} cores, {first['mpi']}"
    bold = "" if base else "; bold: faster by more than the noise"
    return (f"Bytes; {base or 'native'} over this, medians of one interleaved run ({where}){bold}. "
            f"Native over native: {nulls[0]:.2f} to {nulls[-1]:.2f}, median {nulls[len(nulls) // 2]:.2f}.\n\n"
            + "\n".join(lines) + "\n")


def main():
    options = parse()
    try:
        runs = measure_all(options)
    except KeyboardInterrupt:
        print(f"\nscripts/bench: stopped; run the same command again to resume from {options.out / RESULTS}", file=sys.stderr)
        raise
    except (Failed, OSError) as error:
        refuse(error, 1)
    text = table(runs, PRESETS[options.preset].base if options.preset else "")
    (options.out / "table.md").write_text(text)
    print(text)
    if subprocess.run([ROOT / "scripts/bench", "plot", options.out / RESULTS, "--out", options.out], check=False).returncode:
        refuse(f"nothing drawn; the figures are in {options.out}", 1)
