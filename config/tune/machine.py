# SPDX-License-Identifier: MIT
"""The machine parameters of a table, from algorithms of two ranks that the model describes exactly."""

from bench import arms_of

RANKS = 2
SMALL, LARGE = 8, 1 << 20
# (collectives, bytes, algorithms): an exchange cannot overlap with the next one, as broadcasts in a batch could.
LATENCY_RUN = (("scan",), SMALL, ("scan/butterfly",))
BANDWIDTH_RUN = (("bcast", "reduce"), LARGE, ("bcast/binomial", "reduce/binomial"))
RATES = ((1e9, "GB/s"), (1e6, "MB/s"), (1e3, "KB/s"))
RUNS = (LATENCY_RUN, BANDWIDTH_RUN)
HOW = ("machine: minima between 2 ranks; latency: scan/butterfly of 8 bytes; bandwidth: bcast/binomial of 1 MiB "
       "less the latency; combine: reduce/binomial of 1 MiB less that broadcast")


def quickest_seconds(run, name):
    """The shortest time of an algorithm in a run, because other work on the machine disturbs a minimum least."""
    cell = next(cell for cell in run["cells"] if cell["collective"] == name.split("/")[0])
    return arms_of(cell)[name]["min_us"] * 1e-6


def rate(seconds):
    """The rate of LARGE bytes in so many seconds, as the table writes it; None if noise hides it."""
    if seconds <= 0 or not 1e3 <= LARGE / seconds <= 1e15:
        return None
    unit, name = next((unit, name) for unit, name in RATES if LARGE / seconds >= unit)
    return f"{LARGE / seconds / unit:.3g}{name}"


def fit(latency_run, bandwidth_run):
    """The table's "machine", from the runs above; what noise hides is left out."""
    latency = quickest_seconds(latency_run, "scan/butterfly")
    bcast, reduce = (quickest_seconds(bandwidth_run, f"{name}/binomial") for name in ("bcast", "reduce"))
    found = {"latency": f"{latency * 1e6:.3g}us" if 1e-9 <= latency <= 1 else None, "bandwidth": rate(bcast - latency),
             "combine": rate(reduce - bcast)}
    return {name: text for name, text in found.items() if text}
