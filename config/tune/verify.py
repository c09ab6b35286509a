# SPDX-License-Identifier: MIT
"""Compares jobs by the new table with native ones, in launches that take turns, and finds which variant of the calls of
mpigraft.h is the fastest under it."""

import json
from dataclasses import dataclass, field
from statistics import median

from console import Failed, Progress, counted, minutes, say
from paired import Times, turns
from rules import digest_of, groups_of, render

LAUNCHES = 3  # of each arm
SECONDS = (0.15, 0.07, 0.03)  # of a launch, for each kind of call in it, by the time that there is
LEAST_SECONDS = 1.0
SPARE = 1.25  # for what else there is to compare
WITHOUT_RULES = {"version": 1, "rules": []}

# Calls of mpigraft.h: a rule names the variant that is faster than the two calls under the new table.
SCAN, AND = "scan", ("reduce", "allreduce")
NAMES = ("scan_reduce", "scan_allreduce", "scan_scan")
VARIANTS = ("fused", "decomposed")  # decomposed only where the second call is an allreduce
APART = "apart"  # the two calls
LARGEST = 256 << 10  # bytes; beyond these, the time to copy pairs decides, wherever ranks are


@dataclass
class Compared(Times):
    """A call natively (two arms) and by the new table: its times in microseconds, and what ran."""
    ran: str = ""
    right: bool = True  # every job's last result was native's

    def add(self, again):
        """Adds the times of further launches."""
        self.base += again.base
        self.null += again.null
        self.this += again.this
        self.right &= again.right


@dataclass
class Arm:
    """Jobs that run alike: with the same text of a table, and further variables."""
    table: str
    variables: dict = field(default_factory=dict)


@dataclass
class Samples:
    """What the launches of all arms have measured. Times are in microseconds, one of each launch."""
    calls: dict  # {arm: {word: times}}
    sequences: dict  # {arm: {words of single calls, one after another: times}}
    ran: dict = field(default_factory=dict)  # {word: what the last arm ran}
    wrong: set = field(default_factory=set)  # words of calls with a wrong result in any arm

    def add(self, arm, words, run):
        for word, call in zip(words, run["calls"]):
            self.calls[arm].setdefault(word, []).append(call["us"])
            if arm == list(self.calls)[-1]:
                self.ran[word] = call["ran"]
            self.wrong |= set() if call["agrees"] else {word}
        for one in run["sequences"]:
            self.sequences[arm].setdefault(tuple(words[index] for index in one["calls"]), []).append(one["us"])


class Comparison:
    """`allows(seconds)`: whether there is time."""

    def __init__(self, jobs, allows):
        self.jobs, self.allows, self.problems = jobs, allows, []

    def choices(self, arms, words):
        """[(seconds that a launch measures, seconds of all launches)]"""
        for one in SECONDS:
            seconds = max(LEAST_SECONDS, one * len(words))
            yield seconds, LAUNCHES * len(arms) * (seconds + self.jobs.launch_seconds())

    def measure(self, ranks, words, arms, first=0):
        """Samples of these calls; None without time or after a failure. `arms`: {name: Arm}; they take turns. `first`: the
        first launch's number."""
        asked = {(name, number): ["compare", digest_of([arms[name].table, arms[name].variables]), name,
                                  str(first + number), *words]
                 for name, number in turns(arms, LAUNCHES)}
        is_known = all(self.jobs.find(ranks, one) for one in asked.values())
        choices = self.choices(arms, words)
        seconds = LEAST_SECONDS if is_known else next((each for each, every in choices if self.allows(SPARE * every)), None)
        if not seconds:
            return None
        samples, progress = Samples({name: {} for name in arms}, {name: {} for name in arms}), Progress("launches")
        for done, ((name, _), one) in enumerate(asked.items()):
            progress.show(done, len(asked), f"comparing with native, {ranks} ranks")
            try:
                samples.add(name, words, self.jobs.run(ranks, one, ["--mixed", ",".join(words), "--time", f"{seconds:.1f}"],
                                                       arms[name].table, arms[name].variables))
            except Failed as error:
                self.problems.append(str(error))
                return None
        progress.show(len(asked), len(asked))
        return samples


