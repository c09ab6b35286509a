# SPDX-License-Identifier: MIT
"""Times the applications of scans and reductions (test/apps), natively and with libmpigraft.so preloaded in turn, and
compares what they print. The times are medians over the launches of the seconds of the programs' timed steps. A launch
that takes longer than a minute is stopped and counts as that long.
Exit codes: 0 all alike, 1 a difference or a failure, 2 nothing could run."""

import argparse
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from places import add_options, mpiexec_for, on_hosts, places, refuse  # first: it finds the modules below
import application_list
import launch
import program_list
import timing

TOO_LONG, NO_HOSTS = 124, 77  # exit codes of scripts/cluster
ARMS = ("native", "preloaded")
SECONDS = 60


@dataclass
class Hosts:
    """Launches on emulated hosts, made for each launch, like launch.Launcher on this one."""
    hosts: int
    options: argparse.Namespace

    def native(self, ranks, program, **preloaded):
        outcome = launch.run([*on_hosts(self.options, self.hosts, ranks, SECONDS, **preloaded), *program], SECONDS + 60)
        if outcome.code == NO_HOSTS:
            refuse(f"--cluster needs hosts, but none can be made here\n{outcome.stderr}", 1)
        outcome.hung |= outcome.code == TOO_LONG
        return outcome

    def grafted(self, ranks, program, env):
        return self.native(ranks, program, library=self.options.library, env=env)


@dataclass
class Timed(timing.Timed):
    launcher: object = None


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only 2 and 8 ranks, one launch each way; under 3 minutes")
    add_options(parser, "2,4,8,16; quick: 2,8", "4x1,4x2")
    parser.add_argument("--plot", type=Path, metavar="FILE.png",
                        help="draw the speed-ups of prefix sums and the ratios into this file")
    parser.add_argument("application", nargs="*", help="run only those with one of these texts in their names")
    options = parser.parse_args()
    options.library = options.build / "shim/libmpigraft.so"
    options.launches = 1 if options.quick else 3
    return options


def here(options):
    """The launcher on this machine alone."""
    mpiexec = mpiexec_for(str(options.build / "test/apps/prefix_sums"))
    return launch.Launcher(mpiexec, str(options.library), SECONDS)


def rows(options, everywhere):
    """A list for each chosen application: one Timed for each place."""
    folder, local = options.build / "test/apps", here(options)
    makers = [partial(application_list.program, folder, application) for application in application_list.APPLICATIONS]
    steps = [application.steps for application in application_list.APPLICATIONS]
    for make, step in zip([*makers, partial(program_list.app, folder, "sample_sort")], [*steps, application_list.SORTS]):
        row = [Timed(make(step[1 if place.hosts else application_list.a_core(place.ranks)]), place.ranks, options.launches,
                     ARMS, launcher=Hosts(place.hosts, options) if place.hosts else local) for place in everywhere]
        if row and (not options.application or any(text in row[0].program.name for text in options.application)):
            yield row


def a_step(timed, arm):
    """Seconds of one step."""
    return timed.median(arm) / int(timed.program.command[timed.program.command.index("--steps") + 1])


def sequential(options):
    """Seconds of sequential prefix sums, alone on the machine."""
    application = application_list.SEQUENTIAL
    program = application_list.program(options.build / "test/apps", application, application.steps[0])
    timed = timing.Timed(program, 1, options.launches, ("native",))
    timing.measure(timed, here(options))
    return a_step(timed, "native") if not timed.wrong and not timed.stopped else None


def speedups(prefix_sums, seconds):
    """{method: {arm: [(ranks, speed-up)]}}, as Huang's figure has it."""
    curves = {}
    for timed in prefix_sums:
        points = curves.setdefault(timed.program.name.split()[1], {arm: [] for arm in ARMS})
        for arm in set(ARMS) - timed.stopped:
            points[arm].append((timed.ranks, seconds / a_step(timed, arm)))
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
    missing = [path for path in (options.library, options.build / "test/apps/prefix_sums") if not path.exists()]
    if missing:
        refuse(f"{missing[0]} is missing: scripts/setup; ninja -C {options.build}")
    everywhere = places(options, "2,8" if options.quick else "2,4,8,16")
    chosen = list(rows(options, everywhere))
    if not chosen:
        refuse("nothing to run")
    titles = [place.name for place in everywhere]
    done = timing.time_rows(titles, chosen, lambda timed: timed.launcher)
    print("\nSeconds of the timed steps, of sample_sort of the launch, medians")
    prefix_sums = [timed for timed in done if timed.program.name.startswith("prefix_sums") and not timed.wrong
                   and isinstance(timed.launcher, launch.Launcher)]
    alone = sequential(options) if prefix_sums else None
    curves = speedups(prefix_sums, alone) if alone else {}
    if curves:
        tell_speedups(curves, alone)
    if options.plot:
        ratios = {row[0].program.name: [ratio(timed) for timed in row] for row in chosen}
        plot.draw_applications(options.plot, curves, ratios, titles)
    hung = any("preloaded" in timed.stopped and "native" not in timed.stopped for timed in done)
    return 1 if hung else timing.exit_code(done)
