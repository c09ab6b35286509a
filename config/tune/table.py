# SPDX-License-Identifier: MIT
"""A tuning table as text."""

import json


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


def render(table):
    """The table's JSON, each rule on one line and its note on the next."""
    lines = []
    for rule in table["rules"]:
        words = json.dumps({key: value for key, value in rule.items() if key != "note"})
        lines.append(f'    {words[:-1]},\n     "note": {json.dumps(rule["note"])}}}')
    head = json.dumps({key: value for key, value in table.items() if key != "rules"}, indent=2)
    rules = "[\n" + ",\n".join(lines) + "\n  ]" if lines else "[]"
    return f'{head[:-2]},\n  "rules": {rules}\n}}\n'
