# SPDX-License-Identifier: MIT
"""The rules of a table, and its text. Neighbouring measured cells, by bytes or by ranks, with the same algorithm become the
range of a rule."""

import hashlib
import json
import math
from dataclasses import dataclass, field
from itertools import groupby, pairwise

from console import parse_size, size_text

ENDLESS = 1 << 62


def spans_of(row):
    """[(first key, last key, value)] of neighbours in {key: value} with the same value, in the order of keys."""
    spans = []
    for value, items in groupby(sorted(row.items()), key=lambda item: item[1]):
        keys = [key for key, _ in items]
        spans.append((keys[0], keys[-1], value))
    return spans


def between(size, following):
    """The size halfway between two, in the logarithm, to three significant bits; the smaller one if that is below it."""
    middle = math.sqrt(max(size, 1) * following)
    step = 2 ** max(0, math.floor(math.log2(middle)) - 2)
    return max(size, int(middle // step * step))


def limits(least, most):
    """A range as the table writes it."""
    return ({"min": least} if least else {}) | ({} if most is None else {"max": most})


def border(span, following):
    """The last key of the first span: halfway to the next one, or its own if nothing is decided there."""
    (_, last, value), (first, _, other) = span, following
    return first - 1 if not value else last if not other else between(last, first)


def limits_of(spans, least=0, most=None):
    """{"min", "max"} of each span, outwards to `least` and `most` (0, None: no limit)."""
    borders = [border(*pair) for pair in pairwise(spans)]
    return [limits(low, high) for low, high in zip([least, *(last + 1 for last in borders)], [*borders, most])]


def as_sizes(bounds):
    """The limits as a table writes bytes: "64K", or a number."""
    texts = {key: size_text(value) for key, value in bounds.items()}
    return {key: int(text) if text.isdigit() else text for key, text in texts.items()}


def ratios_told(ratios, whose="native's"):
    """The ratios in words, for a rule's note. `ratios`: native over grafted in the cells of the rule, or times of
    `whose` over its."""
    if not ratios:
        return "not compared"
    least, most = (f"{ratio:.{0 if ratio >= 10 else 1}f}" for ratio in (min(ratios), max(ratios)))
    return f"{least if least == most else f'{least} to {most}'} times {whose} speed"


def make_rule(collective, name, conditions, sizes, note):
    """A rule. `name`: the algorithm's full name, perhaps with "@" and its segment, or "native"; `sizes`: the limits of
    bytes, as the table writes them."""
    algorithm, _, segment = name.split("/")[-1].partition("@")
    rule = {"collective": collective, "algorithm": algorithm} | ({"segment": segment} if segment else {}) | conditions
    return rule | ({"bytes": sizes} if sizes else {}) | {"note": note}


def choice_of(rule):
    """The name that make_rule takes, the inverse of what it does."""
    if rule["algorithm"] == "native":
        return "native"
    return f"{rule['collective']}/{rule['algorithm']}" + (f"@{rule['segment']}" if "segment" in rule else "")


def range_of(bounds):
    """Both ends of a rule's range of bytes."""
    return parse_size(str(bounds.get("min", 0))), parse_size(str(bounds.get("max", ENDLESS)))


def render(table):
    """The table's JSON, one rule a line."""
    lines = [f"\n    {json.dumps(rule)}" for rule in table["rules"]]
    head = json.dumps({key: value for key, value in table.items() if key != "rules"}, indent=2)
    return f'{head[:-2]},\n  "rules": [{",".join(lines)}' + ("\n  ]\n}\n" if lines else "]\n}\n")


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


def ranks_limits(spans):
    """Limits of ranks, which go no further than was measured. (A communicator of one rank never gets here.)"""
    fewest, most = spans[0][0], spans[-1][1]
    return limits_of(spans, fewest if fewest > 2 else 0, most)


def groups_of(collective, chosen, ratios, conditions, whose="native's"):
    """Groups of neighbouring cells with the same algorithm. `chosen`: {(ranks, bytes): algorithm, "native" or None
    where nothing is decided}, `ratios`: the decided cells' {algorithm: ratio}, all of ranks that the `conditions` fit;
    `whose` speed a note compares with."""
    rows = {}
    for (ranks, size), name in sorted(chosen.items()):
        rows.setdefault(ranks, {})[size] = name
    groups = []
    spans = spans_of({ranks: row if any(row.values()) else {} for ranks, row in rows.items()})
    for (fewest, most, row), ranks_limit in zip(spans, ranks_limits(spans)):
        sizes = spans_of(row)
        for (smallest, largest, name), limit in zip(sizes, limits_of(sizes, 0, max(row, default=0) or None)):
            if name is None:
                continue
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
