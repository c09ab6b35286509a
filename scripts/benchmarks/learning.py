# SPDX-License-Identifier: MIT
"""Compares the table that a job has learned with the one that `mpigraft tune --from` makes of its report. The job makes
scans, allreduces, broadcasts and barriers (test/preload/programs/repeats.c), and learns twice, with MPIGRAFT_LEARN from a
table without rules. Then the job runs several times, in turn natively (two arms),
by the learned table and by the tuned one. Times are means of a call over calls and ranks in the job's reports, and
medians of the launches.
Exit codes: 0 the tuned table reaches 97 % of the learned one's speed over all calls, and no grafted call is slower than
in both native arms; 1 it does not, or a launch failed; 2 cannot run."""

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from statistics import median

from places import add_options, command, need, places, refuse, run  # first: it finds the modules below
from paired import Times, turns

PROGRAM, LIBRARY = "test/preload/repeats", "shim/libmpigraft.so"
COMMAND, BENCH = "config/mpigraft", "shim/bench/mpigraft-bench"
WITHOUT_RULES = {"version": 1, "site": "nothing was measured", "rules": []}
RANKS = "2,8"
LEARNING_JOBS = 2
CALLS = 20000  # of each kind in a job
LAUNCHES = 5  # of each arm
BUDGET = "3m"  # of tune
SECONDS = 300  # a launch that takes longer is stopped
WANTED = 0.97  # of the learned table's speed


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser, RANKS, "4x1")
    return parser.parse_args()


def run_job(options, place, calls, **env):
    """Runs the program, preloaded."""
    outcome = run(options, place, [options.build / PROGRAM, calls], SECONDS, options.build / LIBRARY, env)
    if outcome.code or outcome.hung:
        refuse(f"{place.name}: exit code {outcome.code}\n{outcome.stdout}{outcome.stderr}", 1)


def tables(options, place, folder):
    """{arm: its table}"""
    without, learned, tuned, report = (folder / f"{name}.json" for name in ("without", "learned", "tuned", "report"))
    without.write_text(json.dumps(WITHOUT_RULES))
    for number in range(LEARNING_JOBS):
        print(f"{place.name}: learning, job {number + 1} of {LEARNING_JOBS}", file=sys.stderr)
        start = {} if learned.exists() else {"MPIGRAFT_TABLE": without}
        run_job(options, place, CALLS, MPIGRAFT_LEARN=learned, **start)
    if not learned.exists():
        refuse(f"{place.name}: nothing was learned", 1)
    run_job(options, place, 1000, MPIGRAFT_TABLE=without, MPIGRAFT_REPORT=report)
    print(f"{place.name}: tuning", file=sys.stderr)
    launcher = command(options, replace(place, ranks="{n}"), [options.build / PROGRAM], SECONDS)[:-1]
    subprocess.run([options.build / COMMAND, "tune", "--from", report, "--launcher", shlex.join(launcher), "--budget",
                    BUDGET, "-o", tuned, "--bench", options.build / BENCH], check=True)
    return {"native": without, "null": without, "learned": learned, "tuned": tuned}


def measure(options, place):
    """{arm: {(kind of call, what ran): its mean time in us}}, medians of the launches."""
    with tempfile.TemporaryDirectory() as folder:
        table_of, report = tables(options, place, Path(folder)), Path(folder) / "arm.json"
        samples = {arm: {} for arm in table_of}
        for arm, number in turns(table_of, LAUNCHES):
            print(f"{place.name}: launch {number + 1} of {LAUNCHES}, {arm}", file=sys.stderr)
            run_job(options, place, CALLS, MPIGRAFT_TABLE=table_of[arm], MPIGRAFT_REPORT=report)
            rows = json.loads(report.read_text())["rows"]
            for kind, time in {(row["collective"], row["ran"]): row["time"] for row in rows}.items():
                samples[arm].setdefault(kind, []).append(time["sum_ns"] / time["calls"] / 1000)
            report.unlink()
    return {arm: {kind: median(us) for kind, us in kinds.items()} for arm, kinds in samples.items()}


def print_place(place, figures):
    """Whether both tables are as good as they have to be. A call that stayed native can take longer only because others,
    which got faster, no longer wait in its place: then their sum tells."""
    good = True
    times_of = {arm: {kind: time for (kind, _), time in rows.items()} for arm, rows in figures.items()}
    for kind in (*times_of["native"], "all"):
        time = {arm: sum(times.values()) if kind == "all" else times[kind] for arm, times in times_of.items()}
        ran = {arm: next((name.split("/")[-1] for other, name in figures[arm] if other == kind), "") for arm in figures}
        native = time["native"]
        slower = [arm for arm in ("learned", "tuned") if ran[arm] != "native"
                  and Times([native], [time["null"]], [time[arm]]).is_slower_than_both()]
        good &= not slower
        arms = (f"{ran[arm]} {native / time[arm]:.2f}{' slower' * (arm in slower)}" for arm in ("learned", "tuned"))
        print(f"| {place.name} | {kind} | {native:.2f} | {native / time['null']:.2f} | {' | '.join(arms)} | "
              f"{time['tuned'] / time['learned']:.2f} |", flush=True)
    return good and time["learned"] / time["tuned"] >= WANTED


def main():
    options = parse()
    need(options.build, PROGRAM, LIBRARY, COMMAND, BENCH)
    try:
        print("| place | call | native us | native / native | native / learned | native / tuned | tuned / learned |")
        print("|---|---|---|---|---|---|---|", flush=True)
        good = [print_place(place, measure(options, place)) for place in places(options, RANKS)]
    except subprocess.CalledProcessError as error:
        refuse(error, 1)
    return 0 if all(good) else 1
