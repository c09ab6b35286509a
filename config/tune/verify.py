# SPDX-License-Identifier: MIT
"""Compares jobs by the new table with native ones, in launches that take turns, and finds which variant of the calls of
mpigraft.h is the fastest under it."""

import json
from dataclasses import dataclass
from statistics import median

from console import Failed, counted, minutes, say
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
        without time or after a failure. A sequence of several calls is there, too, by a tuple of their words. `arms`:
        {name: (table, variables)}; they take turns. `first`: the first launch's number."""
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
            except Failed as error:
                self.problems.append(str(error))
                return None
            for word, call in zip(words, run["calls"]):
                samples[arm].setdefault(word, []).append(call["us"])
                if arm == list(arms)[-1]:
                    calls[word] = call
                wrong |= set() if call["agrees"] else {word}
            for one in run["sequences"]:
                samples[arm].setdefault(tuple(words[index] for index in one["calls"]), []).append(one["us"])
        self.progress.show(len(asked), len(asked))
        return samples, calls, wrong


def verify(comparison, chosen, table, without, margin=1.0):
    """({cell: Compared} of the cells for which `chosen` names an algorithm, {ranks: (cells, samples)} of all cells), as
    far as there is time. `table`, `without`: texts of tables with the rules and without any. Cells that seem slower than
    native are compared once more, alone: where ranks land on the cores differs between launches."""
    arms = {"native": (without, {}), "null": (without, {}), "tuned": (table, {})}
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
    """({cell: Compared}, samples) of cells with the same number of ranks; both empty without time or after a failure."""
    found = comparison.times(cells[0].ranks, [cell.word for cell in cells], arms, first)
    if not found:
        return {}, {}
    times, calls, wrong = found
    return {cell: Compared(*(times[arm][cell.word] for arm in arms), calls[cell.word]["ran"], cell.word not in wrong)
            for cell in cells}, times


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
    apart = (table, {"MPIGRAFT_FORCE": ",".join(f"{name}={APART}" for name in NAMES)})
    return {APART: apart, "null": apart} | {variant: (table, forced(variant)) for variant in VARIANTS}


def best_variant(name, times, word, margin):
    """(best variant, {variant: the time of the two calls over its time})"""
    apart, least = times[APART][word], min(times[APART][word], times["null"][word])
    ratios = {f"{name}/{variant}": apart / times[variant][word] for variant in variants_of(name)}
    better = [variant for variant in variants_of(name) if times[variant][word] * margin <= least]
    best = min(better, key=lambda variant: times[variant][word], default=None)
    return f"{name}/{best}" if best else APART, ratios


def compose(comparison, sizes, table, conditions, margin):
    """(rules, ranks for which there was no time). `sizes`, `conditions`: {ranks: ...}."""
    chosen, ratios, left = {}, {}, []
    for ranks, some in sizes.items():
        words = {(name, size): f"{name}:{size}" for name in NAMES for size in sorted(some)}
        compared = comparison.times(ranks, list(words.values()), arms_of_variants(table))
        if compared is None:
            left.append(ranks)
            continue
        launches, _, wrong = compared
        times = {arm: {word: median(us) for word, us in of_arm.items()} for arm, of_arm in launches.items()}
        for (name, size), word in words.items():
            key = name, json.dumps(conditions[ranks])
            variant, found = (APART, {}) if word in wrong else best_variant(name, times, word, margin)
            chosen.setdefault(key, {})[ranks, size], ratios.setdefault(key, {})[ranks, size] = variant, found
    return [group for name in NAMES for key in sorted(chosen) if key[0] == name
            for group in groups_of(name, chosen[key], ratios[key], json.loads(key[1]), "the two calls'")], left
