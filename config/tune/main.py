#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures this machine with mpigraft-bench and writes a tuning table for it: native everywhere but where an algorithm
is faster beyond doubt. Each run's figures are kept in FILE.results.jsonl as soon as it is over; stopped in any way, the
same command goes on from there and measures nothing twice, and with another budget it measures on."""

import argparse
import json
import sys
from pathlib import Path

from bench import BenchFailed, wrong_arms
from campaign import Campaign, stop_on_sigterm
from dry_run import describe
from outcome import Outcome, provenance, table_text, verify
from plan import COLLECTIVES, Command, CommandFailed, cells_of_report, grid
from progress import Progress
from results import Results
from tuner import Tuner
from units import parse_seconds, parse_size, size_text

OK, FINDINGS, CANNOT_RUN, INTERRUPTED = 0, 1, 2, 130
BUSY = 0.5  # load for a core, before the first run


def list_of(parse):
    def parse_all(text):
        try:
            return [parse(word) for word in text.split(",")]
        except ValueError as error:
            raise argparse.ArgumentTypeError(error) from error
    return parse_all


def ranks_of(text):
    if not text.isdigit() or int(text) < 2:
        raise ValueError(f'"{text}" is no number of ranks; write 2 or more')
    return int(text)


def size_of(text):
    if parse_size(text) == 0:
        raise ValueError("calls of 0 bytes are always native")
    return parse_size(text)


def collective_of(text):
    if text not in COLLECTIVES:
        raise ValueError(f'"{text}" is none of {", ".join(COLLECTIVES)}')
    return text


def budget_of(text):
    try:
        return parse_seconds(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(error) from error


def parse():
    parser = argparse.ArgumentParser(
        prog="mpigraft tune", description=__doc__,
        epilog="Exit codes: 0 all is well; 1 a run failed or an algorithm gave a wrong result, which the table leaves "
               "out; 2 cannot run; 130 stopped.")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--ranks", type=list_of(ranks_of), metavar="N,...", help="numbers of ranks to measure")
    what.add_argument("--from", type=Path, dest="report", metavar="REPORT.json",
                      help="measure what a job used: the ranks and bytes of its report")
    parser.add_argument("--bytes", type=list_of(size_of), metavar="SIZE,...", default="8,1K,8K,64K,512K,4M",
                        help="of one rank's data, with --ranks (default: %(default)s)")
    parser.add_argument("--collectives", type=list_of(collective_of), metavar="NAME,...", default=",".join(COLLECTIVES),
                        help="default: %(default)s")
    parser.add_argument("--algorithms", type=list_of(str), metavar="NAME,...",
                        help="full names (default: all for every operator that the model does not find hopeless)")
    parser.add_argument("--launcher", default="mpiexec -n {n}",
                        help='starts {n} ranks, such as "srun -n {n}" (default: %(default)s)')
    parser.add_argument("--budget", type=budget_of, metavar="TIME",
                        help="such as 5m or 2h, of all runs of the results file; what does not fit is not measured, "
                             "and stays native (default: as long as it takes)")
    parser.add_argument("--margin", type=float, default=1.05,
                        help="how many times faster than native, between the 95 %% intervals of the medians, an "
                             "algorithm must be (default: %(default)s)")
    parser.add_argument("-o", "--out", type=Path, default=Path("site.json"), metavar="FILE",
                        help="the table (default: %(default)s)")
    parser.add_argument("--fresh", action="store_true", help="forget what FILE.results.jsonl has")
    parser.add_argument("--dry-run", action="store_true", help="tell what would be measured and how long it takes")
    parser.add_argument("--bench", type=Path, help="mpigraft-bench (default: the one beside this command)")
    parser.add_argument("--mpigraft", type=Path, help=argparse.SUPPRESS)  # the command itself
    options = parser.parse_args()
    if "{n}" not in options.launcher:
        parser.error('--launcher: write {n} for the number of ranks, as in "srun -n {n}"')
    if not options.bench or not options.bench.exists():
        parser.error("mpigraft-bench is not beside this command; name it with --bench")
    options.bench = options.bench.absolute()
    return options


def plan_of(options, command):
    unknown = set(options.algorithms or ()) - {entry["name"] for entry in command.catalogue}
    if unknown:
        fail(f"no algorithm: {', '.join(sorted(unknown))}; `mpigraft list` shows them")
    if options.algorithms:
        options.collectives = [name for name in options.collectives
                               if any(algorithm.startswith(name + "/") for algorithm in options.algorithms)]
    if not options.report:
        return grid(options.ranks, options.collectives, options.bytes)
    try:
        cells = cells_of_report(json.loads(options.report.read_text()), options.collectives)
    except (OSError, ValueError, KeyError, TypeError) as error:
        fail(f"{options.report}: no report in JSON: {error!r}")
    if not cells:
        fail(f"{options.report}: no call of several ranks of {', '.join(options.collectives)}")
    return cells


def fail(message):
    print(f"mpigraft tune: {message}", file=sys.stderr)
    sys.exit(CANNOT_RUN)


def rows_of(groups, outcome, achieved):
    """What is printed: predicted against achieved, a line for each rule."""
    rows = [("COLLECTIVE", "RANKS", "BYTES", "ALGORITHM", "PREDICTED", "ACHIEVED")]
    for group in groups:
        found = [arm["ratio"] for cell, arm in achieved.items() if cell.collective == group.rule["collective"]
                 and (cell.ranks, cell.bytes) in group.cells]
        ranks, sizes = zip(*group.cells)
        rows.append((group.rule["collective"], span(min(ranks), max(ranks), str),
                     span(min(sizes), max(sizes), size_text), group.rule["algorithm"],
                     span_of_ratios(group.ratios or [1]), span_of_ratios(found)))
    return rows


def span(least, most, text):
    return text(least) if least == most else f"{text(least)} to {text(most)}"


def span_of_ratios(ratios):
    return span(min(ratios), max(ratios), lambda ratio: f"{ratio:.2f}") if ratios else "not verified"


def columns(rows):
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join("  ".join(f"{cell:{width}}" for cell, width in zip(row, widths)).rstrip() for row in rows)


def tune(options, tuner, part):
    """Measures, writes the table, and returns the exit code. `part` is in force meanwhile."""
    campaign = tuner.campaign
    part.write_text(table_text([], "being tuned", "", {}))
    machine = tuner.measure_machine()
    part.write_text(table_text([], "being tuned", "", machine))  # block sizes are those of the table to be
    warn_of_load(next(iter(campaign.used.values())))
    tuner.price(machine)
    tuner.measure_cells()
    measured = {cell: runs for cell in tuner.cells if (runs := tuner.measured(cell))}
    if not measured:
        fail("no cell was measured: " + "; ".join(tuner.failed.values() or ["the budget is too small"]))
    outcome = Outcome(measured, {ranks: campaign.runs_of(ranks)[-1] for ranks in {cell.ranks for cell in measured}},
                      options.margin)

    def text():
        runs = list(campaign.used.values())
        note = provenance(runs, options.launcher, options.margin, tuner.unmeasured(), outcome.slower)
        return table_text(outcome.groups(), runs[0]["host"], note, machine)

    part.write_text(text())
    achieved, problems = verify(campaign, outcome, outcome.groups(), lambda cost: tuner.allows(cost, 0),
                                Progress("series verified").show)
    groups = outcome.groups()
    outcome.take_back([cell for cell, arm in achieved.items()
                       if arm["verdict"] == "slower" and outcome.chosen[cell] != "native"])
    print(columns(rows_of(groups, outcome, achieved)))
    return finish(options, tuner, outcome, text(), part, problems)


def warn_of_load(run):
    if run["load"] > run["cores"] * BUSY:
        print(f"mpigraft tune: {run['host']} is busy (load {run['load']:.1f}, {run['cores']} cores): what is measured "
              "there may be noise", file=sys.stderr)


def finish(options, tuner, outcome, text, part, problems):
    """Puts the table in its place, and tells what is not as it should be."""
    part.write_text(text)
    part.replace(options.out)
    for cell in outcome.slower:
        print(f"slower than native in the second run, so native in the table: {cell}")
    unmeasured = tuner.unmeasured()
    for cell in unmeasured:
        print(f"not measured, so native: {cell}" + (f" ({tuner.failed[cell]})" if cell in tuner.failed else ""))
    if tuner.steps_left():
        print("the same command with a larger --budget measures on")
    if tuner.failed:
        print("the same command tries again what failed")
    print(f"{options.out}: {len(outcome.groups())} rules; ratios are native over grafted; "
          f"figures: {tuner.campaign.results.path}")
    wrong = sorted({wrong for run in tuner.campaign.used.values() for wrong in wrong_arms(run)})
    problems += [f"wrong result: {one}; the table does not use it" for one in wrong]
    for problem in problems:
        print(f"mpigraft tune: {problem}", file=sys.stderr)
    return FINDINGS if problems or tuner.failed else OK


def main():
    stop_on_sigterm()
    options = parse()
    try:
        return run(options)
    except KeyboardInterrupt:
        print(f"\nmpigraft tune: stopped; the same command goes on from {results_of(options)}", file=sys.stderr)
        return INTERRUPTED
    except (BenchFailed, CommandFailed, OSError) as error:
        fail(str(error))


def results_of(options):
    return options.out.with_name(options.out.name + ".results.jsonl")


def run(options):
    part = options.out.with_name(options.out.name + ".part")
    results = Results(results_of(options), options.fresh)
    command = Command(options.mpigraft)
    campaign = Campaign(options.launcher, options.bench, command.version, results, part)
    tuner = Tuner(campaign, command, plan_of(options, command), options.algorithms, options.budget, Progress("runs"))
    if options.dry_run:
        tuner.price(tuner.known_machine() or {})
        print("\n".join(describe(tuner, options.budget)))
        return OK
    try:
        return tune(options, tuner, part)
    finally:
        part.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main())
