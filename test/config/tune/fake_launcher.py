#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A stand-in for mpiexec and a program of MPI: takes the time, prints the lines and writes the report that FAKE says, in
JSON: {"native": launch, "grafted": launch}. A launch: "seconds", "lines" ({number} counts launches), "code",
"us" of an exscan and "bcast_us" in its report ("us": null for no report). FAKE_LOG: a file for a line per launch. FAKE_STOP: "N SIGNAL",
sent to the caller in the N-th launch."""
import json
import os
import signal
import sys
import time


def row(collective, size, us, ran):
    return {"collective": collective, "ranks": 4, "bytes_min": size, "bytes_max": size, "calls": 100, "ran": ran,
            "reason": "", "time": {"calls": 400, "sum_ns": round(400e3 * us)}}


def report(one, is_grafted):
    ran = "exscan/doubling_123" if is_grafted else "native"
    rows = [row("exscan", 8, one["us"], ran), row("bcast", 5000, one.get("bcast_us", 10), ran.replace("exscan/doubling_123", "bcast/binomial"))]
    return {"ranks": 4, "rows": rows, "set_up": {"communicators": 1, "time": {"mean_ns": 2_000_000}}}


def main():
    words = sys.argv[1:]
    values = dict(zip(words, words[1:]))
    preloaded, told = "LD_PRELOAD" in words, values.get("MPIGRAFT_REPORT")
    is_grafted = preloaded and "MPIGRAFT_FORCE=native" not in words
    one = json.loads(os.environ["FAKE"])["grafted" if is_grafted else "native"]
    with open(os.environ["FAKE_LOG"], "a+", encoding="utf-8") as log:
        print("grafted" if is_grafted else "native", "told" if told else "", *words, file=log, flush=True)
        log.seek(0)
        number = len(log.readlines())
    at, name = os.environ.get("FAKE_STOP", "0 0").split()
    if number == int(at):
        os.kill(os.getppid(), int(name))
        time.sleep(60)  # to be ended
    print("preload", os.environ.get("LD_PRELOAD", ""), file=sys.stderr)
    time.sleep(one.get("seconds", 0.01))
    print("\n".join(one.get("lines", ["result"])).format(number=number, given=sys.stdin.read()))
    if told and one.get("us", 1) is not None:
        with open(told, "w", encoding="utf-8") as file:
            json.dump(report({"us": 1, **one}, is_grafted), file)
    return one.get("code", 0)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(main())
