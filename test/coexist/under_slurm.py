# SPDX-License-Identifier: MIT
"""`mpigraft` and libmpigraft.so under a real srun, in a Slurm of two nodes that the case starts (slurm.py)."""

import json
import re
import signal
import sys
import threading
import time
from pathlib import Path

import launch
from slurm import CORES, NODES, Slurm, missing

SECONDS = 60
SRUN = "srun --mpi=pmi2 -n {n}"
ROUNDS = 60
WAITS = re.compile(r"^@ waiting, all \d+ ranks: (\d+) waits", re.MULTILINE)


class Jobs(launch.Bench):
    """The command under this Slurm, the programs of the tests, and a folder for what they leave."""

    def __init__(self, bench, slurm):
        super().__init__(bench.options, bench.launcher, bench.failures, bench.folder)
        self.slurm, self.tests = slurm, Path(bench.options.programs).parent
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


def one_job(jobs):
    """Ranks of both nodes are one job. The nodes are one machine here, so that all ranks share memory."""
    program = jobs.tests / "preload/plain_exscan"
    outcome = jobs.run(3, "--force", "exscan=doubling_123", program)
    jobs.expect_ran("three ranks", outcome, 3, "exscan/doubling_123")
    jobs.expect(outcome.shared() == [(1000, 1000)], "shared memory", outcome)
    jobs.expect_ran("MPIGRAFT_LAUNCHER", jobs.run(2, "--force", "exscan=doubling_1", program, launcher="",
                                                    MPIGRAFT_LAUNCHER=SRUN), 2, "exscan/doubling_1")
    outcome = jobs.run(2, "--force", "exscan=doubling_1", program, launcher=f"{SRUN} --cpu-bind=map_cpu:1,0 -N1")
    jobs.expect_ran("bound ranks", outcome, 2, "exscan/doubling_1")


def environment(jobs):
    """srun splits --export at commas, and prefers its own environment to it. A configuration of --multi-prog is no
    program that env(1) could start."""
    program, other = jobs.tests / "preload/plain_exscan", jobs.tests / "patience.so"
    force = ("--force", "scan=native,exscan=doubling_123")
    jobs.expect_ran("a comma", jobs.run(2, *force, program), 2, "exscan/doubling_123")
    outcome = jobs.run(2, "--force", "exscan=doubling_123", program, LD_PRELOAD=str(other))
    jobs.expect_ran("another LD_PRELOAD", outcome, 2, "exscan/doubling_123")
    parts = jobs.folder / "parts"
    parts.write_text(f"0 {program}\n1-2 {program} again\n")
    outcome = jobs.run(3, *force, parts, launcher=f"{SRUN} --multi-prog")
    jobs.expect_ran("several programs", outcome, 3, "exscan/doubling_123")


def without_pmi2(jobs):
    """MPICH's ranks do not find each other by srun's default plugin; run, doctor and tune know."""
    program = jobs.tests / "preload/plain_exscan"
    outcome = jobs.run(2, program, launcher="srun")
    told = [line for line in outcome.messages() if "MPI plugin none" in line]
    jobs.expect(len(told) == 1 and "each rank would be a job of its own" in told[0], "run says nothing", outcome)
    jobs.expect({row["ranks"] for row in outcome.rows()} == {"1"}, "it is one job, after all", outcome)
    for launcher, words in (("srun", "PROBLEM  launcher"), (SRUN, "; its MPI plugin is pmi2\n")):
        outcome = jobs.mpigraft("doctor", "--launcher", launcher, program)
        is_well = (outcome.code == 0) == (launcher == SRUN)
        jobs.expect(words in outcome.stdout and is_well, f"doctor, {launcher}", outcome)
    outcome = jobs.mpigraft("tune", "--launcher", "srun", "--ranks", "2", "--out", jobs.folder / "site.json")
    jobs.expect(outcome.code == 2 and "each rank as a job of its own" in outcome.stderr, "tune", outcome)
    jobs.expect_ran("SLURM_MPI_TYPE", jobs.run(2, "--force", "exscan=doubling_1", program, launcher="srun",
                                                 SLURM_MPI_TYPE="pmi2"), 2, "exscan/doubling_1")


def oversubscribed(jobs):
    """Ranks that outnumber the cores that Slurm gave them know it before they meet. --overcommit takes one core of a
    node; on two nodes there are different numbers of ranks."""
    for nodes in (1, len(NODES)):
        ranks = 2 * CORES * nodes - 1
        outcome = jobs.run(ranks, jobs.tests / "apps/ring", ROUNDS, launcher=f"{SRUN} -N{nodes} --overcommit")
        waits = WAITS.search(outcome.report)
        knew = waits and int(waits[1]) > ROUNDS * ranks / 2
        jobs.expect(outcome.code == 0 and knew, f"{nodes} nodes: not known", outcome)


def compared(jobs):
    """`mpigraft compare` launches by srun; whether a difference is found is chance in so few launches."""
    outcome = jobs.mpigraft("compare", "-n", 2, "--launches", 2, "--launcher", SRUN, "--json",
                             "--", jobs.tests / "preload/plain_exscan")
    jobs.expect(outcome.code in (0, 1), "compare", outcome)
    told = json.loads(outcome.stdout)
    ran = {name for row in told["calls"] for name in row["ran"]}
    jobs.expect(any(name.startswith("exscan/") for name in ran), "compare: nothing grafted", outcome)


def batch(jobs):
    """The guide's job script."""
    script, output = jobs.folder / "job", jobs.folder / "output"
    script.write_text(f"""#!/bin/sh
#SBATCH --ntasks=3
export MPIGRAFT_LAUNCHER="{SRUN}"
{jobs.command} run -n 3 --report {jobs.report}.json -- {jobs.tests / 'preload/plain_exscan'}
""")
    outcome = launch.run(["sbatch", "--wait", f"--output={output}", script], SECONDS, jobs.slurm.env)
    report = json.loads(Path(f"{jobs.report}.json").read_text()) if outcome.code == 0 else {}
    outcome.report = output.read_text() if output.exists() else ""
    jobs.expect((report.get("ranks"), report.get("reporting")) == (3, 3), f"report of {report}", outcome)


def cancelled(jobs):
    """The table that a job learns is as it was, and no file is left behind."""
    learned, program = jobs.folder / "learned.json", jobs.tests / "preload/long_run"
    whole = jobs.run(2, program, 20000, 0, MPIGRAFT_LEARN=str(learned))
    jobs.expect(whole.code == 0 and learned.exists(), "nothing learned", whole)
    before, files = learned.read_text(), sorted(jobs.folder.iterdir())

    def cancel():
        time.sleep(3)
        launch.run(["scancel", "--name", "victim"], SECONDS, jobs.slurm.env)

    thread = threading.Thread(target=cancel)
    thread.start()
    outcome = jobs.run(2, program, 10**9, 0, launcher=f"{SRUN} --job-name victim", MPIGRAFT_LEARN=str(learned))
    thread.join()
    jobs.expect(outcome.code != 0 and not outcome.hung, "not cancelled", outcome)
    jobs.failures.expect_alike("the table", before, learned.read_text())
    left = set(jobs.folder.iterdir()) - set(files)
    jobs.expect(not left, f"left behind: {left}", outcome)


@launch.case
def slurm(bench):
    """It is skipped, with the reason, where no Slurm can be started."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # a test that takes too long ends its Slurm, too
    why = missing()
    if why:
        raise launch.Skipped(why)
    with Slurm() as running:
        jobs = Jobs(bench, running)
        for scene in (one_job, environment, without_pmi2, oversubscribed, compared, batch, cancelled):
            scene(jobs)
