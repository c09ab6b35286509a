# SPDX-License-Identifier: MIT
"""The calls of mpigraft.h: a rule names the way that is faster than the two calls under the new table."""

import json

from bench import SURE_REPETITIONS, BenchFailed, arms_of
from rules import digest_of, groups_of

SCAN, AND = "scan", ("reduce", "allreduce")
NAMES = ("scan_reduce", "scan_allreduce", "scan_scan")
WAYS = {name: [f"{name}/{way}" for way in ("fused", "decomposed")[:1 + (name == "scan_allreduce")]] for name in NAMES}
APART = "apart"  # the two calls
SECONDS = 0.2  # of repetitions, for each composition and length
LARGEST = 256 << 10  # bytes; beyond these, the time to copy pairs decides, wherever ranks are


def sizes_of(cells, asked):
    """{ranks: sizes} to measure; empty unless every algorithm that the two calls may run is measured."""
    if asked or not {SCAN, *AND} <= {cell.collective for cell in cells}:
        return {}
    sizes = {}
    for cell in cells:
        if cell.collective == SCAN and cell.bytes <= LARGEST:
            sizes.setdefault(cell.ranks, []).append(cell.bytes)
    return sizes


def question(ranks, sizes, rules):
    """The arguments of the run. The rules belong to its mark, because they decide how fast the two calls are."""
    names = [way for name in NAMES for way in (*WAYS[name], f"{name}/{APART}")]
    return ranks, NAMES, sorted(sizes), names, ("composed", digest_of(rules))


def cost(campaign, ranks, sizes):
    return campaign.launch(ranks) + len(NAMES) * len(sizes) * SECONDS


def best_way(cell, margin):
    """(best way, {way: the time of the two calls over its time})"""
    arms = arms_of(cell)
    apart = arms[f"{cell['collective']}/{APART}"]
    ways = {name: arms[name] for name in WAYS[cell["collective"]] if arms[name]["agrees"]}
    ratios = {name: apart["median_us"] / arm["median_us"] for name, arm in ways.items()}
    better = [name for name, arm in ways.items() if apart["low_us"] >= margin * arm["high_us"]]
    return max(better, key=ratios.get, default=APART), ratios


class Compositions:
    """`rules`: of the table in force."""

    def __init__(self, campaign, margin, rules):
        self.campaign, self.margin, self.rules = campaign, margin, rules
        self.cells = {}  # {ranks: measured cells}
        self.problems, self.left = [], []  # what failed; ranks for which there was no time

    def measure(self, sizes, allows, tell):
        """`allows(seconds)`: whether there is time; `tell(done, of, label)`."""
        for done, (ranks, some) in enumerate(sizes.items()):
            tell(done, len(sizes), f"calls of mpigraft.h, {ranks} ranks")
            asked = question(ranks, some, self.rules)
            if not (self.campaign.find(*asked) or allows(cost(self.campaign, ranks, some))):
                self.left.append(ranks)
                continue
            try:
                self.cells[ranks] = self.campaign.run(*asked, least=SURE_REPETITIONS, seconds=SECONDS)["cells"]
            except BenchFailed as error:
                self.problems.append(str(error))
        tell(len(sizes), len(sizes), "")

    def groups(self, conditions):
        """Rules; `conditions`: {ranks: where they were}."""
        groups = []
        for name in NAMES:
            for where in sorted({json.dumps(conditions[ranks]) for ranks in self.cells}):
                chosen, ratios = {}, {}
                for ranks, cells in self.cells.items():
                    for cell in cells:
                        if cell["collective"] == name and json.dumps(conditions[ranks]) == where:
                            chosen[ranks, cell["bytes"]], ratios[ranks, cell["bytes"]] = best_way(cell, self.margin)
                groups += groups_of(name, chosen, ratios, json.loads(where), "the two calls'")
        return groups
