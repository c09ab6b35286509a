# SPDX-License-Identifier: MIT
"""Chooses the algorithm of each cell. It is native unless another is faster by a margin that noise does not explain.
Among several that are about as good, it is the one that neighbouring cells have too."""

from bench import arms_of
from halving import usable
from merge import spans_of

NEARLY = 0.9  # of the best ratio: still among the best,
SURELY_LESS = 0.6  # and from here on, if its interval overlaps that of the best


def lead(arm, native, null):
    """How many times as fast as native an arm is at least: the quicker end of the 95 % intervals of both native
    medians, over the slow end of the arm's."""
    return min(native["low_us"], null["low_us"]) / max(arm["high_us"], 1e-9)


def leaders(measured, margin):
    """{algorithm: figures} of those that lead by the margin; empty if the cell stays native. `measured`: the cell as it
    was measured again and again; the last figures of each algorithm count."""
    found = {}
    for cell in measured:
        native, null = (arms_of(cell)[name] for name in ("native", "null"))
        for name, arm in usable(cell).items():
            found.pop(name, None)
            if lead(arm, native, null) >= margin:
                found[name] = arm
    return found


def best_of(arms):
    """{algorithm: its share of the best ratio} of those leaders that are about as good as the best."""
    if not arms:
        return {}
    best = max(arms.values(), key=lambda arm: arm["ratio"])
    shares = {name: arm["ratio"] / best["ratio"] for name, arm in arms.items()}
    return {name: share for name, share in shares.items() if share >= NEARLY
            or share >= SURELY_LESS and arms[name]["low_us"] <= best["high_us"]}


def join_best(mine, others):
    """The algorithms that are among the best of both cells, with their lesser share; None if there are none, unless
    both cells are native."""
    both = {name: min(share, others[name]) for name, share in mine.items() if name in others}
    return both if both or not (mine or others) else None


def join_rows(row, following):
    """The row of two rows {bytes: best}; None if their sizes differ, or a size has no algorithm among the best of
    both."""
    if row.keys() != following.keys():
        return None
    joined = {size: join_best(row[size], following[size]) for size in row}
    return None if None in joined.values() else joined


def choose(rows):
    """{(ranks, bytes): algorithm or "native"} for {ranks: {bytes: leaders}} of one collective."""
    chosen = {}
    best = [(ranks, {size: best_of(arms) for size, arms in row.items()}) for ranks, row in sorted(rows.items())]
    for fewest, most, row in spans_of(best, join_rows):
        for smallest, largest, shares in spans_of(sorted(row.items()), join_best):
            name = max(shares, key=shares.get, default="native")
            chosen |= {(ranks, size): name for ranks in rows if fewest <= ranks <= most
                       for size in row if smallest <= size <= largest}
    return chosen