def verify(comparison, chosen, table, without, margin=1.0):
    """({cell: Compared} of the cells for which `chosen` names an algorithm, {ranks: (cells, Samples)} of all cells), as
    far as there is time. `table`, `without`: texts of tables with the rules and without any. Cells that seem slower than
    native are compared once more, alone: where ranks land on the cores differs between launches."""
    arms = {"native": Arm(without), "null": Arm(without), "tuned": Arm(table)}
    achieved, jobs = {}, {}
    for ranks in sorted({cell.ranks for cell, name in chosen.items() if name != "native"}):
        cells = [cell for cell in chosen if cell.ranks == ranks]
        compared, samples = compare(comparison, cells, arms)
        if not compared:
            if not comparison.problems:
                *_, (_, every) = comparison.choices(arms, cells)
                say("tune", f"the budget leaves no time to compare {counted(ranks, 'rank')} with native, which takes "
                    f"{minutes(every)} or more")
            continue
        jobs[ranks] = cells, samples
        achieved |= {cell: one for cell, one in compared.items() if chosen[cell] != "native"}
        slower = [cell for cell in cells if cell in achieved and achieved[cell].is_slower_than_both(margin)]
        if slower:
            for cell, again in compare(comparison, slower, arms, LAUNCHES)[0].items():
                achieved[cell].add(again)
    return achieved, jobs


def compare(comparison, cells, arms, first=0):
    """({cell: Compared}, Samples) of cells with the same number of ranks; ({}, None) without time or after a failure."""
    samples = comparison.measure(cells[0].ranks, [cell.word for cell in cells], arms, first)
    if not samples:
        return {}, None
    return {cell: Compared(*(of_arm[cell.word] for of_arm in samples.calls.values()), samples.ran[cell.word],
                           cell.word not in samples.wrong) for cell in cells}, samples


def table_without_rules(machine):
    return render(WITHOUT_RULES | {"machine": machine} if machine else WITHOUT_RULES)


def sizes_to_compose(cells):
    """{ranks: sizes} to measure; empty unless all that the two calls may run is tuned."""
    if not {SCAN, *AND} <= {cell.collective for cell in cells}:
        return {}
    sizes = {}
    for cell in cells:
        if cell.collective == SCAN and not cell.user and cell.bytes <= LARGEST:
            sizes.setdefault(cell.ranks, []).append(cell.bytes)
    return sizes


def variants_of(name):
    return VARIANTS if name == "scan_allreduce" else VARIANTS[:1]


def arms_of_variants(table):
    """The two calls twice, then each variant, forced; a variant that a call does not have is not forced for it."""
    def forced(variant):
        named = ((name, variant if variant in variants_of(name) else VARIANTS[0]) for name in NAMES)
        return {"MPIGRAFT_FORCE": ",".join(f"{name}={one}" for name, one in named)}
    apart = Arm(table, {"MPIGRAFT_FORCE": ",".join(f"{name}={APART}" for name in NAMES)})
    return {APART: apart, "null": apart} | {variant: Arm(table, forced(variant)) for variant in VARIANTS}


def best_variant(name, samples, word, margin):
    """(best variant, {variant: by how much it is faster than the faster arm of the two calls}), by medians."""
    if word in samples.wrong:
        return APART, {}
    us = {arm: median(of_arm[word]) for arm, of_arm in samples.calls.items()}
    ratios = {f"{name}/{variant}": min(us[APART], us["null"]) / us[variant] for variant in variants_of(name)}
    best = max(ratios, key=ratios.get)
    return best if ratios[best] >= margin else APART, ratios


def compose(comparison, sizes, table, conditions, margin):
    """(rules, ranks for which there was no time). `sizes`, `conditions`: {ranks: ...}."""
    chosen, ratios, left = {}, {}, []
    for ranks, some in sizes.items():
        words = {(name, size): f"{name}:{size}" for name in NAMES for size in sorted(some)}
        samples = comparison.measure(ranks, list(words.values()), arms_of_variants(table))
        left += [ranks] * (samples is None)
        for (name, size), word in words.items():
            key = name, json.dumps(conditions[ranks])
            variant, found = best_variant(name, samples, word, margin) if samples else (None, {})
            chosen.setdefault(key, {})[ranks, size], ratios.setdefault(key, {})[ranks, size] = variant, found
    return [group for name in NAMES for key in sorted(chosen) if key[0] == name
            for group in groups_of(name, chosen[key], ratios[key], json.loads(key[1]), "the two calls'")], left
