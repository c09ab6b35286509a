#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs an unmodified program natively and with libmpigraft.so preloaded, and compares."""

import os
import re
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import launch
import memcheck


def parse():
    parser = launch.arguments(__doc__)
    parser.add_argument("-n", type=int, default=2, help="ranks")
    parser.add_argument("--all", action="store_true", help="no call stays native by the table")
    parser.add_argument("--grafted-only", action="store_true", help="the program judges its result itself")
    parser.add_argument("--env", action="append", default=[], metavar="NAME=VALUE", help="of the grafted launch")
    parser.add_argument("--before", type=os.path.abspath, help="a library that is preloaded before ours")
    parser.add_argument("--table", metavar="JSON", help="its text")
    parser.add_argument("--mpiexec-option", action="append", default=[], metavar="WORD")
    parser.add_argument("--ran", metavar="ALGORITHM", help="one row of the report at least names it")
    parser.add_argument("--reason", metavar="TEXT", help="its rows (or with no --ran, all rows of calls that a table"
                        " decides, or of those that are forced if that is it) give this reason")
    parser.add_argument("--on-copies", action="store_true", help="the report counts calls on copies of GPU memory")
    parser.add_argument("--sleeps", choices=("some", "none"), help="which the report counts")
    parser.add_argument(
        "--oversubscribed", action="store_true", help="skipped where there are no fewer cores than ranks"
    )
    parser.add_argument("--shared", choices=("all", "none"), help="calls whose messages went through shared memory")
    parser.add_argument("--fails", action="store_true", help="the grafted program ends with an error")
    parser.add_argument("--says", default="", metavar="REGEX", help="in the library's one message, or in all of those"
                        " that --fails permits; else it is silent")
    parser.add_argument("--prints", default="", metavar="REGEX", help="in the grafted program's output")
    parser.add_argument("--twice", action="store_true", help="a second grafted run prints the same")
    parser.add_argument("--gibibytes", type=int, default=0, help="skipped where less memory is free")
    parser.add_argument("--memcheck", action="store_true", help="under valgrind's memcheck, which finds no error of ours")
    parser.add_argument("--finds", metavar="TEXT", help="memcheck finds an error with this text")
    parser.add_argument("program", nargs="+")
    return parser


def check_report(failures, options, outcome):
    rows = [row for row in outcome.rows() if options.ran in (None, row["ran"])]
    if options.reason == "MPIGRAFT_FORCE" and not options.ran:
        forced = re.findall(r"\w+(?==)", ",".join(options.env))
        rows = [row for row in rows if row["call"] in forced]
    if options.ran or options.reason:
        failures.expect(rows, f"no such row in the report: {options.ran or 'any'}")
    if options.reason:
        reasons = {row["reason"] for row in rows} - launch.ALWAYS_NATIVE
        failures.expect(reasons == {options.reason}, f"reasons other than {options.reason!r}: {reasons}")
    if options.shared:
        counts = outcome.shared()
        failures.expect(counts, "the report does not count calls with shared memory")
        failures.expect(all(shared == (grafted if options.shared == "all" else 0) for shared, grafted in counts),
                        f"calls with shared memory, of grafted ones: {counts}")
    if options.on_copies:
        failures.expect("\n@ buffers in GPU memory, all " in outcome.report, "no calls on copies")
    if options.sleeps:
        failures.expect(outcome.rows(), "no report")
        failures.expect(any(outcome.sleeps()) == (options.sleeps == "some"), f"sleeps: {outcome.sleeps()}")


def check_output(failures, options, outcome):
    messages = outcome.messages()
    if options.says:
        right = all(re.search(options.says, message) for message in messages)
        failures.expect(right and (len(messages) == 1 or options.fails and messages), f"the library printed {messages}")
    elif not options.fails:
        failures.expect(not messages, "the library printed unasked")
    failures.expect(re.search(options.prints, outcome.stdout), f"it did not print {options.prints!r}")
    if options.fails:
        failures.expect((outcome.code != 0 or outcome.aborted()) and not outcome.hung, f"exit code {outcome.code}")
    else:
        failures.expect(outcome.code == 0, f"exit code {outcome.code}")
        failures.expect("leaked" not in outcome.stderr, "a leak")
        failures.expect("wrong:" not in outcome.stderr, "a wrong result")


def free_gibibytes():
    with open("/proc/meminfo", encoding="ascii") as file:
        kilobytes = dict(line.split(":") for line in file)["MemAvailable"].split()[0]
    return int(kilobytes) / 2**20


def main():
    options, launcher, failures = launch.begin(parse())
    if options.oversubscribed and len(os.sched_getaffinity(0)) >= options.n:
        launch.skip(f"{options.n} ranks have a core each")
    if free_gibibytes() < options.gibibytes:
        launch.skip(f"{free_gibibytes():.1f} GiB are free, {options.gibibytes} needed")
    launcher.options, launcher.grafts_all = options.mpiexec_option, options.all
    launcher.library = ":".join(filter(None, (options.before, launcher.library)))
    env = dict(pair.split("=", 1) for pair in options.env)
    compared = not (options.grafted_only or options.fails)
    with ThreadPoolExecutor() as beside, tempfile.TemporaryDirectory() as folder:
        if options.table:
            env["MPIGRAFT_TABLE"] = Path(folder) / "table.json"
            env["MPIGRAFT_TABLE"].write_text(options.table)
        native = beside.submit(launcher.native, options.n, options.program) if compared else None
        program = [*(memcheck.command(folder) if options.memcheck else ()), *options.program]
        grafted = launcher.grafted(options.n, program, env)
        if options.memcheck:
            memcheck.judge(failures, folder, options.n, options.finds)
            memcheck.judge_calls(failures, grafted.rows(), env.get("MPIGRAFT_FORCE", ""))
        if options.twice:
            again = launcher.grafted(options.n, options.program, env)
    if grafted.code == launch.SKIPPED:
        launch.skip(grafted.stdout)
    check_report(failures, options, grafted)
    check_output(failures, options, grafted)
    outcomes = [grafted]
    if options.twice:
        outcomes.append(again)
        failures.expect_alike("second run", (grafted.code, grafted.stdout), (again.code, again.stdout))
    if native:
        native = native.result()
        outcomes.append(native)
        failures.expect_alike("output", native.stdout, grafted.stdout)
        failures.expect_alike("exit code", native.code, grafted.code)
    failures.exit(*outcomes)


if __name__ == "__main__":
    main()
