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
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
CLUSTER = ROOT / "scripts/cluster"
sys.path[:0] = [str(ROOT / "test/preload"), str(ROOT / "config/tune")]
import emulated  # noqa: E402
import launch  # noqa: E402
from launcher import NoLauncher, hydra  # noqa: E402

PROGRAM = Path("test/preload/repeats")
WITHOUT_RULES = {"version": 1, "site": "nothing was measured", "rules": []}
LEARNING_JOBS = 2
CALLS = 20000  # of each kind in a job
LAUNCHES = 5  # of each arm
BUDGET = "3m"  # of tune
SECONDS = 300  # a launch that takes longer is stopped
WANTED = 0.97  # of the learned table's speed


def words_of(text):
    return text.split(",")


def absolute(text):
    return Path(text).resolve()


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", type=words_of, default=["2", "8"], help="on this machine; - for none (default: 2,8)")
    emulated.add_options(parser, "4x1")
    parser.add_argument("--build", type=absolute, default=ROOT / "build", help="the build folder (default: build)")
    return parser.parse_args()


def fail(message, code=1):
    print(f"scripts/bench learning: {message}", file=sys.stderr)
    sys.exit(code)


@dataclass
class Place:
    """Ranks on this machine, or on emulated hosts."""
    name: str
    options: argparse.Namespace
    ranks: int
    hosts: int = 0

    def launcher(self, ranks, env):
        library = self.options.build / "shim/libmpigraft.so"
        if self.hosts:
            preload = ["--library", library] if env else []
            return [CLUSTER, "run", "--hosts", self.hosts, "-n", ranks, "--rate", self.options.rate,
                    "--build", self.options.build, "--seconds", SECONDS, *preload,
                    *(word for name, value in env.items() for word in ("--env", f"{name}={value}")), "--"]
        preloaded = {"LD_PRELOAD": library, **env} if env else {}
        return [hydra(self.options.build / PROGRAM), "-n", ranks,
                *(word for name, value in preloaded.items() for word in ("-genv", name, value))]

    def run(self, calls, **env):
        """The job, preloaded."""
        command = [*self.launcher(self.ranks, env), self.options.build / PROGRAM, calls]
        outcome = launch.run([str(word) for word in command], SECONDS + 60)
        if outcome.code or outcome.hung:
            fail(f"{self.name}: exit code {outcome.code}\n{outcome.stdout}{outcome.stderr}")

    def for_tune(self):
        """A command that starts {n} ranks."""
        return shlex.join(str(word) for word in self.launcher("{n}", {}))


def places(options):
    for n in options.ranks:
        if n != "-":
            yield Place(f"{n} ranks", options, int(n))
    for shape in options.cluster:
        yield Place(f"{shape} at {options.rate}", options, shape.hosts * shape.each, shape.hosts)


def times(report):
    """{(kind of call, what ran): its mean time in us} of a job's report."""
    rows = json.loads(report.read_text())["rows"]
    return {(row["collective"], row["ran"]): row["time"]["sum_ns"] / row["time"]["calls"] / 1000 for row in rows}


def tables(place, folder):
    """{arm: its table}"""
    without, learned, tuned, report = (folder / name for name in
                                       ("without.json", "learned.json", "tuned.json", "report.json"))
    without.write_text(json.dumps(WITHOUT_RULES))
    for job in range(LEARNING_JOBS):
        print(f"{place.name}: learning, job {job + 1} of {LEARNING_JOBS}", file=sys.stderr)
        start = {} if learned.exists() else {"MPIGRAFT_TABLE": without}
        place.run(CALLS, MPIGRAFT_LEARN=learned, **start)
    if not learned.exists():
        fail(f"{place.name}: nothing was learned")
    place.run(1000, MPIGRAFT_TABLE=without, MPIGRAFT_REPORT=report)
    print(f"{place.name}: tuning", file=sys.stderr)
    command = place.options.build / "config/mpigraft"
    subprocess.run([command, "tune", "--from", report, "--launcher", place.for_tune(), "--budget", BUDGET,
                    "-o", tuned, "--bench", place.options.build / "shim/bench/mpigraft-bench"], check=True)
    return {"native": without, "null": without, "learned": learned, "tuned": tuned}


def measure(place):
    """{arm: {(kind of call, what ran): its time in us}}, medians of the launches."""
    with tempfile.TemporaryDirectory() as folder:
        table_of, report = tables(place, Path(folder)), Path(folder) / "arm.json"
        samples = {arm: [] for arm in table_of}
        for number in range(LAUNCHES):
            print(f"{place.name}: launch {number + 1} of {LAUNCHES} of each arm", file=sys.stderr)
            for arm in table_of if number % 2 == 0 else reversed(table_of):
                place.run(CALLS, MPIGRAFT_TABLE=table_of[arm], MPIGRAFT_REPORT=report)
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
        slowest, quickest = max(native, time["null"]), min(native, time["null"])
        slower = [arm for arm in ("learned", "tuned")
                  if time[arm] > slowest * slowest / quickest and ran[arm] != "native"]
        good &= not slower
        arms = (f"{ran[arm]} {native / time[arm]:.2f}{' slower' * (arm in slower)}" for arm in ("learned", "tuned"))
        print(f"| {place.name} | {kind} | {native:.2f} | {native / time['null']:.2f} | {' | '.join(arms)} | "
              f"{time['tuned'] / time['learned']:.2f} |", flush=True)
    return good and time["learned"] / time["tuned"] >= WANTED


def main():
    options = parse()
    if not (options.build / PROGRAM).exists():
        fail(f"{options.build / PROGRAM} is missing: scripts/setup; ninja -C {options.build}", 2)
    try:
        print("| place | call | native us | native / native | native / learned | native / tuned | tuned / learned |")
        print("|---|---|---|---|---|---|---|", flush=True)
        good = [print_place(place, measure(place)) for place in places(options)]
    except NoLauncher as error:
        fail(error, 2)
    except subprocess.CalledProcessError as error:
        fail(error)
    return 0 if all(good) else 1
