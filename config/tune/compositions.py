# SPDX-License-Identifier: MIT
"""The calls of mpigraft.h: a rule names the variant that is faster than the two calls under the new table."""

import json
from statistics import median

from rules import groups_of

SCAN, AND = "scan", ("reduce", "allreduce")
NAMES = ("scan_reduce", "scan_allreduce", "scan_scan")
VARIANTS = ("fused", "decomposed")  # decomposed only where the second call is an allreduce
APART = "apart"  # the two calls
LARGEST = 256 << 10  # bytes; beyond these, the time to copy pairs decides, wherever ranks are


def sizes_of(cells):
    """{ranks: sizes} to measure; empty unless all that the two calls may run is tuned."""
    if not {SCAN, *AND} <= {cell.collective for cell in cells}:
        return {}
    sizes = {}
    for cell in cells:
        if cell.collective == SCAN and not cell.user and cell.bytes <= LARGEST:
            sizes.setdefault(cell.ranks, []).append(cell.bytes)
    return sizes


def variants_of(name):
    return VARIANTS if name == "scan_allreduce" else VARIANTS[:1]


def arms_of(table):
    """The two calls twice, then each variant, forced; a variant that a call does not have is not forced for it."""
    def forced(variant):
        named = ((name, variant if variant in variants_of(name) else VARIANTS[0]) for name in NAMES)
        return {"MPIGRAFT_FORCE": ",".join(f"{name}={one}" for name, one in named)}
    apart = (table, {"MPIGRAFT_FORCE": ",".join(f"{name}={APART}" for name in NAMES)})
    return {APART: apart, "null": apart} | {variant: (table, forced(variant)) for variant in VARIANTS}


def best_variant(name, times, word, margin):
    """(best variant, {variant: the time of the two calls over its time})"""
    apart, least = times[APART][word], min(times[APART][word], times["null"][word])
    ratios = {f"{name}/{variant}": apart / times[variant][word] for variant in variants_of(name)}
    better = [variant for variant in variants_of(name) if times[variant][word] * margin <= least]
    best = min(better, key=lambda variant: times[variant][word], default=None)
    return f"{name}/{best}" if best else APART, ratios


def groups(comparison, sizes, table, conditions, margin):
    """(rules, ranks for which there was no time). `sizes`, `conditions`: {ranks: ...}."""
    chosen, ratios, left = {}, {}, []
    for ranks, some in sizes.items():
        words = {(name, size): f"{name}:{size}" for name in NAMES for size in sorted(some)}
        compared = comparison.times(ranks, list(words.values()), arms_of(table))
        if compared is None:
            left.append(ranks)
            continue
        launches, _, wrong = compared
        times = {arm: {word: median(us) for word, us in of_arm.items()} for arm, of_arm in launches.items()}
        for (name, size), word in words.items():
            key = name, json.dumps(conditions[ranks])
            variant, found = (APART, {}) if word in wrong else best_variant(name, times, word, margin)
            chosen.setdefault(key, {})[ranks, size], ratios.setdefault(key, {})[ranks, size] = variant, found
    return [group for name in NAMES for key in sorted(chosen) if key[0] == name
            for group in groups_of(name, chosen[key], ratios[key], json.loads(key[1]), "the two calls'")], left
