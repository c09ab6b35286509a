#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The program behind `mpigraft tune`: starts jobs that learn, compares what they have learned with native jobs, and writes
a table. Argument: what the command asks (config/command/tune.cpp), in JSON."""

import json
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import compositions
import policy
from bench import BenchFailed
from jobs import Jobs, stop_on_sigterm
from learn import Learner
from machine import RANKS, measure
from outcome import Outcome, provenance
from plan import Command, CommandFailed, cells_of_report, grid, in_words
from progress import Progress
from results import Results
from rules import render
from streams import outlive_readers
from units import columns, counted, minutes, parse_seconds, size_text
from verify import LAUNCHES, Comparison, table_without_rules, verify

OK, FINDINGS, CANNOT_RUN, INTERRUPTED = 0, 1, 2, 130
BUSY = 0.5  # load per core before the first run
MOST_RESERVED = 0.3  # of the budget, for comparisons with native


def fail(message):
    print(f"mpigraft tune: {message}", file=sys.stderr)
    sys.exit(CANNOT_RUN)


def plan_of(options, command):
    if not options.report:
        return grid(options.ranks, options.collectives, options.bytes, command)
    document = json.loads(command.ask("report", "--json", options.report))  # with the files beside it
    cells = cells_of_report(document, options.collectives, command)
    if not cells:
        fail(f"{options.report}: no calls of {', '.join(options.collectives)} on several ranks")
    return cells


class Tuning:
    def __init__(self, options, jobs, cells):
        self.options, self.jobs, self.cells = options, jobs, cells
        budget = options.budget
        self.deadline = None if budget is None else time.monotonic() + budget - jobs.spent()
        self.machine = None

    def left(self):
        return None if self.deadline is None else max(0.0, self.deadline - time.monotonic())

    def allows(self, seconds):
        return self.deadline is None or self.left() >= seconds

    def in_table(self):
        return self.machine.in_table() if self.machine else {}

    def learner(self):
        return Learner(self.jobs, self.cells, table_without_rules(self.in_table()), self.deadline, Progress("calls decided"))

    def measure_machine(self):
        """The table's "machine", which decides segment sizes and what jobs try."""
        self.tell("measuring latency, bandwidth and the rate of combining")
        runs = []

        def run(words):
            runs.append(self.jobs.run(RANKS, ["machine", *words], words, table_without_rules({})))
            return runs[-1]

        self.machine = measure(run)
        warn_of_load(runs[0])

    def budget_for(self, learner):
        """The budget, in words, with which about all would be decided."""
        needed = self.jobs.launch_seconds() * len(learner.batches()) + learner.seconds_needed(self.machine)
        return f"{minutes(self.jobs.spent() + needed / (1 - MOST_RESERVED))} minutes"

    def warn_of_budget(self, learner):
        """Says so, before jobs learn, if the budget cannot be enough, by the model of the machine."""
        if not self.allows(learner.seconds_needed(self.machine) / (1 - MOST_RESERVED)):
            self.tell(f"the budget is too small to decide all, which takes about {self.budget_for(learner)}")

    @staticmethod
    def tell(message):
        print(f"mpigraft tune: {message}", file=sys.stderr)

    def run(self):
        """Learns, compares, writes the table, and returns the exit code."""
        self.measure_machine()
        learner = self.learner()
        self.warn_of_budget(learner)
        learner.learn_all(reserved=MOST_RESERVED * (self.options.budget or 0))
        decided = learner.decided()
        if not decided:
            fail("nothing is decided: " + "; ".join(dict.fromkeys(learner.failed.values()) or [
                f"the budget is too small; about {self.budget_for(learner)} would do"]))
        outcome = Outcome(decided, learner.where(), self.options.command.collectives)
        comparison = Comparison(self.jobs, self.allows, Progress("launches"))
        learned = self.text([group.rule for group in outcome.groups()])
        margin = self.options.margin
        without = table_without_rules(self.in_table())
        outcome.take_back(verify(comparison, outcome.chosen, learned, without, margin), margin)
        print(columns(rows_of(outcome)))
        rules = [group.rule for group in outcome.groups()] + self.compose(comparison, outcome)
        return self.finish(learner, outcome, comparison, rules)

    def text(self, rules, note=""):
        run = next(run for run in self.jobs.used.values() if "host" in run)
        head = {"version": 1, "site": run["host"]} | ({"note": note} if note else {})
        return render(head | {"machine": self.in_table(), "rules": rules})

    def compose(self, comparison, outcome):
        """Rules for the calls of mpigraft.h, after printing which of them pay."""
        sizes = {ranks: some for ranks, some in compositions.sizes_of(self.cells).items() if ranks in outcome.conditions}
        table = self.text([group.rule for group in outcome.groups()])
        groups, left = compositions.groups(comparison, sizes, table, outcome.conditions, max(1.05, self.options.margin))
        rows = [(group.rule["collective"], *spans_of_cells(group), group.rule["algorithm"],
                 span_of_ratios(group.ratios or [1])) for group in groups]
        if rows:
            print(columns([("MPIGRAFT.H", "RANKS", "BYTES", "WAY", "TWO CALLS / THIS"), *rows]))
        for ranks in left:
            print(f"not measured, so left to the model: calls of mpigraft.h, {ranks} ranks")
        return [group.rule for group in groups]

    def finish(self, learner, outcome, comparison, rules):
        """Puts the table in its place, tells what went wrong, and returns the exit code."""
        options, undecided = self.options, learner.undecided()
        runs = list(self.jobs.used.values())
        note = provenance(runs, " ".join(options.launcher), undecided, outcome.slower)
        if options.policy:
            text = policy.apply(policy.read(options.policy), options.out, rules, note, runs)
        else:
            text = self.text(rules, note)
        self.jobs.table.write_text(text)
        self.jobs.table.replace(options.out)
        for cell in outcome.slower:
            print(f"not faster than native when compared, so the table leaves it native: {cell}")
        for cells in in_words(cell for cell in undecided if cell not in learner.failed):
            print(f"not decided, so native: {cells}")
        for cell in (cell for cell in undecided if cell in learner.failed):
            print(f"not decided, so native: {cell} ({learner.failed[cell]})")
        if undecided:
            print(f"run the same command with a larger --budget to decide more; about {self.budget_for(learner)} would do"
                  if not learner.failed else "run the same command again to retry what failed")
        print(f"{options.out}: {counted(len(json.loads(text)['rules']), 'rule')}; ratios are native over grafted; "
              f"figures: {self.jobs.results.path}")
        problems = comparison.problems + [f"wrong result: {one}; it is not used" for one in wrong_calls(runs)]
        for problem in problems:
            print(f"mpigraft tune: {problem}", file=sys.stderr)
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
    yield (f"to start: {counted(len(learner.batches()), 'job that learns', 'jobs that learn')}, and at least {3 * LAUNCHES} launches for each number of "
           "ranks that compare with native; a job takes 200 to 400 calls of each kind")
    if tuning.options.budget is not None:
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
                     span_of_ratios([outcome.achieved[cell].ratio for cell in cells if cell in outcome.achieved])))
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
        print(f"mpigraft tune: {run['host']} is busy (load {run['load']:.1f}, {counted(run['cores'], 'core')}): what is measured "
              "there may be noise", file=sys.stderr)


