# SPDX-License-Identifier: MIT
"""Compares collectives natively and grafted by the reports of launches: each kind of call, and all together."""

from dataclasses import dataclass, field
from statistics import median

from paired import Times
from rules import as_sizes
from units import size_text


@dataclass
class Kind:
    """Calls of a collective on so many ranks, of bytes between two powers of two."""
    collective: str
    ranks: int
    nonblocking: bool = False
    least: int = 0
    most: int = 0
    calls: int = 0
    ran: dict = field(default_factory=dict)  # {algorithm of grafted launches: its share of the calls}
    times: Times = field(default_factory=Times)  # microseconds of a call
    growth: float = 0  # seconds of a rank, grafted less native

    @property
    def name(self):
        return "i" * self.nonblocking + self.collective

    @property
    def sizes(self):
        return size_text(self.least) if self.least == self.most else f"{size_text(self.least)} to {size_text(self.most)}"

    @property
    def ran_most(self):
        return max(self.ran, key=self.ran.get, default="")

    def __str__(self):
        return f"{self.name} of {self.sizes} bytes on {self.ranks} ranks"

    def rule(self):
        """The rule that leaves such calls native."""
        bits = self.most.bit_length()
        limits = {"bytes": as_sizes({"min": 1 << bits - 1, "max": (1 << bits) - 1})} if bits else {}
        return {"collective": self.collective, "ranks": self.ranks} | limits | {"algorithm": "native"}


def key_of(row):
    return row["collective"], row["ranks"], row.get("nonblocking", False), row["bytes_max"].bit_length()


def summed(report):
    """{kind: [calls of all ranks, nanoseconds]} of a report."""
    found = {}
    for row in report["rows"]:
        sums = found.setdefault(key_of(row), [0, 0])
        sums[0] += row["time"]["calls"]
        sums[1] += row["time"]["sum_ns"]
    return {key: sums for key, sums in found.items() if sums[0] and key[1] > 1}


def seconds_of(report):
    """Seconds in collectives, a rank's mean."""
    return sum(row["time"]["sum_ns"] for row in report["rows"]) / 1e9 / max(report["ranks"], 1)


def halves(values):
    """The values in turns: native launches against native ones."""
    return values[::2], values[1::2]


def all_together(native, grafted):
    """Times of seconds in collectives."""
    base, null = halves([seconds_of(report) for report in native])
    return Times(base, null, [seconds_of(report) for report in grafted])


def fill(kind, key, reports):
    """Takes the facts of grafted launches that a row tells."""
    for report in reports:
        for row in report["rows"]:
            if key_of(row) == key:
                kind.least, kind.most = min(kind.least or row["bytes_min"], row["bytes_min"]), max(kind.most, row["bytes_max"])
                kind.ran[row["ran"]] = kind.ran.get(row["ran"], 0) + row["calls"]


def kinds_of(native, grafted):
    """The kinds of calls in all of these reports, the one with the most native time first."""
    of_native, of_grafted = [summed(report) for report in native], [summed(report) for report in grafted]
    every = [*of_native, *of_grafted]
    kinds = []
    for key in (key for key in (every[0] if every else ()) if all(key in one for one in every)):
        kind = Kind(*key[:3])
        fill(kind, key, grafted)
        base, null = halves([one[key][1] / one[key][0] / 1e3 for one in of_native])
        kind.times = Times(base, null, [one[key][1] / one[key][0] / 1e3 for one in of_grafted])
        kind.calls = round(median(one[key][0] for one in of_grafted) / kind.ranks)
        ranks = max(native[0]["ranks"], 1)
        kind.growth = (median(one[key][1] for one in of_grafted) - median(one[key][1] for one in of_native)) / 1e9 / ranks
        kinds.append((median(one[key][1] for one in of_native), kind))
    return [kind for _, kind in sorted(kinds, key=lambda pair: -pair[0])]


def slower_kinds(kinds, seconds):
    """Those that got slower by so many seconds of a launch or more, the one that cost most first."""
    return sorted((kind for kind in kinds if kind.times.verdict() < 0 and kind.growth > seconds), key=lambda kind: -kind.growth)
