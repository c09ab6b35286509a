# SPDX-License-Identifier: MIT
"""Times the applications of scans and reductions (test/apps), natively and with libmpigraft.so preloaded in turn, and
compares what they print. The times are medians over the launches of the seconds of the programs' timed steps. A launch
that takes longer than a minute is stopped and counts as that long.
Exit codes: 0 all alike, 1 a difference or a failure, 2 nothing could run."""

import argparse

from places import Place, add_options, in_folder, need, places, refuse  # first: it finds the modules below
import timing
from program_list import APPLICATIONS, prefix_sums

ARMS = ("native", "preloaded")
SECONDS = 60


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only 2 and 8 ranks, one launch each way; under 3 minutes")
    add_options(parser, "2,4,8,16; quick: 2,8", "4x1,4x2")
    parser.add_argument("--plot", type=in_folder, metavar="FILE.png",
                        help="draw the speed-ups of prefix sums and the ratios into this file")
    parser.add_argument("application", nargs="*", help="run only those with one of these texts in their names")
    return parser.parse_args()


def a_step(timed, arm):
    """Seconds of one step."""
    return timed.median(arm) / int(timed.program.command[timed.program.command.index("--steps") + 1])


def sequential(options):
    """Seconds of sequential prefix sums, alone on the machine."""
    alone = Place("alone", 1)
    timed = timing.Timed(prefix_sums("sequential").at(options.build, alone), alone, 1 if options.quick else 3, ("native",))
    timing.measure(timed, options, SECONDS)
    return a_step(timed, "native") if not timed.wrong and not timed.stopped else None


def speedups(timed_sums, seconds):
    """{method: {arm: [(ranks, speed-up)]}}, as Huang's figure has it."""
    curves = {}
    for timed in timed_sums:
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
    need(options.build, "shim/libmpigraft.so", "test/apps/prefix_sums")
    everywhere = places(options, "2,8" if options.quick else "2,4,8,16")
    rows = [[timing.Timed(program.at(options.build, place), place, 1 if options.quick else 3, ARMS) for place in everywhere]
            for program in APPLICATIONS
            if not options.application or any(text in program.name for text in options.application)]
    if not rows:
        refuse("nothing to run")
    done = timing.time_rows(everywhere, rows, options, SECONDS)
    print("\nSeconds of the timed steps, of sample_sort of the launch, medians")
    timed_sums = [timed for timed in done if timed.program.name.startswith("prefix_sums") and not timed.wrong
                  and not timed.place.hosts]
    alone = sequential(options) if timed_sums else None
    curves = speedups(timed_sums, alone) if alone else {}
    if curves:
        tell_speedups(curves, alone)
    if options.plot:
        ratios = {row[0].program.name: [ratio(timed) for timed in row] for row in rows}
        plot.draw_applications(options.plot, curves, ratios, [place.name for place in everywhere])
    return timing.exit_code(done)
