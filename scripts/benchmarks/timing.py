# SPDX-License-Identifier: MIT
"""Times whole programs, natively and preloaded in turn: programs of Debian and our mini programs with a core a rank and
with more ranks than cores, and what else is given."""

import os
import statistics
import sys
from dataclasses import dataclass, field

import program_list
from places import Place, run

RANKS_A_CORE = (1, 2, 4)
SECONDS = 100  # a launch of theirs that takes longer is stopped
LAUNCHES = (25, 3, 2)  # of each arm at most; natively a launch takes seconds and more
FEWEST, ENOUGH_SECONDS = 5, 60  # with more launches than that in a cell, that time is the end of it
ARMS = ("native", "null", "preloaded")  # null is native once more: as far as it is from native, nothing is said


@dataclass
class Timed:
    program: program_list.Program
    place: Place
    launches: int
    arms: tuple = ARMS
    seconds: dict = field(default_factory=lambda: {arm: [] for arm in ARMS})
    stopped: set = field(default_factory=set)  # arms that took too long once: they are not started again
    wrong: str = ""
    results: list = field(default_factory=list)  # of the first launch; the others must print the same, if exact

    def median(self, arm):
        return statistics.median(self.seconds[arm])

    def ratio(self, arm, of=statistics.median):
        """How many times as long native takes, as text; with > if native was stopped."""
        return f"{'> ' if 'native' in self.stopped else ''}{of(self.seconds['native']) / of(self.seconds[arm]):.3g}"

    def spent(self):
        return sum(map(sum, self.seconds.values()))


def places_of_machine():
    ranks = [each * len(os.sched_getaffinity(0)) for each in RANKS_A_CORE]
    return [Place(f"{n} ranks", n) for n in ranks]


def rows(apps, chosen, quick):
    """A list of Timed for each program: the mini programs everywhere, the others where they have work."""
    places, launches = places_of_machine(), (1, 1, 1) if quick else LAUNCHES
    for name, steps in program_list.APPS.items():
        if not chosen or any(text in name for text in chosen):
            yield [Timed(program_list.app(apps, name, n), places[i], launches[i]) for i, n in enumerate(steps)]
    for program in program_list.PROGRAMS:
        if any(text in program.name for text in chosen or program_list.TIMED):
            yield [Timed(program, places[i], launches[i]) for i in range(2)]  # ScaLAPACK's grids are for four


def launch_once(timed, arm, options, seconds):
    library = options.build / "shim/libmpigraft.so" if arm == "preloaded" else None
    with timed.program.folder():
        outcome = run(options, timed.place, timed.program.command, seconds, library)
    timed.seconds[arm].append(timed.program.seconds(outcome))
    if outcome.hung:
        timed.stopped.add(arm)
    elif outcome.code != 0:
        timed.wrong = f"exit code {outcome.code}, {arm}"
    elif timed.program.exact:
        results = timed.program.results(outcome)
        timed.results = timed.results or results
        if not results:
            timed.wrong = f"{arm}: no result printed"
        elif results != timed.results:
            timed.wrong = f"{arm} {results}, at first {timed.results}"


def measure(timed, options, seconds):
    for number in range(timed.launches):
        if timed.wrong or (number >= FEWEST and timed.spent() > ENOUGH_SECONDS):
            break
        first = number % len(timed.arms)
        for arm in timed.arms[first:] + timed.arms[:first]:
            if arm not in timed.stopped and not (arm == "null" and "native" in timed.stopped):
                launch_once(timed, arm, options, seconds)


def cell(timed):
    if timed.wrong:
        return timed.wrong
    native, preloaded = (f"{'> ' if arm in timed.stopped else ''}{timed.median(arm):.3g}" for arm in ("native", "preloaded"))
    return f"{native}, {preloaded}: **{timed.ratio('preloaded')}**"


def time_rows(places, timed_rows, options, seconds):
    """Prints a table with a line for each of the rows, and a column for each place; returns all that was timed. A launch
    that takes longer than so many seconds is stopped."""
    done, titles = [], [place.name for place in places]
    print("| native, preloaded: ratio |", *(f"{title} |" for title in titles))
    print("|---|" + "---|" * len(titles))
    for row in timed_rows:
        if not row[0].program.installed():
            print(f"| {row[0].program.name} | skipped: needs {row[0].program.package} |" + " |" * (len(titles) - 1))
            continue
        for timed, title in zip(row, titles):
            print(f"timing {timed.program.name} on {title}", file=sys.stderr)
            measure(timed, options, seconds)
            null = timed.ratio("null") if timed.seconds["null"] else "not run"
            if not timed.wrong:
                print(f"  {len(timed.seconds['preloaded'])} launches, null {null}; "
                      f"ratio of the shortest {timed.ratio('preloaded', min)}", file=sys.stderr)
        print("|", row[0].program.name, *(f"| {cell(timed)}" for timed in row), "|" * (len(titles) - len(row) + 1),
              flush=True)
        done += row
    return done


def exit_code(done):
    """The exit code: 1 if a program failed, 2 if none could run."""
    return 2 if not done else 1 if any(timed.wrong for timed in done) else 0


def time_all(options):
    """Prints the table, and returns the exit code."""
    timed_rows = rows(options.build / "test/apps", options.program, options.quick)
    done = time_rows(places_of_machine(), timed_rows, options, SECONDS)
    nulls = [timed.median("native") / timed.median("null") for timed in done if timed.seconds["null"]]
    if nulls:
        print(f"\nMedians, in seconds; native over native: {min(nulls):.2f} to {max(nulls):.2f}")
    return exit_code(done)
