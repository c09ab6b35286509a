# SPDX-License-Identifier: MIT
"""Times the applications of scans and reductions (test/apps), natively and with libmpigraft.so preloaded in turn, and
compares what they print. The times are medians over the launches of the seconds of the programs' timed steps. A launch
that takes longer than a minute is stopped and counts as that long.
Exit codes: 0 all alike, 1 a difference or a failure, 2 nothing could run."""

import argparse
import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from places import Place, add_options, places, refuse  # first: it finds the modules below
import program_list
import timing

ARMS = ("native", "preloaded")
SECONDS = 60
METHODS = ("exscan", "scan", "rd", "rd_barrier", "bt", "bt_barrier")  # of the middle step of prefix sums
NUMBERS = 1_000_000  # of prefix sums


@dataclass(frozen=True)
class Application:
    program: str
    choice: str  # of its method or kind of input
    size: int
    steps: tuple  # with one, two, four, and eight or more ranks a core: natively up to two seconds or so
    option: str = "--method"

    @property
    def name(self):
        return f"{self.program} {self.choice}"


PREFIX_STEPS = (200, 12, 6, 2)
APPLICATIONS = [
    *(Application("prefix_sums", method, NUMBERS, PREFIX_STEPS) for method in METHODS),
    Application("radix_sort", "uniform", 10_000, (200, 4, 2, 1), "--input"),
    Application("partition", "partition", 10_000, (500, 20, 5, 3)),
    Application("partition", "filter", 10_000, (500, 20, 5, 3)),
    Application("segment_sum", "reduction", 10_000, (1500, 60, 15, 5)),
    Application("segment_sum", "scan_and_reduction", 10_000, (1500, 60, 15, 5)),
    Application("recurrences", "recurrence", 10_000, (1500, 100, 30, 10)),
    Application("recurrences", "horner", 2_000, (1500, 100, 30, 10)),
    Application("recurrences", "powers", 2_000, (1000, 60, 20, 8)),
    Application("load_balance", "last", 10_000, (300, 30, 5, 3), "--split"),
]
SEQUENTIAL = Application("prefix_sums", "sequential", NUMBERS, PREFIX_STEPS)
SORTS = (2000, 60, 30, 10)  # steps of sample_sort, an application in C that prints no time


def a_core(ranks):
    """Index of the steps for so many ranks on this machine."""
    return min((-(-ranks // len(os.sched_getaffinity(0))) - 1).bit_length(), len(SORTS) - 1)


def program_of(folder, application, steps):
    return program_list.Program(application.name, "test/apps",
                            [str(folder / application.program), "--size", str(application.size), "--steps", str(steps),
                             application.option, application.choice],
                            rf"^{application.program} .*: size", r"seconds .*", clock=r"seconds ([\d.]+)", exact=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only 2 and 8 ranks, one launch each way; under 3 minutes")
    add_options(parser, "2,4,8,16; quick: 2,8", "4x1,4x2")
    parser.add_argument("--plot", type=Path, metavar="FILE.png",
                        help="draw the speed-ups of prefix sums and the ratios into this file")
    parser.add_argument("application", nargs="*", help="run only those with one of these texts in their names")
    options = parser.parse_args()
    options.launches = 1 if options.quick else 3
    return options


def rows(options, everywhere):
    """A list for each chosen application: one Timed for each place."""
    folder = options.build / "test/apps"
    makers = [(application.steps, partial(program_of, folder, application)) for application in APPLICATIONS]
    for steps, make in [*makers, (SORTS, partial(program_list.app, folder, "sample_sort"))]:
        row = [timing.Timed(make(steps[1 if place.hosts else a_core(place.ranks)]), place, options.launches, ARMS)
               for place in everywhere]
        if row and (not options.application or any(text in row[0].program.name for text in options.application)):
            yield row


def a_step(timed, arm):
    """Seconds of one step."""
    return timed.median(arm) / int(timed.program.command[timed.program.command.index("--steps") + 1])


def sequential(options):
    """Seconds of sequential prefix sums, alone on the machine."""
    program = program_of(options.build / "test/apps", SEQUENTIAL, SEQUENTIAL.steps[0])
    timed = timing.Timed(program, Place("alone", 1), options.launches, ("native",))
    timing.measure(timed, options, SECONDS)
    return a_step(timed, "native") if not timed.wrong and not timed.stopped else None


def speedups(prefix_sums, seconds):
    """{method: {arm: [(ranks, speed-up)]}}, as Huang's figure has it."""
    curves = {}
    for timed in prefix_sums:
        points = curves.setdefault(timed.program.name.split()[1], {arm: [] for arm in ARMS})
        for arm in set(ARMS) - timed.stopped:
            points[arm].append((timed.place.ranks, seconds / a_step(timed, arm)))
    return curves


def tell_speedups(curves, seconds):
    print(f"\nSequential prefix sums take {seconds * 1e3:.3g} ms; speed-ups over them, native, preloaded:\n")
    ranks = sorted({n for points in curves.values() for arm in ARMS for n, _ in points[arm]})
    print("| middle step |", *(f"{n} ranks |" for n in ranks))
    print("|---|" + "---|" * len(ranks))
    for method, points in curves.items():
        each = [dict(points[arm]) for arm in ARMS]
        cells = [", ".join(f"{arm[n]:.3g}" if n in arm else "stopped" for arm in each) for n in ranks]
        print(f"| {method} |", *(f"{cell} |" for cell in cells))


def ratio(timed):
    """native / preloaded; None if it is not known."""
    known = timed.seconds["preloaded"] and not timed.wrong and not timed.stopped
    return timed.median("native") / timed.median("preloaded") if known else None


def main():
    options = parse()
    if options.plot:
        import plot  # before anything is timed: this may start the script again
    needed = (options.build / "shim/libmpigraft.so", options.build / "test/apps/prefix_sums")
    missing = [path for path in needed if not path.exists()]
    if missing:
        refuse(f"{missing[0]} is missing: scripts/setup; ninja -C {options.build}")
    everywhere = places(options, "2,8" if options.quick else "2,4,8,16")
    chosen = list(rows(options, everywhere))
    if not chosen:
        refuse("nothing to run")
    done = timing.time_rows(everywhere, chosen, options, SECONDS)
    print("\nSeconds of the timed steps, of sample_sort of the launch, medians")
    prefix_sums = [timed for timed in done if timed.program.name.startswith("prefix_sums") and not timed.wrong
                   and not timed.place.hosts]
    alone = sequential(options) if prefix_sums else None
    curves = speedups(prefix_sums, alone) if alone else {}
    if curves:
        tell_speedups(curves, alone)
    if options.plot:
        ratios = {row[0].program.name: [ratio(timed) for timed in row] for row in chosen}
        plot.draw_applications(options.plot, curves, ratios, [place.name for place in everywhere])
    hung = any("preloaded" in timed.stopped and "native" not in timed.stopped for timed in done)
    return 1 if hung else timing.exit_code(done)
