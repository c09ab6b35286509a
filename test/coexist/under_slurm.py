#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`mpigraft` and libmpigraft.so under a real srun, in a Slurm of two nodes that this test starts (slurm.py). It is
skipped, with the reason, where none can be started."""

import argparse
import json
import re
import signal
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "preload"))

import launch  # noqa: E402
from launch import CASES, case  # noqa: E402
from slurm import CORES, NODES, Slurm, missing  # noqa: E402

SECONDS = 60
SRUN = "srun --mpi=pmi2 -n {n}"
ROUNDS = 60
WAITS = re.compile(r"^@ waiting, all \d+ ranks: (\d+) waits", re.MULTILINE)


class Bench:
    """The part that all cases share: the command under this Slurm, the programs, and a folder for what they leave."""

    def __init__(self, options, slurm, failures):
        self.slurm, self.failures, self.expect = slurm, failures, failures.expect
        self.command = str(options.build / "config/mpigraft")
        self.tests = options.build / "test"
        self.folder = slurm.folder / "work"
        self.folder.mkdir()
        self.report = self.folder / "report"

    def mpigraft(self, *words, **variables):
        env = {**self.slurm.env, "TMPDIR": str(self.folder), **variables}
        return launch.run([self.command, *map(str, words)], SECONDS, env)

    def run(self, ranks, *words, launcher=SRUN, **variables):
        """`mpigraft run` of these words with a report, which the outcome then has."""
        self.report.unlink(missing_ok=True)
        options = ("--report", self.report, "--launcher", launcher)
        outcome = self.mpigraft("run", "-n", ranks, *options, *words, **variables)
        outcome.report = self.report.read_text(errors="replace") if self.report.exists() else ""
        return outcome

    def expect_ran(self, what, outcome, ranks, *ran, reason="MPIGRAFT_FORCE"):
        """One job of so many ranks, of which a report says what ran; and nothing else was printed."""
        rows = {(row["ranks"], row["ran"], row["reason"]) for row in outcome.rows()}
        self.expect(outcome.code == 0 and rows == {(str(ranks), name, reason) for name in ran}, f"{what}: {rows}", outcome)
        self.expect(not outcome.messages(), f"{what}: messages", outcome)


@case
def one_job(bench):
    """Ranks of both nodes are one job. The nodes are one machine here, so that all ranks share memory."""
    program = bench.tests / "preload/plain_exscan"
    outcome = bench.run(3, "--force", "exscan=doubling_123", program)
    bench.expect_ran("three ranks", outcome, 3, "exscan/doubling_123")
    bench.expect(outcome.shared() == [(1000, 1000)], "shared memory", outcome)
    bench.expect_ran("MPIGRAFT_LAUNCHER", bench.run(2, "--force", "exscan=doubling_1", program, launcher="",
                                                    MPIGRAFT_LAUNCHER=SRUN), 2, "exscan/doubling_1")
    outcome = bench.run(2, "--force", "exscan=doubling_1", program, launcher=f"{SRUN} --cpu-bind=map_cpu:1,0 -N1")
    bench.expect_ran("bound ranks", outcome, 2, "exscan/doubling_1")


@case
def environment(bench):
    """srun splits --export at commas, and prefers its own environment to it. A configuration of --multi-prog is no
    program that env(1) could start."""
    program, other = bench.tests / "preload/plain_exscan", bench.tests / "patience.so"
    force = ("--force", "scan=native,exscan=doubling_123")
    bench.expect_ran("a comma", bench.run(2, *force, program), 2, "exscan/doubling_123")
    outcome = bench.run(2, "--force", "exscan=doubling_123", program, LD_PRELOAD=str(other))
    bench.expect_ran("another LD_PRELOAD", outcome, 2, "exscan/doubling_123")
    parts = bench.folder / "parts"
    parts.write_text(f"0 {program}\n1-2 {program} again\n")
    outcome = bench.run(3, *force, parts, launcher=f"{SRUN} --multi-prog")
    bench.expect_ran("several programs", outcome, 3, "exscan/doubling_123")


@case
def without_pmi2(bench):
    """MPICH's ranks do not find each other by srun's default plugin; run, doctor and tune know."""
    program = bench.tests / "preload/plain_exscan"
    outcome = bench.run(2, program, launcher="srun")
    told = [line for line in outcome.messages() if "MPI plugin none" in line]
    bench.expect(len(told) == 1 and "each rank would be a job of its own" in told[0], "run says nothing", outcome)
    bench.expect({row["ranks"] for row in outcome.rows()} == {"1"}, "it is one job, after all", outcome)
    for launcher, words in (("srun", "PROBLEM  launcher"), (SRUN, "; its MPI plugin is pmi2\n")):
        outcome = bench.mpigraft("doctor", "--launcher", launcher, program)
        is_well = (outcome.code == 0) == (launcher == SRUN)
        bench.expect(words in outcome.stdout and is_well, f"doctor, {launcher}", outcome)
    outcome = bench.mpigraft("tune", "--launcher", "srun", "--ranks", "2", "--out", bench.folder / "site.json")
    bench.expect(outcome.code == 2 and "each rank as a job of its own" in outcome.stderr, "tune", outcome)
    bench.expect_ran("SLURM_MPI_TYPE", bench.run(2, "--force", "exscan=doubling_1", program, launcher="srun",
                                                 SLURM_MPI_TYPE="pmi2"), 2, "exscan/doubling_1")


@case
def oversubscribed(bench):
    """Ranks that outnumber the cores that Slurm gave them know it before they meet. --overcommit takes one core of a
    node; on two nodes there are different numbers of ranks."""
    for nodes in (1, len(NODES)):
        ranks = 2 * CORES * nodes - 1
        outcome = bench.run(ranks, bench.tests / "apps/ring", ROUNDS, launcher=f"{SRUN} -N{nodes} --overcommit")
        waits = WAITS.search(outcome.report)
        knew = waits and int(waits[1]) > ROUNDS * ranks / 2
        bench.expect(outcome.code == 0 and knew, f"{nodes} nodes: not known", outcome)


@case
def compared(bench):
    """`mpigraft compare` launches by srun; whether a difference is found is chance in so few launches."""
    outcome = bench.mpigraft("compare", "-n", 2, "--launches", 2, "--launcher", SRUN, "--json",
                             "--", bench.tests / "preload/plain_exscan")
    bench.expect(outcome.code in (0, 1), "compare", outcome)
    told = json.loads(outcome.stdout)
    bench.expect(any(name.startswith("exscan/") for row in told["calls"] for name in row["ran"]), "compare: nothing grafted", outcome)


@case
def batch(bench):
    """The guide's job script."""
    script, output = bench.folder / "job", bench.folder / "output"
    script.write_text(f"""#!/bin/sh
#SBATCH --ntasks=3
export MPIGRAFT_LAUNCHER="{SRUN}"
{bench.command} run -n 3 --report {bench.report}.json -- {bench.tests / 'preload/plain_exscan'}
""")
    outcome = launch.run(["sbatch", "--wait", f"--output={output}", script], SECONDS, bench.slurm.env)
    report = json.loads(Path(f"{bench.report}.json").read_text()) if outcome.code == 0 else {}
    outcome.report = output.read_text() if output.exists() else ""
    bench.expect((report.get("ranks"), report.get("reporting")) == (3, 3), f"report of {report}", outcome)


