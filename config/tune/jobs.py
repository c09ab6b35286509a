# SPDX-License-Identifier: MIT
"""The runs of a tuning: jobs of mixed calls, which learn or are timed, and cells. A file has them, a line each, appended to
as soon as a run is over; what it has is not run again."""

import fcntl
import json
import math
import os
import shlex
import statistics
import time

from console import Failed, counted, environment
from launches import run_bench

GRACE = 60  # seconds beyond the budget, after which a job hangs
FIRST_LAUNCH = 1.0  # seconds, until one was seen
LEARNED = "learned: "  # how notes of learned rules begin


class Results:
    """The runs in a file. A run is known by its place (where its ranks were) and what was asked of mpigraft-bench there.
    `fresh`: the first run that is added takes the place of all that the file has."""

    def __init__(self, path, fresh=False):
        text = path.read_bytes() if path.exists() and not fresh else b""
        self.path, self.runs, self.file = path, [], None
        self.size = path.stat().st_size if path.exists() else 0
        self.length = text.rfind(b"\n") + 1  # without the last line if its writer was stopped
        for number, line in enumerate(text[:self.length].splitlines(), 1):
            try:
                run = json.loads(line)
                self.runs.append({"place": run["place"], "asked": run["asked"], "seconds": run["seconds"], **run})
            except (ValueError, KeyError, TypeError) as error:
                raise Failed(f"{path}:{number}: not a result of mpigraft-bench ({error}); remove the line") from error

    def find(self, place, asked):
        return next((run for run in self.runs if (run["place"], run["asked"]) == (place, asked)), None)

    def add(self, place, asked, run):
        """Appends a run, which is on disk when this returns. Raises Failed if another process appends, too."""
        if not self.file:
            self.lock()
        self.runs.append({"place": place, "asked": asked, **run})
        self.file.write(json.dumps(self.runs[-1]).encode() + b"\n")
        self.file.flush()
        os.fsync(self.file.fileno())

    def lock(self):
        """Opens the file for this process alone, without what nobody has read of it."""
        self.file = open(self.path, "ab")  # pylint: disable=consider-using-with
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Failed(f"another mpigraft tune appends to {self.path}; wait for it, or name another file by --out") from None
        if self.file.tell() != self.size:
            raise Failed(f"another mpigraft tune has appended to {self.path}; run the same command again")
        self.file.truncate(self.length)


def keeps(name, value):
    """All other variables are left out: some decide which algorithm runs, and would be in the way."""
    return name == "MPIGRAFT_SHARED" or (name, value) == ("MPIGRAFT_REPRODUCIBLE", "native")


class Jobs:
    """`launcher`: the words of a command, with {n} for the number of ranks; `table`: a file for the tables of jobs."""

    def __init__(self, launcher, bench, version, results, table):
        self.launcher, self.bench, self.results = launcher, bench, results
        kept = [f"{name}={value}" for name, value in environment(keeps).items() if name.startswith("MPIGRAFT_")]
        self.what = shlex.join([version, bench, *sorted(kept)])  # decides, with place and question, a run's result
        self.table = table.absolute()
        self.learned = self.table.with_name(self.table.name + ".learned")
        self.deadline = math.inf  # in seconds of time.monotonic()
        self.used = {}  # runs that were asked for, old or new

    def start(self, ranks):
        """The words that start so many ranks."""
        return [word.replace("{n}", str(ranks)) for word in self.launcher]

    def place(self, ranks):
        return shlex.join(self.start(ranks))

    def spent(self):
        return sum(run["seconds"] for run in self.results.runs if run["asked"][:1] == [self.what])

    def runs_of(self, ranks, kind):
        return [run for run in self.results.runs
                if run["place"] == self.place(ranks) and run["asked"][:2] == [self.what, kind]]

    def launch_seconds(self):
        """Seconds to start ranks, as seen so far."""
        seen = [run["seconds"] - run["time"] for run in self.results.runs if run.get("time")]
        return max(0.0, statistics.median(seen)) if seen else FIRST_LAUNCH

    def find(self, ranks, asked):
        run = self.results.find(self.place(ranks), [self.what, *asked])
        if run:
            self.used[self.place(ranks), *asked] = run
        return run

    def run(self, ranks, asked, words, table, variables=None, each_line=lambda line: None):
        """The run that was `asked` for, made unless the results have it. Raises Failed."""
        known = self.find(ranks, asked)
        if known:
            return known
        self.table.write_text(table)
        settings = {name: str(value) for name, value in {"MPIGRAFT_TABLE": self.table, **(variables or {})}.items()}
        run = run_bench(self.start(ranks), self.bench, words, environment(keeps) | settings, each_line,
                        max(self.deadline - time.monotonic(), 0) + GRACE)
        if run["ranks"] != ranks:
            raise Failed(f"{self.place(ranks)} started {counted(run['ranks'], 'rank')} instead of {ranks}")
        self.results.add(self.place(ranks), [self.what, *asked], run | self.what_was_learned(run))
        return self.find(ranks, asked)

    def what_was_learned(self, run):
        """The rules that the job has learned, which then are removed, as {"learned": rules}."""
        if not self.learned.exists():
            return {"learned": []} if "calls" in run else {}
        rules = json.loads(self.learned.read_text())["rules"]
        self.learned.unlink()
        return {"learned": [rule for rule in rules if rule.get("note", "").startswith(LEARNED)]}

    def remove_files(self):
        for file in (self.table, self.learned):
            file.unlink(missing_ok=True)
