# SPDX-License-Identifier: MIT
"""The runs of a tuning: jobs of mixed calls, which learn or are timed, and cells. Those that the results file has are not
run again."""

import json
import os
import shlex
import signal
import statistics

from bench import BenchFailed, run_bench
from units import counted

FIRST_LAUNCH = 1.0  # seconds, until one was seen
LEARNED = "learned: "  # how notes of learned rules begin
# All other variables are left out: some decide which algorithm runs, and would be in the way.
KEPT_VARIABLES = ("MPIGRAFT_SHARED",)
KEPT_SETTING = ("MPIGRAFT_REPRODUCIBLE", "native")


def environment(variables):
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith("MPIGRAFT_") or name in KEPT_VARIABLES or (name, value) == KEPT_SETTING}
    return kept | {name: str(value) for name, value in variables.items()}


class Jobs:
    """`launcher`: the words of a command, with {n} for the number of ranks; `table`: a file for the tables of jobs."""

    def __init__(self, launcher, bench, version, results, table):
        self.launcher, self.bench, self.version, self.results = launcher, bench, version, results
        self.table = table.absolute()
        self.learned = self.table.with_name(self.table.name + ".learned")
        self.used = {}  # runs that were asked for, old or new

    def start(self, ranks):
        """The words that start so many ranks."""
        return [word.replace("{n}", str(ranks)) for word in self.launcher]

    def place(self, ranks):
        return shlex.join(self.start(ranks))

    def spent(self):
        return sum(run["seconds"] for run in self.results.runs)

    def runs_of(self, ranks, kind):
        return [run for run in self.results.runs
                if run["place"] == self.place(ranks) and run["asked"][:2] == [self.version, kind]]

    def launch_seconds(self):
        """Seconds to start ranks, as seen so far."""
        seen = [run["seconds"] - run["time"] for run in self.results.runs if run.get("time")]
        return max(0.0, statistics.median(seen)) if seen else FIRST_LAUNCH

    def find(self, ranks, asked):
        run = self.results.find(self.place(ranks), [self.version, *asked])
        if run:
            self.used[self.place(ranks), *asked] = run
        return run

    def run(self, ranks, asked, words, table, variables=None, each_line=lambda line: None):
        """The run that was `asked` for, made unless the results have it. Raises BenchFailed."""
        known = self.find(ranks, asked)
        if known:
            return known
        self.table.write_text(table)
        run = run_bench(self.start(ranks), self.bench, words,
                        environment({"MPIGRAFT_TABLE": self.table, **(variables or {})}), each_line)
        if run["ranks"] != ranks:
            raise BenchFailed(f"{self.place(ranks)} started {counted(run['ranks'], 'rank')} instead of {ranks}")
        self.results.add(self.place(ranks), [self.version, *asked], run | self.what_was_learned(run))
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


def stop_on_sigterm():
    """Makes SIGTERM stop the program as Ctrl-C does, and Ctrl-C itself even where a shell in the background has it
    ignored."""
    def interrupt(*_):
        raise KeyboardInterrupt

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, interrupt)
