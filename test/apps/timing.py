# SPDX-License-Identifier: MIT
"""Times whole programs, natively and preloaded in turn, with a core a rank and with more ranks than cores."""

import os
import statistics
import sys
from dataclasses import dataclass, field

import programs

RANKS_A_CORE = (1, 2, 4)
LAUNCHES = (9, 5, 3)  # of each way; natively a launch takes seconds and more
WAYS = ("native", "null", "preloaded")  # null is native once more: as far as it is from native, nothing is said


@dataclass
class Timed:
    program: programs.Program
    ranks: int
    launches: int
    seconds: dict = field(default_factory=lambda: {way: [] for way in WAYS})
    stopped: set = field(default_factory=set)  # ways that took too long once: they are not started again
    wrong: str = ""

    def median(self, way):
        return statistics.median(self.seconds[way])

    def ratio(self, way):
        """How many times as long native takes, as text; > where it was stopped."""
        return f"{'> ' if 'native' in self.stopped else ''}{self.median('native') / self.median(way):.3g}"


def cells(apps, only):
    """The mini programs everywhere, the others where they have work for all ranks."""
    cores = len(os.sched_getaffinity(0))
    for place, each in enumerate(RANKS_A_CORE):
        for name, steps in programs.APPS.items():
            yield Timed(programs.app(apps, name, steps[place]), each * cores, LAUNCHES[place])
    for place, each in enumerate(RANKS_A_CORE[:2]):
        for program in programs.PROGRAMS:
            if only or any(name in program.name for name in ("xdlu", "xdinv", "dpb3tst", "NWChem", "NetPIPE")):
                if place == 0 or program.name != "NetPIPE":  # which is for two ranks
                    yield Timed(program, each * cores, min(LAUNCHES[place], 3))


def launch_once(timed, way, launcher):
    with timed.program.folder():
        start = launcher.grafted if way == "preloaded" else launcher.native
        outcome = start(timed.ranks, timed.program.command, *([{"MPIGRAFT_REPORT": ""}] if way == "preloaded" else []))
    timed.seconds[way].append(outcome.seconds)
    if outcome.hung:
        timed.stopped.add(way)
    elif outcome.code != 0:
        timed.wrong = f"exit code {outcome.code}, {way}"


def measure(timed, launcher):
    for number in range(timed.launches):
        for way in WAYS[number % len(WAYS):] + WAYS[:number % len(WAYS)]:
            if way not in timed.stopped and not (way == "null" and "native" in timed.stopped) and not timed.wrong:
                launch_once(timed, way, launcher)


def row(timed):
    if timed.wrong:
        return f"| {timed.program.name} | {timed.ranks} | | | | {timed.wrong} |"
    null = "" if "native" in timed.stopped or not timed.seconds["null"] else timed.ratio("null")
    seconds = " | ".join(f"{'> ' if way in timed.stopped else ''}{timed.median(way):.3g}" for way in ("native", "preloaded"))
    return f"| {timed.program.name} | {timed.ranks} | {seconds} | **{timed.ratio('preloaded')}** | {null} |"


def time_all(apps, chosen, launcher_of, quick):
    """Prints the table; the exit code: 1 where a program failed, 2 where none could run."""
    failed = ran = 0
    print("| program | ranks | native s | preloaded s | ratio of medians | null |\n|---|---|---|---|---|---|")
    for timed in cells(apps, chosen):
        if chosen and not any(text in timed.program.name for text in chosen):
            continue
        if not timed.program.installed():
            print(f"| {timed.program.name} | {timed.ranks} | | | | skipped: needs {timed.program.package} |")
            continue
        if quick:
            timed.launches = 1
        print(f"timing {timed.program.name} on {timed.ranks} ranks", file=sys.stderr)
        measure(timed, launcher_of(timed.program))
        print(row(timed), flush=True)
        failed += bool(timed.wrong)
        ran += 1
    return 2 if not ran else 1 if failed else 0
