#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The program behind `mpigraft tune`: starts jobs that learn, compares what they have learned with native jobs, and writes
a table. Argument: what the command asks (config/command/scripts.cpp), in JSON."""

import json
import math
import os
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import policy
from console import Failed, Progress, budget, columns, counted, minutes, parse_seconds, program, say, size_text
from jobs import Jobs, Results
from learn import Learner
from machine import RANKS, measure
from outcome import Outcome, provenance
from plan import Command, cells_of_report, grid, in_words
from rules import render
from sequences import Sequences
from verify import LAUNCHES, Comparison, compose, sizes_to_compose, table_without_rules, verify

OK, FINDINGS, CANNOT_RUN = 0, 1, 2
BUSY = 0.5  # load per core before the first run
MOST_RESERVED = 0.3  # of the budget, for comparisons with native


def tell(message):
    say("tune", message)


def plan_of(options, command):
    if not options.report:
        return grid(options.ranks, options.collectives, options.bytes, command)
    document = json.loads(command.ask("report", "--json", options.report))  # with the files beside it
    cells = cells_of_report(document, options.collectives, command)
    if not cells:
        raise Failed(f"{options.report}: no calls of {', '.join(options.collectives)} on several ranks")
    return cells


class Tuning:
    def __init__(self, options, jobs, cells, seconds):
        self.options, self.jobs, self.cells = options, jobs, cells
        self.reserved = MOST_RESERVED * (seconds or 0)
        self.deadline = jobs.deadline = math.inf if seconds is None else time.monotonic() + seconds - jobs.spent()
        self.machine = None

    def left(self):
        return max(0.0, self.deadline - time.monotonic())

    def allows(self, seconds):
        return self.left() >= seconds

    def in_table(self):
        return self.machine.in_table() if self.machine else {}

    def learner(self):
        return Learner(self.jobs, self.cells, table_without_rules(self.in_table()), self.deadline, Progress("calls decided"))

    def measure_machine(self):
        """The table's "machine", which decides segment sizes and what jobs try."""
        runs = []

        def run(words):
            if not runs and not self.jobs.find(RANKS, ["machine", *words]):
                tell("measuring latency, bandwidth and the rate of combining")
            runs.append(self.jobs.run(RANKS, ["machine", *words], words, table_without_rules({})))
            return runs[-1]

        self.machine = measure(run)
        warn_of_load(runs[0])

    def budget_for(self, learner):
        """The option with which about all would be decided."""
        needed = self.jobs.launch_seconds() * len(learner.batches()) + learner.seconds_needed(self.machine)
        return f"--budget {budget((self.jobs.spent() + needed) / (1 - MOST_RESERVED))}"

    def warn_of_budget(self, learner):
        """Says so, before jobs learn, if the budget cannot be enough, by the model of the machine."""
        if not self.allows(learner.seconds_needed(self.machine) / (1 - MOST_RESERVED)):
            tell(f"the budget is too small to decide all; {self.budget_for(learner)} is about enough")

    def run(self, collectives):
        """Learns, compares, writes the table, and returns the exit code."""
        self.measure_machine()
        learner = self.learner()
        self.warn_of_budget(learner)
        learner.learn_all(self.reserved)
        decided = learner.decided()
        if not decided:
            raise Failed("nothing is decided: " + "; ".join(dict.fromkeys(learner.failed.values()) or [
                f"the budget is too small; {self.budget_for(learner)} is about enough"]))
        outcome = Outcome(decided, learner.where(), collectives, learner.undecided())
        comparison = Comparison(self.jobs, self.allows)
        self.verify(comparison, outcome)
        print(columns(rows_of(outcome)))
        rules = [group.rule for group in outcome.groups()] + self.compose(comparison, outcome)
        return self.finish(learner, outcome, comparison, rules)

    def verify(self, comparison, outcome):
        """Makes native again what is slower than native, and what makes the calls behind it slower."""
        without, margin = table_without_rules(self.in_table()), self.options.margin
        achieved, jobs = verify(comparison, outcome.chosen, self.table_of(outcome), without, margin)
        outcome.take_back(achieved, margin)
        sequences = Sequences(comparison, outcome, self.table_of, without)
        for ranks, (cells, samples) in jobs.items():
            sequences.settle(ranks, cells, samples)

    def table_of(self, outcome):
        return self.text([group.rule for group in outcome.groups()])

    def text(self, rules, note=""):
        run = next(run for run in self.jobs.used.values() if "host" in run)
        head = {"version": 1, "site": run["host"]} | ({"note": note} if note else {})
        return render(head | {"machine": self.in_table(), "rules": rules})

    def compose(self, comparison, outcome):
        """Rules for the calls of mpigraft.h, after printing which of them pay."""
        sizes = {ranks: some for ranks, some in sizes_to_compose(self.cells).items() if ranks in outcome.conditions}
        groups, left = compose(comparison, sizes, self.table_of(outcome), outcome.conditions, max(1.05, self.options.margin))
        rows = [(group.rule["collective"], *spans_of_cells(group), group.rule["algorithm"],
                 span_of_ratios(group.ratios or [1])) for group in groups]
        if rows:
            print(columns([("MPIGRAFT.H", "RANKS", "BYTES", "WAY", "TWO CALLS / THIS"), *rows]))
        for ranks in left:
            print(f"not measured, so left to the model: calls of mpigraft.h, {ranks} ranks")
        return [group.rule for group in groups]

    def finish(self, learner, outcome, comparison, rules):
        """Puts the table in its place, tells what went wrong, and returns the exit code."""
        options, undecided = self.options, outcome.undecided
        runs = list(self.jobs.used.values())
        note = provenance(runs, " ".join(options.launcher), outcome)
        if options.policy:
            text = options.policy.apply(rules, note, runs)
        else:
            text = self.text(rules, note)
        self.jobs.table.write_text(text)
        self.jobs.table.replace(options.out)
        for why, cells in outcome.taken_back.items():
            for cell in cells:
                print(f"{why}, so the table leaves it native: {cell}")
        for cells in in_words(cell for cell in undecided if cell not in learner.failed):
            print(f"not decided, so native: {cells}")
        for cell in (cell for cell in undecided if cell in learner.failed):
            print(f"not decided, so native: {cell} ({learner.failed[cell]})")
        if undecided:
            print(f"run the same command with a larger budget to decide more; {self.budget_for(learner)} is about enough"
                  if not learner.failed else "run the same command again to retry what failed")
        print(f"{options.out}: {counted(len(json.loads(text)['rules']), 'rule')}; ratios are native over grafted; "
              f"figures: {self.jobs.results.path}")
        problems = comparison.problems + [f"wrong result: {one}; it is not used" for one in wrong_calls(runs)]
        for problem in problems:
            tell(problem)
        return FINDINGS if problems or learner.failed else OK


