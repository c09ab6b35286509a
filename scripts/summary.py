# SPDX-License-Identifier: MIT
"""Sums up meson's testlog.json: why tests were skipped, time per suite, then `N passed, N failed, N skipped` on the last
line."""

import json
import sys
from collections import Counter, defaultdict

OUTCOMES = {"OK": "passed", "EXPECTEDFAIL": "passed", "SKIP": "skipped"}


def main():
    counts, seconds = Counter(), defaultdict(float)
    with open(sys.argv[1], encoding="utf-8") as log:
        for test in map(json.loads, log):
            suite = test["name"].split(" / ")[0].split(":")[-1]
            counts_as = OUTCOMES.get(test["result"], "failed")
            counts[counts_as] += 1
            seconds[suite] += test["duration"]
            if counts_as == "skipped" and test.get("stdout"):
                print(f"{test['name'].split(' / ')[-1]}: {test['stdout'].strip()}")
    print()
    for suite, duration in seconds.items():
        print(f"{suite:10} {duration:7.1f} s")
    print(", ".join(f"{counts[outcome]} {outcome}" for outcome in ("passed", "failed", "skipped")))
    sys.exit(1 if counts["failed"] or not counts else 0)


if __name__ == "__main__":
    main()