@case
def cancelled(bench):
    """The table that a job learns is as it was, and no file is left behind."""
    learned, program = bench.folder / "learned.json", bench.tests / "preload/long_run"
    whole = bench.run(2, program, 20000, 0, MPIGRAFT_LEARN=str(learned))
    bench.expect(whole.code == 0 and learned.exists(), "nothing learned", whole)
    before, files = learned.read_text(), sorted(bench.folder.iterdir())

    def cancel():
        time.sleep(3)
        launch.run(["scancel", "--name", "victim"], SECONDS, bench.slurm.env)

    thread = threading.Thread(target=cancel)
    thread.start()
    outcome = bench.run(2, program, 10**9, 0, launcher=f"{SRUN} --job-name victim", MPIGRAFT_LEARN=str(learned))
    thread.join()
    bench.expect(outcome.code != 0 and not outcome.hung, "not cancelled", outcome)
    bench.failures.expect_alike("the table", before, learned.read_text())
    left = set(bench.folder.iterdir()) - set(files)
    bench.expect(not left, f"left behind: {left}", outcome)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, required=True)
    options = parser.parse_args()
    options.build = options.build.resolve()
    failures = launch.Failures()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # a test that takes too long ends its Slurm, too
    try:
        why = missing()
        if why:
            raise launch.Skipped(why)
        with Slurm() as slurm:
            bench = Bench(options, slurm, failures)
            for function in CASES.values():
                function(bench)
    except launch.Skipped as error:
        launch.skip(error)
    failures.exit()


if __name__ == "__main__":
    main()
