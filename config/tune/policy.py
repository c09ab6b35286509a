# SPDX-License-Identifier: MIT
"""What a table says beyond what was measured. A policy is a JSON file: the places to which measured rules are extended, and
the algorithms that measurements do not speak for. The embedded tables are made with config/table/policy.json."""

import json
from pathlib import Path

from rules import ENDLESS, as_sizes, choice_of, limits, make_rule, range_of, render
from console import Failed, parse_size

USERS = ", user operators"
KEYS = {"places": list, "limits": list, "dominated": list, "site": str, "note": str}


def document_of(path, keys):
    """The object in a file, whose members have these types. Raises Failed."""
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise Failed(f"{path}: {error}") from error
    for key, kind in keys.items():
        if not isinstance(found, dict) or not isinstance(found.get(key), kind):
            raise Failed(f'{path}: "{key}" is missing, or no {"text" if kind is str else "array"}')
    return found


def fits(place, rule, nodes):
    """True if a measured rule is for that place. `nodes`: of the runs that it comes from."""
    where = place.get("measured")
    if where is None or (nodes == 1) != (where["nodes"] == "one"):
        return False
    if nodes > 1:
        return (rule.get("ranks_per_node") == {"max": 1}) == (where.get("ranks_per_node") == "one")
    return (rule["ranks"].get("max") == 2) == (where.get("ranks") == "two") and \
        where.get("oversubscribed", rule["oversubscribed"]) == rule["oversubscribed"]


def cut(first, last, gaps):
    """[(first, last, allowed)] pieces of a range, in order."""
    edges = sorted({first, *(edge for low, high in gaps for edge in (low, high + 1) if first < edge <= last)})
    for low, following in zip(edges, [*edges[1:], last + 1]):
        yield low, following - 1, not any(start <= low <= end for start, end in gaps)


def is_of(place, rule):
    """True if the note says that a rule is for that place."""
    return rule.get("note", "").startswith((place["name"] + ": ", place["name"] + USERS + ": "))


class Policy:
    """The policy in a file, and the rules of the table that exists in the file `table`, if one does. Raises Failed."""

    def __init__(self, path, table):
        self.policy = document_of(path, KEYS)
        self.earlier = document_of(table, {"rules": list})["rules"] if table.exists() else []

    def forbidden(self, place, name):
        """Ranges of bytes for which the policy does not let measurements name an algorithm."""
        for limit in self.policy["limits"]:
            if place["name"] not in limit["places"] or name == "native":
                continue
            first, last = range_of(limit["bytes"])
            if "only" in limit and name not in limit["only"]:
                yield first, last
            if name in limit.get("algorithms", ()) or name.split("/")[-1] in limit.get("algorithms", ()):
                yield from ((0, first - 1), (last + 1, ENDLESS))

    def extended(self, place, rule, nodes):
        """The rules that a measured rule becomes at its place."""
        choice, note = choice_of(rule), place["name"] + USERS * (rule.get("operator") == "user") + ": "
        conditions = dict(place["conditions"])
        if place.get("only_measured") and rule["collective"] not in self.policy["dominated"]:
            conditions |= {"nodes": {"min": nodes, "max": nodes}}
        conditions = {"ranks": rule["ranks"]} | conditions | ({"operator": "user"} if "operator" in rule else {})
        first, last = range_of(rule.get("bytes", {}))
        first = max(first, parse_size(str(place.get("least", 0))))
        gaps = list(self.forbidden(place, choice.partition("@")[0]))
        for low, high, allowed in cut(first, last, gaps) if first <= last else ():
            told = rule["note"].partition(": ")[2] if allowed else "not measured"
            sizes = as_sizes(limits(low, high if high < ENDLESS else None))
            yield make_rule(rule["collective"], choice if allowed else "native", conditions, sizes, note + told)

    def rules_of(self, measured, nodes_of):
        """All rules. Of the earlier ones stay those for what was not measured, and at the end those of no place;
        `nodes_of(rule)`: on how many nodes a measured rule was measured."""
        found, used = [], []
        for collective in dict.fromkeys(rule["collective"] for rule in [*self.earlier, *measured]):
            for place in self.policy["places"]:
                mine = [rule for rule in measured if rule["collective"] == collective and fits(place, rule, nodes_of(rule))]
                used += mine
                kept = [rule for rule in self.earlier if rule["collective"] == collective and is_of(place, rule)]
                found += [one for rule in mine for one in self.extended(place, rule, nodes_of(rule))] or kept
        others = [rule for rule in measured if rule not in used]
        return [*others, *found, *self.of_no_place()]

    def of_no_place(self):
        """Those of the earlier rules."""
        return [rule for rule in self.earlier if not any(is_of(place, rule) for place in self.policy["places"])]

    def apply(self, measured, note, runs):
        """The table's text. Earlier rules of no place for the calls of mpigraft.h take the place of measured ones."""
        nodes = {run["ranks"]: run["nodes"] for run in runs}

        def nodes_of(rule):
            """A rule may go on to halfway between two measured numbers of ranks: the smaller one is its."""
            return nodes[max(ranks for ranks in nodes if ranks <= rule["ranks"]["max"])]

        compositions = {rule["collective"] for rule in self.of_no_place() if rule["collective"].startswith("scan_")}
        rules = self.rules_of([rule for rule in measured if rule["collective"] not in compositions], nodes_of)
        return render({"version": 1, "site": self.policy["site"], "note": f"{note} {self.policy['note']}", "rules": rules})
