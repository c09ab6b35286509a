# SPDX-License-Identifier: MIT
"""Rules from chosen cells: neighbours with the same algorithm become one."""

import hashlib
import json
from dataclasses import dataclass, field

from merge import as_sizes, limits_of, spans_of
from table import make_rule, ratios_told


@dataclass
class Group:
    """A rule, and the cells that it was made from: {(ranks, bytes): native over grafted}."""
    rule: dict
    cells: dict = field(default_factory=dict)

    @property
    def ratios(self):
        return [ratio for ratio in self.cells.values() if ratio]


def digest_of(rules):
    """A mark that tells runs under these rules from runs under others."""
    return hashlib.sha256(json.dumps(rules).encode()).hexdigest()[:12]


def conditions_of(run):
    """The conditions for where the ranks of a run were: one node, or several of one rank or of several each; with a
    core each or not."""
    oversubscribed = {"oversubscribed": run["more_ranks_than_cores"]}
    if run["nodes"] == 1:
        return {"nodes": {"max": 1}} | oversubscribed
    fewest, most = run["ranks_per_node"]
    each = {"max": 1} if most == 1 else {"min": 2} if fewest > 1 else None
    return {"nodes": {"min": 2}} | ({"ranks_per_node": each} if each else {}) | oversubscribed


def join_same(row, following):
    return row if row == following else None


def ranks_limits(spans):
    """Limits of ranks, which go no further than was measured. (A communicator of one rank never gets here.)"""
    fewest, most = spans[0][0], spans[-1][1]
    return limits_of(spans, fewest if fewest > 2 else 0, most)


def groups_of(collective, chosen, ratios, conditions, whose="native's"):
    """Groups of neighbouring cells with the same algorithm. `chosen`: {(ranks, bytes): algorithm or "native"},
    `ratios`: the same cells' {algorithm: ratio}, all of ranks that the `conditions` fit; `whose` speed a note
    compares with."""
    rows = {}
    for (ranks, size), name in sorted(chosen.items()):
        rows.setdefault(ranks, {})[size] = name
    groups = []
    spans = spans_of(sorted(rows.items()), join_same)
    for (fewest, most, row), ranks_limit in zip(spans, ranks_limits(spans)):
        sizes = spans_of(sorted(row.items()), join_same)
        for (smallest, largest, name), limit in zip(sizes, limits_of(sizes, 0, max(row) or None)):
            cells = {(ranks, size): ratios[ranks, size].get(name) for ranks, size in chosen
                     if fewest <= ranks <= most and smallest <= size <= largest}
            whom = "measured at " + ", ".join(str(ranks) for ranks in sorted({ranks for ranks, _ in cells})) + " ranks"
            if "operator" in conditions:
                whom = "user operators; " + whom
            group = Group({}, cells)
            told = "nothing that was tried is faster" if name in ("native", "apart") else ratios_told(group.ratios, whose)
            group.rule = make_rule(collective, name, {"ranks": ranks_limit, **conditions}, as_sizes(limit),
                                   f"{whom}: {told}")
            groups.append(group)
    return groups
