#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The program behind `mpigraft tune`: measures a machine with mpigraft-bench and writes a tuning table for it."""

import json
import sys

from bench import BenchFailed, wrong_arms
from campaign import Campaign, stop_on_sigterm
from compositions import Compositions, sizes_of
from dry_run import describe
from options import parse
from outcome import Outcome, provenance, table_text, verify
from plan import CommandFailed, cells_of_report, grid, in_words
from progress import Progress
from results import Results
from tuner import Tuner
from units import size_text

OK, FINDINGS, CANNOT_RUN, INTERRUPTED = 0, 1, 2, 130
BUSY = 0.5  # load per core before the first run


def plan_of(options, command):
    unknown = set(options.algorithms or ()) - {entry["name"] for entry in command.catalogue}
    if unknown:
        fail(f"unknown algorithm: {', '.join(sorted(unknown))}; `mpigraft list` shows them")
    if options.algorithms:
        options.collectives = [name for name in options.collectives
                               if any(algorithm.startswith(name + "/") for algorithm in options.algorithms)]
    if not options.report:
        return grid(options.ranks, options.collectives, options.bytes, command.without_data)
    document = json.loads(command.ask("report", "--json", options.report))  # with the files beside it
    cells = cells_of_report(document, options.collectives, command.without_data)
    if not cells:
        fail(f"{options.report}: no calls of {', '.join(options.collectives)} on several ranks")
    return cells


def fail(message):
    print(f"mpigraft tune: {message}", file=sys.stderr)
    sys.exit(CANNOT_RUN)


def rows_of(groups, outcome, achieved):
    """The text that is printed: predicted against achieved, a line for each rule."""
    rows = [("COLLECTIVE", "RANKS", "BYTES", "ALGORITHM", "PREDICTED", "ACHIEVED")]
    for group in groups:
        user = "operator" in group.rule  # with a predefined one the second run shows other rules
        found = [] if user else [arm["ratio"] for cell, arm in achieved.items()
                                 if cell.collective == group.rule["collective"]
                                 and (cell.ranks, cell.bytes) in group.cells]
        rows.append((group.rule["collective"], *spans_of_cells(group),
                     group.rule["algorithm"] + (", user operators" if user else ""),
                     span_of_ratios(group.ratios or [1]), span_of_ratios(found)))
    return rows


def spans_of_cells(group):
    ranks, sizes = zip(*group.cells)
    return span(min(ranks), max(ranks), str), span(min(sizes), max(sizes), size_text)


def span(least, most, text):
    return text(least) if least == most else f"{text(least)} to {text(most)}"


def span_of_ratios(ratios):
    return span(min(ratios), max(ratios), lambda ratio: f"{ratio:.2f}") if ratios else "not verified"


def columns(rows):
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join("  ".join(f"{cell:{width}}" for cell, width in zip(row, widths)).rstrip() for row in rows)


def tune(options, tuner, part):
    """Measures, writes the table, and returns the exit code. Meanwhile the table in force is `part`."""
    campaign = tuner.campaign
    part.write_text(table_text([], "being tuned", "", {}))
    machine = tuner.measure_machine()
    part.write_text(table_text([], "being tuned", "", machine))  # block sizes are those of the table to be
    warn_of_load(next(iter(campaign.used.values())))
    tuner.price(machine)
    tuner.measure_cells()
    measured = {cell: runs for cell in tuner.cells if (runs := tuner.measured(cell))}
    if not measured:
        fail("no cell was measured: " +
             "; ".join(tuner.failed.values() or ["the budget is too small; use a larger --budget"]))
    outcome = Outcome(measured, {ranks: campaign.runs_of(ranks)[-1] for ranks in {cell.ranks for cell in measured}},
                      options.margin, tuner.command.catalogue)

    def text(groups):
        runs = list(campaign.used.values())
        note = provenance(runs, options.launcher, options.margin, tuner.unmeasured(), outcome.slower)
        return table_text(groups, runs[0]["host"], note, machine)

    part.write_text(text(outcome.groups()))
    achieved, problems = verify(campaign, outcome, outcome.groups(), lambda cost: tuner.allows(cost, 0),
                                Progress("series verified").show)
    groups = outcome.groups()
    outcome.take_back([cell for cell, arm in achieved.items()
                       if arm["verdict"] == "slower" and outcome.chosen[cell] != "native"])
    print(columns(rows_of(groups, outcome, achieved)))
    part.write_text(text(outcome.groups()))
    composed, problems_there = compose(options, tuner, outcome)
    groups = [*outcome.groups(), *composed]
    return finish(options, tuner, outcome, text(groups), part, problems + problems_there)


