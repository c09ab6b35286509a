# SPDX-License-Identifier: MIT
"""Runs MPI programs of Debian, which nobody here wrote, natively and with libmpigraft.so preloaded, and compares what
they print. With --time, it times some of them and our own mini programs (test/apps), with a core a rank and with two
and four ranks a core. A launch is stopped after 300 s, with --time after 100 s, and counts as that long.
Exit codes: 0 all alike, 1 a difference or a failure, 2 nothing could run."""

import argparse
import os
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

from places import Place, add_build, launch, mpiexec_for, need  # first: it finds the modules below
import timing
from program_list import APPS, PROGRAMS, TIMED

LIBRARY = "shim/libmpigraft.so"
SECONDS, SECONDS_TIMED = 300, 100  # a launch that takes longer is stopped
LAUNCHES = {1: 25, 2: 3, 4: 2}  # of each arm at most, by ranks a core; natively a launch takes seconds and more


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_build(parser)
    parser.add_argument("--install", action="store_true", help="install the missing Debian packages first (as root)")
    parser.add_argument("--time", action="store_true", help="print a table of wall times (20 minutes)")
    parser.add_argument("--quick", action="store_true", help="launch each program once instead of 2 to 25 times")
    parser.add_argument("program", nargs="*", help="run only those with one of these texts in their names")
    return parser.parse_args()


def calls(rows, is_grafted):
    """The number of calls in words, and those of each collective."""
    counts = Counter()
    for row in rows:
        if int(row["ranks"]) > 1 and (row["ran"] != "native") == is_grafted:
            counts[row["call"]] += int(row["calls"])
    each = ", ".join(f"{name} {count}" for name, count in counts.most_common())
    return f"{counts.total()} ({each})" if counts else "0"


def compare_all(chosen, options):
    """Prints the table of comparisons, and returns the exit code."""
    done = []
    print("| program | ranks | lines of results | calls grafted | native calls | result |\n|---|---|---|---|---|---|")
    for program in chosen:
        if not program.installed():
            print(f"| {program.name} | | | | | skipped: install {program.package}, or --install |")
            continue
        place = Place(f"{program.ranks} ranks", program.ranks)
        timed = timing.Timed(replace(program, exact=True), place, 1, ("native", "preloaded"))
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "report"
            timing.measure(timed, options, SECONDS, {"MPIGRAFT_REPORT": report})
            rows = launch.Outcome(0, "", "", report.read_text() if report.exists() else "").rows()
        if timed.stopped:
            timed.wrong = f"stopped: {', '.join(sorted(timed.stopped))}"
        print(f"| {program.name} | {program.ranks} | {len(timed.results)} | {calls(rows, True)} | {calls(rows, False)} |"
              f" {timed.wrong or 'alike'} |", flush=True)
        done.append(timed)
    return timing.exit_code(done)


def time_all(options):
    """Times the mini programs everywhere, the others where they have work; prints the table, and returns the exit code."""
    cores = len(os.sched_getaffinity(0))
    places = {Place(f"{each * cores} ranks", each * cores): 1 if options.quick else LAUNCHES[each] for each in LAUNCHES}
    names = options.program
    chosen = [(program, 3) for name, program in APPS.items() if not names or any(text in name for text in names)]
    chosen += [(program, 2) for program in PROGRAMS  # ScaLAPACK's grids are for four
               if any(text in program.name for text in names or TIMED)]
    rows = [[timing.Timed(program.at(options.build, place), place, launches) for place, launches in list(places.items())[:most]]
            for program, most in chosen]
    done = timing.time_rows(list(places), rows, options, SECONDS_TIMED)
    nulls = [timed.times().null_ratio() for timed in done if timed.seconds["null"]]
    if nulls:
        print(f"\nMedians, in seconds; native over native: {min(nulls):.2f} to {max(nulls):.2f}")
    return timing.exit_code(done)


def main():
    options = parse()
    chosen = [p for p in PROGRAMS if not options.program or any(text in p.name for text in options.program)]
    need(options.build, LIBRARY)
    if options.install:
        packages = sorted({p.package for p in chosen if not p.installed()})
        if packages:
            subprocess.run(["apt-get", "install", "-y", "-q", "--no-install-recommends", *packages], check=True)
    for mpiexec in {mpiexec_for(program.command[0]) for program in chosen if program.installed()}:
        print(f"{sys.argv[0]}: programs are started by {mpiexec}", file=sys.stderr)
    return time_all(options) if options.time else compare_all(chosen, options)
