# SPDX-License-Identifier: MIT
"""Compares jobs by the new table with native ones, in launches that take turns, and finds which variant of the calls of
mpigraft.h is the fastest under it."""

import sys
from dataclasses import dataclass

from bench import BenchFailed
from paired import Times, turns
from rules import digest_of, render
from units import counted, minutes

LAUNCHES = 3  # of each arm
SECONDS = (0.15, 0.07, 0.03)  # of a launch, for each kind of call in it, by the time that there is
LEAST_SECONDS = 1.0
SPARE = 1.25  # for what else there is to compare
WITHOUT_RULES = {"version": 1, "rules": []}


@dataclass
class Compared:
    """A call natively (two arms) and by the new table: its times in microseconds, and what ran."""
    times: Times
    ran: str = ""
    right: bool = True  # every job's last result was native's

    @property
    def ratio(self):
        return self.times.ratio()

    def add(self, again):
        """Adds the times of further launches."""
        for times, more in zip((self.times.base, self.times.null, self.times.this),
                               (again.times.base, again.times.null, again.times.this)):
            times.extend(more)
        self.right &= again.right

    def is_slower(self, margin):
        return self.times.is_slower_than_both(margin)


class Comparison:
    """`allows(seconds)`: whether there is time; `progress`: counts launches."""

    def __init__(self, jobs, allows, progress):
        self.jobs, self.allows, self.progress = jobs, allows, progress
        self.problems = []

    def choices(self, arms, words):
        """[(seconds that a launch measures, seconds of all launches)]"""
        for one in SECONDS:
            seconds = max(LEAST_SECONDS, one * len(words))
            yield seconds, LAUNCHES * len(arms) * (seconds + self.jobs.launch_seconds())

    def times(self, ranks, words, arms, first=0):
        """({arm: {word: microseconds of each launch}}, {word: a call of the last arm}, words with a wrong result); None
        without time or after a failure. `arms`: {name: (table, variables)}; they take turns. `first`: the first launch's
        number."""
        asked = {(arm, number): ["compare", digest_of(list(arms[arm])), arm, str(first + number), *words]
                 for arm, number in turns(arms, LAUNCHES)}
        is_known = all(self.jobs.find(ranks, one) for one in asked.values())
        choices = self.choices(arms, words)
        seconds = LEAST_SECONDS if is_known else next((each for each, every in choices if self.allows(SPARE * every)), None)
        if not seconds:
            return None
        samples, calls, wrong = {arm: {} for arm in arms}, {}, set()
        for done, ((arm, number), one) in enumerate(asked.items()):
            self.progress.show(done, len(asked), f"comparing with native, {ranks} ranks")
            table, variables = arms[arm]
            try:
                run = self.jobs.run(ranks, one, ["--mixed", ",".join(words), "--time", f"{seconds:.1f}"], table, variables)
            except BenchFailed as error:
                self.problems.append(str(error))
                return None
            for word, call in zip(words, run["calls"]):
                samples[arm].setdefault(word, []).append(call["us"])
                if arm == list(arms)[-1]:
                    calls[word] = call
                wrong |= set() if call["agrees"] else {word}
        self.progress.show(len(asked), len(asked), "")
        return samples, calls, wrong


def verify(comparison, chosen, table, without, margin=1.0):
    """{cell: Compared} of the cells for which `chosen` names an algorithm, as far as there is time. `table`, `without`:
    texts of tables with the rules and without any. Cells that seem slower than native are compared once more, alone:
    where ranks land on the cores differs between launches."""
    arms = {"native": (without, {}), "null": (without, {}), "tuned": (table, {})}
    achieved = {}
    for ranks in sorted({cell.ranks for cell, name in chosen.items() if name != "native"}):
        cells = [cell for cell, name in chosen.items() if cell.ranks == ranks and name != "native"]
        compared = compare(comparison, ranks, cells, arms)
        if compared is None and not comparison.problems:
            *_, (_, every) = comparison.choices(arms, [cell.word for cell in cells])
            print(f"mpigraft tune: the budget leaves no time to compare {counted(ranks, 'rank')} with native, which takes "
                  f"{minutes(every)} or more", file=sys.stderr)
        achieved |= compared or {}
        slower = [cell for cell in compared or {} if compared[cell].is_slower(margin)]
        if slower:
            for cell, again in (compare(comparison, ranks, slower, arms, LAUNCHES) or {}).items():
                achieved[cell].add(again)
    return achieved


def compare(comparison, ranks, cells, arms, first=0):
    """{cell: Compared}; None without time or after a failure."""
    found = comparison.times(ranks, [cell.word for cell in cells], arms, first)
    if not found:
        return None
    times, calls, wrong = found
    return {cell: Compared(Times(*(times[arm][cell.word] for arm in arms)), calls[cell.word]["ran"], cell.word not in wrong)
            for cell in cells}


def table_without_rules(machine):
    return render(WITHOUT_RULES | {"machine": machine} if machine else WITHOUT_RULES)
