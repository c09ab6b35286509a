# SPDX-License-Identifier: MIT
"""The runs of a tuning: those that the results file has are not run again."""

import os
import shlex
import signal
import statistics

from bench import SURE_REPETITIONS, BenchFailed, arms_of, run_bench

BESIDE = 5  # calls of each arm that mpigraft-bench makes before it measures: warm-ups and comparisons
FIRST_LAUNCH = 1.0  # seconds, until one was seen
FLAT_BELOW = 64 << 10  # bytes, below which a time is taken to be that of the nearest size
# All other variables are left out: some decide which algorithm runs, and would be in the way.
KEPT_VARIABLES = ("MPIGRAFT_SHARED",)
KEPT_SETTING = ("MPIGRAFT_REPRODUCIBLE", "native")


def seconds_of_sweep(cell):
    """Seconds of one repetition of every arm of a measured cell."""
    return sum(arm["median_us"] for arm in cell["arms"]) * cell["calls"] * 1e-6


def launch_seconds(run):
    """Seconds of a run that were not spent in calls: the launcher, MPI_Init."""
    inside = sum((cell["repetitions"] + BESIDE) * seconds_of_sweep(cell) for cell in run["cells"])
    return max(0.0, run["seconds"] - inside)


def environment(table):
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith("MPIGRAFT_") or name in KEPT_VARIABLES or (name, value) == KEPT_SETTING}
    return kept | {"MPIGRAFT_TABLE": str(table.absolute())}


class Campaign:
    """`launcher`: a command with {n} for the number of ranks; `table`: a file, in force for all runs."""

    def __init__(self, launcher, bench, version, results, table):
        self.launcher, self.bench, self.version, self.results, self.table = launcher, bench, version, results, table
        self.used = {}  # runs that the plan has asked for, old or new

    def place(self, ranks):
        return self.launcher.replace("{n}", str(ranks))

    def asked(self, collectives, sizes, names, mark):
        return [self.version, "--collectives", ",".join(collectives), "--bytes", ",".join(map(str, sizes)),
                "--algorithms", ",".join(names), *mark]

    def find(self, ranks, collectives, sizes, names, mark=()):
        asked = self.asked(collectives, sizes, names, mark)
        run = self.results.find(self.place(ranks), asked)
        if run:
            self.used[self.place(ranks), *asked] = run
        return run

    def run(self, ranks, collectives, sizes, names, mark=(), least=SURE_REPETITIONS, seconds=0.0):
        """The run, measured unless the results have it. `mark`: words that tell it from others of the same kind; a cell
        gets at least `least` repetitions, for at least `seconds`. Raises BenchFailed."""
        known = self.find(ranks, collectives, sizes, names, mark)
        if known:
            return known
        asked = self.asked(collectives, sizes, names, mark)
        words = asked[1:len(asked) - len(mark)]
        limits = ["--min-reps", str(least), "--time", f"{seconds:.3f}"]
        run = run_bench(shlex.split(self.place(ranks)), self.bench, [*words, *limits], environment(self.table))
        if run["ranks"] != ranks:
            raise BenchFailed(f"{self.place(ranks)} started {run['ranks']} ranks instead of {ranks}")
        self.results.add(self.place(ranks), asked, run)
        return self.find(ranks, collectives, sizes, names, mark)

    def spent(self):
        return sum(run["seconds"] for run in self.results.runs)

    def runs_of(self, ranks):
        return [run for run in self.results.runs if run["place"] == self.place(ranks)]

    def launch(self, ranks):
        """Seconds to start so many ranks, as seen so far."""
        seen = [launch_seconds(run) for run in self.runs_of(ranks) or self.results.runs]
        return statistics.median(seen) if seen else FIRST_LAUNCH

    def sweep(self, cell, names):
        """Seconds for a call of native, null and each name in a cell of the plan, from the measured cell nearest below,
        of its collective if there is one; 0 where nothing is known."""
        seen = [one for run in self.runs_of(cell.ranks) for one in run["cells"] if one["bytes"] <= cell.bytes]
        seen = [one for one in seen if one["collective"] == cell.collective] or seen
        if not seen:
            return 0.0
        nearest = max(seen, key=lambda one: one["bytes"])  # of several runs the first, with the most arms
        arms = arms_of(nearest)
        natives = [arms.pop("native")["median_us"], arms.pop("null")["median_us"]]
        others = [arm["median_us"] for arm in arms.values()]
        each = sum(others) / len(others) if others else natives[0]
        growth = max(cell.bytes, FLAT_BELOW) / max(nearest["bytes"], FLAT_BELOW)
        times = [arms[name]["median_us"] if name in arms else each for name in names]
        return growth * (sum(natives) + sum(times)) * nearest["calls"] * 1e-6

    def calls_cost(self, cell, names, least, seconds=0.0):
        """Seconds that the calls of a cell take in a run."""
        sweep = self.sweep(cell, names)
        return BESIDE * sweep + max(least * sweep, seconds)

    def cost(self, cell, names, least, seconds=0.0):
        """Seconds that a run of one cell takes."""
        return self.launch(cell.ranks) + self.calls_cost(cell, names, least, seconds)


def stop_on_sigterm():
    """Makes SIGTERM stop the program as Ctrl-C does, and Ctrl-C itself even where a shell in the background has it
    ignored."""
    def interrupt(*_):
        raise KeyboardInterrupt

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, interrupt)
