#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shows programs' results natively and grafted side by side, then which algorithms ran for what and why."""

import sys
from pathlib import Path

import launch

RANKS = (2, 8)
LINE = "{:>5}  {:<13}  {:<28} {:>6}   {:<28} {:>6}   {}"
ROW = "{:>5}  {:<7} {:>13}  {:>7}  {:<29} {}"


def result(outcome):
    """The last line, short enough for a column."""
    last = (outcome.stdout.strip() or "no output").splitlines()[-1]
    text = " ".join(last.split(": ")[-1].split())
    return text[:28] if outcome.code == 0 else f"exit code {outcome.code}"


def compare(launcher, programs):
    """Prints a line for each program. Returns the rows of all reports, and whether all results were alike."""
    rows, all_same = [], True
    print(LINE.format("ranks", "program", "native result", "s", "grafted result", "s", "same"))
    for ranks in RANKS:
        for program in programs:
            native = launcher.native(ranks, [program])
            grafted = launcher.grafted(ranks, [program])
            same = (native.code, native.stdout) == (0, grafted.stdout) and grafted.code == 0
            print(LINE.format(ranks, Path(program).name, result(native), f"{native.seconds:.2f}", result(grafted),
                              f"{grafted.seconds:.2f}", "yes" if same else "NO"), flush=True)
            rows += grafted.rows()
            all_same &= same
    return rows, all_same


def print_report(rows):
    """Reports have a row for every size class: here they are one."""
    merged = {}
    for row in rows:
        key = (int(row["ranks"]), row["call"], row["ran"], row["reason"])
        calls, least, most = merged.get(key, (0, float("inf"), 0))
        sizes = [int(size) for size in row["bytes"].split("-")]
        merged[key] = (calls + int(row["calls"]), min(least, sizes[0]), max(most, sizes[-1]))
    print(ROW.format("ranks", "call", "bytes", "calls", "ran", "reason"))
    for (ranks, call, ran, reason), (calls, least, most) in sorted(merged.items(), reverse=True):
        print(ROW.format(ranks, call, f"{least}-{most}" if least != most else least, calls, ran, reason))


def main():
    parser = launch.arguments(__doc__)
    parser.add_argument("programs", nargs="+")
    options, launcher, _ = launch.begin(parser)
    rows, all_same = compare(launcher, options.programs)
    print("\nWhat ran, from the grafted programs' reports (MPIGRAFT_REPORT):\n")
    print_report(rows)
    if not rows:
        print("nothing: the library was not loaded")
    sys.exit(0 if all_same and rows else 1)


if __name__ == "__main__":
    main()
