#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A stand-in for mpigraft-bench: the same figures for the same question, without MPI. FAKE_RANKS: the number of ranks.
FAKE_LOG: a file for a line per call. FAKE_STOP: "N SIGNAL", sent to the caller in the N-th call. FAKE_SLOW: a size
at which every grafted call turns slow under a table with rules. FAKE_BREAKS: an algorithm with which it fails.
FAKE_SCALE: factor on all times that it prints."""
import argparse
import hashlib
import json
import os
import signal
import sys
import time

RANKS = int(os.environ["FAKE_RANKS"])
SCALE = float(os.environ.get("FAKE_SCALE", "1"))
UNITS = {"K": 1 << 10, "M": 1 << 20}


def size_of(text):
    return int(text[:-1]) * UNITS[text[-1]] if isinstance(text, str) and text[-1] in UNITS else int(text)


def within(limits, value):
    return size_of(limits.get("min", 0)) <= value <= size_of(limits.get("max", 1 << 62))


def ruled(table, collective, size):
    for rule in table["rules"]:
        for_all = rule["collective"] == collective and "operator" not in rule
        if for_all and within(rule.get("ranks", {}), RANKS) and within(rule.get("bytes", {}), size):
            return "native" if rule["algorithm"] == "native" else f"{collective}/{rule['algorithm']}"
    return "native"


def median_of(name, size):
    """Microseconds of an arm. Native is best for large vectors; the others differ by a figure of their own, and by what
    a size adds."""
    if name in ("native", "null"):
        return SCALE * (10 + size / 1000)
    own = int(hashlib.md5(name.encode()).hexdigest()[:4], 16) / 0xffff
    return SCALE * (1 + own) * (2 + size / 500)


def arm_of(name, collective, size, table):
    ran = {"native": "native", "null": "native", "default": ruled(table, collective, size)}.get(name, name)
    if name.endswith(("hierarchical", "lane", "smp_tree_a", "smp_tree_b")):
        ran = f"{collective}/flat"
    median = median_of(ran, size)
    if name == "default" and ran != "native" and os.environ.get("FAKE_SLOW") == str(size):
        median = 3 * median_of("native", size)
    native = median_of("native", size)
    verdict = "faster" if 1.01 * median < 0.99 * native else "slower" if 0.99 * median > 1.01 * native else ""
    return {"arm": name, "ran": ran, "why": "", "min_us": 0.98 * median, "median_us": median, "low_us": 0.99 * median,
            "high_us": 1.01 * median, "ratio": native / median, "verdict": verdict, "agrees": True}


def interrupt_caller():
    with open(os.environ["FAKE_LOG"], "a+", encoding="utf-8") as log:
        print(RANKS, *sys.argv[1:], file=log, flush=True)
        log.seek(0)
        calls = len(log.readlines())
    at, number = os.environ.get("FAKE_STOP", "0 0").split()
    if calls == int(at):
        os.kill(os.getppid(), int(number))
        if int(number) != signal.SIGKILL:
            time.sleep(60)  # to be ended


def main():
    parser = argparse.ArgumentParser()
    for name in ("collectives", "bytes", "algorithms", "min-reps", "time", "json"):
        parser.add_argument("--" + name)
    options = parser.parse_args()
    interrupt_caller()
    names = options.algorithms.split(",")
    if os.environ.get("FAKE_BREAKS") in names:
        sys.exit(3)
    with open(os.environ["MPIGRAFT_TABLE"], encoding="utf-8") as file:
        table = json.load(file)
    cells = []
    for collective in options.collectives.split(","):
        for size in map(int, options.bytes.split(",")):
            arms = ["native", "null", *(name for name in names if name == "default" or name.startswith(collective))]
            cells.append({"collective": collective, "bytes": size, "repetitions": 6, "calls": 1,
                          "arms": [arm_of(name, collective, size, table) for name in arms]})
    print(json.dumps({"mpigraft": "0", "date": "2026-01-02T03:04:05Z", "host": "fake", "cores": 2, "load": 0.5, "mpi": "none",
                      "ranks": RANKS, "nodes": 1, "ranks_per_node": [RANKS, RANKS], "more_ranks_than_cores": RANKS > 8, "cells": cells}))


if __name__ == "__main__":
    main()
