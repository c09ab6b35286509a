# SPDX-License-Identifier: MIT
"""The machine parameters of a table, from algorithms of two ranks that the model describes exactly."""

import math
from dataclasses import dataclass

from launches import arms_of

RANKS = 2
SMALL, SIZES = 8, (64 << 10, 1 << 20)
SLOW = 2e-3  # seconds; where a broadcast takes longer, a larger vector tells no more
SECONDS, LEAST = 0.5, 6  # of a cell of a run, and its repetitions
RATES = ((1e9, "GB/s"), (1e6, "MB/s"), (1e3, "KB/s"))
HOW = ("machine: minima between 2 ranks; latency: scan/butterfly of 8 bytes, which cannot overlap with the next call as "
       "broadcasts could; bandwidth: bcast/binomial of 1 MiB, or of 64 KiB where that takes over 2 ms, less the latency; "
       "combine: reduce/binomial of as many bytes less that broadcast")


def quickest_seconds(run, name):
    """The shortest time of an algorithm in a run, because other work on the machine disturbs a minimum least."""
    cell = next(cell for cell in run["cells"] if cell["collective"] == name.split("/")[0])
    return arms_of(cell)[name]["min_us"] * 1e-6


def in_words(seconds_per_byte):
    """The rate as the table writes it; None if noise hides it."""
    if seconds_per_byte <= 0 or not 1e3 <= 1 / seconds_per_byte <= 1e15:
        return None
    unit, name = next((unit, name) for unit, name in RATES if 1 / seconds_per_byte >= unit)
    return f"{1 / seconds_per_byte / unit:.3g}{name}"


@dataclass
class Machine:
    """In seconds, and seconds per byte."""
    latency: float
    per_byte: float
    combine_per_byte: float

    def in_table(self):
        """The table's "machine"; what noise hides is left out."""
        found = {"latency": f"{self.latency * 1e6:.3g}us" if 1e-9 <= self.latency <= 1 else None,
                 "bandwidth": in_words(self.per_byte), "combine": in_words(self.combine_per_byte)}
        return {name: text for name, text in found.items() if text}

    def least_seconds(self, ranks, size):
        """What a call takes, whatever the algorithm."""
        return math.ceil(math.log2(ranks)) * self.latency + size * max(self.per_byte, 0)


def measure(run):
    """`run`: runs mpigraft-bench with these arguments."""
    def seconds_of(size, *names):
        collectives = ",".join(name.split("/")[0] for name in names)
        done = run(["--collectives", collectives, "--bytes", str(size), "--algorithms", ",".join(names), "--time",
                    str(SECONDS), "--min-reps", str(LEAST)])
        return [quickest_seconds(done, name) for name in names]

    (latency,) = seconds_of(SMALL, "scan/butterfly")
    for size in SIZES:
        bcast, reduce = seconds_of(size, "bcast/binomial", "reduce/binomial")
        if bcast > SLOW:
            break
    return Machine(latency, (bcast - latency) / size, (reduce - bcast) / size)
