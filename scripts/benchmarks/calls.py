# SPDX-License-Identifier: MIT
"""Times native and grafted calls over ranks, collectives and sizes with mpigraft-bench, prints a table of ratios, and
draws them. Each cell is written as soon as it is measured, so you can stop a run at any time: the same
command resumes it."""

import argparse
import itertools
import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from places import CLUSTER, ROOT, add_options, places, refuse, words_of  # first: it finds the modules below
from bench import BenchFailed, noise_told, run_bench, wrong_arms
from launcher import NoLauncher, command_for
from plan import Command
from progress import Progress
from results import Results

BENCH = Path("shim/bench/mpigraft-bench")
RESULTS = "results.jsonl"


@dataclass(frozen=True)
class Preset:
    """An experiment of a paper: measured here, and by the model at the paper's ranks."""
    what: str
    collective: str
    algorithms: tuple
    bytes: tuple
    hosts: str
    model_ranks: tuple
    options: tuple = ()


PRESETS = {
    "exscan-2025": Preset(
        "Traeff 2025, Figure 1 and Table 1: MPI_Exscan of 0 to 100 000 MPI_LONG, MPI_BXOR", "exscan",
        ("doubling_two_op", "doubling_1", "doubling_123"), ("0", "8", "80", "800", "8000", "80000", "800000"), "36x1",
        (36, 1152), ("--op", "bxor")),
    "scan-2006": Preset(
        "Sanders, Traeff 2006, Figure 3: scans on 31 nodes; --cluster 8x4 for its SMP trees", "scan",
        ("binomial", "hillis_steele", "binary_tree", "pipelined_binary_tree", "doubly_pipelined_binary_tree",
         "smp_tree_a", "smp_tree_b"), ("8", "8K", "80K", "256K", "1M", "4M"), "31x1", (31,)),
    "two-tree-2009": Preset(
        "Sanders, Speck, Traeff 2009, Figure 9: scans on 27 nodes", "scan",
        ("hillis_steele", "doubly_pipelined_binary_tree", "two_tree", "linear_pipeline"),
        ("8", "8K", "80K", "256K", "1M", "4M"), "27x1", (27,)),
}


OF_APPS = "huang-2007"
OF_APPS_WHAT = "Huang 2007, Figures 11 and 12: speed-ups of prefix sums and radix sort, by `scripts/bench applications`"


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
    parser.add_argument("--preset", choices=(*PRESETS, OF_APPS),
                        help="; ".join([*(f"{n}: {p.what}" for n, p in PRESETS.items()), f"{OF_APPS}: {OF_APPS_WHAT}"]))
    parser.add_argument("--out", type=Path, help="folder of results.jsonl, table.md and plots (default: BUILD/bench)")
    parser.add_argument("--fresh", action="store_true", help="measure everything again: ignore results.jsonl")
    options = parser.parse_args()
    options.out = options.out or options.build / "bench" / (options.preset or "back_to_back" * options.back_to_back)
    return options


def ready(options):
    """Builds the benchmark if it is missing, and completes the options with what the command knows."""
    if options.build == ROOT / "build":
        subprocess.run([ROOT / "scripts/setup"], check=True)
    if not (options.build / BENCH).exists():
        subprocess.run(["ninja", "-C", options.build], check=True)
    command = Command(options.build / "config/mpigraft")
    options.collectives = options.collectives or command.collectives
    options.without_data = command.without_data
    options.out.mkdir(parents=True, exist_ok=True)
    try:
        options.launcher = command_for(options.build / BENCH)
    except NoLauncher as error:
        refuse(error)
    print(f"{sys.argv[0]}: ranks are started by {options.launcher}", file=sys.stderr)


def launcher_of(options, place):
    """The command that starts the benchmark there; hosts are up."""
    if place.hosts:
        return [CLUSTER, "run", "-n", str(place.ranks), "--build", options.build, "--"]
    return shlex.split(options.launcher.replace("{n}", str(place.ranks)))


def cells(options):
    """(place, collective, bytes, more options), in the order in which they are measured."""
    if options.preset:
        preset = PRESETS[options.preset]
        options.collectives, options.bytes = (preset.collective,), preset.bytes
        options.algorithms = ["default", *(f"{preset.collective}/{name}" for name in preset.algorithms)]
        options.more = preset.options
    else:
        options.more = ("--op", options.op) if options.op else ()
    options.more += ("--back-to-back",) * options.back_to_back
    everywhere = places(options, "2,8,16" if options.quick else "2,4,8,16")
    return [(place, collective, size) for place in everywhere for collective in options.collectives
            for size in (["0"] if collective in options.without_data else options.bytes)]


def algorithms_of(options, collective):
    return [name for name in options.algorithms if name in ("default", "all") or name.startswith(collective + "/")]


