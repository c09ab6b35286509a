# SPDX-License-Identifier: MIT
"""Compares collectives natively and grafted by the reports of launches: each kind of call, and all together. A kind is a
collective on so many ranks, of bytes between two powers of two; here it is a row of the JSON of `mpigraft compare`."""

from collections import Counter
from statistics import median

from console import size_text
from paired import Times
from rules import as_sizes

WORDS = {1: "faster", 0: "no difference", -1: "slower"}


def key_of(row):
    return row["collective"], row["ranks"], row.get("nonblocking", False), row["bytes_max"].bit_length()


def summed(report):
    """{kind: (calls of all ranks, their nanoseconds)} of a report."""
    calls, ns = Counter(), Counter()
    for row in report["rows"]:
        calls[key_of(row)] += row["time"]["calls"]
        ns[key_of(row)] += row["time"]["sum_ns"]
    return {key: (calls[key], ns[key]) for key in calls if calls[key] and key[1] > 1}


def times_of(native, grafted):
    """The native ones in turns: native launches against native ones."""
    return Times(native[::2], native[1::2], grafted)


def all_together(native, grafted):
    """Seconds in collectives, a rank's mean."""
    def seconds_of(reports):
        return [sum(row["time"]["sum_ns"] for row in report["rows"]) / 1e9 / max(report["ranks"], 1) for report in reports]

    times = times_of(seconds_of(native), seconds_of(grafted))
    found = {"native_s": times.base + times.null, "grafted_s": times.this}
    if min(map(median, found.values())) > 0:
        found |= {"ratio": times.ratio(), "null_ratio": times.null_ratio()}
    return found


def kind_of(key, reports, sums):
    """`reports`: of grafted launches; `sums`: of native and of grafted ones."""
    rows = [row for report in reports for row in report["rows"] if key_of(row) == key]
    ran = Counter()
    for row in rows:
        ran[row["ran"]] += row["calls"]
    native, grafted = ([one[key] for one in of_arm] for of_arm in sums)
    times = times_of(*([ns / calls / 1e3 for calls, ns in launches] for launches in (native, grafted)))
    growth = (median(ns for _, ns in grafted) - median(ns for _, ns in native)) / 1e9 / max(reports[0]["ranks"], 1)
    return {"collective": key[0], "nonblocking": key[2], "ranks": key[1], "bytes_min": min(row["bytes_min"] for row in rows),
            "bytes_max": max(row["bytes_max"] for row in rows), "calls": round(median(calls for calls, _ in grafted) / key[1]),
            "ran": ran, "native_us": times.base + times.null, "grafted_us": times.this, "ratio": times.ratio(),
            "null_ratio": times.null_ratio(), "verdict": WORDS[times.verdict()], "growth_s": growth}


def kinds_of(native, grafted):
    """The kinds of calls in all of these reports, the one with the most native time first."""
    sums = [[summed(report) for report in reports] for reports in (native, grafted)]
    first, *others = [*sums[0], *sums[1]]
    common = [key for key in first if all(key in one for one in others)]
    common.sort(key=lambda key: -median(one[key][1] for one in sums[0]))
    return [kind_of(key, grafted, sums) for key in common]


def slower_kinds(kinds, seconds):
    """Those that got slower by so many seconds of a launch or more, the one that cost most first."""
    return sorted((kind for kind in kinds if kind["verdict"] == WORDS[-1] and kind["growth_s"] > seconds),
                  key=lambda kind: -kind["growth_s"])


def sizes_of(kind):
    least, most = size_text(kind["bytes_min"]), size_text(kind["bytes_max"])
    return least if least == most else f"{least} to {most}"


def ran_most(kind):
    return max(kind["ran"], key=kind["ran"].get)


def rule_of(kind):
    """The rule that leaves such calls native."""
    bits = kind["bytes_max"].bit_length()
    limits = {"bytes": as_sizes({"min": 1 << bits - 1, "max": (1 << bits) - 1})} if bits else {}
    return {"collective": kind["collective"], "ranks": kind["ranks"]} | limits | {"algorithm": "native"}
