#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stand-ins without MPI. FAKE_LOG: a file for a line per launch. FAKE_STOP: "N SIGNAL", sent to the caller in the N-th launch.

With FAKE_RANKS, the number of ranks, mpigraft-bench, which has the same figures for the same question. FAKE_SLOW: a call, as
--mixed names it, that every algorithm makes slow in jobs that do not learn. FAKE_COSTLY: a call behind which all others
are slow, by every algorithm. FAKE_BREAKS: a call with which it fails.
FAKE_UNDECIDED: a call that is never decided. FAKE_WRONG: a call with a wrong result.

Otherwise mpiexec and a program of MPI: takes the time, prints the lines and writes the report that FAKE says, in JSON:
{"native": launch, "grafted": launch}. A launch: "seconds", "lines" ({number} counts launches), "code", "us" of an exscan and
"bcast_us" in its report ("us": null for no report), "is_grafted" if it is, whatever was asked."""
import json
import os
import signal
import sys
import time

RANKS = int(os.environ.get("FAKE_RANKS", 0))
UNITS = {"K": 1 << 10, "M": 1 << 20}
ALGORITHMS = {"scan": "linear_pipeline", "bcast": "binomial", "reduce": "binomial", "barrier": "dissemination",
              "allreduce": "recursive_doubling"}
NATIVE_US = 10


def log_launch(*words):
    """The number of the launch, which is told and may stop the caller."""
    with open(os.environ["FAKE_LOG"], "a+", encoding="utf-8") as log:
        print(*words, file=log, flush=True)
        log.seek(0)
        number = len(log.readlines())
    at, name = os.environ.get("FAKE_STOP", "0 0").split()
    if number == int(at):
        os.kill(os.getppid(), int(name))
        if int(name) != signal.SIGKILL:
            time.sleep(60)  # to be ended
    return number


def size_of(text):
    return int(text[:-1]) * UNITS[text[-1]] if isinstance(text, str) and text[-1] in UNITS else int(text)


def within(limits, value):
    return size_of(limits.get("min", 0)) <= value <= size_of(limits.get("max", 1 << 62))


def ruled(table, collective, size, user):
    for rule in table["rules"]:
        fits = rule["collective"] == collective and (rule.get("operator") == "user") in (user, False)
        if fits and within(rule.get("ranks", {}), RANKS) and within(rule.get("bytes", {}), size):
            return "native" if rule["algorithm"] == "native" else f"{collective}/{rule['algorithm']}"
    return "native"


def winner(collective, size):
    """Native for large vectors, otherwise an algorithm, twice as fast."""
    return "native" if size >= 1 << 20 else ALGORITHMS[collective]


def rule_of(collective, size, op):
    bits = size.bit_length()
    limits = {"bytes": {"min": 1 << bits - 1, "max": (1 << bits) - 1}} if size else {}
    return ({"collective": collective, "algorithm": winner(collective, size), "ranks": {"min": RANKS, "max": RANKS}}
            | limits | ({"operator": "user"} if op == "matrix" else {})
            | {"note": "learned: 2.1 times the speed of native, by 200 calls; fake on fake, 2026-01-02"})


def call_of(words, table):
    collective, size, op = [*words.split(":"), "sum"][:3]
    size = int(size)
    ran, us = ruled(table, collective, size, op == "matrix"), NATIVE_US
    if ran != "native":
        us = 3 * NATIVE_US if os.environ.get("FAKE_SLOW") == words else NATIVE_US / 2
    if "_" in collective and f"{collective}=fused" in os.environ.get("MPIGRAFT_FORCE", ""):
        us = 0.8 * NATIVE_US if collective != "scan_allreduce" else 2 * NATIVE_US
    return {"collective": collective, "bytes": size, "op": op, "ran": ran, "calls": 200, "us": us,
            "agrees": os.environ.get("FAKE_WRONG") != words}


def mixed(words, table):
    """A job, which learns if it is asked to."""
    file, calls = os.environ.get("MPIGRAFT_LEARN"), words.split(",")
    decided = [word for word in calls if word != os.environ.get("FAKE_UNDECIDED")]
    if file and "FAKE_FIXED" not in os.environ:
        print("a launcher's notice", flush=True)
        print(json.dumps({"decided": len(decided), "of": len(calls)}), flush=True)
        rules = [rule_of(collective, int(size), (op or ["sum"])[0])
                 for collective, size, *op in (word.split(":") for word in decided)]
        with open(file, "w", encoding="utf-8") as out:
            json.dump({"version": 1, "rules": [*rules, *table["rules"]]}, out)
    made = [call_of(word, table) for word in calls]
    costs = [1000 * (word == os.environ.get("FAKE_COSTLY") and call["ran"] != "native") for word, call in zip(calls, made)]
    whole = {"calls": list(range(len(calls))), "us": sum(call["us"] for call in made) + sum(costs)}
    learns = bool(file) and "FAKE_FIXED" not in os.environ
    return {"time": 0.1, "learns": learns, "decided": len(decided) * learns, "trials": len(calls) * learns, "calls": made,
            "sequences": [] if file else [whole]}


def cells_of(options):
    arms = [{"arm": name, "ran": name, "min_us": 10, "median_us": 10, "low_us": 10, "high_us": 10, "ratio": 1,
             "verdict": "", "agrees": True} for name in ("native", "null", *options.algorithms.split(","))]
    times = {"scan": 1, "bcast": 100, "reduce": 200}
    return {"cells": [{"collective": collective, "bytes": size_of(options.bytes), "repetitions": 6, "calls": 1,
                       "arms": [arm | {"min_us": times[collective]} for arm in arms]}
                      for collective in options.collectives.split(",")]}


def bench():
    import argparse  # here, because launches that are timed have to start quickly

    parser = argparse.ArgumentParser()
    for name in ("collectives", "bytes", "algorithms", "time", "min-reps", "json", "mixed"):
        parser.add_argument("--" + name)
    options = parser.parse_args()
    log_launch(RANKS, *sys.argv[1:])
    if os.environ.get("FAKE_BREAKS") in (options.mixed or "").split(","):
        sys.exit(3)
    with open(os.environ["MPIGRAFT_TABLE"], encoding="utf-8") as file:
        table = json.load(file)
    print(json.dumps({"mpigraft": "0", "date": "2026-01-02T03:04:05Z", "host": "fake", "cores": 2, "load": 0.5,
                      "mpi": "MPICH", "ranks": RANKS, "nodes": 1, "ranks_per_node": [RANKS, RANKS],
                      "more_ranks_than_cores": RANKS > 8, **(mixed(options.mixed, table) if options.mixed
                                                             else cells_of(options))}))


def row(collective, size, us, ran, reason):
    return {"collective": collective, "ranks": 4, "bytes_min": size, "bytes_max": size, "calls": 100, "ran": ran,
            "reason": reason, "time": {"calls": 400, "sum_ns": round(400e3 * us)}}


def report(one, is_grafted):
    off = one.get("off", "")  # why all calls are native
    is_grafted = (is_grafted or one.get("is_grafted")) and not off
    exscan, bcast = ("exscan/doubling_123", "bcast/binomial") if is_grafted else ("native", "native")
    rows = [row("exscan", 8, one["us"], exscan, off), row("bcast", 5000, one.get("bcast_us", 10), bcast, off)]
    return {"ranks": 4, "rows": rows, "set_up": {"communicators": 1, "time": {"mean_ns": 2_000_000}}}


def launcher():
    words = sys.argv[1:]
    values = dict(zip(words, words[1:]))
    preloaded, told = "LD_PRELOAD" in words, values.get("MPIGRAFT_REPORT")
    is_grafted = preloaded and "MPIGRAFT_FORCE=native" not in words
    one = json.loads(os.environ["FAKE"])["grafted" if is_grafted else "native"]
    number = log_launch("grafted" if is_grafted else "native", "told" if told else "", *words)
    print("preload", os.environ.get("LD_PRELOAD", ""), file=sys.stderr)
    time.sleep(one.get("seconds", 0.01))
    print("\n".join(one.get("lines", ["result"])).format(number=number, given=sys.stdin.read()))
    if told and one.get("us", 1) is not None:
        with open(told, "w", encoding="utf-8") as file:
            json.dump(report({"us": 1, **one}, is_grafted), file)
    return one.get("code", 0)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(bench() if RANKS else launcher())