def measure(options, place, collective, size):
    more = ["--quick"] if options.quick else []
    if place.hosts:
        more = ["--min-reps", "6", "--time", "0"]
    algorithms = algorithms_of(options, collective)
    try:
        run = run_bench(launcher_of(options, place), options.build / BENCH,
                        ["--collectives", collective, "--bytes", size, "--algorithms", ",".join(algorithms), *options.more,
                         *more])
    except BenchFailed as error:
        refuse(error, 1)
    if wrong_arms(run):
        refuse(f"wrong results: {', '.join(wrong_arms(run))}", 1)
    return run


class Hosts:
    """The emulated hosts of the place that is measured; nobody else's."""

    def __init__(self, rate):
        self.rate, self.up = rate, 0

    def __enter__(self):
        return self

    def need(self, hosts):
        if hosts == self.up:
            return
        if self.up:
            subprocess.run([CLUSTER, "down"], check=True)
        self.up = 0
        if hosts:
            if subprocess.run([CLUSTER, "up", "--hosts", str(hosts), "--rate", self.rate], check=False).returncode:
                refuse("--cluster needs hosts, but none can be made here", 1)
            self.up = hosts

    def __exit__(self, *_):
        self.need(0)


def measure_all(options):
    results = Results(options.out / RESULTS, options.fresh)
    wanted = cells(options)
    progress = Progress("cells")
    with Hosts(options.rate) as hosts:
        for done, (place, collective, size) in enumerate(wanted):
            progress.show(done, len(wanted), f"{place.name}: {collective} {size}")
            asked = [collective, size, *algorithms_of(options, collective), *options.more]
            if not results.find(place.name, asked):
                hosts.need(place.hosts)
                results.add(place.name, asked, measure(options, place, collective, size))
    progress.show(len(wanted), len(wanted), "")
    return results.runs


def ratio_cell(cell):
    best = next((arm for arm in cell["arms"] if arm["arm"] == "default"), None)
    if not best:
        return ""
    text = f"{best['ratio']:.3g}"
    return {"faster": f"**{text}**", "slower": f"{text} slower"}.get(best["verdict"], text)


def table(runs):
    sizes = sorted({cell["bytes"] for run in runs for cell in run["cells"]})
    rows = {}
    for run in runs:
        for cell in run["cells"]:
            rows.setdefault((run["place"], cell["collective"]), {})[cell["bytes"]] = ratio_cell(cell)
    lines = ["| | |" + "|".join(f" {size} " for size in sizes) + "|", "|---|---|" + "---|" * len(sizes)]
    for (place, collective), row in rows.items():
        lines.append(f"| {place} | {collective} | " + " | ".join(row.get(size, "") for size in sizes) + " |")
    first = runs[0]
    where = f"{first['date'][:10]}, {first['cores']} cores, {first['mpi']}"
    return (f"Bytes; native over grafted, medians of one interleaved run ({where}); bold: faster by more than the noise. "
            f"{noise_told(runs)}.\n\n" + "\n".join(lines) + "\n")


def draw_model(options):
    """Draws the preset's algorithms at the ranks of its paper, by the model."""
    preset = PRESETS[options.preset]
    for ranks in preset.model_ranks:
        file = options.out / f"model-{ranks}.html"
        sizes = ",".join(size for size in preset.bytes if size != "0")
        subprocess.run([options.build / "config/mpigraft", "model", "--collective", preset.collective, "--ranks",
                        str(ranks), "--bytes", sizes, "--html", file], check=True, stdout=subprocess.DEVNULL)
        print(f"drawn: {file} (model)")


def become_apps(options):
    """Becomes `scripts/bench applications`, for presets whose experiments are whole programs."""
    words = ["--quick"] if options.quick else []
    if options.ranks is not None:
        words += ["--ranks", ",".join(options.ranks) or "-"]
    if options.cluster:
        words += ["--cluster", ",".join(f"{hosts}x{each}" for hosts, each in options.cluster), "--rate", options.rate]
    words += ["--build", options.build, "--plot", options.out / "applications.png", "prefix_sums", "radix_sort"]
    os.execv(ROOT / "scripts/bench", ["scripts/bench", "applications", *map(str, words)])


def main():
    options = parse()
    ready(options)
    if options.preset == OF_APPS:
        become_apps(options)
    try:
        runs = measure_all(options)
    except KeyboardInterrupt:
        sys.exit(f"\nscripts/bench: stopped; run the same command again to resume from {options.out / RESULTS}")
    text = table(runs)
    (options.out / "table.md").write_text(text)
    print(text)
    if subprocess.run([ROOT / "scripts/bench", "plot", options.out / RESULTS, "--out", options.out], check=False).returncode:
        refuse(f"nothing drawn; the figures are in {options.out}", 1)
    if options.preset:
        draw_model(options)