def options_of(asked):
    options = SimpleNamespace(**asked, command=Command(asked["mpigraft"]))
    options.out, options.policy = Path(options.out), options.policy and Path(options.policy)
    options.budget = parse_seconds(options.budget) if options.budget else None
    return options


def main():
    outlive_readers()
    stop_on_sigterm()
    try:
        options = options_of(json.loads(sys.argv[1]))
    except (CommandFailed, OSError, ValueError) as error:
        fail(str(error))
    try:
        return run(options)
    except KeyboardInterrupt:
        print(f"\nmpigraft tune: stopped; run the same command again to resume from {results_of(options)}", file=sys.stderr)
        return INTERRUPTED
    except (BenchFailed, CommandFailed, OSError) as error:
        fail(str(error))


def results_of(options):
    return options.out.with_name(options.out.name + ".results.jsonl")


def run(options):
    results, command = Results(results_of(options), options.fresh), options.command
    jobs = Jobs(options.launcher, options.bench, command.version, results,
                options.out.with_name(options.out.name + ".part"))
    tuning = Tuning(options, jobs, plan_of(options, command))
    if options.dry_run:
        print("\n".join(describe(tuning)))
        return OK
    print(f"mpigraft tune: the launcher is {' '.join(options.launcher)}", file=sys.stderr)
    try:
        return tuning.run()
    finally:
        jobs.remove_files()


if __name__ == "__main__":
    sys.exit(main())
