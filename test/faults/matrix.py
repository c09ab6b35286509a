#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs programs with libmpigraft.so under faults. Each case ends, within the watchdog's time, as the native run does
or in a clear MPI error: never with a wrong value, never by a crash, never by a process that stays behind.

In CI only a part of the cases runs; MPIGRAFT_FULL=1 (or --all) runs them all."""

import collections
import dataclasses
import functools
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "preload"))

import cases  # noqa: E402
import launch  # noqa: E402
import tables  # noqa: E402

GONE_WITHIN = 3  # seconds after mpiexec has ended
CRASH = re.compile(r"terminate called|Assertion|(Aborted|Segmentation fault|Bus error) \(signal")
MPI_ERRORS_CODE = 3  # of programs/attempts.h
launch.ENVIRONMENT["UCX_LOG_LEVEL"] = "error"  # UCX's warnings of messages left behind cut the program's lines


def probe(case):
    """Raises Skipped for a case that cannot run here."""
    if case.needs == "unprivileged" and os.geteuid() == 0:
        raise launch.Skipped("root reads every file")
    if case.needs == "mount" and subprocess.run([*cases.PRIVATE_SHM, "1m", "true"], capture_output=True).returncode:
        raise launch.Skipped("no /dev/shm of its own: unshare and mount are not permitted")


class Matrix:
    def __init__(self, options):
        self.options = options

    def launcher(self, case):
        return launch.Launcher(self.options.mpiexec, self.options.library, case.seconds, prefix=case.prefix,
                               grafts_all=True)

    def program(self, case):
        command = [f"{self.options.programs}/{case.program[0]}", *case.program[1:]]
        return ["bash", "-c", case.shell, *command] if case.shell else command

    @functools.cache
    def native(self, ranks, program, prefix, seconds):
        case = cases.Case("", program, ranks, prefix=prefix, seconds=seconds)
        launcher = dataclasses.replace(self.launcher(case), patience=self.options.patience)
        return launcher.native(ranks, self.program(case))

    def grafted(self, case, folder):
        def filled(env):
            return {name: value.format(folder=folder, library=self.options.library,
                                       failing_malloc=f"{self.options.programs}/failing_malloc.so")
                    for name, value in env.items()}

        env = {"FAULT_FOLDER": str(folder), **filled(case.env)}
        table = case.table(folder) if case.table else None
        if table:
            env["MPIGRAFT_TABLE"] = str(table)
        program = self.program(case)
        parts = [(case.ranks, {}, program)]
        if case.apart:
            parts = [(n, {}, ["env", "-C", str(folder / name), *program])
                     for n, name in ((1, "first"), (case.ranks - 1, "others"))]
        if case.own_env:
            parts = [(1, filled(case.own_env.get(rank, {})), program) for rank in range(case.ranks)]
        with tables.changing(table, case.change):
            return self.launcher(case).grafted_mpmd(parts, env)

    def run(self, case):
        """Runs a case; returns what was wrong with its end, and its outcome."""
        probe(case)
        for _ in range(case.launches):
            failures, outcome = self.run_once(case)
            if not failures:
                break
            self.native.cache_clear()
        return failures, outcome

    def run_once(self, case):
        failures = launch.Failures()
        native = None if case.expect == cases.RIGHT else self.native(case.ranks, case.program, case.prefix, case.seconds)
        failures.expect(not native or not native.hung, "the native run hangs")
        with tempfile.TemporaryDirectory(prefix="mpigraft-faults-") as name:
            folder = Path(name)
            outcome = self.grafted(case, folder)
            # all processes of the case have its folder in their environment
            gone = launch.wait_until(lambda: not launch.processes_with(folder), GONE_WITHIN)
            failures.expect(gone, f"processes stay behind: {launch.processes_with(folder)}")
        failures.expect(not outcome.hung, f"still running after {case.seconds} seconds")
        judge(failures, case, native, outcome)
        if case.needs == "fault fires" and "fault: " not in outcome.stderr and not failures:
            raise launch.Skipped("fewer allocations than that")
        failures.expect(case.needs != "first fault fires" or "fault: " in outcome.stderr, "no allocation failed")
        return failures, outcome


def own_lines(outcome):
    """The program's output, without UCX's complaints of missing files, which are on stdout and have the time."""
    return [line for line in outcome.stdout.splitlines() if " UCX " not in line]


def judge(failures, case, native, outcome):
    text = outcome.stdout + outcome.stderr
    if case.expect == cases.RIGHT:
        failures.expect(outcome.code in (0, MPI_ERRORS_CODE) and not CRASH.search(text) and "WRONG" not in text, "not right")
        return judge_words(failures, case, outcome)
    same = (native.code, own_lines(native)) == (outcome.code, own_lines(outcome))
    crash = CRASH.search(text)
    natively = CRASH.search(native.stdout + native.stderr)
    failures.expect(not crash or (natively and case.expect == cases.ENDS), f"a crash: {crash and crash.group()}")
    failures.expect("WRONG" not in text and "wrong:" not in text, "a wrong value")
    right = {cases.NATIVE: same, cases.EITHER: same or outcome.code == MPI_ERRORS_CODE or outcome.aborted(),
             cases.CODE: outcome.code == native.code != 0, cases.ENDS: (outcome.code == 0) == (native.code == 0)}
    failures.expect(right[case.expect], f"expected: {case.expect}; native exit code {native.code}, this one {outcome.code}: "
                    f"{native.stdout}")
    judge_words(failures, case, outcome)


def judge_words(failures, case, outcome):
    messages = outcome.messages()
    if case.message is cases.SILENT:
        failures.expect(not messages, f"messages: {messages}")
    elif case.message is not cases.ANY:
        wanted = (case.message,) if isinstance(case.message, str) else case.message
        right = len(messages) == len(wanted) and all(map(re.search, wanted, messages))
        failures.expect(right, f"not one message with each of {wanted}: {messages}")
    printable = all(line.isprintable() for line in (*messages, *outcome.report.splitlines()))
    failures.expect(printable, "control characters in a message or the report")
    reasons = {row["reason"] for row in outcome.rows()}
    failures.expect(not case.reason or case.reason in reasons, f"reasons {reasons}, none is {case.reason!r}")
    failures.expect(not case.ran or outcome.ran() == {case.ran}, f"ran {outcome.ran()}, not {case.ran}")


def parse():
    parser = launch.arguments(__doc__, "--programs")
    parser.add_argument("--list", action="store_true", help="names of all cases")
    parser.add_argument("--all", action="store_true", help="all cases, as with MPIGRAFT_FULL=1")
    parser.add_argument("--case", help="this one, and how it ended")
    parser.add_argument("--match", default="", help="cases whose name this regular expression finds")
    return parser.parse_args()


def chosen(options):
    everything = cases.all_cases()
    if options.case:
        return [case for case in everything if case.name == options.case]
    wide = options.all or options.match or options.list or os.environ.get("MPIGRAFT_FULL")
    return [case for case in everything if (wide or case.quick) and re.search(options.match, case.name)]


def main():
    options = parse()
    selected = chosen(options)
    if options.list:
        print("\n".join(case.name for case in selected))
        return 0
    matrix, count = Matrix(options), collections.Counter()
    for number, case in enumerate(selected, 1):
        begin, word, reason = time.monotonic(), "ok", ""
        try:
            failures, outcome = matrix.run(case)
            if failures:
                word, reason = "FAILED", "; ".join(failures)
        except launch.Skipped as why:
            word, reason = "skipped", str(why)
        count[word] += 1
        print(f"[{number}/{len(selected)}] {case.name}: {word} {reason} ({time.monotonic() - begin:.1f} s)", flush=True)
        if word == "FAILED" or (options.case and word == "ok"):
            print("---", outcome)
    print(f"{count['ok']} passed, {count['FAILED']} failed, {count['skipped']} skipped")
    return 1 if count["FAILED"] or not count["ok"] else 0


if __name__ == "__main__":
    sys.exit(main())
