# SPDX-License-Identifier: MIT
"""Times whole programs, natively and preloaded in turn."""

import statistics
import sys
from dataclasses import dataclass, field
from itertools import zip_longest

import program_list
from paired import Times, turns
from places import Place, run

FEWEST, ENOUGH_SECONDS = 5, 60  # with more launches than that in a cell, that time is the end of it
ARMS = ("native", "null", "preloaded")  # null is native once more: as far as it is from native, nothing is said


@dataclass
class Timed:
    program: program_list.Program
    place: Place
    launches: int  # of each arm
    arms: tuple = ARMS
    seconds: dict = field(default_factory=lambda: {arm: [] for arm in ARMS})
    stopped: set = field(default_factory=set)  # arms that took too long once: they are not started again
    wrong: str = ""
    results: list = field(default_factory=list)  # of the first launch; the others must print the same, if exact

    def median(self, arm):
        return statistics.median(self.seconds[arm])

    def times(self):
        return Times(*self.seconds.values())

    def ratio(self, of=statistics.median):
        """How many times as fast as natively it is preloaded, in words; a bound where launches of one kind were stopped."""
        native, preloaded = bool(self.stopped - {"preloaded"}), "preloaded" in self.stopped
        return "not known" if native and preloaded else f"{'> ' * native}{'< ' * preloaded}{self.times().ratio(of):.3g}"

    def spent(self):
        return sum(map(sum, self.seconds.values()))


def launch_once(timed, arm, options, seconds, env):
    library = options.build / "shim/libmpigraft.so" if arm == "preloaded" else None
    with timed.program.folder():
        outcome = run(options, timed.place, timed.program.command, seconds, library, env)
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
            line, first = next(pair for pair in zip_longest(results, timed.results, fillvalue="") if len(set(pair)) > 1)
            timed.wrong = f"{arm} {line!r}, at first {first!r}"


def measure(timed, options, seconds, env=None):
    """A launch that takes longer than so many seconds is stopped. `env`: further variables of preloaded ranks."""
    for arm, number in turns(timed.arms, timed.launches):
        if timed.wrong or (number >= FEWEST and timed.spent() > ENOUGH_SECONDS):
            break
        if arm not in timed.stopped and not (arm == "null" and "native" in timed.stopped):
            launch_once(timed, arm, options, seconds, env)


def cell(timed):
    if timed.wrong:
        return timed.wrong
    native, preloaded = (f"{'> ' if arm in timed.stopped else ''}{timed.median(arm):.3g}" for arm in ("native", "preloaded"))
    mark = "**" * (timed.ratio()[0] in "<>" or timed.times().verdict() != 0)
    return f"{native}, {preloaded}: {mark}{timed.ratio()}{mark}"


def time_rows(places, timed_rows, options, seconds):
    """Prints a table with a line for each of the rows, and a column for each place; returns all that was timed."""
    done, titles = [], [place.name for place in places]
    print("| native, preloaded: ratio |", *(f"{title} |" for title in titles))
    print("|---|" + "---|" * len(titles))
    for row in timed_rows:
        if not row[0].program.installed():
            print(f"| {row[0].program.name} | skipped: needs {row[0].program.package} |" + " |" * (len(titles) - 1))
            continue
        for timed in row:
            print(f"timing {timed.program.name} on {timed.place.name}", file=sys.stderr)
            measure(timed, options, seconds)
            null = f"{timed.times().null_ratio():.3g}" if timed.seconds["null"] else "not run"
            if not timed.wrong:
                print(f"  {len(timed.seconds['preloaded'])} launches, null {null}; "
                      f"ratio of the shortest {timed.ratio(min)}", file=sys.stderr)
        print("|", row[0].program.name, *(f"| {cell(timed)}" for timed in row), "|" * (len(titles) - len(row) + 1),
              flush=True)
        done += row
    return done


def exit_code(done):
    """The exit code: 1 if a program failed, or hung that does not natively, 2 if none could run."""
    return 2 if not done else 1 if any(timed.wrong or timed.stopped == {"preloaded"} for timed in done) else 0
