# SPDX-License-Identifier: MIT
"""Successive halving (Karnin, Koren, Somekh 2013; Jamieson, Talwalkar 2016): all candidates of a cell are measured
briefly, then the better half again, and so on. The fewer are left, the longer they are measured."""

import math

from bench import arms_of

FINALISTS = 2
HOPELESS = 4  # times the best one's median


def usable(cell):
    """The algorithms of a measured cell that ran as themselves (not in a flat form) and gave right results."""
    return {name: arm for name, arm in arms_of(cell).items()
            if name not in ("native", "null", "default") and arm["ran"] == name and arm["agrees"]}


def survivors(arms):
    """The better half by the median, without the hopeless; `arms`: {name: figures}."""
    ranked = sorted(arms, key=lambda name: arms[name]["median_us"])[:math.ceil(len(arms) / 2)]
    return [name for name in ranked if arms[name]["median_us"] <= HOPELESS * arms[ranked[0]]["median_us"]]


def next_names(names, find):
    """(measured cells so far, names that the next run takes; none: it is decided). `find`: the measured cell of a list
    of names, or None."""
    measured = []
    while names:
        cell = find(names)
        if cell is None:
            break
        measured.append(cell)
        arms = usable(cell)
        undecided = len(names) > FINALISTS and any(arm["verdict"] != "slower" for arm in arms.values())
        names = survivors(arms) if undecided else []
    return measured, names


def rounds_left(names):
    """Runs until a cell with so many names is decided, at most."""
    return 0 if not names else 1 + max(0, math.ceil(math.log2(len(names) / FINALISTS)))