def describe(tuning):
    """The lines that --dry-run prints."""
    learner, cells = tuning.learner(), tuning.cells
    for ranks in sorted({cell.ranks for cell in cells}):
        here = [cell for cell in cells if cell.ranks == ranks]
        names, sizes = ", ".join(dict.fromkeys(cell.collective for cell in here)), [cell.bytes for cell in here]
        yield (f"{tuning.jobs.place(ranks)}: {counted(len(here), 'kind')} of calls ({names}; {size_text(min(sizes))} to "
               f"{size_text(max(sizes))} bytes)")
    yield f"decided already: {len(cells) - len(learner.undecided())} of {len(cells)} kinds of calls"
    yield (f"to start: {counted(len(learner.batches()), 'job that learns', 'jobs that learn')}, and at least {3 * LAUNCHES} "
           "launches for each number of ranks that compare with native; a job takes 200 to 400 calls of each kind")
    if tuning.deadline < math.inf:
        yield f"the budget ends tuning in at most {minutes(round(tuning.left()))}, with a table of what is decided by then"


def wrong_calls(runs):
    return sorted({f"{call['ran']} ({call['collective']}, {call['bytes']} bytes, {run['ranks']} ranks)" for run in runs
                   for call in run.get("calls", ()) if not call["agrees"]})


def rows_of(outcome):
    """The text that is printed: learned against achieved, a line for each rule."""
    rows = [("COLLECTIVE", "RANKS", "BYTES", "ALGORITHM", "LEARNED", "ACHIEVED")]
    for group in outcome.groups():
        cells = [cell for cell in outcome.chosen if cell.collective == group.rule["collective"]
                 and (cell.ranks, cell.bytes) in group.cells and cell.user == ("operator" in group.rule)]
        rows.append((group.rule["collective"], *spans_of_cells(group),
                     group.rule["algorithm"] + ", user operators" * cells[0].user,
                     span_of_ratios([outcome.gains[cell] for cell in cells]),
                     span_of_ratios([outcome.achieved[cell].ratio() for cell in cells if cell in outcome.achieved])))
    return rows


def spans_of_cells(group):
    ranks, sizes = zip(*group.cells)
    return span(min(ranks), max(ranks), str), span(min(sizes), max(sizes), size_text)


def span(least, most, text):
    return text(least) if least == most else f"{text(least)} to {text(most)}"


def span_of_ratios(ratios):
    return span(min(ratios), max(ratios), lambda ratio: f"{ratio:.2f}") if ratios else "not compared"


def warn_of_load(run):
    if run["load"] > run["cores"] * BUSY:
        tell(f"{run['host']} is busy (load {run['load']:.1f}, {counted(run['cores'], 'core')}): what is measured there may be "
             "noise")


def run(options):
    command, seconds = Command(options.mpigraft), parse_seconds(options.budget) if options.budget else None
    command.check_site("MPIGRAFT_TABLE", "MPIGRAFT_LEARN", "MPIGRAFT_FORCE")
    options.policy = policy.Policy(options.policy, options.out) if options.policy else None
    jobs = Jobs(options.launcher, options.bench, command.version, Results(results_of(options), options.fresh),
                options.out.with_name(options.out.name + ".part"))
    tuning = Tuning(options, jobs, plan_of(options, command), seconds)
    if options.dry_run:
        print("\n".join(describe(tuning)))
        return OK
    tell(f"the launcher is {' '.join(options.launcher)}")
    try:
        return tuning.run(command.collectives)
    finally:
        jobs.remove_files()


def results_of(options):
    return options.out.with_name(options.out.name + ".results.jsonl")


def main():
    options = SimpleNamespace(**json.loads(sys.argv[1]))
    options.out = Path(os.path.realpath(options.out) if os.path.islink(options.out) else options.out)
    resume = f"; run the same command again to resume from {results_of(options)}"
    return program("tune", lambda: run(options), CANNOT_RUN, resume)


if __name__ == "__main__":
    sys.exit(main())
