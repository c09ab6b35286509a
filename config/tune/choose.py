# SPDX-License-Identifier: MIT
"""Which algorithm a cell gets. Native, unless another is faster by a margin that noise does not explain; of several
that are about as good, the one that neighbouring cells have too."""

from halving import usable
from merge import spans_of

NEARLY = 0.9  # of the best ratio: still among the best


def lead(arm, native, null):
    """How many times as fast at least: the quick ends of the 95 % intervals of both native medians over the slow end of
    the arm's."""
    return min(native["low_us"], null["low_us"]) / max(arm["high_us"], 1e-9)


def ratios_of(measured, margin):
    """{algorithm: native over its median} of those that lead by the margin, none where native stays. `measured`: the
    cell as it was measured again and again; the last figures of each algorithm count."""
    ratios = {}
    for cell in measured:
        native, null = (next(arm for arm in cell["arms"] if arm["arm"] == name) for name in ("native", "null"))
        for name, arm in usable(cell).items():
            ratios.pop(name, None)
            if lead(arm, native, null) >= margin:
                ratios[name] = arm["ratio"]
    return ratios


def best_of(ratios):
    """{algorithm: its share of the best ratio} of those that are about as good as the best."""
    most = max(ratios.values(), default=0)
    return {name: ratio / most for name, ratio in ratios.items() if ratio >= NEARLY * most}


def join_best(mine, others):
    """What is among the best of both, with the lesser share; native goes with native."""
    both = {name: min(share, others[name]) for name, share in mine.items() if name in others}
    return both if both or not (mine or others) else None


def join_rows(row, following):
    """Rows are {bytes: best}."""
    if row.keys() != following.keys():
        return None
    joined = {size: join_best(row[size], following[size]) for size in row}
    return None if None in joined.values() else joined


def choose(rows):
    """{(ranks, bytes): algorithm or "native"} for {ranks: {bytes: ratios}} of one collective."""
    chosen = {}
    best = [(ranks, {size: best_of(ratios) for size, ratios in row.items()}) for ranks, row in sorted(rows.items())]
    for fewest, most, row in spans_of(best, join_rows):
        for smallest, largest, shares in spans_of(sorted(row.items()), join_best):
            name = max(shares, key=shares.get, default="native")
            chosen |= {(ranks, size): name for ranks in rows if fewest <= ranks <= most
                       for size in row if smallest <= size <= largest}
    return chosen
