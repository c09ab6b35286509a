# SPDX-License-Identifier: MIT
"""Compares the table that a job has learned with the one that `mpigraft tune --from` makes of its report. The job makes
scans, allreduces, broadcasts and barriers (test/preload/programs/repeats.c), and learns twice, with MPIGRAFT_LEARN from a
table without rules. Then the job runs several times, in turn natively (two arms),
by the learned table and by the tuned one. Times are means of a call over calls and ranks in the job's reports, and
medians of the launches.
Exit codes: 0 the tuned table reaches 97 % of the learned one's speed over all calls, and no call is slower than native by
more than native calls differ; 1 it does not, or a launch failed; 2 cannot run."""

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from places import Place, add_options, command, places, refuse, run  # first: it finds the modules below
from paired import Times, turns

PROGRAM = Path("test/preload/repeats")
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


@dataclass
class Job:
    """The program at a place."""
    place: Place
    options: argparse.Namespace

    def run(self, calls, **env):
        """Starts it, preloaded."""
        library = self.options.build / "shim/libmpigraft.so"
        outcome = run(self.options, self.place, [self.options.build / PROGRAM, calls], SECONDS, library, env)
        if outcome.code or outcome.hung:
            refuse(f"{self.place.name}: exit code {outcome.code}\n{outcome.stdout}{outcome.stderr}", 1)

    def for_tune(self):
        """A command that starts {n} ranks."""
        anywhere = replace(self.place, ranks="{n}")
        return shlex.join(command(self.options, anywhere, [self.options.build / PROGRAM], SECONDS)[:-1])


def times(report):
    """{(kind of call, what ran): its mean time in us} of a job's report."""
    rows = json.loads(report.read_text())["rows"]
    return {(row["collective"], row["ran"]): row["time"]["sum_ns"] / row["time"]["calls"] / 1000 for row in rows}


def tables(job, folder):
    """{arm: its table}"""
    without, learned, tuned, report = (folder / name for name in
                                       ("without.json", "learned.json", "tuned.json", "report.json"))
    without.write_text(json.dumps(WITHOUT_RULES))
    for number in range(LEARNING_JOBS):
        print(f"{job.place.name}: learning, job {number + 1} of {LEARNING_JOBS}", file=sys.stderr)
        start = {} if learned.exists() else {"MPIGRAFT_TABLE": without}
        job.run(CALLS, MPIGRAFT_LEARN=learned, **start)
    if not learned.exists():
        refuse(f"{job.place.name}: nothing was learned", 1)
    job.run(1000, MPIGRAFT_TABLE=without, MPIGRAFT_REPORT=report)
    print(f"{job.place.name}: tuning", file=sys.stderr)
    build = job.options.build
    subprocess.run([build / "config/mpigraft", "tune", "--from", report, "--launcher", job.for_tune(), "--budget", BUDGET,
                    "-o", tuned, "--bench", build / "shim/bench/mpigraft-bench"], check=True)
    return {"native": without, "null": without, "learned": learned, "tuned": tuned}


def measure(job):
    """{arm: {(kind of call, what ran): its time in us}}, medians of the launches."""
    with tempfile.TemporaryDirectory() as folder:
        table_of, report = tables(job, Path(folder)), Path(folder) / "arm.json"
        samples = {arm: [] for arm in table_of}
        for arm, number in turns(table_of, LAUNCHES):
            print(f"{job.place.name}: launch {number + 1} of {LAUNCHES}, {arm}", file=sys.stderr)
            job.run(CALLS, MPIGRAFT_TABLE=table_of[arm], MPIGRAFT_REPORT=report)
            samples[arm].append(times(report))
            report.unlink()
    return {arm: {kind: median(one[kind] for one in runs) for kind in runs[0]} for arm, runs in samples.items()}


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
    if not (options.build / PROGRAM).exists():
        refuse(f"{options.build / PROGRAM} is missing: scripts/setup; ninja -C {options.build}")
    try:
        print("| place | call | native us | native / native | native / learned | native / tuned | tuned / learned |")
        print("|---|---|---|---|---|---|---|", flush=True)
        good = [print_place(place, measure(Job(place, options))) for place in places(options, RANKS)]
    except subprocess.CalledProcessError as error:
        refuse(error, 1)
    return 0 if all(good) else 1