def compose(options, tuner, outcome):
    """Measures the calls of mpigraft.h, and prints which of them pay: their rules, and what went wrong."""
    compositions = Compositions(tuner.campaign, options.margin, [group.rule for group in outcome.groups()])
    sizes = {ranks: some for ranks, some in sizes_of(tuner.cells, options.algorithms).items()
             if ranks in outcome.conditions}
    compositions.measure(sizes, lambda cost: tuner.allows(cost, 0), Progress("numbers of ranks").show)
    groups = compositions.groups(outcome.conditions)
    rows = [(group.rule["collective"], *spans_of_cells(group), group.rule["algorithm"],
             span_of_ratios(group.ratios or [1])) for group in groups]
    if rows:
        print(columns([("MPIGRAFT.H", "RANKS", "BYTES", "WAY", "TWO CALLS / THIS"), *rows]))
    for ranks in compositions.left:
        print(f"not measured, so left to the model: calls of mpigraft.h, {ranks} ranks")
    return groups, compositions.problems


def warn_of_load(run):
    if run["load"] > run["cores"] * BUSY:
        print(f"mpigraft tune: {run['host']} is busy (load {run['load']:.1f}, {run['cores']} cores): what is measured "
              "there may be noise", file=sys.stderr)


def finish(options, tuner, outcome, text, part, problems):
    """Puts the table in its place, tells what went wrong, and returns the exit code."""
    part.write_text(text)
    part.replace(options.out)
    for cell in outcome.slower:
        print(f"slower than native in the second run, so the table leaves it native: {cell}")
    unmeasured = tuner.unmeasured()
    for cells in in_words(cell for cell in unmeasured if cell not in tuner.failed):
        print(f"not measured, so native: {cells}")
    for cell in (cell for cell in unmeasured if cell in tuner.failed):
        print(f"not measured, so native: {cell} ({tuner.failed[cell]})")
    if tuner.steps_left():
        print("run the same command with a larger --budget to measure more")
    if tuner.failed:
        print("run the same command again to retry what failed")
    print(f"{options.out}: {len(json.loads(text)['rules'])} rules; ratios are native over grafted; "
          f"figures: {tuner.campaign.results.path}")
    wrong = sorted({wrong for run in tuner.campaign.used.values() for wrong in wrong_arms(run)})
    problems += [f"wrong result: {one}; the table does not use it" for one in wrong]
    for problem in problems:
        print(f"mpigraft tune: {problem}", file=sys.stderr)
    return FINDINGS if problems or tuner.failed else OK


def main():
    stop_on_sigterm()
    try:
        options = parse()
    except (CommandFailed, OSError) as error:
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
    part = options.out.with_name(options.out.name + ".part")
    results = Results(results_of(options), options.fresh)
    command = options.command
    campaign = Campaign(options.launcher, options.bench, command.version, results, part)
    tuner = Tuner(campaign, command, plan_of(options, command), options.algorithms, options.budget, Progress("runs"))
    if options.dry_run:
        tuner.price(tuner.known_machine() or {})
        print("\n".join(describe(tuner, options.budget)))
        return OK
    print(f"mpigraft tune: the launcher is {options.launcher}", file=sys.stderr)
    try:
        return tune(options, tuner, part)
    finally:
        part.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main())
